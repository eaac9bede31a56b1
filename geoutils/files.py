"""Writing files whole or not at all, and one run at a time."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from geoutils.errors import RunError


def write_bytes(path: Path, content: bytes) -> Path:
    """Write a file through a temporary one beside it, so that readers see the old or the new."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:60]}.", suffix=".tmp", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise RunError(f"{path}: cannot be written: {error.strerror or error}; nothing there was changed") from None
    return path


def write_text(path: Path, content: str) -> Path:
    """Write UTF-8 text through a temporary file, newlines as given."""
    return write_bytes(path, content.encode("utf-8", errors="backslashreplace"))


@contextlib.contextmanager
def writing(path: Path) -> Iterator[IO[str]]:
    """A UTF-8 text file to write bit by bit; it takes its place only when the block ends well."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:60]}.", suffix=".tmp", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise RunError(f"{path}: cannot be written: {error.strerror or error}; nothing there was changed") from None
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


@contextlib.contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold a lock file while the block runs; RunError at once if another process holds it.

    The system releases it when the process ends, however it ends, so a stale file never blocks.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+", encoding="utf-8")  # noqa: SIM115 (held until the end of the block)
    except OSError as error:
        raise RunError(f"{path}: cannot be opened: {error.strerror or error}") from None
    with file:
        try:
            if os.name == "nt":
                import msvcrt

                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"{what} is already running in another process; wait for it to end") from None
        yield
