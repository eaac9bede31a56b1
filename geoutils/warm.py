"""Kernels that start warm: one process imports what the notebooks need, and each kernel is a fork of it.

A fork shares nothing but the code that was imported: the process runs no notebook, opens no file of an experiment and
starts no thread; each kernel gets its own environment, working directory, process group and seeds. Where this cannot
work (no fork, not imported yet, the process died) kernels start the usual way, with the same result, a few seconds later.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

REPLIES = "GEOUTILS_WARM_FD"
BASICS = ("numpy", "pandas", "IPython.core.interactiveshell", "ipykernel.kernelapp", "matplotlib_inline.backend_inline")


def spare_grammars() -> None:
    """Let jsonschema, which nbformat imports, do without its optional rfc3987_syntax: that compiles 38 grammars when imported."""
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


def imported_by(notebooks: Iterable[Path]) -> list[str]:
    """The modules that the code cells of some notebooks import, each once."""
    found: dict[str, None] = {}
    for path in notebooks:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, SyntaxError):
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
            for node in (node for source in sources for node in ast.walk(ast.parse(source))):
                if isinstance(node, ast.Import):
                    found |= dict.fromkeys(alias.name for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found |= dict.fromkeys([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    return list(found)


class Forked:
    """A kernel forked elsewhere, with what a manager of kernels asks of a process; its exit code is not known."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """None while it runs, else 0."""
        try:
            os.kill(self.pid, 0)
        except OSError:
            return 0
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, which is not known, once it has ended (it is only called then)."""
        return 0

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The process that forks kernels; close it when the run ends."""

    def __init__(self, modules: Iterable[str], *, cwd: Path) -> None:
        self._lock = threading.Lock()
        self._ready = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        if not hasattr(os, "fork") or sys.platform == "darwin":  # frameworks there do not survive a fork
            return
        read, write = os.pipe()
        env = {**os.environ, REPLIES: str(write), "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
        command = [sys.executable, "-m", "geoutils.warm", *BASICS, *modules]
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, env=env, cwd=cwd, pass_fds=[write], start_new_session=True)
        except OSError:
            return
        finally:
            os.close(write)
        self._replies = os.fdopen(read, "r", encoding="utf-8")
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        if self._replies.readline().strip() == "ready":
            self._ready.set()

    def fork(self, command: list[str], env: Mapping[str, str], cwd: str) -> Forked | None:
        """A kernel that runs `command`; None where that cannot be (yet)."""
        if not self._ready.is_set() or self._process is None or "ipykernel_launcher" not in command:
            return None
        arguments = command[command.index("ipykernel_launcher") + 1 :]
        line = json.dumps({"arguments": arguments, "env": dict(env), "cwd": str(cwd)}) + "\n"
        with self._lock:
            try:
                assert self._process.stdin is not None
                self._process.stdin.write(line.encode())
                self._process.stdin.flush()
                answer = self._replies.readline()
            except (OSError, ValueError):
                answer = ""
            if not answer.strip().isdigit():
                self._ready.clear()
                return None
        return Forked(int(answer))

    def close(self) -> None:
        """End the process; kernels that still run notice it."""
        self._ready.clear()
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()
                self._process.wait()
                if self._process.stdin:
                    self._process.stdin.close()
            self._process = None


# --- in the process itself ------------------------------------------------------------------------


def _serve(modules: list[str]) -> None:
    """Import, then fork one kernel for each line of standard input, until that is closed."""
    import gc

    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # read when ipykernel is imported: kernels end when this process does
    if sys.path[0] in ("", str(Path.cwd())):
        del sys.path[0]
    spare_grammars()
    for name in modules:
        with contextlib.suppress(Exception):  # a name that is no module, or a notebook's own mistake, is told when it runs
            importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children that end leave nothing behind
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    replies = int(os.environ.pop(REPLIES))
    os.write(replies, b"ready\n")
    for line in iter(sys.stdin.buffer.readline, b""):
        asked = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os.close(replies)
            _become_kernel(asked)
        os.write(replies, f"{pid}\n".encode())


def _become_kernel(asked: dict[str, Any]) -> None:
    """Run a kernel here, as `python -m ipykernel_launcher` would; never returns."""
    code = 1
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        for number in (signal.SIGCHLD, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL if number == signal.SIGCHLD else signal.default_int_handler)
        os.environ.clear()
        os.environ.update(asked["env"])
        os.environ["JPY_PARENT_PID"] = str(os.getppid())
        os.chdir(asked["cwd"])
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed()
        launcher = importlib.util.find_spec("ipykernel_launcher")
        sys.argv = [str(launcher.origin) if launcher else "ipykernel_launcher", *asked["arguments"]]
        from ipykernel import kernelapp

        kernelapp.launch_new_instance()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve(sys.argv[1:])
