"""Numbers, vectors and equations inside a sentence: from printed mathematics to ASCII expressions.

A formula is read into nested tuples first; what `AB` or `·` means (a length, a vector, a product) is decided when the
kinds of the parts are known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from .engine import Misread, primitive
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
            close = token is not None and (
                token.tight or token.text in ("√", "π") or self._variable_after_number(token)
            )
            if (
                token is not None
                and close
                and (
                    token.kind in ("pts", "num", "word")
                    or token.text in ("(", "√", "π")
                    or (token.text == "|" and not self.inside)
                )
                and not (left[0] in ("pts", "var") and token.text == "(")
                and token.kind != "num"
            ):
                right = self.power()
                if right is None:
                    self.at = mark
                    break
                left = ("juxt", left, right)
                continue
            break
        return left

    def _variable_after_number(self, token: Token) -> bool:
        """`1/2 x`, `2/3 u` and `1/3 (v - u)`: a small letter, save the article, or a bracket after a number."""
        if self.tokens[self.at - 1].kind != "num":
            return False
        small = token.kind == "word" and len(token.text) == 1
        return token.text == "(" or (small and (token.text != "a" or self._formula_a()))

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
        return (
            token is None
            or token.kind != "word"
            or token.text
            in {
                "and",
                "is",
                "are",
                "has",
                "have",
                "leads",
                "lead",
                "to",
                "from",
                "with",
                "be",
                "meets",
                "where",
                "equals",
                "at",
                "times",
                "makes",
                "enclose",
                "relative",
                "on",
                "of",
                "for",
                "by",
                "in",
                "then",
                "points",
            }
        )

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
    if (
        right is None
        or not (variables(left) | variables(right)) <= {"x", "y", "z"}
        or not variables(left) | variables(right)
    ):
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
    loose: bool = False  # a sum without brackets: *twice u + v* would be ambiguous

    def __str__(self) -> str:
        return self.text


def wrap(text: str) -> str:
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
        return (
            Value(f"vec({tree[1]},{tree[2]})", "vec") if wish == "vec" else Value(f"dist({tree[1]},{tree[2]})", "num")
        )
    if what == "sqrt":
        return Value(f"sqrt({number_of(tree[1], state)})", "num")
    if what == "deg":
        return Value(f"deg({number_of(tree[1], state)})", "angle")
    if what == "inverse":
        return Value(f"{_INVERSE[tree[1]]}({number_of(tree[2], state)})", "angle")
    if what == "tuple":
        return Value("(" + ", ".join(number_of(item, state) for item in tree[1:]) + ")", "tuple", len(tree) - 1)
    if what == "norm":
        inner = value(tree[1], state, "vec")
        if inner.type == "num":
            return Value(f"abs({inner})", "num")
        if inner.type not in ("vec", "tuple"):
            raise Misread("no length of this")
        return Value(f"norm({inner})", "num")
    if what == "neg":
        inner = value(tree[1], state, wish)
        return Value("-" + wrap(inner.text), inner.type, inner.size)
    if what == "pow":
        inner = value(tree[1], state, wish)
        if inner.type == "vec":
            return Value(f"dot({inner},{inner})", "num")
        if inner.type != "num":
            raise Misread("a power of this")
        return Value(f"{wrap(inner.text)}**{tree[2]}", "num")
    left, right = value(tree[1], state, wish), value(tree[2], state, wish)
    kinds = (left.type, right.type)
    if what == "/":
        if right.type != "num":
            raise Misread("division by this")
        return Value(f"{wrap(left.text)}/{wrap(right.text)}", left.type)
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
    return Value(
        f"{wrap(left.text)}*{wrap(right.text)}",
        left.type if right.type == "num" else right.type,
        left.size or right.size,
    )


def _value_of_sum(tree: Tree, state: Any, wish: str) -> Value:
    sign, left, right = tree[0], value(tree[1], state, wish), value(tree[2], state, wish)
    if sign == "-" and left.type == right.type == "pt":
        return Value(f"vec({right},{left})", "vec")
    return Value(f"{left} {sign} {wrap(right.text) if sign == '-' else right}", _sum_type(sign, left, right))


def _sum_type(sign: str, left: Value, right: Value) -> str:
    one, two = left.type, right.type
    if (one == two and one in ("num", "angle", "vec", "tuple")) or {one, two} == {"vec", "tuple"}:
        return "vec" if "vec" in (one, two) else one
    if (one, two) in (("pt", "vec"), ("pt", "tuple")) or (sign == "+" and (one, two) == ("pt", "pt")):
        return "pt"
    raise Misread("sum of unlike things")


def number_of(tree: Tree, state: Any) -> str:
    inner = value(tree, state)
    if inner.type != "num":
        raise Misread("a number is needed")
    return inner.text
