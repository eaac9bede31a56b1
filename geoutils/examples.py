"""The worked example that a few-shot prompt shows: another problem, never the one that is asked, nor a variant of it.

For each problem the others of its category and difficulty are put into an order that only their names fix (a hash of
both), and the first is taken whose answer differs, so that copying the example's answer is never right. The example is
the canonical variant, in the representation of the statement that is asked, with its own solution.
"""

from __future__ import annotations

import functools
import hashlib
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.experiment import Experiment
from geoutils.prompts import has_example, load_prompt

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("example_problem", "example_match", "example_statement", "example_solution", "example_answer")
SAME, NEAR = "category and difficulty", "category only"
FALLBACK = "euclid"  # the words of an example for a representation that has none, as a figure


def with_examples(problems: pd.DataFrame, pool: pd.DataFrame) -> pd.DataFrame:
    """The problems table with the columns of `COLUMNS`, one example a row, taken from `pool`.

    `pool` is a problems table; of it counts variant 0 with a solution. Where no other problem has the same category and
    difficulty, one of the category is taken, and `example_match` says so. Raises UserError where there is none at all.
    """
    known = pool[(pool["variant"].astype(int) == 0) & (pool["solution"].astype(str).str.strip() != "")]
    by_problem: dict[str, dict[str, dict[str, Any]]] = {}
    groups: dict[tuple[str, ...], list[str]] = {}
    for row in known.to_dict("records"):
        name = str(row["problem"])
        if name not in by_problem:
            for key in ((row["category"], row["difficulty"]), (row["category"],)):
                groups.setdefault(key, []).append(name)
        by_problem.setdefault(name, {})[str(row["representation"])] = row
    ranked: dict[tuple[str, ...], list[str]] = {}
    chosen = []
    for row in problems.to_dict("records"):
        chosen.append(_example(row, by_problem, groups, ranked))
    out = problems.copy()
    for place, column in enumerate(COLUMNS):
        out[column] = [example[place] for example in chosen]
    return out


def _example(
    row: dict[str, Any], by_problem: dict[str, dict[str, dict[str, Any]]], groups: dict[tuple[str, ...], list[str]],
    ranked: dict[tuple[str, ...], list[str]],
) -> tuple[str, str, str, str, str]:
    """The example of one row: its problem, how it matches, statement, solution, answer."""
    problem = str(row["problem"])
    for match, key in ((SAME, (row["category"], row["difficulty"])), (NEAR, (row["category"],))):
        order = ranked.setdefault((problem, *key), [])
        if not order:
            order += sorted((name for name in groups.get(key, ()) if name != problem), key=lambda name: _place(problem, name))
        for name in order:
            texts = by_problem[name]
            example = texts.get(row["representation"]) or texts.get(FALLBACK) or next(iter(texts.values()))
            if (example["value"], example["unit"]) != (row["value"], row["unit"]):
                return name, match, example["statement"], example["solution"], _answer(example)
    raise UserError(
        f"problem {problem}: a few-shot prompt needs another problem of category {row['category']} with a worked solution "
        "and another answer; add one, or take the strategy out of the experiment"
    )


def _place(problem: str, other: str) -> bytes:
    return hashlib.sha256(f"{problem}|{other}".encode()).digest()


def _answer(example: dict[str, Any]) -> str:
    """The answer as a prompt asks for it: exact, but an angle that is no simple number as a decimal."""
    exact = str(example["answer"])
    return str(example["value"]) if exact.startswith("arc") and example["value"] else exact


def examples_for(experiment: Experiment, problems: pd.DataFrame, strategy: str) -> pd.DataFrame:
    """The problems table with examples where the prompt of the strategy shows one, else as it is.

    The pool is every problem of the experiment's source, whatever part of it the experiment asks, so that a larger
    limit changes no request; for imported problems it is these.
    """
    if "example_solution" in problems or not has_example(load_prompt(strategy)):
        return problems
    return with_examples(problems, problems if experiment.imported else pool_of(experiment, problems))


def pool_of(experiment: Experiment, problems: pd.DataFrame) -> pd.DataFrame:
    """All canonical problems of the experiment's source; the given ones where the source is not there."""
    source = experiment.source
    if not source.exists():
        return problems
    files = [source] if source.is_file() else sorted(source.glob("*.yaml"))
    return _pool(str(source), max((path.stat().st_mtime_ns for path in files), default=0))


@functools.lru_cache(maxsize=4)
def _pool(source: str, _changed: int) -> pd.DataFrame:
    from geoutils.dataset import problems_table

    return problems_table(source)
