"""How far a run has come: a line that is redrawn where a person watches, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any

BAR = 24
REDRAW_S = 0.2
PLAIN_S = 15.0


class Progress:
    """Counts what is done of a total. `mode` is auto, bar, plain or none.

    In a notebook the line is one output that is replaced, so that an executed copy holds only its
    last state.
    """

    def __init__(self, total: int, what: str, *, mode: str = "auto") -> None:
        self.total, self.what = total, what
        self.done = 0
        self._started = self._shown = time.monotonic()
        self._mode = _mode() if mode == "auto" else mode
        self._cell: Any = None

    def add(self, count: int = 1) -> None:
        """So many more are done."""
        self.done += count

    def show(self) -> None:
        """Redraw, if the last time is long enough ago."""
        now = time.monotonic()
        if now - self._shown >= (PLAIN_S if self._mode == "plain" else REDRAW_S):
            self._shown = now
            self._draw(self.line())

    def line(self) -> str:
        """The state as one line."""
        passed = max(time.monotonic() - self._started, 1e-9)
        rate = self.done / passed
        left = f", {_clock((self.total - self.done) / rate)} left" if rate and self.done < self.total else ""
        filled = BAR * self.done // max(self.total, 1)
        bar = "" if self._mode == "plain" else f"[{'#' * filled}{'.' * (BAR - filled)}] "
        return f"{self.what}: {bar}{self.done:,} of {self.total:,}, {rate:.1f}/s{left}"

    def close(self, summary: str) -> None:
        """End with a line that stays."""
        if self._mode == "bar":
            self._draw("")
            sys.stderr.write(summary + "\n")
            sys.stderr.flush()
        else:
            self._draw(summary)

    def _draw(self, text: str) -> None:
        if self._mode == "bar":
            sys.stderr.write("\r\x1b[K" + text[:160])
            sys.stderr.flush()
        elif self._mode == "plain":
            print(text, flush=True)
        elif self._mode == "cell":
            from IPython.display import display

            _leave(text)
            data = {"text/plain": text}
            if self._cell is None:
                self._cell = display(data, raw=True, display_id=True)
            else:
                self._cell.update(data, raw=True)


def _leave(text: str) -> None:
    """Write the line into the file that a watching `geoutils run` reads."""
    path = os.environ.get("GEOUTILS_PROGRESS")
    if path:
        with contextlib.suppress(OSError):
            Path(path).write_text(text, encoding="utf-8")


def _mode() -> str:
    if "ipykernel" in sys.modules and "IPython" in sys.modules:
        from IPython import get_ipython

        if get_ipython() is not None:
            return "cell"
    return "bar" if sys.stderr.isatty() else "plain"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
