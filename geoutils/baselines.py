"""Answers that need no geometry: how much of a score they reach is what a score is worth.

They read the statement's text as a model would, or the golds: `most-common-answer` knows the
commonest gold of each category, `gold` knows the truth and writes it in many ways, so that it must
score 100 % or the pipeline is broken.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.outcomes import Result
from geoutils.requests import Cell

if TYPE_CHECKING:
    import pandas as pd

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.√])-?"
    r"(?:(?P<factor>[0-9]+(?:\.[0-9]+)?)?√(?P<root>[0-9]+)|(?P<plain>[0-9]+(?:\.[0-9]+)?))(?:/(?P<under>[0-9]+))?"
)


def numbers_in(statement: str) -> list[tuple[str, float]]:
    """The numbers of a statement in order, each as ASCII text and as a float.

    >>> numbers_in("A(3, -4), AB = 3√2/5")
    [('3', 3.0), ('-4', -4.0), ('3*sqrt(2)/5', 0.848528137423857)]
    """
    found = []
    for match in _NUMBER.finditer(statement[:20_000]):
        factor, root, plain, under = match.group("factor", "root", "plain", "under")
        sign = -1.0 if match[0].startswith("-") else 1.0
        text = plain or (f"{factor}*" if factor else "") + f"sqrt({root})"
        value = float(plain) if plain else float(factor or 1) * math.sqrt(float(root))
        if under and float(under):
            text, value = f"{text}/{under}", value / float(under)
        found.append((("-" if sign < 0 else "") + text, sign * value))
    return found


def with_most_common(problems: pd.DataFrame) -> pd.DataFrame:
    """The problems table with column `most_common`: the commonest gold of each row's category.

    Golds are counted once for each problem and variant, and are alike where value and unit are;
    a tie goes to the one that comes first in the table.
    """
    once = problems.drop_duplicates(["problem", "variant"])
    common = {}
    for category, golds in once.groupby("category", sort=False):
        counts = golds.groupby(["value", "unit"], sort=False, dropna=False)["answer"].agg(["size", "first"])
        common[category] = counts.loc[counts["size"].idxmax(), "first"]
    return problems.assign(most_common=problems["category"].map(common))


def _draw(cell: Cell, seed: int | None, among: int) -> int:
    text = f"{seed}|{cell.problem}|{cell.variant}|{cell.representation}|{cell.strategy}|{cell.repeat}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % among


def _last(cell: Cell, _seed: int | None) -> str:
    found = numbers_in(cell.row["statement"])
    return found[-1][0] if found else ""


def _largest(cell: Cell, _seed: int | None) -> str:
    found = numbers_in(cell.row["statement"])
    return max(found, key=lambda item: item[1])[0] if found else ""


def _random(cell: Cell, seed: int | None) -> str:
    found = numbers_in(cell.row["statement"])
    return found[_draw(cell, seed, len(found))][0] if found else ""


def _most_common(cell: Cell, _seed: int | None) -> str:
    return str(cell.row["most_common"])


def _gold(cell: Cell, seed: int | None) -> str:
    from geoutils.written import written_forms

    try:
        forms = written_forms(cell.row["answer"], cell.row.get("unit") or None)
    except ValueError as error:
        raise UserError(f"problem {cell.problem}, variant {cell.variant}: the gold cannot be read: {error}") from None
    return forms[_draw(cell, seed, len(forms))]


ANSWERS: dict[str, Callable[[Cell, int | None], str]] = {
    "last-number": _last,
    "largest-number": _largest,
    "most-common-answer": _most_common,
    "random-number": _random,
    "gold": _gold,
}


def answer(name: str, cell: Cell, seed: int | None) -> Result:
    """The baseline's response to a cell."""
    return local_result(ANSWERS[name](cell, seed), f"baseline/{name}")


def simulated_answer(model: str, cell: Cell) -> Result:
    """The response of a simulated model, whose true abilities are known."""
    from geoutils import simulated

    row: dict[str, Any] = {**cell.row, "strategy": cell.strategy, "repeat": cell.repeat}
    return local_result(simulated.answer(model, row), model)


def local_result(content: str, model: str) -> Result:
    """A result that was computed here, for nothing."""
    outcome = "ok" if content.strip() else "empty"
    return Result(outcome, "done", content=content, finish_reason="stop", served_model=model, cost_usd=0.0)
