"""The prompt of each strategy: a text file in data/prompts with one place for the statement.

A prompt may also hold three places for a worked example of another problem (`geoutils.examples` chooses it). Files
without a place for a statement are prompts of other stages: the judge's, and the extraction of concepts.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from geoutils.errors import UserError
from geoutils.experiment import project_root

PLACE = "{statement}"
EXAMPLE_PLACES = ("{example_statement}", "{example_solution}", "{example_answer}")
_PLACES = re.compile(r"\{(statement|example_statement|example_solution|example_answer)\}")


def prompt_dir() -> Path:
    """The folder with one file NAME.txt for each strategy NAME."""
    return project_root() / "data" / "prompts"


def strategies() -> list[str]:
    """The strategies that have a prompt file, in alphabetical order."""
    return sorted(path.stem for path in prompt_dir().glob("*.txt") if PLACE in path.read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=64)
def _read(path: Path, _changed: int) -> str:
    text = path.read_text(encoding="utf-8").strip()
    if text.count(PLACE) != 1:
        raise UserError(f"data/prompts/{path.name}: {PLACE} must stand in it exactly once, not {text.count(PLACE)} times")
    counts = {place: text.count(place) for place in EXAMPLE_PLACES}
    if set(counts.values()) not in ({0}, {1}):
        wrong = next(place for place in EXAMPLE_PLACES if counts[place] != 1)
        raise UserError(f"data/prompts/{path.name}: {wrong} must stand in it once, like the other places of an example")
    return text


def load_prompt(strategy: str) -> str:
    """The prompt template of a strategy; UserError where there is no such file, or its places are wrong."""
    path = prompt_dir() / f"{strategy}.txt"
    try:
        return _read(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        known = ", ".join(strategies())
        raise UserError(f"strategy {strategy!r}: there is no data/prompts/{strategy}.txt; known are {known}") from None


def has_example(prompt: str) -> bool:
    """Whether a prompt template shows a worked example of another problem."""
    return EXAMPLE_PLACES[0] in prompt


def fill(prompt: str, row: Mapping[str, Any]) -> str:
    """The prompt with the statement, and the example if it shows one, of a row of the problems table in their places.

    All places are filled at once, so a statement that holds the name of a place stays as it is. Raises UserError where
    the row lacks the example: see `geoutils.examples.with_examples`.
    """
    if not has_example(prompt):
        return prompt.replace(PLACE, row["statement"])
    if not row.get("example_solution"):
        raise UserError(f"problem {row.get('problem', '')}: no worked example was chosen for a prompt that shows one")
    return _PLACES.sub(lambda found: str(row[found[1]]), prompt)


def render(strategy: str, statement: str) -> str:
    """The prompt with the statement in its place; places of an example stay empty places."""
    return load_prompt(strategy).replace(PLACE, statement)


def load_text(name: str, places: tuple[str, ...]) -> str:
    """The prompt of another stage, in which each of `places` such as `{solution}` must stand once; UserError if not."""
    path = prompt_dir() / f"{name}.txt"
    try:
        text = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise UserError(f"data/prompts/{name}.txt: there is no such file") from None
    for place in places:
        if text.count(place) != 1:
            raise UserError(f"data/prompts/{name}.txt: {place} must stand in it exactly once, not {text.count(place)} times")
    return text


def prompt_hashes() -> dict[str, str]:
    """The SHA-256 of each prompt file, by its name without ending."""
    return {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(prompt_dir().glob("*.txt"))}
