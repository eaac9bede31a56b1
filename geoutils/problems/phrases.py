"""Conditions in words: sentences that the grammar reads back, and the lines written under a figure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_N = r"[A-Z][0-9]?'?"
POLYGONS = {3: "triangle", 4: "square", 5: "pentagon", 6: "hexagon", 7: "heptagon", 8: "octagon", 9: "nonagon", 10: "decagon", 12: "dodecagon"}
SHAPES = ("square", "rectangle", "rhombus", "parallelogram")


def phrase(condition: str, names: Mapping[str, str], conditions: Sequence[str] = ()) -> str | None:
    """A sentence over the printed names that says a condition, or None where there is none.

    `conditions` are the statement's others: a pyramid over a square and the touching points of one circle are
    said in one sentence.
    """
    said = re.sub(rf"(?<![A-Za-z]){_N}", lambda m: names.get(m.group(), m.group()), condition)
    found = re.findall(_N, re.sub(r"[a-z_]+\(", "(", said))
    head = condition.partition("(")[0]
    word = "".join(found)
    if head in SHAPES:
        return f"{word} is a {head}."
    if head == "regular":
        return f"Triangle {word} is equilateral." if len(found) == 3 else f"{word} is a regular {POLYGONS.get(len(found), '')}."
    if head == "midpoint":
        return f"{found[0]} is the midpoint of {found[1]}{found[2]}."
    if head == "bisects_outer":
        return f"{found[0]} lies on the external bisector of angle {''.join(found[1:])}."
    if head == "on_segment" and "mid(" not in condition:
        return f"The point {found[0]} lies on the segment {found[1]}{found[2]}."
    if head == "on_ray":
        return f"The point {found[0]} lies on the ray {found[1]}{found[2]}."
    if head == "beyond":
        return f"The point {found[0]} lies on {found[1]}{found[2]} extended beyond {found[2]}."
    if head == "box":
        a, b, c, d, e, f, g, h = found
        return f"The box {word} has the base {a}{b}{c}{d} and the upright edges {a}{e}, {b}{f}, {c}{g} and {d}{h}."
    if head == "right_pyramid" and f"square({','.join(re.findall(_N, condition)[1:])})" in conditions:
        return f"A square pyramid has base {''.join(found[1:])} and apex {found[0]} above the centre of the base."
    if m := re.fullmatch(rf"({_N}) == reflect\(({_N}),({_N}),({_N})\)", said):
        return f"{m[1]} is the mirror image of {m[2]} in the line {m[3]}{m[4]}."
    if m := re.fullmatch(rf"({_N}) == (circumcenter|incenter|centroid)\(({_N}),({_N}),({_N})\)", said):
        word = {"circumcenter": "circumcentre", "incenter": "incentre"}.get(m[2], m[2])
        return f"{m[1]} is the {word} of triangle {m[3]}{m[4]}{m[5]}."
    if m := re.fullmatch(rf"({_N}) == centroid\(({_N}),({_N}),({_N}),({_N})\)", said):
        return f"{m[1]} is the centre of the square {m[2]}{m[3]}{m[4]}{m[5]}."
    if m := re.fullmatch(rf"({_N}) == foot\(incenter\(({_N}),({_N}),({_N})\),({_N}),({_N})\)", said):
        return f"The incircle of triangle {m[2]}{m[3]}{m[4]} touches {m[5]}{m[6]} at {m[1]}."
    return None


# ---------------------------------------------------------------- lines under the drawing

_D = rf"dist\(({_N}),({_N})\)"
_V = r"([^a-zA-Z<>=]*(?:sqrt\(\d+\)[^a-zA-Z<>=]*)*)"


def _number(expression: str) -> str:
    from geoutils.problems.building import evaluate

    value = evaluate(expression, {})
    return str(value.text()) if hasattr(value, "text") else str(value)


def _exact(text: str) -> str:
    from geoutils.exact import read_exact

    value = str(read_exact(text).ascii())
    return f"-({value[1:]})" if value.startswith("-") and not value[1:].isdigit() else value


def line(said: str) -> str | None:
    """A condition over printed names as a short line: `BD : DC = 1 : 2`, `cos ∠BAC = 5/13`; None where it has none."""
    if m := re.fullmatch(rf"{_D} == {_V}", said):
        return f"{m[1]}{m[2]} = {_number(m[3])}"
    if m := re.fullmatch(rf"(?:(\d+)\*)?{_D} == (?:(\d+)\*)?{_D}", said):
        if not m[1] and not m[4]:
            return f"{m[2]}{m[3]} = {m[5]}{m[6]}"
        return f"{m[2]}{m[3]} : {m[5]}{m[6]} = {m[4] or 1} : {m[1] or 1}"
    if m := re.fullmatch(rf"{_D} \+ {_D} == {_V}", said):
        return f"{m[1]}{m[2]} + {m[3]}{m[4]} = {_number(m[5])}"
    if m := re.fullmatch(rf"{_D} < {_D}", said):
        return f"{m[1]}{m[2]} < {m[3]}{m[4]}"
    if m := re.fullmatch(rf"(cos|sin|tan)\(angle\(({_N}),({_N}),({_N})\)\) == {_V}", said):
        return f"{m[1]} ∠{m[2]}{m[3]}{m[4]} = {_number(m[5])}"
    if m := re.fullmatch(rf"angle\(({_N}),({_N}),({_N})\) == deg\({_V}\)", said):
        return f"∠{m[1]}{m[2]}{m[3]} = {_number(m[4])}°"
    if m := re.fullmatch(rf"angle\(({_N}),({_N}),({_N})\) == angle\(({_N}),({_N}),({_N})\)", said):
        return f"∠{m[1]}{m[2]}{m[3]} = ∠{m[4]}{m[5]}{m[6]}"
    if m := re.fullmatch(rf"(parallel|perp)\(({_N}),({_N}),({_N}),({_N})\)", said):
        return f"{m[2]}{m[3]} {'∥' if m[1] == 'parallel' else '⊥'} {m[4]}{m[5]}"
    if m := re.fullmatch(rf"(right|acute|obtuse)\(({_N}),({_N}),({_N})\)", said):
        sign = {"right": "=", "acute": "<", "obtuse": ">"}[m[1]]
        return f"∠{m[2]}{m[3]}{m[4]} {sign} 90°"
    if m := re.fullmatch(rf"bisects\(({_N}),({_N}),({_N}),({_N})\)", said):
        return f"{m[3]}{m[1]} bisects ∠{m[2]}{m[3]}{m[4]}"
    if m := re.fullmatch(rf"dist\(({_N}),line\(({_N}),({_N})\)\) == {_V}", said):
        return f"distance of {m[1]} from {m[2]}{m[3]} = {_number(m[4])}"
    if m := re.fullmatch(rf"dist\(({_N}),mid\(({_N}),({_N})\)\) == {_V}", said):
        return f"distance of {m[1]} from the midpoint of {m[2]}{m[3]} = {_number(m[4])}"
    if m := re.fullmatch(rf"(area|perimeter|inradius|circumradius)\(((?:{_N},?)+)\) == {_V}", said):
        return f"{m[1]} of {m[2].replace(',', '')} = {_number(m[3])}"
    return None


def read_line(text: str) -> str:
    """The condition that a line under a figure states, over the names it prints; ValueError for any other text."""
    pair = rf"({_N})({_N})"
    three = rf"∠({_N})({_N})({_N})"
    value = r"(-?[0-9√/()+ -]+?)"
    if m := re.fullmatch(rf"{pair} : {pair} = (\d+) : (\d+)", text):
        return f"{_times(m[6])}dist({m[1]},{m[2]}) == {_times(m[5])}dist({m[3]},{m[4]})"
    if m := re.fullmatch(rf"{pair} \+ {pair} = {value}", text):
        return f"dist({m[1]},{m[2]}) + dist({m[3]},{m[4]}) == {_exact(m[5])}"
    if m := re.fullmatch(rf"{pair} ([=<]) {pair}", text):
        return f"dist({m[1]},{m[2]}) {'==' if m[3] == '=' else '<'} dist({m[4]},{m[5]})"
    if m := re.fullmatch(rf"{pair} = {value}", text):
        return f"dist({m[1]},{m[2]}) == {_exact(m[3])}"
    if m := re.fullmatch(rf"(cos|sin|tan) {three} = {value}", text):
        return f"{m[1]}(angle({m[2]},{m[3]},{m[4]})) == {_exact(m[5])}"
    if m := re.fullmatch(rf"{three} = {three}", text):
        return f"angle({m[1]},{m[2]},{m[3]}) == angle({m[4]},{m[5]},{m[6]})"
    if m := re.fullmatch(rf"{three} ([=<>]) 90°", text):
        return f"{ {'=': 'right', '<': 'acute', '>': 'obtuse'}[m[4]] }({m[1]},{m[2]},{m[3]})"
    if m := re.fullmatch(rf"{three} = {value}°", text):
        return f"angle({m[1]},{m[2]},{m[3]}) == deg({_exact(m[4])})"
    if m := re.fullmatch(rf"{pair} ([∥⊥]) {pair}", text):
        return f"{'parallel' if m[3] == '∥' else 'perp'}({m[1]},{m[2]},{m[4]},{m[5]})"
    if m := re.fullmatch(rf"{pair} bisects {three}", text):
        if m[1] != m[4]:
            raise ValueError(f"{text!r}: the bisector does not start at the angle's corner")
        return f"bisects({m[2]},{m[3]},{m[4]},{m[5]})"
    if m := re.fullmatch(rf"distance of ({_N}) from {pair} = {value}", text):
        return f"dist({m[1]},line({m[2]},{m[3]})) == {_exact(m[4])}"
    if m := re.fullmatch(rf"distance of ({_N}) from the midpoint of {pair} = {value}", text):
        return f"dist({m[1]},mid({m[2]},{m[3]})) == {_exact(m[4])}"
    if m := re.fullmatch(rf"(area|perimeter|inradius|circumradius) of ((?:{_N})+) = {value}", text):
        return f"{m[1]}({','.join(re.findall(_N, m[2]))}) == {_exact(m[3])}"
    raise ValueError(f"{text!r} is no line of a figure")


def _times(number: str) -> str:
    return "" if number == "1" else f"{number}*"
