"""The syntax of expressions in problem records: a bounded, whitelisted tree, read and printed.

Text goes through Python's parser and then a walk that knows whole numbers, names, ``+ - * / **``, comparisons, ``not
and or``, tuples of 2 or 3 parts and calls of listed functions; nothing is ever executed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

MAX_LENGTH = 400
MAX_INTEGER = 10**9
MAX_EXPONENT = 12
MAX_DEPTH = 30

_ALPHABET = re.compile(r"[A-Za-z0-9_+\-*/(),<>=! ]*", re.ASCII)
_STRANGE = re.compile(r"[^A-Za-z0-9_+\-*/(),<>=! ]", re.ASCII)
_GLUED = re.compile(r"(?<![A-Za-z0-9_])\d+_*[A-Za-z_]\w*", re.ASCII)


class ExpressionError(ValueError):
    """An expression that is not of the language, or has no value; one line naming the offending piece."""


# --- the tree --------------------------------------------------------------------------------------------------------


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

# --- parsing ---------------------------------------------------------------------------------------------------------

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARISONS = {ast.Eq: "==", ast.Lt: "<", ast.Gt: ">", ast.NotEq: "==", ast.LtE: ">", ast.GtE: "<"}
_NEGATED = (ast.NotEq, ast.LtE, ast.GtE)


def parse(text: str, known: Container[str]) -> Node:
    """The tree of an expression that calls only `known` functions; ExpressionError names the piece that is refused.

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
    return _walk(tree, text, known, 0)


def _walk(tree: ast.expr, text: str, known: Container[str], depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise ExpressionError(f"nested more than {MAX_DEPTH} deep: {text[:60]!r}")

    def walk(part: ast.expr) -> Node:
        return _walk(part, text, known, depth + 1)

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
            if node.op == "**" and not 0 <= abs(exponent(node.args[1], text)) <= MAX_EXPONENT:
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
            if name not in known:
                raise ExpressionError(f"unknown function {name!r} in {text!r}")
            return Call(name, tuple(walk(part) for part in args))
    raise ExpressionError(f"{_piece(tree, text)!r} is not of the expression language")


def exponent(node: Node, text: str) -> int:
    if isinstance(node, Op) and node.op == "-" and len(node.args) == 1 and isinstance(node.args[0], Num):
        return -node.args[0].value
    if isinstance(node, Num):
        return node.value
    raise ExpressionError(f"an exponent must be a whole number in {text!r}")


def _piece(tree: ast.expr, text: str) -> str:
    piece = ast.get_source_segment(text.strip(), tree) or text
    return piece if len(piece) <= 60 else piece[:57] + "..."


# --- looking at trees ------------------------------------------------------------------------------------------------

CONSTANTS = frozenset({"pi"})


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
    return frozenset(n.id for n in nodes(node) if isinstance(n, Name)) - CONSTANTS


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
