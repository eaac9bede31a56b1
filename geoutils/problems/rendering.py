"""Templates to text, and printed text back to values.

A placeholder `<...>` is the only way in which a name or a number enters a statement.
`<A>` prints a point's or vector's name, `<A.xy>` its components, `<AB>` a value by its
type: number, angle, line, circle or ellipse.  Every printed value can be read back
from the text alone, and the proofs see nothing but what was read back.  In solutions a
placeholder may be any expression and prints as LaTeX; `<... .dec>` prints the decimal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from geoutils.exact import EXACT, Angle, Real, read_exact, sqrt
from geoutils.problems.geometry import Circle, Ellipse, Line

PLACEHOLDER = re.compile(r"<([^<>]+)>")
_ROUNDING = "Give the exact value, or a decimal rounded to three decimal places."
_ORIENTED = f"Give the first quantity divided by the second: {_ROUNDING[5:]}"
ROUNDING: Mapping[str, str] = {"length": _ROUNDING, "area": _ROUNDING, "angle": _ROUNDING, "ratio": _ORIENTED}
DECIMALS = 3


class RenderError(ValueError):
    """A template cannot be printed or a printed text cannot be read back."""


@dataclass(frozen=True)
class Shown:
    """One printed placeholder: its key (`A`, `A.xy`, `AB`), its kind, and where it stands."""

    key: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True)
class Text:
    """A printed sentence and where its placeholders stand in it."""

    text: str
    shown: tuple[Shown, ...] = ()


@dataclass(frozen=True)
class Statement:
    """A printed statement: sentences, question, and the category's fixed rounding sentence."""

    representation: str
    sentences: tuple[Text, ...]
    question: Text
    rounding: str

    @property
    def text(self) -> str:
        """The whole statement, as a model is given it."""
        return " ".join([*(s.text for s in self.sentences), self.question.text, self.rounding])


@dataclass(frozen=True)
class Scope:
    """What placeholders can mean in one variant.

    names: base name to printed name, for visible points and for vectors;
    values: every name an expression may use (points, parameters, `let`, answer).
    """

    names: Mapping[str, str]
    values: Mapping[str, Any]
    evaluate: Callable[[str], Any]


def placeholders(template: str) -> Iterator[str]:
    """The keys of a template's placeholders, in order."""
    for match in PLACEHOLDER.finditer(template):
        yield match.group(1).strip()


def literals(template: str, mask: str = "#") -> str:
    """The template with every placeholder replaced by `mask`: what the author typed."""
    return PLACEHOLDER.sub(mask, template)


def render(template: str, scope: Scope) -> Text:
    """Print a statement's sentence or question.  Raises RenderError for an unknown placeholder."""
    parts: list[str] = []
    shown: list[Shown] = []
    position = last = 0
    for match in PLACEHOLDER.finditer(template):
        literal = template[last : match.start()]
        key = match.group(1).strip()
        kind, printed = _print(key, scope)
        position += len(literal)
        shown.append(Shown(key, kind, position, position + len(printed)))
        position += len(printed)
        parts += [literal, printed]
        last = match.end()
    parts.append(template[last:])
    text = "".join(parts)
    if "<" in text or ">" in text:
        raise RenderError("a lone < or > stands outside a placeholder")
    return Text(text, tuple(shown))


def _print(key: str, scope: Scope) -> tuple[str, str]:
    if key.endswith((".xy", ".xyz")):
        name = key.rsplit(".", 1)[0]
        value = scope.values.get(name)
        if name not in scope.names or not isinstance(value, tuple):
            raise RenderError(f"<{key}>: {name!r} is not a point or vector that the text may name")
        return "components", components(value)
    if key in scope.names:
        return "name", scope.names[key]
    if key not in scope.values or key == "answer":
        raise RenderError(f"<{key}>: unknown; points, vectors, parameters and let names only (no expressions)")
    value = scope.values[key]
    if isinstance(value, tuple):
        raise RenderError(f"<{key}>: {key!r} is a hidden point or an unnamed vector; it cannot be printed")
    return kind_of(value), print_value(value)


def kind_of(value: Any) -> str:
    """The kind under which a value is printed and read back."""
    for kind, cls in (("number", Real), ("angle", Angle), ("line", Line), ("circle", Circle), ("ellipse", Ellipse)):
        if isinstance(value, cls):
            return kind
    if isinstance(value, tuple):
        return "components"
    raise RenderError(f"a {type(value).__name__} cannot be printed")


def print_value(value: Any) -> str:
    """A value as statements print it."""
    if isinstance(value, tuple):
        return components(value)
    if isinstance(value, Line):
        return print_line(value)
    if isinstance(value, Circle):
        return print_circle(value)
    if isinstance(value, Ellipse):
        return print_ellipse(value)
    if isinstance(value, (Real, Angle)):
        return value.text()
    raise RenderError(f"a {type(value).__name__} cannot be printed")


def components(value: tuple[Any, ...]) -> str:
    """`(3, -4)`, `(1, 0, 2)`."""
    return "(" + ", ".join(part.text() for part in value) + ")"


# ---------------------------------------------------------------- equations


def line_coefficients(line: Line) -> tuple[Real, Real, Real]:
    """(a, b, c) of a x + b y = c: without fractions and as short as possible, the first one positive."""
    if len(line.point) != 2:
        raise RenderError("a line in space has no equation; name it by two points")
    dx, dy = line.direction
    a, b = dy, -dx
    c = a * line.point[0] + b * line.point[1]
    forms = []
    for lead in (a, b):
        if lead.sign() == 0:
            continue
        scaled = [part / lead for part in (a, b, c)]
        below = [re.search(r"/(\d+)$", part.text()) for part in scaled]
        factor = math.lcm(*(int(match.group(1)) for match in below if match)) if any(below) else 1
        first = next(part for part in scaled if part.sign())
        forms.append([part * (factor if first.sign() > 0 else -factor) for part in scaled])
    best = min(forms, key=lambda form: (sum(len(part.text()) for part in form), sum(abs(float(part)) for part in form)))
    return best[0], best[1], best[2]


def print_line(line: Line) -> str:
    """`3x - 4y = 5`, `x = 3`, `y = -2`."""
    a, b, c = line_coefficients(line)
    text = ""
    for factor, letter in ((a, "x"), (b, "y")):
        if factor.sign() == 0:
            continue
        size = factor if factor.sign() > 0 else -factor
        sign = ("" if factor.sign() > 0 else "-") if not text else (" + " if factor.sign() > 0 else " - ")
        text += sign + ("" if size == Real.of(1) else _simple(size)) + letter
    return f"{text} = {c.text()}"


def _simple(value: Real) -> str:
    text = value.text()
    if re.fullmatch(r"[0-9√]+", text):
        return text
    raise RenderError(f"the coefficient {text} is not simple enough for an equation")


def _square(letter: str, center: Real) -> str:
    if center.sign() == 0:
        return f"{letter}²"
    sign, size = ("-", center) if center.sign() > 0 else ("+", -center)
    text = size.text()
    if " " in text:
        raise RenderError(f"the centre's coordinate {text} is not simple enough for an equation")
    return f"({letter} {sign} {text})²"


def print_circle(circle: Circle) -> str:
    """`(x - 3)² + (y + 1)² = 25`."""
    if len(circle.center) != 2:
        raise RenderError("a circle in space has no equation")
    x, y = circle.center
    return f"{_square('x', x)} + {_square('y', y)} = {(circle.radius * circle.radius).text()}"


def ellipse_parts(ellipse: Ellipse) -> tuple[tuple[Real, Real], Real, Real]:
    """Centre, and the squares of the half axes along x and along y."""
    (x1, y1), (x2, y2) = ellipse.focus1, ellipse.focus2
    center = ((x1 + x2) / 2, (y1 + y2) / 2)
    dx, dy = x2 - x1, y2 - y1
    long = ellipse.major * ellipse.major / 4
    short = long - (dx * dx + dy * dy) / 4
    if dy.sign() == 0:
        return center, long, short
    if dx.sign() == 0:
        return center, short, long
    raise RenderError("the ellipse's axes are not parallel to the coordinate axes; use motion kind axis")


def print_ellipse(ellipse: Ellipse) -> str:
    """`x²/25 + y²/9 = 1`, `(x - 1)²/25 + (y + 2)²/9 = 1`."""
    (x, y), along_x, along_y = ellipse_parts(ellipse)
    parts = []
    for letter, middle, size in (("x", x, along_x), ("y", y, along_y)):
        text = size.text()
        if not text.isdigit():
            raise RenderError(f"the ellipse's denominator {text} is not a whole number")
        parts.append(_square(letter, middle) + ("" if text == "1" else f"/{text}"))
    return f"{parts[0]} + {parts[1]} = 1"


# ---------------------------------------------------------------- reading back

_TERM = r"(?:\d|√)*"
_LINE = re.compile(rf"(?:(?P<sa>-?)(?P<a>{_TERM})x)?(?P<sb> [+-] |-|)(?:(?P<b>{_TERM})(?P<y>y))? = (?P<c>[^=]+)")
_SQUARE = r"(?:{0}²|\({0} (?P<s{0}>[+-]) (?P<{0}>[^ ()]+)\)²)"
_ROUND = re.compile(f"{_SQUARE.format('x')} \\+ {_SQUARE.format('y')} = (?P<r>[^=]+)")
_OVAL = re.compile(f"{_SQUARE.format('x')}(?:/(?P<p>\\d+))? \\+ {_SQUARE.format('y')}(?:/(?P<q>\\d+))? = 1")


def read_value(text: str, kind: str) -> Any:
    """The value that a printed text stands for; RenderError where it does not read."""
    try:
        return _READERS[kind](text)
    except (ValueError, OverflowError) as error:
        raise RenderError(f"{text!r} does not read back as {kind}: {error}") from None


def _number(text: str) -> Real:
    value = read_exact(text)
    if not isinstance(value, Real):
        raise ValueError("not a number")
    return value


def _angle(text: str) -> Angle:
    value = read_exact(text)
    if isinstance(value, Angle):
        return value
    raise ValueError("no degree sign and no arc function")


def _components(text: str) -> tuple[Real, ...]:
    if not (text.startswith("(") and text.endswith(")")):
        raise ValueError("no parentheses")
    parts = text[1:-1].split(", ")
    if len(parts) not in (2, 3):
        raise ValueError("two or three components are needed")
    return tuple(_number(part) for part in parts)


def _read_line(text: str) -> Line:
    match = _LINE.fullmatch(text)
    if match is None or (match["a"] is None and match["y"] is None):
        raise ValueError("not a x + b y = c")
    zero, one = Real.of(0), Real.of(1)
    a = b = zero
    if match["a"] is not None:
        a = (_number(match["a"]) if match["a"] else one) * (-1 if match["sa"] else 1)
    if match["y"]:
        b = (_number(match["b"]) if match["b"] else one) * (-1 if "-" in match["sb"] else 1)
    c = _number(match["c"])
    point = (c / a, zero) if a.sign() else (zero, c / b)
    return Line(point, (-b, a))


def _center(match: re.Match[str]) -> tuple[Real, Real]:
    parts = []
    for letter in "xy":
        value = _number(match[letter]) if match[letter] else Real.of(0)
        parts.append(-value if match["s" + letter] == "+" else value)
    return parts[0], parts[1]


def _read_circle(text: str) -> Circle:
    match = _ROUND.fullmatch(text)
    if match is None:
        raise ValueError("not (x - a)² + (y - b)² = c")
    return Circle(_center(match), sqrt(_number(match["r"])))


def _read_ellipse(text: str) -> Ellipse:
    match = _OVAL.fullmatch(text)
    if match is None:
        raise ValueError("not (x - a)²/p + (y - b)²/q = 1")
    x, y = _center(match)
    p, q = _number(match["p"] or "1"), _number(match["q"] or "1")
    if (p - q).sign() >= 0:
        gap = sqrt(p - q)
        return Ellipse((x - gap, y), (x + gap, y), 2 * sqrt(p))
    gap = sqrt(q - p)
    return Ellipse((x, y - gap), (x, y + gap), 2 * sqrt(q))


_READERS: Mapping[str, Callable[[str], Any]] = {
    "number": _number,
    "angle": _angle,
    "components": _components,
    "line": _read_line,
    "circle": _read_circle,
    "ellipse": _read_ellipse,
}


def read_back(statement: Statement) -> dict[str, Any]:
    """What the printed text shows, by base name: components and values, never bare names.

    Raises RenderError when a printed text does not read, or one name reads as two values.
    """
    found: dict[str, Any] = {}
    texts: dict[str, str] = {}
    for sentence in (*statement.sentences, statement.question):
        for item in sentence.shown:
            if item.kind == "name":
                continue
            printed = sentence.text[item.start : item.end]
            name = item.key.split(".")[0]
            if texts.setdefault(name, printed) != printed:
                raise RenderError(f"<{item.key}> is printed as {texts[name]!r} and as {printed!r}")
            if name not in found:
                found[name] = read_value(printed, item.kind)
    return found


def same_value(first: Any, second: Any) -> bool:
    """Whether two values are exactly equal; lines, circles, ellipses as sets of points."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(same_value(a, b) for a, b in zip(first, second, strict=True))
    if type(first) is not type(second):
        return False
    if isinstance(first, Line):
        return print_line(first) == print_line(second)
    if isinstance(first, Circle):
        return same_value(first.center, second.center) and bool(first.radius == second.radius)
    if isinstance(first, Ellipse):
        return ellipse_parts(first) == ellipse_parts(second)
    return bool(first == second)


# ---------------------------------------------------------------- solutions


def render_solution(template: str, scope: Scope) -> str:
    """Print a step of the solution: placeholders are expressions, printed as LaTeX."""

    def replace(match: re.Match[str]) -> str:
        key = match.group(1).strip()
        if key in scope.names:
            return scope.names[key]
        form = ""
        for suffix in (".dec", ".xyz", ".xy"):
            if key.endswith(suffix):
                key, form = key[: -len(suffix)], suffix
        value = scope.evaluate(key)
        if form == ".dec":
            return str(value.decimal(DECIMALS))
        return latex(value)

    return PLACEHOLDER.sub(replace, template)


def latex(value: Any) -> str:
    """A value as LaTeX, without dollar signs."""
    if isinstance(value, tuple):
        return "(" + ", ".join(latex(part) for part in value) + ")"
    if isinstance(value, (Real, Angle)):
        return str(value.latex())
    if isinstance(value, (Line, Circle, Ellipse)):
        return print_value(value).replace("²", "^2")
    if isinstance(value, (int, bool)):
        return str(EXACT.of(value).latex()) if not isinstance(value, bool) else str(value)
    raise RenderError(f"a {type(value).__name__} cannot be printed")
