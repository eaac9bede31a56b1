"""The prompt of each strategy: a text file in data/prompts with one place for the statement."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from geoutils.errors import UserError
from geoutils.experiment import project_root

PLACE = "{statement}"


def prompt_dir() -> Path:
    """The folder with one file NAME.txt for each strategy NAME."""
    return project_root() / "data" / "prompts"


def strategies() -> list[str]:
    """The strategies that have a prompt file, in alphabetical order."""
    return sorted(path.stem for path in prompt_dir().glob("*.txt"))


@functools.lru_cache(maxsize=64)
def _read(path: Path, _changed: int) -> str:
    text = path.read_text(encoding="utf-8").strip()
    if text.count(PLACE) != 1:
        raise UserError(f"data/prompts/{path.name}: {PLACE} must stand in it exactly once, not {text.count(PLACE)} times")
    return text


def load_prompt(strategy: str) -> str:
    """The prompt template of a strategy; UserError where there is no such file."""
    path = prompt_dir() / f"{strategy}.txt"
    try:
        return _read(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        known = ", ".join(strategies())
        raise UserError(f"strategy {strategy!r}: there is no data/prompts/{strategy}.txt; known are {known}") from None


def render(strategy: str, statement: str) -> str:
    """What is sent as the user's message: the prompt with the statement in its place."""
    return load_prompt(strategy).replace(PLACE, statement)


def prompt_hashes() -> dict[str, str]:
    """The SHA-256 of each prompt file, by strategy."""
    return {name: hashlib.sha256((prompt_dir() / f"{name}.txt").read_bytes()).hexdigest() for name in strategies()}
