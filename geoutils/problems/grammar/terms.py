"""Conditions as text: substitution of names, numbers, and the canonical form in which equal meanings look equal."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache

LIMIT = 600
_OPS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_CMP = {ast.Eq: "==", ast.Lt: "<", ast.Gt: ">"}
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}

# Which arguments may change places without changing the meaning.
_ALL = {
    "dist",
    "mid",
    "triangle",
    "cyclic",
    "distinct",
    "coplanar",
    "circumcenter",
    "incenter",
    "centroid",
    "orthocenter",
    "inradius",
    "circumradius",
    "dot",
    "tetrahedron",
    "regular_tetrahedron",
    "plane",
    "line",
    "gap_area",
    "max",
    "min",
}
_ENDS = {"acute", "obtuse", "right"}  # (A, B, C): first and last
_LAST_TWO = {
    "on_segment",
    "midpoint",
    "on_line",
    "foot",
    "bisector_foot",
    "outer_bisector_foot",
    "excenter",
    "exradius",
}
_TURNING = {"area", "perimeter", "convex", "regular", "polygon", "parallelogram", "rectangle", "rhombus", "square"}
_TWO_LINES = {"perp", "parallel"}


def parse(text: str) -> tuple:
    """Read an ASCII expression or condition into nested tuples; ValueError for anything outside the small language."""
    if len(text) > LIMIT:
        raise ValueError("expression too long")
    try:
        return _convert(ast.parse(text.strip(), mode="eval").body, 0)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"not an expression: {text[:80]}") from error


def _convert(node: ast.AST, depth: int) -> tuple:
    if depth > 60:
        raise ValueError("expression too deep")
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return ("num", node.value)
    if isinstance(node, ast.Name):
        return ("name", node.id)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPS:
        return (_OPS[type(node.op)], _convert(node.left, depth + 1), _convert(node.right, depth + 1))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return ("neg", _convert(node.operand, depth + 1))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _CMP:
        return (_CMP[type(node.ops[0])], _convert(node.left, depth + 1), _convert(node.comparators[0], depth + 1))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return ("call", node.func.id, *(_convert(item, depth + 1) for item in node.args))
    if isinstance(node, ast.Tuple):
        return ("tuple", *(_convert(item, depth + 1) for item in node.elts))
    raise ValueError(f"not part of the language: {type(node).__name__}")


def show(term: tuple, rank: int = 0) -> str:
    """Print a term with as few brackets as its meaning allows."""
    kind = term[0]
    if kind in ("num", "name"):
        return str(term[1])
    if kind == "call":
        return f"{term[1]}({','.join(show(item) for item in term[2:])})"
    if kind == "tuple":
        return f"({', '.join(show(item) for item in term[1:])})"
    if kind in ("==", "<", ">"):
        return f"{show(term[1])} {kind} {show(term[2])}"
    own = _RANK[kind]
    if kind == "neg":
        text = "-" + show(term[1], own)
        return f"({text})" if rank > 1 else text
    left = show(term[1], own + (kind == "**"))
    right = show(term[2], own + (kind in "-/" or kind == "**"))
    text = f"{left}{kind}{right}" if own > 1 else f"{left} {kind} {right}"
    return f"({text})" if own < rank else text


def names(term: tuple) -> set[str]:
    """Names of points and vectors in a term (functions left out)."""
    if term[0] == "name":
        return {term[1]} if term[1] != "pi" else set()
    start = 2 if term[0] == "call" else 1
    return set().union(*(names(item) for item in term[start:] if isinstance(item, tuple)), set())


def substitute(term: tuple, values: dict[str, tuple]) -> tuple:
    """Replace names by terms."""
    if term[0] == "name":
        return values.get(term[1], term)
    if term[0] == "num":
        return term
    start = 2 if term[0] == "call" else 1
    return (*term[:start], *(substitute(item, values) for item in term[start:]))


def _spin(items: tuple) -> tuple:
    """The least of all rotations of a cyclic order, in both directions."""
    rows = []
    for row in (list(items), list(reversed(items))):
        rows += [row[i:] + row[:i] for i in range(len(row))]
    return tuple(min(rows, key=lambda row: [show(item) for item in row]))


def _key(term: tuple) -> tuple:
    return (term[0] == "num", show(term))


def _is_line(term: tuple) -> bool:
    return term[0] == "call" and term[1] in ("line", "line_eq")


def _is_vec(term: tuple) -> bool:
    return term[0] == "call" and term[1] == "vec"


def _pairs(items: tuple) -> list[tuple] | None:
    """Split the arguments of perp and parallel into lines (two points) and single objects."""
    out, rest = [], list(items)
    while rest:
        if (rest[0][0] == "name" and rest[0][1][:1].isupper()) or (rest[0][0] == "call" and rest[0][1] in _POINTS):
            if len(rest) < 2:
                return None
            out.append(tuple(sorted(rest[:2], key=_key)))
            rest = rest[2:]
        else:
            out.append((rest.pop(0),))
    return out


_POINTS = {
    "mid",
    "divide",
    "at",
    "foot",
    "meet",
    "reflect",
    "rotate",
    "circumcenter",
    "incenter",
    "orthocenter",
    "centroid",
    "excenter",
    "bisector_foot",
    "outer_bisector_foot",
    "center",
}


def _positive(vector: tuple) -> tuple:
    """A vector up to its sign and, for vec(A,B), as a line: perp and parallel do not mind."""
    if vector[0] == "neg":
        return _positive(vector[1])
    if vector[0] == "*" and vector[1][0] == "num":
        return _positive(vector[2])
    if vector[0] == "/" and vector[2][0] == "num":
        return _positive(vector[1])
    return vector


def _flat(kind: str, term: tuple) -> list[tuple]:
    return _flat(kind, term[1]) + _flat(kind, term[2]) if term[0] == kind else [term]


def normal(term: tuple) -> tuple:
    """The canonical term: symmetric arguments, sums and products in order, `norm(vec(A,B))` as `dist(A,B)`."""
    kind = term[0]
    if kind in ("num", "name"):
        return term
    start = 2 if kind == "call" else 1
    term = (*term[:start], *(normal(item) for item in term[start:]))
    if kind in ("+", "-"):
        return _sum(term)
    if kind == "*":
        parts = [item for item in _flat(kind, term) if item != ("num", 1)] or [("num", 1)]
        parts.sort(key=lambda item: (item[0] != "num", show(item)))
        out = parts[0]
        for item in parts[1:]:
            out = (kind, out, item)
        return out
    if kind == "neg" and _is_vec(term[1]):
        return ("call", "vec", term[1][3], term[1][2])
    if kind == "==":
        left, right = term[1:]
        order = {"name": 0}
        if (order.get(left[0], 1 if names(left) else 2), show(left)) > (
            order.get(right[0], 1 if names(right) else 2),
            show(right),
        ):
            left, right = right, left
        return ("==", left, right)
    if kind == ">":
        return ("<", term[2], term[1])
    if kind == "call":
        return _call(term[1], term[2:])
    return term


def _signed(term: tuple, sign: int = 1) -> list[tuple[int, tuple]]:
    if term[0] == "+":
        return _signed(term[1], sign) + _signed(term[2], sign)
    if term[0] == "-":
        return _signed(term[1], sign) + _signed(term[2], -sign)
    return _signed(term[1], -sign) if term[0] == "neg" else [(sign, term)]


def _joined(parts: list[tuple[int, tuple]]) -> bool:
    """Join two vectors with a common end, or a point and a vector from it; False when nothing can be joined."""
    for i, (sign, one) in enumerate(parts):
        for j, (other, two) in enumerate(parts):
            if i == j or not _is_vec(two):
                continue
            new = None
            if _is_vec(one):
                if sign == other == 1 and one[3] == two[2]:
                    new = ("call", "vec", one[2], two[3])
                elif sign == 1 and other == -1 and one[2] == two[2]:
                    new = ("call", "vec", two[3], one[3])
                elif sign == 1 and other == -1 and one[3] == two[3]:
                    new = ("call", "vec", one[2], two[2])
            elif sign == other == 1 and one == two[2]:
                new = two[3]
            if new:
                parts[:] = [part for k, part in enumerate(parts) if k not in (i, j)] + [(1, new)]
                return True
    return False


def _sum(term: tuple) -> tuple:
    parts = _signed(term)
    while len(parts) > 1 and _joined(parts):
        pass
    parts.sort(key=lambda part: (-part[0], show(part[1])))
    out: tuple = parts[0][1] if parts[0][0] > 0 else ("neg", parts[0][1])
    for sign, item in parts[1:]:
        out = ("+" if sign > 0 else "-", out, item)
    return normal(out) if len(parts) == 1 and out[0] in ("neg", "call") else out


def _call(name: str, args: tuple) -> tuple:
    if name == "norm" and len(args) == 1:
        inner = args[0]
        while inner[0] == "neg":
            inner = inner[1]
        if inner[0] == "call" and inner[1] == "vec":
            return normal(("call", "dist", *inner[2:]))
        return ("call", name, inner)
    if name in _ALL:
        return ("call", name, *sorted(args, key=_key))
    if name in _ENDS or (name == "angle" and len(args) == 3):
        ends = sorted((args[0], args[2]), key=_key)
        return ("call", name, ends[0], args[1], ends[1])
    if name == "angle" and len(args) == 2:
        if all(item[0] == "call" and item[1] == "vec" for item in args) and args[0][2] == args[1][2]:
            return _call("angle", (args[0][3], args[0][2], args[1][3]))
        return ("call", name, *sorted(args, key=_key))
    if name in ("bisects", "bisects_outer") and len(args) == 4:
        ends = sorted((args[1], args[3]), key=_key)
        return ("call", name, args[0], ends[0], args[2], ends[1])
    if name in _LAST_TWO and len(args) == 3:
        if name in ("on_line",):
            ends = sorted(args, key=_key)
            return ("call", name, *ends)
        return ("call", name, args[0], *sorted(args[1:], key=_key))
    if name in ("same_side", "opposite") and len(args) >= 3:
        return ("call", name, *sorted(args[:2], key=_key), *sorted(args[2:], key=_key))
    if name == "reflect" and len(args) == 3:
        return ("call", name, args[0], *sorted(args[1:], key=_key))
    if name == "meet" and len(args) == 4:
        one, two = sorted(args[:2], key=_key), sorted(args[2:], key=_key)
        one, two = sorted((one, two), key=lambda row: [show(item) for item in row])
        return ("call", name, *one, *two)
    if name in _TURNING:
        return ("call", name, *_spin(args))
    if name in ("ccw", "cw"):
        rows = [args[i:] + args[:i] for i in range(len(args))]
        return ("call", name, *min(rows, key=lambda row: [show(item) for item in row]))
    if name in ("inside", "outside") and len(args) > 3:
        return ("call", name, args[0], *_spin(args[1:]))
    if name == "trapezoid" and len(args) == 4:
        a, b, c, d = args
        rows = [(a, b, c, d), (b, a, d, c), (c, d, a, b), (d, c, b, a)]
        return ("call", name, *min(rows, key=lambda row: [show(item) for item in row]))
    if name == "foci" and len(args) == 3:
        return ("call", name, *sorted(args[:2], key=_key), args[2])
    if name in _TWO_LINES:
        flat: list[tuple] = []
        for item in args:
            item = _positive(item)
            if item[0] == "call" and item[1] in ("vec", "line") and len(item) == 4:
                flat += [item[2], item[3]]
            else:
                flat.append(item)
        pairs = _pairs(tuple(flat))
        if pairs is not None:
            if any(len(row) == 1 and not _is_line(row[0]) for row in pairs):
                pairs = [(("call", "vec", *row),) if len(row) == 2 else row for row in pairs]
            pairs.sort(key=lambda row: [show(item) for item in row])
            return ("call", name, *(item for row in pairs for item in row))
    return ("call", name, *args)


@lru_cache(maxsize=20000)
def tidy(condition: str) -> str:
    """One condition in canonical form."""
    return show(normal(parse(condition)))


def canonical(conditions: Iterable[str]) -> list[str]:
    """Sorted canonical conditions without repetition: equal lists mean the same thing said in another order.

    Symmetric arguments (ends of a segment, arms of an angle, vertices around a polygon, the sides of an equality) are sorted.
    Raises ValueError where a condition is not in the expression language.
    """
    return sorted({tidy(text) for text in conditions})


_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "atan": math.atan,
    "acos": math.acos,
    "asin": math.asin,
    "deg": math.radians,
    "abs": abs,
}


def number(text: str) -> float | None:
    """The size of a constant expression, or None where it has names."""

    def walk(term: tuple) -> float:
        if term[0] == "num":
            return float(term[1])
        if term == ("name", "pi"):
            return math.pi
        if term[0] == "neg":
            return -walk(term[1])
        if term[0] == "call" and term[1] in _FUNCTIONS and len(term) == 3:
            return _FUNCTIONS[term[1]](walk(term[2]))
        if term[0] in ("+", "-", "*", "/", "**"):
            one, two = walk(term[1]), walk(term[2])
            if term[0] == "**" and abs(two) > 12:
                raise ValueError
            return {
                "+": lambda: one + two,
                "-": lambda: one - two,
                "*": lambda: one * two,
                "/": lambda: one / two,
                "**": lambda: one**two,
            }[term[0]]()
        raise ValueError

    try:
        return walk(parse(text))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def plain(value: Fraction) -> str:
    """A rational number as an ASCII expression."""
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
