"""How a text fixes points by others, so that the solver computes them and does not search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from geoutils.problems.expressions import evaluate
from geoutils.problems.geometry import Constraint
from geoutils.problems.shapes import at, foot, minus, norm, over, plus, times
from geoutils.problems.syntax import Call, Compare, Name, Node, nodes


def appearing(node: Node) -> Iterator[str]:
    """The points of an expression in order of appearance, with repeats."""
    return (n.id for n in nodes(node) if isinstance(n, Name) and n.id[0] != "#" and n.id != "pi")


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


def definitions(node: Node, others: Sequence[Node] = ()) -> Iterator[Definition]:
    """The ways to read a condition as a definition, the best first; `others` are those beside it."""
    if isinstance(node, Compare) and node.op == "==":
        for target, other in ((node.left, node.right), (node.right, node.left)):
            yield from _by_equation(target, other)
    if not isinstance(node, Call):
        return
    args, kind = node.args, node.name
    ids = tuple(a.id for a in args if isinstance(a, Name))
    if kind in ("on_segment", "on_ray", "beyond", "on_line") and isinstance(args[0], Name):
        turns = [ids[2:] + ids[:2], ids[1:2] + ids[:1] + ids[2:]] if kind == "on_line" and len(ids) == 3 else []
        for order in (*turns, ids):  # three points of a line: each may be the foot
            if len(order) == 3:
                yield from _foot(order, others)
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


def _foot(ids: tuple[str, ...], others: Sequence[Node]) -> Iterator[Definition]:
    """P on the line AB with PQ perpendicular to AB is the foot from Q: one definition for two conditions."""
    p, a, b = ids
    for c in others:
        if not (isinstance(c, Call) and c.name == "perp" and len(c.args) == 4):
            continue
        names = [k.id for k in c.args if isinstance(k, Name)]
        for line, drop in ((names[:2], names[2:]), (names[2:], names[:2])):
            if len(names) == 4 and set(line) == {a, b} and p in drop and set(drop).isdisjoint(line):
                q = drop[0] if drop[1] == p else drop[1]
                yield Definition((p,), (q, a, b), lambda o, e, _, q=q: (foot(o, e[q], e[a], e[b]),))


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
            near = next((e[q] for q in e if q[0] != "#"), None)  # a point that is placed already: the figure is there
            middle = line.point if near is None else foot(o, near, line)
            return (plus(middle, times(e["#size"] * extra[0], step)),)
        return (at(o, values[0], values[1], extra[0]),)

    needs = tuple(k for a in rest for k in appearing(a))
    return Definition((p,), needs, build, unknowns=1, kind=kind if len(rest) == 2 else "offset")
