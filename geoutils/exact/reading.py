"""Reading back what `text()` and `ascii()` print, by a small parser of its own: bounded, never evaluated as code."""

from __future__ import annotations

import re
from fractions import Fraction

from flint import fmpq

from geoutils.exact.angle import Angle, acos, asin, atan, degrees
from geoutils.exact.real import MAX_EXPONENT, PI, Real, sqrt

MAX_LENGTH = 1300
MAX_DIGITS = 1233  # 4,096 bits
MAX_TOKENS = 300
MAX_DEPTH = 24
_PLAIN = re.compile(r"(-?\d{1,18})(?:/(\d{1,18}))?", re.ASCII)
_TOKEN = re.compile(
    r"\s*(?:(\d+(?:\.\d+)?)|(sqrt|arctan|arccos|arcsin|atan|acos|asin|pi)(?![A-Za-z])|(\*\*|[-+*/^()√π°])|([⁰¹²³⁴⁵⁶⁷⁸⁹]+))",
    re.ASCII,
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_INVERSE = {"arctan": atan, "atan": atan, "arccos": acos, "acos": acos, "arcsin": asin, "asin": asin}
_SPELLING = str.maketrans({"−": "-", "–": "-", "·": "*", "×": "*"})


def read_exact(text: str, unit: str = "") -> Real | Angle:
    """The number or angle that `text` spells: `3*sqrt(2)/5`, `5 + 2√6`, `4π/3 - √3`, `60°`, `arctan(2/3)`.

    With `unit="degrees"` the result is an Angle and a bare number counts degrees.  A number added to an angle counts
    degrees too.  ValueError for anything that is not such an expression or outside a function's domain, OverflowError
    past the bounds of `Real`.
    """
    plain = _PLAIN.fullmatch(text)
    if plain is not None and plain[2] != "0" * len(plain[2] or "1"):
        value: Real | Angle = Real.of(fmpq(int(plain[1]), int(plain[2] or 1)))
    else:
        if len(text) > MAX_LENGTH:
            raise ValueError(f"expression longer than {MAX_LENGTH} characters")
        try:
            value = _Reader(text.translate(_SPELLING)).whole()
        except ZeroDivisionError:
            raise ValueError(f"division by zero in {text!r}") from None
        except TypeError:
            raise ValueError(f"an angle where a number belongs in {text!r}") from None
    if unit == "degrees" and isinstance(value, Real):
        return degrees(value)
    return value


def _tokens(text: str) -> list[str]:
    out, at = [], 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"unexpected {text[at : at + 10].strip()!r} in {text[:60]!r}")
        number, word, sign, power = found.groups()
        if power:
            out += ["**", power.translate(_SUPERSCRIPTS)]
        else:
            out.append(number or word or ("**" if sign == "^" else sign))
        at = found.end()
    return [*out, ""]


class _Reader:
    """sum = [-] product {(+|-) product}; product = power {(*|/|nothing) power}; power = atom [°] [** [-] whole]."""

    def __init__(self, text: str):
        self.text = text
        self.tokens = _tokens(text)
        if len(self.tokens) > MAX_TOKENS:
            raise ValueError(f"more than {MAX_TOKENS} numbers and signs in {text[:60]!r}...")
        self.at = 0
        self.depth = 0

    def fail(self) -> ValueError:
        token = self.tokens[self.at]
        found = f"unexpected {token!r}" if token else "unexpected end"
        return ValueError(f"{found} in {self.text[:60]!r}")

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def whole(self) -> Real | Angle:
        value = self.sum()
        if self.tokens[self.at]:
            raise self.fail()
        return value

    def sum(self) -> Real | Angle:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ValueError(f"more than {MAX_DEPTH} brackets within each other")
        value = self.product()
        while self.tokens[self.at] in ("+", "-"):
            minus = self.take() == "-"
            other = self.product()
            if isinstance(value, Angle) != isinstance(other, Angle):
                value, other = (v if isinstance(v, Angle) else degrees(v) for v in (value, other))
            value = value - other if minus else value + other  # type: ignore[operator]
        self.depth -= 1
        return value

    def product(self) -> Real | Angle:
        negative = False
        while self.tokens[self.at] in ("-", "+"):
            negative ^= self.take() == "-"
        value = self.power()
        while True:
            token = self.tokens[self.at]
            if token == "*":
                self.at += 1
                value = value * self.signed()  # type: ignore[operator]
            elif token == "/":
                self.at += 1
                other = self.signed()
                if self.tokens[self.at - 1] == "°" and isinstance(value, Real) and isinstance(other, Angle):
                    value = degrees(value / Real.of(other.in_degrees() or 0))  # 45/2° is (45/2)°
                else:
                    value = value / other  # type: ignore[operator]
            elif token in ("", "+", "-", ")", "**", "°") or token[0].isdigit():
                return -value if negative else value
            else:
                value = value * self.power()  # type: ignore[operator]

    def signed(self) -> Real | Angle:
        if self.tokens[self.at] == "-":
            self.at += 1
            return -self.power()
        return self.power()

    def power(self) -> Real | Angle:
        value = self.atom()
        if self.tokens[self.at] == "°":
            self.at += 1
            if not isinstance(value, Real):
                raise self.fail()
            value = degrees(value)
        if self.tokens[self.at] == "**":
            self.at += 1
            sign = -1 if self.tokens[self.at] == "-" else 1
            self.at += sign < 0
            digits = self.tokens[self.at]
            if not digits.isdigit():
                raise self.fail()
            self.at += 1
            if len(digits) > 3 or int(digits) > MAX_EXPONENT:
                raise OverflowError(f"exponent past {MAX_EXPONENT}")
            value = value ** (sign * int(digits))  # type: ignore[operator]
        return value

    def atom(self) -> Real | Angle:
        token = self.tokens[self.at]
        if token and token[0].isdigit():
            self.at += 1
            if len(token) > MAX_DIGITS:
                raise OverflowError(f"number with more than {MAX_DIGITS} digits")
            return Real.of(Fraction(token) if "." in token else int(token))
        if token in ("pi", "π"):
            self.at += 1
            return PI
        if token == "(":
            return self.bracket()
        if token in ("sqrt", "√"):
            self.at += 1
            if token == "sqrt" and self.tokens[self.at] != "(":
                raise self.fail()
            self.depth += 1  # a chain of root signs nests without brackets
            if self.depth > MAX_DEPTH:
                raise ValueError(f"more than {MAX_DEPTH} roots within each other")
            inside = self.atom()
            self.depth -= 1
            return sqrt(inside)  # type: ignore[arg-type]
        if token in _INVERSE:
            self.at += 1
            if self.tokens[self.at] != "(":
                raise self.fail()
            return _INVERSE[token](self.bracket())  # type: ignore[arg-type]
        raise self.fail()

    def bracket(self) -> Real | Angle:
        self.at += 1
        value = self.sum()
        if self.tokens[self.at] != ")":
            raise self.fail()
        self.at += 1
        return value
