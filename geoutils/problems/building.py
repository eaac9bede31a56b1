"""One variant of a problem: from chosen numbers, names and motion to figure, values and text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from geoutils.exact import EXACT, Angle, Real
from geoutils.problems import expressions
from geoutils.problems.floats import FLOAT, to_float
from geoutils.problems.records import REPRESENTATIONS, Problem
from geoutils.problems.rendering import ROUNDING, RenderError, Scope, Statement, placeholders, render

MARGIN = 0.0213  # every inequality of a figure clears this (dimensionless)
APART = 0.056  # named points are at least this share of the figure's box diagonal apart; the search aims at 0.055
LARGEST_ANSWER = 10**6
LONGEST_ANSWER = 36  # printed characters
Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Draw:
    """The choices that make a variant."""

    params: Mapping[str, int]
    names: int = 0
    scale: int = 1
    matrix: Matrix = ()
    shift: tuple[int, ...] = ()


@dataclass(frozen=True)
class Variant:
    """One variant: its figure, values, printed statements and exact answer."""

    problem: Problem
    number: int
    kinds: tuple[str, ...]
    draw: Draw
    base: Mapping[str, Any] = field(repr=False)
    points: Mapping[str, Any] = field(repr=False)
    names: Mapping[str, str] = field(repr=False)
    scope: Scope = field(repr=False)
    answer: Any = None
    statements: Mapping[str, Statement] = field(default_factory=dict, repr=False)

    @property
    def printed(self) -> dict[str, str]:
        """Printed name to base name, for points (visible and hidden)."""
        return {self.names[point]: point for point in self.points}


class Rejected(Exception):
    """A draw that cannot be used; the message is the kind of reason."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason, self.detail = reason, detail


@lru_cache(maxsize=20_000)
def parse(text: str) -> Any:
    """`expressions.parse`, remembered."""
    return expressions.parse(text)


def evaluate(text: str, env: Mapping[str, Any]) -> Any:
    """The exact value of an expression; ValueError (or ZeroDivisionError) where it has none."""
    return expressions.evaluate(parse(text), env, EXACT)


# ---------------------------------------------------------------- the figure of one draw


def build(problem: Problem, draw: Draw, number: int = 0, kinds: Sequence[str] = ()) -> Variant:
    """The variant of given choices, with printed statements; Rejected or ValueError otherwise."""
    params = {name: Real.of(value) for name, value in draw.params.items()}
    base: dict[str, Any] = {}
    for name, text in problem.points.items():
        base[name] = _field(f"points.{name}", text, {**params, **base}, tuple)
    if len({len(point) for point in base.values()}) != 1:
        raise FieldError("points", "all points must have two components, or all three")
    points = {name: _move(point, draw) for name, point in base.items()}
    values: dict[str, Any] = {**params, "scale": Real.of(draw.scale), **points}
    vectors = []
    for name, text in problem.let.items():
        values[name] = _field(f"let.{name}", text, values)
        if isinstance(values[name], tuple):
            vectors.append(name)
    answer = _field("answer", problem.answer, points)
    if not isinstance(answer, (Real, Angle)):
        raise FieldError("answer", "must be a number or an angle")
    values["answer"] = answer
    names = _names(problem, draw.names, vectors)
    visible = {name: names[name] for name in (*problem.visible, *vectors) if name in names}
    cache: dict[str, Any] = {}

    def value_of(text: str) -> Any:
        if text not in cache:
            cache[text] = evaluate(text, values)
        return cache[text]

    scope = Scope(names=visible, values=values, evaluate=value_of)
    variant = Variant(problem, number, tuple(kinds), draw, base, points, names, scope, answer)
    for i, text in enumerate(problem.where):
        if not holds(f"where[{i}]", text, values):
            raise Rejected("where", text)
    _answer_is_clean(answer)
    return variant


class FieldError(ValueError):
    """An author's error in one field of the record."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(reason)
        self.where, self.reason = where, reason


def _field(where: str, text: str, env: Mapping[str, Any], kind: type | None = None) -> Any:
    try:
        value = evaluate(text, env)
    except ZeroDivisionError:
        raise Rejected("degenerate", f"{where}: division by zero in {text}") from None
    except (ValueError, OverflowError, ArithmeticError, TypeError) as error:
        unknown = expressions.names(parse_or_none(text)) - set(env) if parse_or_none(text) else set()
        if unknown:
            raise FieldError(where, f"unknown name {', '.join(sorted(unknown))} in {text!r}") from None
        raise Rejected("degenerate", f"{where}: {error}") from None
    if kind is tuple and not isinstance(value, tuple):
        raise FieldError(where, f"{text!r} is no point")
    if isinstance(value, int) and not isinstance(value, bool):
        value = Real.of(value)
    return value


def parse_or_none(text: str) -> Any:
    """The parsed expression, or None when it does not parse."""
    try:
        return parse(text)
    except (ValueError, OverflowError):
        return None


def holds(where: str, text: str, env: Mapping[str, Any]) -> bool:
    try:
        return bool(expressions.holds(parse(text), env))
    except ZeroDivisionError:
        return False
    except (ValueError, OverflowError, ArithmeticError, TypeError) as error:
        raise FieldError(where, f"{text!r}: {error}") from None


def _move(point: tuple[Any, ...], draw: Draw) -> tuple[Any, ...]:
    scaled = tuple(part * draw.scale for part in point) if draw.scale != 1 else point
    if not draw.matrix:
        return scaled
    turned = []
    for row, shift in zip(draw.matrix, draw.shift, strict=True):
        total = Real.of(shift)
        for factor, part in zip(row, scaled, strict=True):
            if factor:
                total = total + part * factor
        turned.append(total)
    return tuple(turned)


def _names(problem: Problem, index: int, vectors: Sequence[str]) -> dict[str, str]:
    """Base name to printed name; hidden points that no tuple names get a free letter."""
    letters = problem.point_names[index % len(problem.point_names)]
    covered = list(problem.points) if len(letters) == len(problem.points) else list(problem.visible)
    names = dict(zip(covered, letters, strict=True))
    free = [letter for letter in "OTSQRZYXWVUMNKLJIHGFEDCBAP" if letter not in letters]
    for point in problem.points:
        if point not in names:
            if not free:
                raise FieldError("points", "more than 26 points cannot be named")
            names[point] = free.pop(0)
    if problem.vector_names:
        used = [name for name in vectors if name in named_vectors(problem)]
        row = problem.vector_names[index % len(problem.vector_names)]
        if len(row) != len(used):
            raise FieldError(
                "names.vectors", f"{row!r} must name the vectors {', '.join(used) or '(none)'} in this order"
            )
        names.update(zip(used, row, strict=True))
    for name in vectors:
        names.setdefault(name, name)
    return names


@lru_cache(maxsize=2_000)
def _keys(templates: tuple[str, ...]) -> frozenset[str]:
    return frozenset(key.split(".")[0] for template in templates for key in placeholders(template))


def named_vectors(problem: Problem) -> frozenset[str]:
    """The let names that occur as placeholders in a statement."""
    said = tuple(s.say for rep in REPRESENTATIONS for s in problem.statements[rep])
    return _keys((*said, problem.question.say))


def _answer_is_clean(answer: Any) -> None:
    if answer.decimal(3) in ("0.000", "0") or (isinstance(answer, Real) and answer.sign() <= 0):
        raise Rejected("answer", "the answer is zero or negative")
    if isinstance(answer, Real) and float(answer) > LARGEST_ANSWER:
        raise Rejected("answer", f"the answer is above {LARGEST_ANSWER}")
    if len(answer.text()) > LONGEST_ANSWER:
        raise Rejected("answer", f"the answer {answer.text()[:60]} takes more than {LONGEST_ANSWER} characters")


def with_statements(variant: Variant) -> Variant:
    """The variant with its three printed statements; FieldError names the template at fault."""
    problem, printed = variant.problem, {}
    question = _render("question", problem.question.say, variant.scope)
    for rep in REPRESENTATIONS:
        sentences = tuple(
            _render(f"{rep}[{i}]", sentence.say, variant.scope) for i, sentence in enumerate(problem.statements[rep])
        )
        printed[rep] = Statement(rep, sentences, question, ROUNDING[problem.category])
    return replace(variant, statements=printed)


def _render(where: str, template: str, scope: Scope) -> Any:
    try:
        return render(template, scope)
    except RenderError as error:
        raise FieldError(where, str(error)) from None


# ---------------------------------------------------------------- margins


def too_narrow(variant: Variant, conditions: Sequence[Any]) -> str:
    """Why the figure is too special to be drawn ("" if it is not): close points, thin inequalities."""
    points = {name: to_float(point) for name, point in variant.points.items()}
    shown = [points[name] for name in variant.problem.visible]
    gaps = [math.dist(p, q) for i, p in enumerate(shown) for q in shown[:i]]
    size = math.dist(*(tuple(map(pick, zip(*points.values(), strict=True))) for pick in (min, max)))
    if gaps and min(gaps) < APART * size:
        return "two named points are too close"
    for node in conditions:
        try:
            made = expressions.evaluate(node, points, FLOAT)
        except (ValueError, ArithmeticError, TypeError):
            continue
        if any(float(margin) < MARGIN for margin in getattr(made, "margins", ())):
            return f"{expressions.unparse(node)} is too narrow"
    return ""


def printed_gold(variant: Variant) -> str:
    """Where a statement prints the answer ("" if nowhere): values, components, equations, ratios."""
    from geoutils.problems.lints import gold_among_givens

    for rep in REPRESENTATIONS:
        where = gold_among_givens(variant.statements[rep], variant.answer)
        if where:
            return f"{rep} prints {where}"
    return ""


def number_set(statement: Statement) -> tuple[str, ...]:
    """The values that a statement prints, in order (names left out)."""
    return tuple(
        sentence.text[item.start : item.end]
        for sentence in statement.sentences
        for item in sentence.shown
        if item.kind != "name"
    )
