"""The proof that a figure with its text says what the Euclidean statement says.

Marks, lines under the drawing and told sentences are read back from their printed form into conditions, which are
compared with those that the grammar reads in the statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from geoutils.exact import Angle
from geoutils.problems import grammar, reading
from geoutils.problems.givens import EQUAL, LENGTH, TERM, Givens, Mark, canonical, line_text
from geoutils.problems.phrases import read_line


def restated(given: Givens) -> list[str]:
    """The conditions that seen things, marks, lines and told sentences state, read back from their printed form."""
    names = given.variant.printed | {k: k for k in given.points if k not in given.variant.points}
    out = list(given.seen)
    for mark in given.marks:
        out += _said_by(mark)
    for condition in given.lines:
        text = line_text(given, condition)
        if text is not None:
            out.append(canonical(reading.rename(read_line(text), names)))
    out += told_conditions(given)
    return list(dict.fromkeys(out))


def _said_by(mark: Mark) -> Iterable[str]:
    p = mark.points
    if mark.kind == "length":
        yield canonical(f"dist({p[0]},{p[1]}) == {_value(mark.text)}")
    elif mark.kind == "height":
        yield canonical(f"dist({p[0]},line({p[3]},{p[4]})) == {_value(mark.text)}")
    elif mark.kind == "median":
        ends = next(k for k in re.findall(TERM, mark.condition) if "mid(" not in k)
        yield canonical(f"dist({ends},mid({p[2]},{p[3]})) == {_value(mark.text)}")
    elif mark.kind == "ticks" and p[1] == p[2]:
        yield canonical(f"midpoint({p[1]},{p[0]},{p[3]})")
    elif mark.kind == "ticks":
        yield canonical(f"dist({p[0]},{p[1]}) == dist({p[2]},{p[3]})")
    elif mark.kind == "arcs":
        yield canonical(f"bisects({p[2]},{p[0]},{p[1]},{p[5]})")
    elif mark.kind == "right" and len(p) == 3:
        yield canonical(f"right({p[0]},{p[1]},{p[2]})")
    elif mark.kind == "right":
        yield canonical(f"perp({p[3]},{p[4]},{p[5]},{p[6]})")
        if p[1] in (p[3], p[4]):  # the foot of the perpendicular, on the line
            yield canonical(f"{p[1]} == foot({p[3] if p[1] == p[4] else p[4]},{p[5]},{p[6]})")


def _value(text: str) -> str:
    from geoutils.exact import read_exact

    value = read_exact(text)
    return f"deg({value.ascii()})" if isinstance(value, Angle) else str(value.ascii())


def told_conditions(given: Givens) -> list[str]:
    """What the grammar reads in the told sentences."""
    if not given.told:
        return []
    variant = given.variant
    made = grammar.read_statement(
        given.told, "euclid",
        points=[variant.names[k] for k in variant.problem.visible], hidden=[variant.names[k] for k in variant.problem.hidden],
    )  # fmt: skip
    return [canonical(reading.rename(c, variant.printed)) for c in made.conditions]


def missing(given: Givens) -> list[str]:
    """The conditions of the statement that do not follow from `restated`: equal lengths are passed on."""
    said = restated(given)
    group: dict[str, str] = {}

    def root(pair: str) -> str:
        while group.setdefault(pair, pair) != pair:
            pair = group[pair]
        return pair

    for c in said:
        if m := EQUAL.fullmatch(c):
            group[root(",".join(sorted(m.groups()[:2])))] = root(",".join(sorted(m.groups()[2:])))
    values = {(root(",".join(sorted((m[1], m[2])))), m[3]) for c in said if (m := LENGTH.fullmatch(c))}
    out = []
    for c in given.conditions:
        if c in said or c in given.by_hand:
            continue
        if (m := EQUAL.fullmatch(c)) and root(",".join(sorted(m.groups()[:2]))) == root(",".join(sorted(m.groups()[2:]))):
            continue
        if (m := LENGTH.fullmatch(c)) and (root(",".join(sorted((m[1], m[2])))), m[3]) in values:
            continue
        out.append(c)
    return out
