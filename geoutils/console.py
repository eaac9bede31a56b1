"""What a run prints: lines that stay, and, when a person watches, one line that is redrawn."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TextIO

PLAIN_EVERY_S = 15.0


class Console:
    """Prints to standard error; `tick` redraws one line on a terminal and prints now and then elsewhere."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._drawn = ""
        self._last = time.monotonic()

    def say(self, line: str) -> None:
        """Print a line that stays."""
        self._write(("\r\x1b[K" if self._drawn else "") + line + "\n")
        self._drawn = ""
        self._last = time.monotonic()

    def tick(self, line: str) -> None:
        """Show how far something has come."""
        if line == self._drawn:
            return
        if self._live:
            width = shutil.get_terminal_size().columns
            self._write("\r\x1b[K" + line[: max(width - 1, 10)])
            self._drawn = line
        elif time.monotonic() - self._last >= PLAIN_EVERY_S:
            self.say("  " + line)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
