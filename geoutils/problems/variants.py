"""Variants of a problem: other numbers, motions, scales and names, drawn repeatably.

Variant 0 is the canonical problem.  Variant k is a function of (seed, id, k) alone: every
choice comes from a SHA-256 stream, and a draw is rejected for stated reasons only (a
`where` that fails, a degenerate answer, a figure whose inequalities are too narrow, the
answer printed among the givens, a text seen before).  An equation of the text that the
figure breaks is never a reason to draw again: the proofs report it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from geoutils.exact import Real
from geoutils.problems import expressions
from geoutils.problems.building import (
    Draw,
    FieldError,
    Matrix,
    Rejected,
    Variant,
    build,
    holds,
    number_set,
    parse_or_none,
    printed_gold,
    too_narrow,
    with_statements,
)
from geoutils.problems.records import REPRESENTATIONS, Finding, Problem

ATTEMPTS = 240
SHIFT = 6
PLAN = (
    "names",
    "numbers motion names",
    "numbers",
    "motion scale",
    "numbers motion scale names",
    "names",
    "numbers names",
    "motion names",
    "numbers motion",
    "numbers motion scale names",
)
KINDS = ("numbers", "motion", "scale", "names")


@dataclass
class Drawn:
    """The variants of one problem, the faults met, and how the drawing went."""

    variants: list[Variant]
    findings: list[Finding]
    tried: int = 0
    valid: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    inequalities: list[Any] = field(default_factory=list)


class Stream:
    """Repeatable choices from SHA-256, the same on every platform and Python version."""

    def __init__(self, *key: object) -> None:
        self.key = "/".join(map(str, key))
        self.count = 0

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1."""
        digest = hashlib.sha256(f"{self.key}/{self.count}".encode()).digest()
        self.count += 1
        return int.from_bytes(digest[:8], "big") % limit

    def pick(self, items: Sequence[Any]) -> Any:
        """One of the items."""
        return items[self.below(len(items))]


# ---------------------------------------------------------------- drawing


def draw_variants(
    problem: Problem, count: int, *, seed: int = 0, conditions: Callable[[Variant], Sequence[Any]] | None = None
) -> Drawn:
    """Variants 0 .. count-1 of a problem.

    seed 0 gives the published ones, whose variant 0 is the record's canonical problem; any other
    seed draws even variant 0 afresh.  `conditions(variant 0)` gives parsed inequality conditions
    over base names that every figure must clear; by default they are read from the canonical text.
    Faults are findings; a sparse domain ends the list early with a finding.
    """
    result = Drawn([], [])
    canonical = _canonical(problem, result)
    if canonical is None:
        return result
    nodes = list((conditions or predicates)(canonical)) if count > 1 or seed else []
    result.inequalities = nodes
    narrow = too_narrow(canonical, nodes)
    if narrow:
        result.findings.append(_finding(problem, "canonical", "margin", f"variant 0: {narrow}", variant=0))
    maker = _Maker(problem, seed, nodes, result, len(next(iter(canonical.points.values()))))
    first: Variant | None = canonical
    if seed:
        maker.texts.add(_texts(canonical))
        maker.used.add(tuple(sorted(problem.canonical.items())))
        maker.base = canonical.draw
        first = maker.make(0, "numbers motion names")
    if first is None:
        return result
    first = replace(first, kinds=("canonical",))
    maker.start(first)
    result.variants.append(first)
    for number in range(1, count):
        variant = maker.make(number, PLAN[(number - 1) % len(PLAN)])
        if variant is None:
            break
        result.variants.append(variant)
    return result


def _canonical(problem: Problem, result: Drawn) -> Variant | None:
    try:
        return with_statements(build(problem, Draw(problem.canonical)))
    except FieldError as error:
        result.findings.append(_finding(problem, error.where, "expression", error.reason))
    except Rejected as error:
        kind = {"where": "canonical", "degenerate": "degenerate"}.get(error.reason, "answer")
        result.findings.append(_finding(problem, "canonical", kind, f"variant 0 is refused: {error}", variant=0))
    return None


def _finding(problem: Problem, where: str, kind: str, message: str, *, variant: int | None = None) -> Finding:
    return Finding(problem.file, problem.id, where, kind, message, variant)


def _texts(variant: Variant) -> tuple[str, ...]:
    return tuple(variant.statements[rep].text for rep in REPRESENTATIONS)


class _Maker:
    """Draws one variant after the other and remembers what was seen."""

    def __init__(self, problem: Problem, seed: int, nodes: Sequence[Any], result: Drawn, dimension: int) -> None:
        self.problem, self.seed, self.nodes, self.result = problem, seed, nodes, result
        self.texts: set[tuple[str, ...]] = set()
        self.printed: set[tuple[str, ...]] = set()  # numbers of the Euclidean texts
        self.used: set[tuple[tuple[str, int], ...]] = set()
        self.base = Draw(problem.canonical)
        self.dimension = dimension
        self.taken: set[int] = set()  # name tuples already used with the base numbers and scale

    def start(self, first: Variant) -> None:
        self.base = first.draw
        self.texts.add(_texts(first))
        self.printed.add(number_set(first.statements["euclid"]))
        self.used.add(tuple(sorted(first.draw.params.items())))
        self.taken = {first.draw.names}

    def make(self, number: int, wish: str) -> Variant | None:
        """The next variant that fits, by the plan's wish or the nearest one that is possible."""
        for kinds in self._wishes(wish.split()):
            numbers = "numbers" in kinds
            for attempt in range(ATTEMPTS if numbers else 24):
                stream = Stream(self.seed, self.problem.id, number, "+".join(kinds), attempt)
                fresh = attempt < ATTEMPTS // 2
                draw = self._draw(stream, kinds, fresh=fresh)
                if draw is None:
                    break
                variant = self._try(number, draw, numbers, fresh=fresh)
                if variant is not None:
                    return variant
        common = ", ".join(f"{reason} ({n})" for reason, n in self.result.reasons.most_common(3))
        message = (
            f"no variant {number} found; draws were refused for: {common or 'nothing left to vary'}; widen the domain"
        )
        self.result.findings.append(_finding(self.problem, "params", "sparse-domain", message, variant=number))
        return None

    def _wishes(self, wish: list[str]) -> list[tuple[str, ...]]:
        can = set(KINDS)
        if not any(len(values) > 1 for values in self.problem.params.values()):
            can.discard("numbers")
        if self.problem.motion == "fixed":
            can.discard("motion")
        if len(self.problem.scales) == 1:
            can.discard("scale")
        options = [
            wish,
            [*wish, "names"],
            ["numbers", *wish],
            ["numbers", "motion", "names"],
            ["scale", "motion", "names"],
        ]
        chosen: list[tuple[str, ...]] = []
        for option in options:
            kinds = tuple(kind for kind in KINDS if kind in option and kind in can)
            if kinds and kinds != ("motion",) and kinds not in chosen:
                chosen.append(kinds)
        return chosen

    def _draw(self, stream: Stream, kinds: tuple[str, ...], *, fresh: bool) -> Draw | None:
        params = dict(self.base.params)
        if "numbers" in kinds:
            for _ in range(60):
                params = {name: stream.pick(values) for name, values in self.problem.params.items()}
                if params == dict(self.base.params) or (fresh and tuple(sorted(params.items())) in self.used):
                    continue
                if self._cheap(params):
                    break
        names = self.base.names
        if "names" in kinds:
            tuples = [i for i in range(len(self.problem.point_names)) if i != self.base.names]
            if "numbers" not in kinds and "scale" not in kinds:
                tuples = [i for i in tuples if i not in self.taken]
            if not tuples:
                return None
            names = stream.pick(tuples)
        scale, matrix, shift = self.base.scale, self.base.matrix, self.base.shift
        if "scale" in kinds:
            scale = stream.pick([s for s in self.problem.scales if s != self.base.scale])
        if "motion" in kinds:
            matrix, shift = _motion(self.problem.motion, self.dimension, stream)
        return Draw(params, names, scale, matrix, shift)

    def _cheap(self, params: Mapping[str, int]) -> bool:
        """The `where`s over parameters alone, before any figure is made."""
        self.result.tried += 1
        env = {name: Real.of(value) for name, value in params.items()}
        for text in self.problem.where:
            node = parse_or_none(text)
            if node is not None and expressions.names(node) <= set(env) and not holds("where", text, env):
                self.result.reasons[f"where {text}"] += 1
                return False
        return True

    def _try(self, number: int, draw: Draw, numbers: bool, *, fresh: bool = False) -> Variant | None:
        reasons = self.result.reasons
        try:
            variant = build(self.problem, draw, number)
            narrow = too_narrow(variant, self.nodes)
            if narrow:
                raise Rejected("figure", narrow)
            self.result.valid += numbers
            variant = with_statements(variant)
            gold = printed_gold(variant)
            if gold:
                raise Rejected("gold among givens", gold)
        except FieldError as error:
            reasons[f"{error.where}: {error.reason}"] += 1
            return None
        except Rejected as error:
            reasons[str(error) if error.reason == "where" else f"{error.reason} {error.detail}"] += 1
            return None
        texts = _texts(variant)
        if any(text == seen[i] for seen in self.texts for i, text in enumerate(texts)):
            reasons["the text repeats an earlier variant"] += 1
            return None
        printed = number_set(variant.statements["euclid"])
        if numbers and fresh and printed in self.printed:
            reasons["the Euclidean text repeats the numbers of an earlier variant"] += 1
            return None
        self.texts.add(texts)
        self.printed.add(printed)
        if numbers:
            self.used.add(tuple(sorted(draw.params.items())))
        elif draw.scale == self.base.scale:
            self.taken.add(draw.names)
        return replace(variant, kinds=self._kinds(draw))

    def _kinds(self, draw: Draw) -> tuple[str, ...]:
        """What really differs from variant 0."""
        changed = {
            "numbers": dict(draw.params) != dict(self.base.params),
            "motion": (draw.matrix, draw.shift) != (self.base.matrix, self.base.shift),
            "scale": draw.scale != self.base.scale,
            "names": draw.names != self.base.names,
        }
        return tuple(kind for kind in KINDS if changed[kind])


def _motion(kind: str, dimension: int, stream: Stream) -> tuple[Matrix, tuple[int, ...]]:
    """A signed permutation of the axes (`axis`: a quarter turn) and a whole translation; z stays up."""
    turns: tuple[Matrix, ...] = (((1, 0), (0, 1)), ((0, -1), (1, 0)), ((-1, 0), (0, -1)), ((0, 1), (-1, 0)))
    mirrors: tuple[Matrix, ...] = (((1, 0), (0, -1)), ((-1, 0), (0, 1)), ((0, 1), (1, 0)), ((0, -1), (-1, 0)))
    choices = turns[1:] if kind == "axis" else turns[1:] + mirrors
    matrix = stream.pick(choices)
    shift = tuple(stream.below(2 * SHIFT + 1) - SHIFT for _ in range(dimension))
    if dimension == 3:
        matrix = (*((*row, 0) for row in matrix), (0, 0, 1))
    return matrix, shift


def predicates(variant: Variant) -> list[Any]:
    """The parameter-free predicates of the canonical statements, parsed, over base names."""
    from geoutils.problems import reading

    found: dict[str, Any] = {}
    for rep in REPRESENTATIONS:
        for condition in reading.read(variant, rep).conditions:
            node = parse_or_none(condition)
            if node is not None and type(node).__name__ == "Call" and expressions.names(node) <= set(variant.points):
                found[condition] = node
    return list(found.values())
