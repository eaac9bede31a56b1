"""The expression language of problem records: a bounded, whitelisted syntax tree and its one evaluator.

Text goes through Python's parser and then a walk that knows whole numbers, names, ``+ - * / **``, comparisons, ``not
and or``, tuples of 2 or 3 parts and calls of listed functions; nothing is ever executed.  `evaluate` works over exact
numbers (`geoutils.exact.EXACT`) and over the solver's floats alike, so that text, figure and solver cannot disagree on
what a function means.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from geoutils.exact import EXACT, Angle, Real
from geoutils.problems.geometry import CONDITIONS, FUNCTIONS, Constraint

MAX_LENGTH = 400
MAX_INTEGER = 10**9
MAX_EXPONENT = 12
MAX_DEPTH = 30

_ALPHABET = re.compile(r"[A-Za-z0-9_+\-*/(),<>=! ]*", re.ASCII)
_STRANGE = re.compile(r"[^A-Za-z0-9_+\-*/(),<>=! ]", re.ASCII)
_GLUED = re.compile(r"(?<![A-Za-z0-9_])\d+_*[A-Za-z_]\w*", re.ASCII)


class ExpressionError(ValueError):
    """An expression that is not of the language, or has no value; one line naming the offending piece."""


# --- the tree ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Num:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name, looked up in the environment."""

    id: str


@dataclass(frozen=True, slots=True)
class Op:
    """``+ - * / **`` of two arguments, or ``-`` of one.  The exponent is a `Num` or the negative of one."""

    op: str
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a listed function or condition."""

    name: str
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """``==``, ``<`` or ``>`` of two values."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Tuple:
    """A point or vector of 2 or 3 components."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of a condition."""

    arg: Node


@dataclass(frozen=True, slots=True)
class And:
    """All of several conditions."""

    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of several conditions."""

    args: tuple[Node, ...]


Node = Num | Name | Op | Call | Compare | Tuple | Not | And | Or

# --- parsing -------------------------------------------------------------------------------------------------------------

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARISONS = {ast.Eq: "==", ast.Lt: "<", ast.Gt: ">", ast.NotEq: "==", ast.LtE: ">", ast.GtE: "<"}
_NEGATED = (ast.NotEq, ast.LtE, ast.GtE)


def parse(text: str) -> Node:
    """The tree of an expression.  ExpressionError (a ValueError) names the piece that is not of the language.

    ``a != b`` is read as ``not a == b``, ``a <= b`` as ``not a > b``.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"expression longer than {MAX_LENGTH} characters: {text[:40]!r}...")
    if not text.strip():
        raise ExpressionError("empty expression")
    if not _ALPHABET.fullmatch(text):
        strange = _STRANGE.search(text)
        assert strange is not None
        raise ExpressionError(f"character {strange[0]!r} is not allowed in {text!r}")
    glued = _GLUED.search(text)
    if glued is not None:
        raise ExpressionError(f"{glued[0]!r} is neither a number nor a name in {text!r}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ExpressionError(f"not an expression: {text!r}") from None
    return _walk(tree, text, 0)


def _walk(tree: ast.expr, text: str, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise ExpressionError(f"nested more than {MAX_DEPTH} deep: {text[:60]!r}")

    def walk(part: ast.expr) -> Node:
        return _walk(part, text, depth + 1)

    match tree:
        case ast.Constant(value=value) if type(value) is int:
            if value >= MAX_INTEGER:
                raise ExpressionError(f"number {_piece(tree, text)} is not below {MAX_INTEGER}")
            return Num(value)
        case ast.Name(id=name):
            if name.startswith("_"):
                raise ExpressionError(f"name {name!r} begins with an underscore")
            return Name(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Op("-", (walk(operand),))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return walk(operand)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Not(walk(operand))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            node = Op(_OPERATORS[type(op)], (walk(left), walk(right)))
            if node.op == "**" and not 0 <= abs(_exponent(node.args[1], text)) <= MAX_EXPONENT:
                raise ExpressionError(f"exponent past {MAX_EXPONENT} in {text!r}")
            return node
        case ast.BoolOp(op=op, values=values):
            parts = tuple(walk(part) for part in values)
            return And(parts) if isinstance(op, ast.And) else Or(parts)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            compare = Compare(_COMPARISONS[type(op)], walk(left), walk(right))
            return Not(compare) if isinstance(op, _NEGATED) else compare
        case ast.Compare(ops=ops) if len(ops) > 1:
            raise ExpressionError(f"more than one comparison in {_piece(tree, text)!r}")
        case ast.Tuple(elts=items):
            if len(items) not in (2, 3):
                raise ExpressionError(f"a tuple has 2 or 3 parts, not {len(items)}: {_piece(tree, text)!r}")
            return Tuple(tuple(walk(part) for part in items))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if not any(
            isinstance(part, ast.Starred) for part in args
        ):
            if name not in KNOWN:
                raise ExpressionError(f"unknown function {name!r} in {text!r}")
            return Call(name, tuple(walk(part) for part in args))
    raise ExpressionError(f"{_piece(tree, text)!r} is not of the expression language")


def _exponent(node: Node, text: str) -> int:
    if isinstance(node, Op) and node.op == "-" and len(node.args) == 1 and isinstance(node.args[0], Num):
        return -node.args[0].value
    if isinstance(node, Num):
        return node.value
    raise ExpressionError(f"an exponent must be a whole number in {text!r}")


def _piece(tree: ast.expr, text: str) -> str:
    piece = ast.get_source_segment(text.strip(), tree) or text
    return piece if len(piece) <= 60 else piece[:57] + "..."


# --- looking at trees ----------------------------------------------------------------------------------------------------

_CONSTANTS = frozenset({"pi"})


def children(node: Node) -> tuple[Node, ...]:
    """The direct parts of a tree."""
    match node:
        case Num() | Name():
            return ()
        case Compare():
            return (node.left, node.right)
        case Tuple():
            return node.items
        case Not():
            return (node.arg,)
        case _:
            return node.args


def nodes(node: Node) -> Iterator[Node]:
    """The tree and all its parts."""
    yield node
    for part in children(node):
        yield from nodes(part)


def names(node: Node) -> frozenset[str]:
    """The names a value must be given for; functions and pi are not among them."""
    return frozenset(n.id for n in nodes(node) if isinstance(n, Name)) - _CONSTANTS


names_in = names


def functions(node: Node) -> frozenset[str]:
    """The functions and conditions called."""
    return frozenset(n.name for n in nodes(node) if isinstance(n, Call))


def rebuild(node: Node, parts: tuple[Node, ...]) -> Node:
    """The same kind of tree with other direct parts."""
    match node:
        case Num() | Name():
            return node
        case Op(op=op):
            return Op(op, parts)
        case Call(name=name):
            return Call(name, parts)
        case Compare(op=op):
            return Compare(op, *parts)
        case Not():
            return Not(*parts)
        case _:
            return type(node)(parts)


def substitute(node: Node, mapping: Mapping[str, Node]) -> Node:
    """The tree with names replaced by trees, all at once."""
    if isinstance(node, Name):
        return mapping.get(node.id, node)
    return rebuild(node, tuple(substitute(part, mapping) for part in children(node)))


def rename(node: Node, mapping: Mapping[str, str]) -> Node:
    """The tree with names replaced by names, all at once."""
    return substitute(node, {old: Name(new) for old, new in mapping.items()})


_STRENGTH = {"+": 5, "-": 5, "*": 6, "/": 6, "**": 8}
_UNARY = 7


def to_text(node: Node) -> str:
    """Canonical text: `parse` gives the same tree back.  Spaces around ``+ - ==``, none around ``* / **``."""
    return _text(node)[0]


unparse = to_text


def _text(node: Node) -> tuple[str, int]:
    """The text and how tightly it binds."""
    match node:
        case Num(value=value):
            return (str(value), 9) if value >= 0 else (str(value), _UNARY)
        case Name(id=name):
            return name, 9
        case Call(name=name, args=args):
            return f"{name}({', '.join(to_text(part) for part in args)})", 9
        case Tuple(items=items):
            return f"({', '.join(to_text(part) for part in items)})", 9
        case Op(op="-", args=(part,)):
            return "-" + _within(part, _UNARY), _UNARY
        case Op(op="**", args=(base, power)):
            return f"{_within(base, 9)}**{to_text(power)}", 8
        case Op(op=op, args=(left, right)):
            own = _STRENGTH[op]
            space = " " if own == 5 else ""
            return f"{_within(left, own)}{space}{op}{space}{_within(right, own + 1)}", own
        case Compare(op=op, left=left, right=right):
            return f"{_within(left, 5)} {op} {_within(right, 5)}", 4
        case Not(arg=arg):
            return f"not {_within(arg, 3)}", 3
        case And(args=args):
            return " and ".join(_within(part, 3) for part in args), 2
        case Or(args=args):
            return " or ".join(_within(part, 2) for part in args), 1
    raise TypeError(f"not a tree: {node!r}")


def _within(node: Node, needed: int) -> str:
    text, strength = _text(node)
    return text if strength >= needed else f"({text})"


# --- evaluation ----------------------------------------------------------------------------------------------------------


def evaluate(node: Node, env: Mapping[str, Any], ops: Any = EXACT) -> Any:
    """The value of a tree where names have the values of `env`.

    Numbers, angles and the objects of geometry come out as they are, points and vectors as tuples; comparisons,
    conditions and ``and`` of them as a `Constraint`; ``not``, ``or`` and the ``is_`` predicates, over exact numbers
    only, as a bool.  ValueError: an unknown name, wrong arguments, outside a domain; ZeroDivisionError; OverflowError
    past the bounds of exact numbers.
    """
    return _EVALUATORS[type(node)](node, env, ops)


def holds(node: Node, env: Mapping[str, Any]) -> bool:
    """Whether a condition is true, exactly: its equalities are 0 and its margins positive, all proved."""
    return _truth(evaluate(node, env, EXACT))


def _truth(value: Any) -> bool:
    if isinstance(value, Constraint):
        return not any(value.equalities) and all(_sign(margin) > 0 for margin in value.margins)
    if isinstance(value, bool):
        return value
    raise ExpressionError("a condition is needed, not a value")


def _sign(value: Any) -> int:
    return value.sign() if isinstance(value, Real | Angle) else (value > 0) - (value < 0)


def _eval_num(node: Num, env: Mapping[str, Any], ops: Any) -> Any:
    return ops.of(node.value)


def _eval_name(node: Name, env: Mapping[str, Any], ops: Any) -> Any:
    try:
        return env[node.id]
    except KeyError:
        if node.id == "pi":
            return ops.pi
        raise ExpressionError(f"unknown name {node.id!r}") from None


def _eval_tuple(node: Tuple, env: Mapping[str, Any], ops: Any) -> Any:
    parts = tuple(evaluate(part, env, ops) for part in node.items)
    if any(type(part) is tuple for part in parts):
        raise ExpressionError(f"a point's components are numbers: {to_text(node)}")
    return parts


def _eval_op(node: Op, env: Mapping[str, Any], ops: Any) -> Any:
    args = node.args
    op = node.op
    a = evaluate(args[0], env, ops)
    try:
        if len(args) == 1:
            return tuple(-part for part in a) if type(a) is tuple else -a
        if op == "**":
            return a ** _exponent(args[1], "**")
        b = evaluate(args[1], env, ops)
        if type(a) is tuple or type(b) is tuple:
            return _eval_vectors(op, a, b)
        if op == "+":
            return a + b
        if op == "-":
            return a - b
        return a * b if op == "*" else a / b
    except TypeError:
        raise ExpressionError(f"wrong kinds of values in {to_text(node)}") from None


def _eval_vectors(op: str, a: Any, b: Any) -> Any:
    if type(a) is tuple and type(b) is tuple:
        if op in "+-" and len(a) == len(b):
            return tuple(p + q if op == "+" else p - q for p, q in zip(a, b, strict=True))
    elif op == "*":
        scalar, vector = (b, a) if type(a) is tuple else (a, b)
        return tuple(scalar * part for part in vector)
    elif op == "/" and type(a) is tuple:
        return tuple(part / b for part in a)
    raise TypeError


def _eval_compare(node: Compare, env: Mapping[str, Any], ops: Any) -> Any:
    left, right = evaluate(node.left, env, ops), evaluate(node.right, env, ops)
    try:
        if type(left) is tuple or type(right) is tuple:
            if node.op != "==" or type(left) is not type(right) or len(left) != len(right):
                raise TypeError
            return Constraint([ops.difference(a, b) for a, b in zip(left, right, strict=True)], [])
        if node.op == "==":
            return Constraint([ops.difference(left, right)], [])
        return Constraint([], [ops.difference(left, right) if node.op == ">" else ops.difference(right, left)])
    except TypeError:
        raise ExpressionError(f"values of different kinds compared in {to_text(node)}") from None


def _eval_and(node: And, env: Mapping[str, Any], ops: Any) -> Any:
    total = Constraint([], [])
    plain = True
    for part in node.args:
        value = evaluate(part, env, ops)
        if isinstance(value, Constraint) and plain:
            total = Constraint([*total.equalities, *value.equalities], [*total.margins, *value.margins])
        else:
            if plain and not _truth(total):
                return False
            plain = False
            if not _truth(value):
                return False
    return total if plain else True


def _exact_only(what: str, ops: Any) -> None:
    if not ops.exact:
        raise ExpressionError(f"{what} needs exact numbers")


def _eval_not(node: Not, env: Mapping[str, Any], ops: Any) -> bool:
    _exact_only("'not'", ops)
    return not _truth(evaluate(node.arg, env, ops))


def _eval_or(node: Or, env: Mapping[str, Any], ops: Any) -> bool:
    _exact_only("'or'", ops)
    return any(_truth(evaluate(part, env, ops)) for part in node.args)


def _eval_call(node: Call, env: Mapping[str, Any], ops: Any) -> Any:
    values = [evaluate(part, env, ops) for part in node.args]
    name = node.name
    scalar = SCALARS.get(name)
    try:
        if scalar is not None:
            least, most, function = scalar
            if not least <= len(values) <= most or any(type(value) is tuple for value in values):
                raise TypeError
            return function(ops, *values)
        function = FUNCTIONS.get(name) or CONDITIONS[name]
        return function(ops, *values)
    except (TypeError, AttributeError, IndexError):
        raise ExpressionError(f"wrong arguments in {to_text(node)}") from None


_EVALUATORS: dict[type, Callable[[Any, Mapping[str, Any], Any], Any]] = {
    Num: _eval_num,
    Name: _eval_name,
    Tuple: _eval_tuple,
    Op: _eval_op,
    Call: _eval_call,
    Compare: _eval_compare,
    And: _eval_and,
    Or: _eval_or,
    Not: _eval_not,
}

# --- scalar functions ----------------------------------------------------------------------------------------------------


def _whole(ops: Any, value: Any, name: str) -> int:
    _exact_only(name, ops)
    if not Real.of(value).is_int():
        raise ExpressionError(f"{name} needs whole numbers")
    return Real.of(value).fraction().numerator


def _gcd(ops: Any, *values: Any) -> Real:
    return Real.of(math.gcd(*(_whole(ops, value, "gcd") for value in values)))


def _is_int(ops: Any, value: Any) -> bool:
    _exact_only("is_int", ops)
    return Real.of(value).is_int()


def _is_rational(ops: Any, value: Any) -> bool:
    _exact_only("is_rational", ops)
    return Real.of(value).is_rational()


def _is_square(ops: Any, value: Any) -> bool:
    """Whether the number is the square of a rational number."""
    _exact_only("is_square", ops)
    number = Real.of(value)
    if not number.is_rational():
        return False
    q = number.fraction()
    return q >= 0 and all(math.isqrt(n) ** 2 == n for n in (q.numerator, q.denominator))


_MANY = 12
# name: (fewest arguments, most, function of the number system and the arguments)
SCALARS: dict[str, tuple[int, int, Callable[..., Any]]] = {
    "sqrt": (1, 1, lambda ops, x: ops.sqrt(x)),
    "abs": (1, 1, lambda ops, x: ops.abs(x)),
    "min": (2, _MANY, lambda ops, *xs: ops.min(*xs)),
    "max": (2, _MANY, lambda ops, *xs: ops.max(*xs)),
    "cos": (1, 1, lambda ops, a: ops.cos(a)),
    "sin": (1, 1, lambda ops, a: ops.sin(a)),
    "tan": (1, 1, lambda ops, a: ops.tan(a)),
    "acos": (1, 1, lambda ops, x: ops.acos(x)),
    "asin": (1, 1, lambda ops, x: ops.asin(x)),
    "atan": (1, 1, lambda ops, x: ops.atan(x)),
    "deg": (1, 1, lambda ops, q: ops.degrees(q)),
    "rad": (1, 1, lambda ops, a: ops.rad(a)),
    "gcd": (2, _MANY, _gcd),
    "is_int": (1, 1, _is_int),
    "is_rational": (1, 1, _is_rational),
    "is_square": (1, 1, _is_square),
}
# the spellings in which exact numbers are printed
SCALARS |= {"arctan": SCALARS["atan"], "arccos": SCALARS["acos"], "arcsin": SCALARS["asin"]}

KNOWN: frozenset[str] = frozenset(SCALARS) | frozenset(FUNCTIONS) | frozenset(CONDITIONS)
