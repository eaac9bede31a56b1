"""The two ways in which geoutils gives up, each with one line that says what to do."""

from __future__ import annotations


class GeoutilsError(Exception):
    """An error whose message is one line naming what, where, and the remedy.

    In a notebook only that line is shown, without a traceback.
    """

    exit_code = 1

    def __str__(self) -> str:
        return " ".join(super().__str__().split())

    def _render_traceback_(self) -> list[str]:  # IPython asks for this instead of printing frames
        return [f"{type(self).__name__}: {self}"]


class UserError(GeoutilsError):
    """The input is wrong: a file, a field, an option or a missing earlier step (exit code 2)."""

    exit_code = 2


class RunError(GeoutilsError):
    """The input is fine but the run could not be finished (exit code 1)."""

    exit_code = 1
