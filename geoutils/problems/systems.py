"""From the conditions of a text to a system that the solver can run.

Conditions of all variants are laid side by side: where only numbers differ they share one
structure, its numbers become parameters, and everything is compiled once.  Points that the
text defines by others (a midpoint, a fourth vertex, a point given by coordinates) are
computed and not searched for; a point of a segment is searched for along it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from geoutils.problems.definitions import Definition, appearing, definitions
from geoutils.problems.expressions import evaluate, parse
from geoutils.problems.floats import FLOAT
from geoutils.problems.geometry import Constraint
from geoutils.problems.shapes import minus, norm
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
    rebuild,
    to_text,
)
from geoutils.problems.tape import Symbol, Tape

_STRUCTURAL = {"regular_vertex": (2, 3)}  # arguments that must stay plain whole numbers
_POINTWISE = frozenset({"nearer_area", "overlap_area"})  # functions that branch, evaluated one by one


# ---------------------------------------------------------------- structure and numbers


@lru_cache(maxsize=8192)
def read(text: str) -> Node:
    """The tree of a condition or of the asked quantity."""
    return parse(text)


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

    settled = {t for d in chosen.values() if not d.needs and not d.unknowns for t in d.targets}
    for p in sorted(points, key=lambda name: name not in settled):  # what the text itself places comes first
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

    def take(free_only: bool, unknowns: int, vague: bool = True) -> None:
        for i, c in enumerate(conditions):
            if i in chosen or (not vague and isinstance(c, Call) and c.name == "on_line"):
                continue
            for d in definitions(c, conditions):
                if d.unknowns == unknowns and not (free_only and d.needs) and fits(d):
                    chosen[i] = d
                    for t in d.targets:
                        needs[t] = set(d.needs)
                    break

    take(True, 0)
    take(False, 0)
    take(False, 1, vague=False)  # a place between two points is a better start than one anywhere on a line
    take(False, 1)
    return chosen
