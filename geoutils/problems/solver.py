"""Is the answer the only one?  Figures that meet every condition of a text, by search.

All variants and starts are solved at once (Levenberg and Marquardt) over the conditions
read from the printed text alone.  A text is *unique* when each figure found gives the
asked quantity the value of the answer, *moved* when some figure gives another one, and
*vacuous* when the proof would be empty: too few figures are found, or the true figure is
not among the admissible ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from geoutils.problems.search import Search, UniquenessResult
from geoutils.problems.syntax import ExpressionError, Node, names, rename
from geoutils.problems.systems import System, compile_system, lift, read

__all__ = ["UniquenessResult", "realise"]


def realise(
    conditions: Sequence[Sequence[str]],
    asked: str | Sequence[str],
    gold: Sequence[float],
    truth: Sequence[Mapping[str, Sequence[float]]],
    *,
    starts: int = 24,
    rounds: int = 12,
    seed: int = 0,
) -> list[UniquenessResult]:
    """Search each variant for figures that meet its conditions, and compare what is asked.

    Parameters
    ----------
    conditions : for each variant the conditions read from its text
    asked : the expression asked for, one for all variants or one for each
    gold : its value in each variant (angles in radians)
    truth : the place of each point in the true figure of each variant; its order tells which
        names correspond when variants rename their points, its size scales the starts
    starts, rounds : starts a round, and how many rounds at most until three figures are found
    seed : the search is the same for the same seed

    Returns
    -------
    One `UniquenessResult` a variant, in order.
    """
    asks = [asked] * len(conditions) if isinstance(asked, str) else list(asked)
    results: list[UniquenessResult | None] = [None] * len(conditions)
    groups: dict[Any, list[int]] = {}
    numbers: list[list[float]] = []
    for i, (texts, question, figure) in enumerate(zip(conditions, asks, truth, strict=True)):
        found: list[float] = []
        numbers.append(found)
        slots = {name: f"P{k}" for k, name in enumerate(figure)}
        try:
            _check_names(names(read(question)), [names(read(t)) for t in texts], figure)
            lifted = tuple(lift(rename(read(t), slots), found) for t in texts)
            query = lift(rename(read(question), slots), found)
            groups.setdefault((lifted, query, tuple(map(len, figure.values())), len(found)), []).append(i)
        except ValueError as error:
            results[i] = UniquenessResult("vacuous", 0, 0.0, 0, str(error))
    for (lifted, query, dims, count), members in groups.items():
        try:
            system = _compiled(lifted, query, dims, count)
        except (ValueError, TypeError, ArithmeticError) as error:
            for i in members:
                results[i] = UniquenessResult("vacuous", 0, 0.0, 0, str(error))
            continue
        search = Search(system, query, [numbers[i] for i in members], [gold[i] for i in members])
        found_results = search.run([truth[i] for i in members], starts, rounds, seed)
        for i, result in zip(members, found_results, strict=True):
            example = {n: result.example[f"P{k}"] for k, n in enumerate(truth[i]) if f"P{k}" in result.example}
            results[i] = UniquenessResult(
                result.verdict, result.accepted, result.worst, result.starts, result.reason, example
            )
    return [r for r in results if r is not None]


def _check_names(asked: frozenset[str], given: Sequence[frozenset[str]], figure: Mapping[str, Any]) -> None:
    spoken = frozenset().union(*given)
    if spoken - figure.keys():
        raise ExpressionError(f"the true figure has no point {min(spoken - figure.keys())}")
    if len({len(figure[name]) for name in spoken}) > 1:
        raise ExpressionError("the true figure has points of the plane and of space")
    if asked - spoken:
        raise ExpressionError(f"no condition speaks of {min(asked - spoken)}, which the question asks about")


@lru_cache(maxsize=64)
def _compiled(lifted: tuple[Node, ...], query: Node, dims: tuple[int, ...], count: int) -> System:
    return compile_system(lifted, query, {f"P{k}": d for k, d in enumerate(dims)}, count)
