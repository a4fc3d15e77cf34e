"""SHA-1 and SHA-256 for a few bytes, without what `hashlib` loads: OpenSSL costs more than a question hashes.

Where this Python was built without its own, they are hashlib's. For many bytes hashlib's are the faster ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import sha1, sha256
else:
    try:
        from _sha1 import sha1
    except ImportError:
        from hashlib import sha1
    try:
        from _sha2 import sha256  # Python 3.12
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

__all__ = ["sha1", "sha256"]
