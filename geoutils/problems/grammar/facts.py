"""Facts: equal lengths and angles, ratios, right, acute and obtuse angles, comparisons."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .state import State, same

# ---- facts ------------------------------------------------------------------------------------------------------------


@entry(
    "Clause",
    "<a:Qty> (=|is|equals|is equal to) <b:Qty>",
    "<a:Qty> has [the] (length|size|measure) <b:Qty>",
    example="AB = 12. => dist(A,B) == 12",
    counter="AB = 12°.",
)
@entry(
    "Fact",
    "<a:Qty> = <b:Qty>",
    example="Triangle ABC has sides AB = 7 and BC = 8. => triangle(A,B,C); dist(A,B) == 7; dist(B,C) == 8",
    counter="Triangle ABC has sides AB 7 and BC 8.",
)
def equal(s: State, a: Value, b: Value) -> None:
    same(s, a, b)


@entry(
    "Clause",
    "<a:Qty> = <b:Qty> = <c:Qty>",
    "<a:Qty> = <b:Qty> = <c:Qty> = <d:Qty>",
    example="AB = AC = 10. => dist(A,B) == dist(A,C); dist(A,C) == 10",
    counter="AB = AC = 10°.",
)
@entry(
    "Fact",
    "<a:Qty> = <b:Qty> = <c:Qty>",
    example="Triangle ABC has legs AB = AC = 10. => triangle(A,B,C); dist(A,B) == dist(A,C); dist(A,C) == 10",
    counter="Triangle ABC has legs AB = AC = 10°.",
)
def chain(s: State, a: Value, b: Value, c: Value, d: Value | None = None) -> None:
    same(s, a, b)
    same(s, b, c)
    if d:
        same(s, c, d)


@entry(
    "Clause",
    "<a:Qtys> are [all] equal",
    "<a:Qtys> have (equal|the same) (area|size)",
    example="AB and CD are equal. => dist(A,B) == dist(C,D)",
    counter="AB and angle CDE are equal.",
)
def all_equal(s: State, a: list[Value]) -> None:
    if len(a) < 2:
        raise Misread("one thing is not equal")
    for item in a[1:]:
        same(s, a[0], item)


@entry(
    "Clause",
    "<a:Qtys> are [all] (equal in length|equally long)",
    "<a:Qtys> have (equal lengths|equal length|the same length)",
    example="The vectors AB and AC have equal lengths. => dist(A,B) == dist(A,C)",
    counter="The vectors AB and AC have equal colours.",
)
def equal_in_length(s: State, a: list[Value]) -> None:
    if len(a) < 2 or any(item.type not in ("num", "vec") for item in a):
        raise Misread("two lengths or vectors")
    row = [item.text if item.type == "num" else f"norm({item})" for item in a]
    for item in row[1:]:
        s.add(f"{row[0]} == {item}")


@entry(
    "Clause",
    "<a:Qtys> (are|have lengths|have [the] (lengths|sizes)|measure) <b:Qty+>",
    "<a:Qtys> (are|have lengths|have [the] (lengths|sizes)|measure) <b:Qty+> [respectively]",
    example="The segments AB and CD have lengths 3 and 4. => dist(A,B) == 3; dist(C,D) == 4",
    counter="The segments AB and CD have lengths 3, 4 and 5.",
)
def respectively(s: State, a: list[Value], b: list[Value]) -> None:
    if len(a) != len(b):
        raise Misread("as many values as things")
    for one, two in zip(a, b, strict=False):
        same(s, one, two)


@entry(
    "Clause",
    "<a:Qtys> [each|all|both] have [the] length <b:Qty>",
    "<a:Qtys> are [each|both] <b:Qty> [long]",
    example="AB and CD have length 3. => dist(A,B) == 3; dist(C,D) == 3",
    counter="AB and CD have breadth 3.",
)
def each_equal(s: State, a: list[Value], b: Value) -> None:
    if len(a) < 2:
        raise Misread("one thing only")
    for one in a:
        same(s, one, b)


def ratio(s: State, left: list[Value], right: list[Value]) -> None:
    """left[0] : left[1] : … = right[0] : right[1] : …"""
    if any(item.type not in ("num", "angle") or item.type != left[0].type for item in left) or len(left) != len(right):
        raise Misread("a ratio of unlike things")
    if len({item.type for item in right}) > 1:
        raise Misread("a ratio of unlike things")
    for one, m, two, n in zip(left, right, left[1:], right[1:], strict=False):
        s.add(f"({n})*({one}) == ({m})*({two})")


@entry(
    "Clause",
    "<a:Qty> : <b:Qty> (=|is|equals) <m:Qty> : <n:Qty>",
    "[the] ratio <a:Qty> : <b:Qty> (=|is|equals) <m:Qty> : <n:Qty>",
    example="BD : DC = 2 : 3. => 3*dist(B,D) == 2*dist(C,D)",
    counter="BD : DC = 2.",
)
def ratio_of_two(s: State, a: Value, b: Value, m: Value, n: Value) -> None:
    ratio(s, [a, b], [m, n])


@entry(
    "Ratio",
    "<a:Qty> : <b:Qty>",
    example="BD : DC = CE : EA = 1 : 2. => 2*dist(B,D) == dist(C,D); 2*dist(C,E) == dist(A,E)",
    counter="BD : DC = CE : = 1 : 2.",
)
def one_ratio(s: State, a: Value, b: Value) -> list[Value]:
    return [a, b]


@entry(
    "Clause",
    "<a:Ratio> = <b:Ratio> = <m:Qty> : <n:Qty>",
    "<a:Ratio> = <b:Ratio> = <c:Ratio> = <m:Qty> : <n:Qty>",
    example="BD : DC = CE : EA = AF : FB = 1 : 2. => 2*dist(B,D) == dist(C,D); 2*dist(C,E) == dist(A,E); 2*dist(A,F) == dist(B,F)",
    counter="BD : DC = CE : EA = 2.",
)
def equal_ratios(s: State, a: list, b: list, m: Value, n: Value, c: list | None = None) -> None:
    for row in (a, b, *([c] if c else [])):
        ratio(s, row, [m, n])


@entry(
    "Clause",
    "<a:Qty> : <b:Qty> : <c:Qty> (=|is) <m:Qty> : <n:Qty> : <k:Qty>",
    example="AB : BC : CA = 3 : 4 : 5. => 4*dist(A,B) == 3*dist(B,C); 5*dist(B,C) == 4*dist(A,C)",
    counter="AB : BC : CA = 3 : 4.",
)
def ratio_of_three(s: State, a: Value, b: Value, c: Value, m: Value, n: Value, k: Value) -> None:
    ratio(s, [a, b, c], [m, n, k])


@entry(
    "Clause",
    "[the] ratio of <a:Qty> to <b:Qty> is <m:Qty> : <n:Qty>",
    example="The ratio of BD to DC is 2 : 3. => 3*dist(B,D) == 2*dist(C,D)",
    counter="The ratio of BD is 2 : 3.",
)
def ratio_in_words(s: State, a: Value, b: Value, m: Value, n: Value) -> None:
    ratio(s, [a, b], [m, n])


@entry(
    "Clause",
    "<a:Qtys> are in the ratio <m:Qty> : <n:Qty>",
    "<a:Qtys> are in the ratio <m:Qty> : <n:Qty> : <k:Qty>",
    example="BD and DC are in the ratio 2 : 3. => 3*dist(B,D) == 2*dist(C,D)",
    counter="BD is in the ratio 2 : 3.",
)
def in_ratio(s: State, a: list[Value], m: Value, n: Value, k: Value | None = None) -> None:
    ratio(s, a, [m, n] + ([k] if k else []))


def _angle_word(s: State, items: list[Value], word: str) -> None:
    for item in items:
        if not item.text.startswith("angle(") or item.text.count(",") != 2 or "(" in item.text[6:]:
            raise Misread("not an angle by three letters")
        s.add(item.text.replace("angle", word, 1))


@entry(
    "Clause",
    "<q:Qty> is (right|a right angle)",
    "<q:Qtys> are (right|right angles)",
    example="Angle ACB is right. => right(A,C,B)",
    counter="AB is right.",
)
def right_angle(s: State, q: Any) -> None:
    _angle_word(s, q if isinstance(q, list) else [q], "right")


@entry(
    "Clause",
    "<q:Qty> is acute",
    "<q:Qtys> are acute",
    example="Angle ACB is acute. => acute(A,C,B)",
    counter="AB is acute.",
)
def acute(s: State, q: Any) -> None:
    _angle_word(s, q if isinstance(q, list) else [q], "acute")


@entry(
    "Clause",
    "<q:Qty> is obtuse",
    "<q:Qtys> are obtuse",
    example="Angle ACB is obtuse. => obtuse(A,C,B)",
    counter="AB is obtuse.",
)
def obtuse(s: State, q: Any) -> None:
    _angle_word(s, q if isinstance(q, list) else [q], "obtuse")


@entry(
    "Clause",
    "[the] (acute|obtuse) angle <t:Three> (=|is|equals) <b:Qty>",
    example="The acute angle ABC is 60°. => angle(A,B,C) == deg(60)",
    counter="The acute angle ABC is 5.",
)
def named_angle(s: State, t: tuple, b: Value) -> None:
    same(s, Value(f"angle({','.join(t)})", "angle"), b)


@entry(
    "Clause",
    "<a:Qty> (is (less|smaller|shorter) than|LT) <b:Qty>",
    "<a:Qty> (less|smaller|shorter) than <b:Qty>",
    example="AB is shorter than CD. => dist(A,B) < dist(C,D)",
    counter="AB is shorter.",
)
def less(s: State, a: Value, b: Value) -> None:
    if a.type != b.type:
        raise Misread("unlike things")
    s.add(f"{a} < {b}")


@entry(
    "Clause",
    "<a:Qty> (is (greater|larger|longer|bigger) than|GT) <b:Qty>",
    "<a:Qty> (greater|larger|longer|bigger) than <b:Qty>",
    example="AB > CD. => dist(C,D) < dist(A,B)",
    counter="AB > angle CDE.",
)
def greater(s: State, a: Value, b: Value) -> None:
    less(s, b, a)
