"""Names, imports and types over the slices of one view: reference -> Resolution.

Knows engines only by `GraphView`; imports neither git nor grammars. Nothing that is found here is ever stored.
"""

from git_graph.resolve.resolver import Resolver
from git_graph.resolve.values import Group, Occurrence

__all__ = ["Group", "Occurrence", "Resolver"]
