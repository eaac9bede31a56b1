"""What else a sound problem shows: a clean solution and figure, a graded gold, a rich domain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from geoutils.exact import EXACT, Angle
from geoutils.problems import expressions
from geoutils.problems.building import FieldError, Rejected, Variant, build, parse, too_narrow
from geoutils.problems.floats import to_float
from geoutils.problems.records import Finding, Problem
from geoutils.problems.rendering import render_solution
from geoutils.problems.variants import Drawn, Stream

VALID_SHARE = 0.3
VALID_SETS = 40
SEARCH = 500
CLEARANCE = 0.8  # letter heights between a letter and the nearest line
ARITHMETIC = (ValueError, OverflowError, ArithmeticError, TypeError)
_ODD_SIGNS = re.compile(r"(\+|-|\\cdot) ?-|--")


def _finding(problem: Problem, where: str, kind: str, message: str, variant: int | None = None) -> Finding:
    return Finding(problem.file, problem.id, where, kind, message, variant)


def solution(problem: Problem, variant: Variant) -> Iterator[Finding]:
    for i, step in enumerate(problem.solution):
        try:
            text = render_solution(step, variant.scope)
            if match := _ODD_SIGNS.search(text):
                message = (
                    f"odd signs at {text[max(0, match.start() - 12) : match.end() + 12]!r}; put brackets round a value"
                )
                found = _finding(problem, f"solution[{i}]", "solution", message, variant.number)
                yield replace(found, level="warning")
        except (*ARITHMETIC, AttributeError) as error:
            yield _finding(problem, f"solution[{i}]", "solution", f"{error}", variant.number)


def figures(problem: Problem, variants: Sequence[Variant]) -> Iterator[Finding]:
    """The figure draws, no letter touches a line or another letter, and with its givens it can stand for a statement."""
    if not variants:
        return
    from geoutils.problems.figure_checks import faults
    from geoutils.problems.figures import draw

    for variant in variants:
        points = {name: to_float(point) for name, point in variant.points.items()}
        values = {name: value for name, value in variant.scope.values.items() if name not in points}
        try:
            drawing = draw(points, problem.figure, names=variant.names, values=values)
        except ARITHMETIC as error:
            yield _finding(problem, "figure", "figure", f"it cannot be drawn: {error}", variant.number)
            continue
        if drawing.clearance < CLEARANCE or drawing.gap <= 0:
            message = f"a letter is {drawing.clearance:.2f} letter heights from a line; at least {CLEARANCE} are needed"
            yield _finding(problem, "figure", "figure", message, variant.number)
        for message in faults(variant):
            yield replace(_finding(problem, "figure", "figure", message, variant.number), representation="figure")


def golds(problem: Problem, variants: Sequence[Variant]) -> Iterator[Finding]:
    """Every gold, in many written forms, must be graded correct against itself."""
    from geoutils.grading import grade
    from geoutils.written import written_forms

    seen: set[str] = set()
    for variant in variants:
        gold, unit = variant.answer.ascii(), "degrees" if isinstance(variant.answer, Angle) else ""
        if gold in seen:
            continue
        seen.add(gold)
        try:
            wrong = [form for form in written_forms(gold, unit) if grade(form, gold, unit).verdict != "correct"]
        except ValueError as error:
            yield _finding(problem, "answer", "gold-test", f"the grader cannot read {gold!r}: {error}", variant.number)
            continue
        if wrong:
            message = (
                f"the grader refuses {len(wrong)} written forms of {gold}, such as {' '.join(wrong[0].split())[:60]!r}"
            )
            yield _finding(problem, "answer", "gold-test", message, variant.number)


def domain(problem: Problem, drawn: Drawn, canonical: Variant) -> Iterator[Finding]:
    """A sparse domain breaks fresh seeds: enough draws, or enough distinct sets, must be valid."""
    if not problem.params or len(drawn.variants) < 2:
        return
    if drawn.tried >= 20 and drawn.valid >= VALID_SHARE * drawn.tried:
        return
    nodes = drawn.inequalities
    valid: set[tuple[int, ...]] = set()
    seen: set[tuple[int, ...]] = set()
    hits = tried = 0
    stream = Stream("domain", problem.id)
    reasons: Counter[str] = Counter()
    for tried in range(1, SEARCH + 1):
        values = {name: stream.pick(options) for name, options in problem.params.items()}
        key = tuple(values.values())
        if key in valid:
            hits += 1
        elif key not in seen:
            seen.add(key)
            why = _refused(problem, canonical, values, nodes)
            if why:
                reasons[why] += 1
            else:
                valid.add(key)
                hits += 1
        if len(valid) >= VALID_SETS or (tried >= 40 and hits >= VALID_SHARE * tried):
            return
    message = (
        f"{hits} of {tried} draws are valid and {len(valid)} distinct sets were met; at least 30 % or {VALID_SETS} "
        f"sets are needed (most often refused: {'; '.join(why for why, _ in reasons.most_common(2))})"
    )
    yield _finding(problem, "params", "sparse-domain", message)


def _refused(problem: Problem, canonical: Variant, values: Mapping[str, int], nodes: Sequence[Any]) -> str:
    env = {name: EXACT.of(value) for name, value in values.items()}
    for text in problem.where:
        node = parse(text)
        if expressions.names(node) <= set(env) and not expressions.holds(node, env):
            return f"where {text}"
    try:
        return too_narrow(build(problem, type(canonical.draw)(values)), nodes)
    except (Rejected, FieldError) as error:
        return str(error)
