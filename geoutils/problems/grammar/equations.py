"""Lines, circles, ellipses and parabolas from their equations."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from .algebra import Tree, number_of, variables, wrap
from .engine import Misread
from .terms import plain

# ---- equations --------------------------------------------------------------------------------------------------------

Coefficient = Fraction | str
Poly = dict[tuple[int, int], Coefficient]


def _text(item: Coefficient) -> str:
    return plain(item) if isinstance(item, Fraction) else item


def _add(one: Coefficient, two: Coefficient) -> Coefficient:
    if isinstance(one, Fraction) and isinstance(two, Fraction):
        return one + two
    if one == 0:
        return two
    return one if two == 0 else f"{_text(one)} + {_text(two)}"


def _times(one: Coefficient, two: Coefficient) -> Coefficient:
    if isinstance(one, Fraction) and isinstance(two, Fraction):
        return one * two
    if one == 1:
        return two
    return one if two == 1 else f"{wrap(_text(one))}*{wrap(_text(two))}"


def _poly(tree: Tree, state: Any) -> Poly:
    what = tree[0]
    if what == "group":
        return _poly(tree[1], state)
    if what == "var":
        return {(1, 0) if tree[1] == "x" else (0, 1): Fraction(1)}
    if not variables(tree):
        rational = _rational(tree)
        return {(0, 0): number_of(tree, state) if rational is None else rational}
    if what == "neg":
        return _product({(0, 0): Fraction(-1)}, _poly(tree[1], state))
    if what in ("+", "-"):
        out = dict(_poly(tree[1], state))
        right = _poly(tree[2], state)
        for key, item in (right if what == "+" else _product({(0, 0): Fraction(-1)}, right)).items():
            out[key] = _add(out.get(key, Fraction(0)), item)
        return out
    if what in ("·", "juxt"):
        return _product(_poly(tree[1], state), _poly(tree[2], state))
    if what == "/" and not variables(tree[2]):
        below = _rational(tree[2])
        inverse: Coefficient = 1 / below if below else f"1/{wrap(number_of(tree[2], state))}"
        return _product({(0, 0): inverse}, _poly(tree[1], state))
    if what == "pow":
        inner = _poly(tree[1], state)
        out = inner
        for _ in range(tree[2] - 1):
            out = _product(out, inner)
        return out
    raise Misread("not a polynomial equation")


def _product(one: Poly, two: Poly) -> Poly:
    out: Poly = {}
    for (a, b), left in one.items():
        for (c, d), right in two.items():
            out[a + c, b + d] = _add(out.get((a + c, b + d), Fraction(0)), _times(left, right))
    return out


def _rational(tree: Tree) -> Fraction | None:
    what = tree[0]
    if what == "group":
        return _rational(tree[1])
    if what == "num":
        return Fraction(tree[1])
    if what == "neg":
        inner = _rational(tree[1])
        return None if inner is None else -inner
    if what in ("+", "-", "/", "·", "juxt"):
        one, two = _rational(tree[1]), _rational(tree[2])
        if one is None or two is None or (what == "/" and two == 0):
            return None
        return {"+": one + two, "-": one - two}.get(what, one / two if what == "/" else one * two)
    return None


def root(square: Fraction) -> str:
    """The square root of a rational number as an ASCII expression."""
    top, below = isqrt(abs(square.numerator)), isqrt(square.denominator)
    if square >= 0 and top * top == square.numerator and below * below == square.denominator:
        return plain(Fraction(top, below))
    return f"sqrt({plain(square)})"


@dataclass(frozen=True)
class Curve:
    """What an equation describes: shape is line, circle, ellipse, parabola; `data` are ASCII expressions."""

    shape: str
    data: tuple[str, ...]
    tree: Tree


def curve(tree: Tree, state: Any) -> Curve:
    """Tell a line, circle, ellipse or parabola from its equation. Raises Misread for another curve."""
    if "z" in variables(tree[1]) | variables(tree[2]):
        raise Misread("equations are of curves in the plane")
    both = _poly(("-", tree[1], tree[2]), state)
    poly = {key: item for key, item in both.items() if item != 0}
    degree = max((a + b for a, b in poly), default=0)
    zero = Fraction(0)
    if degree == 1:
        last = poly.get((0, 0), zero)
        constant: Coefficient = -last if isinstance(last, Fraction) else f"-{wrap(last)}"
        return Curve("line", (_text(poly.get((1, 0), zero)), _text(poly.get((0, 1), zero)), _text(constant)), tree)
    if degree != 2 or (1, 1) in poly or not all(isinstance(item, Fraction) for item in poly.values()):
        raise Misread("a curve the grammar does not know")
    p, q, d, e, f = (Fraction(poly.get(key, zero)) for key in ((2, 0), (0, 2), (1, 0), (0, 1), (0, 0)))
    if p and q:
        h, k = -d / (2 * p), -e / (2 * q)
        rest = p * h * h + q * k * k - f
        if rest / p <= 0 or rest / q <= 0:
            raise Misread("no such ellipse")
        centre = f"({plain(h)}, {plain(k)})"
        if p == q:
            return Curve("circle", (centre, root(rest / p)), tree)
        return Curve("ellipse", (centre, root(rest / p), root(rest / q)), tree)
    if p and e:  # y = s (x - h)^2 + k
        s, h = -p / e, -d / (2 * p)
        k = (p * h * h - f) / e
        return Curve(
            "parabola", (f"({plain(h)}, {plain(k + 1 / (4 * s))})", f"line_eq(0,1,{plain(k - 1 / (4 * s))})"), tree
        )
    if q and d:  # x = s (y - k)^2 + h
        s, k = -q / d, -e / (2 * q)
        h = (q * k * k - f) / d
        return Curve(
            "parabola", (f"({plain(h + 1 / (4 * s))}, {plain(k)})", f"line_eq(1,0,{plain(h - 1 / (4 * s))})"), tree
        )
    raise Misread("a curve the grammar does not know")


def at_point(tree: Tree, point: str, state: Any) -> str:
    """The equation, said of a point: `y = x²` of P is `y(P) == x(P)**2`."""

    def walk(item: Tree) -> str:
        what = item[0]
        if what == "group":
            return walk(item[1])
        if what == "var":
            return f"{item[1]}({point})"
        if not variables(item):
            return number_of(item, state)
        if what == "neg":
            return "-" + wrap(walk(item[1]))
        if what == "pow":
            return f"{wrap(walk(item[1]))}**{item[2]}"
        sign = {"·": "*", "juxt": "*"}.get(what, what)
        return (
            f"{wrap(walk(item[1]))}{sign}{wrap(walk(item[2]))}"
            if sign in "*/"
            else f"{walk(item[1])} {sign} {wrap(walk(item[2]))}"
        )

    return f"{walk(tree[1])} == {walk(tree[2])}"
