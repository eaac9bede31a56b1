"""Numbers, vectors and equations inside a sentence: from printed mathematics to ASCII expressions.

A formula is read into nested tuples first; what `AB` or `·` means (a length, a vector, a product) is decided when the
kinds of the parts are known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from typing import Any

from .engine import Misread, primitive
from .terms import plain
from .tokens import Token

Tree = tuple
_INVERSE = {"arctan": "atan", "arccos": "acos", "arcsin": "asin"}
_POWERS = {"²": 2, "³": 3}


class _Formula:
    """Recursive descent over tokens; the longest formula that starts here."""

    def __init__(self, tokens: list[Token], at: int):
        self.tokens, self.at, self.depth, self.inside = tokens, at, 0, False

    def peek(self, ahead: int = 0) -> Token | None:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def is_sym(self, text: str, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token is not None and token.kind == "sym" and token.text == text

    def sum(self) -> Tree | None:
        self.depth += 1
        if self.depth > 30:
            return None
        left = self._signed()
        while left is not None and (self.is_sym("+") or self.is_sym("-")):
            mark, sign = self.at, self.tokens[self.at].text
            self.at += 1
            right = self.product()
            if right is None:
                self.at = mark
                break
            left = (sign, left, right)
        self.depth -= 1
        return left

    def _signed(self) -> Tree | None:
        if self.is_sym("-"):
            self.at += 1
            inner = self.product()
            return None if inner is None else ("neg", inner)
        return self.product()

    def product(self) -> Tree | None:
        left = self.power()
        while left is not None:
            mark = self.at
            if self.is_sym("·") or self.is_sym("×") or self.is_sym("/"):
                sign = self.tokens[self.at].text
                self.at += 1
                right = self.power()
                if right is None:
                    self.at = mark
                    break
                left = (sign, left, right)
                continue
            token = self.peek()
            close = token is not None and (token.tight or token.text in ("√", "π") or self._variable_after_number(token))
            if token is not None and close and (token.kind in ("pts", "num", "word") or token.text in ("(", "√", "π") or (token.text == "|" and not self.inside)) \
                    and not (left[0] in ("pts", "var") and token.text == "(" ) and token.kind != "num":
                right = self.power()
                if right is None:
                    self.at = mark
                    break
                left = ("juxt", left, right)
                continue
            break
        return left

    def _variable_after_number(self, token: Token) -> bool:
        """`1/2 x` and `2/3 u`: a small letter after a number, save the article."""
        before = self.tokens[self.at - 1]
        return token.kind == "word" and len(token.text) == 1 and token.text != "a" and before.kind == "num"

    def power(self) -> Tree | None:
        base = self.atom()
        token = self.peek()
        if base is not None and token is not None and token.text in _POWERS:
            self.at += 1
            return ("pow", base, _POWERS[token.text])
        if base is not None and token is not None and token.text == "°":
            self.at += 1
            return ("deg", base)
        return base

    def atom(self) -> Tree | None:
        token = self.peek()
        if token is None:
            return None
        if token.kind == "num":
            self.at += 1
            return ("num", int(token.text)) if len(token.text) < 400 else None
        if token.kind == "pts":
            self.at += 1
            return ("pts", *token.points)
        if token.kind == "word":
            if token.text in _INVERSE:
                self.at += 1
                inner = self._bracket()
                return None if inner is None or inner[0] == "tuple" else ("inverse", token.text, inner)
            if len(token.text) == 1:
                if token.text == "a" and not self._formula_a():
                    return None
                self.at += 1
                return ("var", token.text)
            return None
        if token.text == "π":
            self.at += 1
            return ("pi",)
        if token.text == "√":
            self.at += 1
            inner = self.atom()
            return None if inner is None else ("sqrt", inner)
        if token.text == "|":
            self.at += 1
            self.inside = True
            inner = self.sum()
            self.inside = False
            if inner is None or not self.is_sym("|"):
                return None
            self.at += 1
            return ("norm", inner)
        if token.text == "(":
            return self._bracket()
        return None

    def _formula_a(self) -> bool:
        """The vector a, not the article: no word of two letters or more follows, save verbs and joiners."""
        token = self.peek(1)
        return token is None or token.kind != "word" or token.text in {
            "and", "is", "are", "has", "have", "leads", "lead", "to", "from", "with", "be", "meets", "where", "equals", "at", "times",
            "makes", "enclose", "relative", "on", "of", "for", "by", "in", "then", "points"}

    def _bracket(self) -> Tree | None:
        if not self.is_sym("("):
            return None
        self.at += 1
        items = []
        while True:
            inner = self.sum()
            if inner is None:
                return None
            items.append(inner)
            if self.is_sym(",") and len(items) < 3:
                self.at += 1
                continue
            break
        if not self.is_sym(")"):
            return None
        self.at += 1
        return ("group", items[0]) if len(items) == 1 else ("tuple", *items)


@primitive("Formula")
def read_formula(tokens: list[Token], at: int) -> list[tuple[int, Tree]]:
    reader = _Formula(tokens, at)
    tree = reader.sum()
    return [(reader.at, tree)] if tree is not None else []


@primitive("Equation")
def read_equation(tokens: list[Token], at: int) -> list[tuple[int, Tree]]:
    """An equation in x and y (and z)."""
    reader = _Formula(tokens, at)
    left = reader.sum()
    if left is None or not reader.is_sym("="):
        return []
    reader.at += 1
    right = reader.sum()
    if right is None or not (variables(left) | variables(right)) <= {"x", "y", "z"} or not variables(left) | variables(right):
        return []
    return [(reader.at, ("=", left, right))]


def variables(tree: Any) -> set[str]:
    """Small letters in a formula; capitals count as `#`."""
    if not isinstance(tree, tuple):
        return set()
    if tree[0] == "var":
        return {tree[1]}
    if tree[0] == "pts":
        return {"#"}
    return set().union(*(variables(item) for item in tree[1:]), set())


# ---- typed expressions ------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Value:
    """An ASCII expression and its type: num, angle, vec, pt or tuple (a point or a vector by components)."""
    text: str
    type: str
    size: int = 0
    loose: bool = False      # a sum without brackets: *twice u + v* would be ambiguous

    def __str__(self) -> str:
        return self.text


def _wrap(text: str) -> str:
    return f"({text})" if any(sign in text for sign in " +-*/") else text


def value(tree: Tree, state: Any, wish: str = "") -> Value:
    """The typed value of a formula. `wish="vec"` reads `AB` as the vector. Raises Misread for senseless kinds."""
    what = tree[0]
    if what == "group":
        return replace(value(tree[1], state, wish), loose=False)
    if what in ("+", "-"):
        return replace(_value_of_sum(tree, state, wish), loose=True)
    if what == "num":
        return Value(str(tree[1]), "num")
    if what == "pi":
        return Value("pi", "num")
    if what == "var":
        if tree[1] in ("x", "y", "z") and tree[1] not in state.vectors:
            raise Misread("a coordinate outside an equation")
        return Value(tree[1], "vec")
    if what == "pts":
        if len(tree) == 2:
            return Value(tree[1], "pt")
        if len(tree) != 3:
            raise Misread("three letters are no length")
        return Value(f"vec({tree[1]},{tree[2]})", "vec") if wish == "vec" else Value(f"dist({tree[1]},{tree[2]})", "num")
    if what == "sqrt":
        return Value(f"sqrt({_number(tree[1], state)})", "num")
    if what == "deg":
        return Value(f"deg({_number(tree[1], state)})", "angle")
    if what == "inverse":
        return Value(f"{_INVERSE[tree[1]]}({_number(tree[2], state)})", "angle")
    if what == "tuple":
        return Value("(" + ", ".join(_number(item, state) for item in tree[1:]) + ")", "tuple", len(tree) - 1)
    if what == "norm":
        inner = value(tree[1], state, "vec")
        if inner.type == "num":
            return Value(f"abs({inner})", "num")
        if inner.type not in ("vec", "tuple"):
            raise Misread("no length of this")
        return Value(f"norm({inner})", "num")
    if what == "neg":
        inner = value(tree[1], state, wish)
        return Value("-" + _wrap(inner.text), inner.type, inner.size)
    if what == "pow":
        inner = value(tree[1], state, wish)
        if inner.type == "vec":
            return Value(f"dot({inner},{inner})", "num")
        if inner.type != "num":
            raise Misread("a power of this")
        return Value(f"{_wrap(inner.text)}**{tree[2]}", "num")
    left, right = value(tree[1], state, wish), value(tree[2], state, wish)
    kinds = (left.type, right.type)
    if what == "/":
        if right.type != "num":
            raise Misread("division by this")
        return Value(f"{_wrap(left.text)}/{_wrap(right.text)}", left.type)
    if what == "×":
        if kinds != ("vec", "vec"):
            raise Misread("cross product of this")
        return Value(f"cross({left},{right})", "num" if not state.solid else "vec")
    if kinds == ("vec", "vec"):
        if what == "juxt":
            raise Misread("two vectors side by side")
        return Value(f"dot({left},{right})", "num")
    if what == "·" and wish != "vec" and state.representation == "vector" and tree[1][0] == tree[2][0] == "pts":
        return value((what, tree[1], tree[2]), state, "vec")
    if ("pt" in kinds and kinds != ("num", "pt")) or kinds.count("num") == 0:
        raise Misread("product of this")
    return Value(f"{_wrap(left.text)}*{_wrap(right.text)}", left.type if right.type == "num" else right.type, left.size or right.size)


def _value_of_sum(tree: Tree, state: Any, wish: str) -> Value:
    sign, left, right = tree[0], value(tree[1], state, wish), value(tree[2], state, wish)
    if sign == "-" and left.type == right.type == "pt":
        return Value(f"vec({right},{left})", "vec")
    return Value(f"{left} {sign} {_wrap(right.text) if sign == '-' else right}", _sum_type(sign, left, right))


def _sum_type(sign: str, left: Value, right: Value) -> str:
    one, two = left.type, right.type
    if (one == two and one in ("num", "angle", "vec", "tuple")) or {one, two} == {"vec", "tuple"}:
        return "vec" if "vec" in (one, two) else one
    if (one, two) in (("pt", "vec"), ("pt", "tuple")) or (sign == "+" and (one, two) == ("pt", "pt")):
        return "pt"
    raise Misread("sum of unlike things")


def _number(tree: Tree, state: Any) -> str:
    inner = value(tree, state)
    if inner.type != "num":
        raise Misread("a number is needed")
    return inner.text


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
    return one if two == 1 else f"{_wrap(_text(one))}*{_wrap(_text(two))}"


def _poly(tree: Tree, state: Any) -> Poly:
    what = tree[0]
    if what == "group":
        return _poly(tree[1], state)
    if what == "var":
        return {(1, 0) if tree[1] == "x" else (0, 1): Fraction(1)}
    if not variables(tree):
        text = _number(tree, state)
        return {(0, 0): Fraction(tree[1]) if what == "num" else _rational(tree) if _rational(tree) is not None else text}  # type: ignore[dict-item]
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
        inverse: Coefficient = 1 / below if below else f"1/{_wrap(_number(tree[2], state))}"
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
        constant: Coefficient = -last if isinstance(last, Fraction) else f"-{_wrap(last)}"
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
    if p and e:                      # y = s (x - h)^2 + k
        s, h = -p / e, -d / (2 * p)
        k = (p * h * h - f) / e
        return Curve("parabola", (f"({plain(h)}, {plain(k + 1 / (4 * s))})", f"line_eq(0,1,{plain(k - 1 / (4 * s))})"), tree)
    if q and d:                      # x = s (y - k)^2 + h
        s, k = -q / d, -e / (2 * q)
        h = (q * k * k - f) / d
        return Curve("parabola", (f"({plain(h + 1 / (4 * s))}, {plain(k)})", f"line_eq(1,0,{plain(h - 1 / (4 * s))})"), tree)
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
            return _number(item, state)
        if what == "neg":
            return "-" + _wrap(walk(item[1]))
        if what == "pow":
            return f"{_wrap(walk(item[1]))}**{item[2]}"
        sign = {"·": "*", "juxt": "*"}.get(what, what)
        return f"{_wrap(walk(item[1]))}{sign}{_wrap(walk(item[2]))}" if sign in "*/" else f"{walk(item[1])} {sign} {_wrap(walk(item[2]))}"
    return f"{walk(tree[1])} == {walk(tree[2])}"
