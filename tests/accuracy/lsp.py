"""A language server as a process: requests with answers, notifications, and the work it says that it is doing."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from pathlib import Path
from typing import Any


class Gone(Exception):
    """The server ended, or did not answer in time."""


class Client:
    """One server, started on the repository at `root`; `options` are its initialization options."""

    def __init__(
        self, command: tuple[str, ...], root: Path, options: dict[str, Any], environment: dict[str, str]
    ) -> None:
        self.root = root
        self.working: set[object] = set()
        """Tokens of the work in progress."""
        self.worked: set[object] = set()
        """Tokens of the work that has ended."""
        self.ended = False
        """Whether the server is no more."""
        self._last = 0
        self._waiting: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root,
            env={**os.environ, **environment},
        )  # fmt: skip
        threading.Thread(target=self._read, daemon=True).start()
        uri = root.as_uri()
        self.call("initialize", {
            "processId": os.getpid(), "rootUri": uri, "workspaceFolders": [{"uri": uri, "name": root.name}],
            "initializationOptions": options,
            "capabilities": {
                "window": {"workDoneProgress": True},
                "workspace": {"configuration": True, "workspaceFolders": True},
                "textDocument": {"references": {}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
            },
        })  # fmt: skip
        self.note("initialized", {})

    def call(self, method: str, params: dict[str, Any], timeout: float = 300) -> Any:
        """A request's result, None if the server refused it. Raises Gone."""
        self._last += 1
        answers = self._waiting[self._last] = queue.Queue()
        self._send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        try:
            result = answers.get(timeout=timeout).get("result")
            if self.ended:
                raise Gone("the server has ended")
            return result
        except queue.Empty:
            raise Gone(f"no answer to {method} in {timeout} s") from None
        finally:
            self._waiting.pop(self._last, None)

    def note(self, method: str, params: dict[str, Any]) -> None:
        """A notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def settle(self, first: float, quiet: float) -> None:
        """Wait until work that began within `first` seconds has ended, for `quiet` seconds without new work."""
        since = time.monotonic()
        while not self.working and not self.worked and time.monotonic() - since < first:
            time.sleep(0.2)
        since = time.monotonic()
        while time.monotonic() - since < quiet:
            time.sleep(0.2)
            if self.working:
                since = time.monotonic()

    def close(self) -> None:
        """End the server."""
        self._process.kill()
        self._process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        with self._lock:
            try:
                self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                self._process.stdin.flush()
            except BrokenPipeError:
                raise Gone("the server has ended") from None

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while True:
            size = 0
            while (header := stream.readline()) != b"\r\n":
                if not header:
                    self.ended = True
                    for answers in list(self._waiting.values()):
                        answers.put({})
                    return
                if header.lower().startswith(b"content-length"):
                    size = int(header.split(b":")[1])
            self._take(json.loads(stream.read(size)))

    def _take(self, message: dict[str, Any]) -> None:
        method, number = message.get("method"), message.get("id")
        if method is not None and number is not None:
            result = [{} for _ in message["params"]["items"]] if method == "workspace/configuration" else None
            self._send({"jsonrpc": "2.0", "id": number, "result": result})
        elif method == "$/progress":
            token, kind = message["params"]["token"], message["params"]["value"].get("kind")
            if kind == "begin":
                self.working.add(token)
            elif kind == "end":
                self.working.discard(token)
                self.worked.add(token)
        elif number in self._waiting:
            self._waiting[number].put(message)
