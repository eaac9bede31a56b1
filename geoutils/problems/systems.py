"""From the conditions of a text to a system that the solver can run.

Conditions of all variants are laid side by side: where only numbers differ they share one
structure, its numbers become parameters, and everything is compiled once.  Points that the
text defines by others (a midpoint, a fourth vertex, a point given by coordinates) are
computed and not searched for; a point of a segment is searched for along it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from geoutils.problems.expressions import evaluate, parse
from geoutils.problems.floats import FLOAT
from geoutils.problems.geometry import Constraint
from geoutils.problems.shapes import at, minus, norm, over, plus, times
from geoutils.problems.syntax import (
    And,
    Call,
    Compare,
    ExpressionError,
    Name,
    Node,
    Num,
    Op,
    Tuple,
    children,
    functions,
    nodes,
    rebuild,
    to_text,
)
from geoutils.problems.tape import Symbol, Tape

_STRUCTURAL = {"regular_vertex": (2, 3)}  # arguments that must stay plain whole numbers
_POINTWISE = frozenset({"nearer_area", "overlap_area"})  # functions that branch, evaluated one by one
_ANGULAR = frozenset(["angle", "cos", "sin", "tan", "acos", "asin", "atan", "deg", "arctan", "arccos", "arcsin"])


# ---------------------------------------------------------------- structure and numbers


@lru_cache(maxsize=8192)
def read(text: str) -> Node:
    """The tree of a condition or of the asked quantity."""
    return parse(text)


def appearing(node: Node) -> Iterator[str]:
    """The points of an expression in order of appearance, with repeats."""
    return (n.id for n in nodes(node) if isinstance(n, Name) and n.id[0] != "#" and n.id != "pi")


def lift(node: Node, numbers: list[float], structural: bool = False) -> Node:
    """Replace each largest part without points by a name for its value, ``#0``, ``#1``, ..."""
    if isinstance(node, Name) and node.id != "pi":
        return node
    if not isinstance(node, Tuple | And | Compare) and not any(appearing(node)):
        if structural:
            return node
        value = evaluate(node, {}, FLOAT)
        if isinstance(value, tuple):
            return Tuple(tuple(_parameter(k, numbers) for k in value))
        if isinstance(value, int | float):
            return _parameter(value, numbers)
    fixed: Sequence[int] = ()
    if isinstance(node, Call):
        fixed = _STRUCTURAL.get(node.name, ())
    elif isinstance(node, Op) and node.op == "**":
        fixed = (1,)
    return rebuild(node, tuple(lift(part, numbers, i in fixed) for i, part in enumerate(children(node))))


def _parameter(value: float, numbers: list[float]) -> Name:
    numbers.append(float(value))
    return Name(f"#{len(numbers) - 1}")


# ---------------------------------------------------------------- conditions without units


def constrain(node: Node, env: Mapping[str, Any], ops: Any) -> Constraint:
    """A condition over a number type; comparisons are put in units of what is compared."""
    if isinstance(node, And):
        total = Constraint()
        for part in node.args:
            total = total + constrain(part, env, ops)
        return total
    if isinstance(node, Compare):
        return _compare(node, env, ops)
    found = evaluate(node, env, ops)
    if not isinstance(found, Constraint):
        raise ExpressionError(f"not a condition: {to_text(node)}")
    return found


def _compare(node: Compare, env: Mapping[str, Any], ops: Any) -> Constraint:
    left, right = evaluate(node.left, env, ops), evaluate(node.right, env, ops)
    if node.op == "==" and isinstance(left, tuple):
        return Constraint([k / env["#size"] for k in minus(left, right)])
    if node.op == "==":
        return Constraint([_gap(node, left, right, env, ops)])
    return Constraint([], [ops.difference(left, right) if node.op == ">" else ops.difference(right, left)])


def _gap(node: Compare, a: Any, b: Any, env: Mapping[str, Any], ops: Any) -> Any:
    """a - b, free of units: zero exactly where the two agree."""
    for side in (node.left, node.right):
        if isinstance(side, Call) and side.name in ("dot", "cross"):
            u, v = (evaluate(part, env, ops) for part in side.args)
            if len(u) == 2 or side.name == "dot":
                return (a - b) / (norm(ops, u) * norm(ops, v))
    left, right = _degree(node.left), _degree(node.right)
    unit = env["#size"] ** abs(left if left is not None else right or 0)
    return (a - b) / unit if (left or right or 0) >= 0 else (a - b) * unit


_LENGTHS = "dist norm x y z radius perimeter inradius circumradius exradius arc_length major minor tangent_length"
_AREAS = "dot cross area sector_area segment_area lens_area gap_area power"
_DEGREES = {**dict.fromkeys(_LENGTHS.split(), 1), **dict.fromkeys(_AREAS.split(), 2), "volume": 3}


def _degree(node: Node) -> int | None:
    """The power of a length that an expression is; None for a number or where it is mixed."""
    if isinstance(node, Call):
        if node.name in ("abs", "min", "max"):
            return _degree(node.args[0])
        if node.name == "sqrt":
            inner = _degree(node.args[0])
            return None if inner is None else inner // 2
        return _DEGREES.get(node.name, 0)
    if not isinstance(node, Op):
        return None
    parts = [_degree(part) for part in node.args]
    if len(parts) == 1 or node.op in "+-":
        return next((d for d in parts if d is not None), None)
    first, second = parts
    if node.op == "**":
        return None if first is None or not isinstance(node.args[1], Num) else first * node.args[1].value
    if first is None and second is None:
        return None
    return (first or 0) + (second or 0) * (1 if node.op == "*" else -1)


# ---------------------------------------------------------------- definitions


def _nothing(c: Constraint) -> Constraint:
    return Constraint()


def _inequalities(c: Constraint) -> Constraint:
    return Constraint([], c.margins)


def _everything(c: Constraint) -> Constraint:
    return c


@dataclass
class Definition:
    """How a text fixes points by others: `build(ops, env, extra) -> points`."""

    targets: tuple[str, ...]
    needs: tuple[str, ...]
    build: Callable[[Any, Mapping[str, Any], list[Any]], tuple[Any, ...]]
    keeps: Callable[[Constraint], Constraint] = _inequalities
    unknowns: int = 0  # further unknowns: places along a line
    choices: int = 0  # further signs: senses of turning
    kind: str = ""  # where along a line the further unknown starts


def definitions(node: Node) -> Iterator[Definition]:
    """The ways to read a condition as a definition, the best first."""
    if isinstance(node, Compare) and node.op == "==":
        for target, other in ((node.left, node.right), (node.right, node.left)):
            yield from _by_equation(target, other)
    if not isinstance(node, Call):
        return
    args, kind = node.args, node.name
    ids = tuple(a.id for a in args if isinstance(a, Name))
    if kind in ("on_segment", "on_ray", "beyond", "on_line") and isinstance(args[0], Name):
        yield _along(kind, args[0].id, args[1:])
    if kind == "foci" and len(ids) == 2:
        yield _foci(ids, args[2])
    if len(ids) < len(args):
        return
    if kind == "midpoint":
        m, a, b = ids
        yield Definition((m,), (a, b), lambda o, e, _: (over(plus(e[a], e[b]), 2),))
        yield Definition((b,), (m, a), lambda o, e, _: (minus(times(2, e[m]), e[a]),))
        yield Definition((a,), (m, b), lambda o, e, _: (minus(times(2, e[m]), e[b]),))
    if kind in ("regular", "square"):
        for shift in range(len(ids)):
            yield _regular(ids[shift:] + ids[:shift])
    if kind in ("parallelogram", "rectangle", "rhombus", "square"):
        for i in (3, 2, 1, 0):
            yield _fourth(ids, i, kind)
    if kind in ("prism", "box", "cube"):
        yield _prism(ids, kind)


def _by_equation(target: Node, other: Node) -> Iterator[Definition]:
    needs = tuple(appearing(other))
    if isinstance(target, Name) and any(appearing(target)):
        yield Definition((target.id,), needs, lambda o, e, _: (evaluate(other, e, o),), _nothing)
    if isinstance(target, Call) and target.name == "vec":
        start, end = target.args
        if isinstance(start, Name) and isinstance(end, Name):
            a, b = start.id, end.id
            yield Definition((b,), (a, *needs), lambda o, e, _: (plus(e[a], evaluate(other, e, o)),), _nothing)
            yield Definition((a,), (b, *needs), lambda o, e, _: (minus(e[b], evaluate(other, e, o)),), _nothing)


def _foci(ids: tuple[str, ...], curve: Node) -> Definition:
    def build(o: Any, e: Mapping[str, Any], extra: list[Any]) -> tuple[Any, ...]:
        c = evaluate(curve, e, o)
        mid, half = over(plus(c.focus1, c.focus2), 2), over(minus(c.focus2, c.focus1), 2)
        return minus(mid, times(extra[0], half)), plus(mid, times(extra[0], half))

    return Definition(ids, tuple(appearing(curve)), build, choices=1)


def _fourth(ids: tuple[str, ...], i: int, kind: str) -> Definition:
    a, b, c = ids[i - 3], ids[i - 2], ids[i - 1]

    keeps = _inequalities if kind == "parallelogram" else _everything
    return Definition((ids[i],), (a, b, c), lambda o, e, _: (plus(e[a], minus(e[c], e[b])),), keeps)


def _regular(ids: tuple[str, ...]) -> Definition:
    a, b = ids[:2]

    def build(o: Any, e: Mapping[str, Any], extra: list[Any]) -> tuple[Any, ...]:
        step = o.degrees(Fraction(360, len(ids)))
        c, s = o.cos(step), o.sin(step)
        made, edge = [e[a], e[b]], minus(e[b], e[a])
        for _ in ids[2:]:
            x, y = edge
            edge = (c * x - extra[0] * s * y, extra[0] * s * x + c * y)
            made.append(plus(made[-1], edge))
        return tuple(made[2:])

    return Definition(ids[2:], (a, b), build, choices=1)


def _prism(ids: tuple[str, ...], kind: str) -> Definition:
    n = len(ids) // 2
    base, top = ids[:n], ids[n:]

    def build(o: Any, e: Mapping[str, Any], _: list[Any]) -> tuple[Any, ...]:
        made = []
        lift = minus(e[top[0]], e[base[0]])
        if kind != "prism":
            made.append(plus(e[base[1]], minus(e[base[3]], e[base[0]])))
        corners = [e[base[1]], *([made[0], e[base[3]]] if made else [e[p] for p in base[2:]])]
        return (*made, *(plus(p, lift) for p in corners))

    targets = top[1:] if kind == "prism" else (base[2], *top[1:])
    needs = (*base, top[0]) if kind == "prism" else (base[0], base[1], base[3], top[0])
    return Definition(targets, needs, build, _everything)


def _along(kind: str, p: str, rest: tuple[Node, ...]) -> Definition:
    def build(o: Any, e: Mapping[str, Any], extra: list[Any]) -> tuple[Any, ...]:
        values = [evaluate(a, e, o) for a in rest]
        if len(values) == 1:
            line = values[0]
            step = over(line.direction, norm(o, line.direction))
            return (plus(line.point, times(e["#size"] * extra[0], step)),)
        return (at(o, values[0], values[1], extra[0]),)

    needs = tuple(k for a in rest for k in appearing(a))
    return Definition((p,), needs, build, unknowns=1, kind=kind if len(rest) == 2 else "offset")


# ---------------------------------------------------------------- the compiled system


@dataclass
class System:
    """A compiled structure: lines of the tape that matter."""

    tape: Tape
    points: list[str]
    places: dict[str, list[int]]  # lines of the coordinates of each point
    equalities: list[int]
    margins: list[int]
    asked: int | None
    kinds: list[str]  # of each unknown: "coordinate", the relation to a segment, or "offset"
    parameters: int  # numbers of the text; after them the size and then the signs
    choices: int
    direct: list[Node] = field(default_factory=list)  # all conditions, uncompiled


def compile_system(conditions: Sequence[Node], asked: Node, dimension: Mapping[str, int], parameters: int) -> System:
    """Compile lifted conditions; `dimension` tells for each point whether it is of the plane."""
    tape = Tape()
    points = list(dict.fromkeys(k for c in conditions for k in appearing(c)))
    env: dict[str, Any] = {f"#{i}": tape.parameter(i) for i in range(parameters)}
    env["#size"] = tape.parameter(parameters)
    chosen = _choose(conditions, points, dimension)
    kinds: list[str] = []
    choices = 0
    owner = {t: d for d in chosen.values() for t in d.targets}

    def place(p: str) -> None:
        nonlocal choices
        if p in env:
            return
        d = owner.get(p)
        if d is None:
            kinds.extend(["coordinate"] * dimension[p])
            env[p] = tuple(tape.unknown() * env["#size"] for _ in range(dimension[p]))
            return
        for q in d.needs:
            place(q)
        extra: list[Any] = []
        for _ in range(d.unknowns):
            kinds.append(d.kind)
            extra.append(tape.unknown())
        for _ in range(d.choices):
            choices += 1
            extra.append(tape.parameter(parameters + choices))
        for t, value in zip(d.targets, d.build(tape, env, extra), strict=True):
            env[t] = value

    for p in points:
        place(p)
    total = Constraint()
    for i, c in enumerate(conditions):
        found = constrain(c, env, tape)
        total = total + (chosen[i].keeps(found) if i in chosen else found)
    equalities, margins = ([_line(tape, k) for k in part] for part in (total.equalities, total.margins))
    question = None
    if not functions(asked) & _POINTWISE:
        question = _line(tape, evaluate(asked, env, tape))
    return System(
        tape,
        points,
        {p: [_line(tape, k) for k in env[p]] for p in points},
        _restrictive(tape, equalities, parameters + 1 + choices),
        list(dict.fromkeys(margins)),
        question,
        kinds,
        parameters,
        choices,
        list(conditions),
    )


def _line(tape: Tape, value: Any) -> int:
    if not isinstance(value, Symbol | int | float | Fraction):
        raise ExpressionError("a number was expected")
    return tape._operand(value).line


def _restrictive(tape: Tape, lines: Sequence[int], parameters: int) -> list[int]:
    """The equalities that are not already met whatever the unknowns are."""
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        settled = tape.settle(rng.uniform(0.5, 2.0, (parameters, 4)))
        values = tape.run(rng.normal(0.0, 1.0, (tape.unknowns, 4)), settled)
    return [k for k in dict.fromkeys(lines) if not np.all(np.abs(values[k]) < 1e-13)]


def _choose(conditions: Sequence[Node], points: Sequence[str], dimension: Mapping[str, int]) -> dict[int, Definition]:
    """Pick for each condition at most one definition, without circles and without clashes."""
    chosen: dict[int, Definition] = {}
    needs: dict[str, set[str]] = {}

    def reach(p: str, seen: set[str]) -> set[str]:
        for q in needs.get(p, ()):
            if q not in seen:
                seen.add(q)
                reach(q, seen)
        return seen

    def fits(d: Definition) -> bool:
        if any(t in needs for t in d.targets) or len(set(d.targets)) != len(d.targets):
            return False
        if d.choices and any(dimension.get(p) == 3 for p in d.targets):
            return False
        return all(t not in reach(n, {n}) for n in d.needs for t in d.targets)

    def take(free_only: bool, unknowns: int) -> None:
        for i, c in enumerate(conditions):
            if i in chosen:
                continue
            for d in definitions(c):
                if d.unknowns == unknowns and not (free_only and d.needs) and fits(d):
                    chosen[i] = d
                    for t in d.targets:
                        needs[t] = set(d.needs)
                    break

    take(True, 0)
    take(False, 0)
    take(False, 1)
    return chosen
