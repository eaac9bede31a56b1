"""The expression language of problem records and its one evaluator.

`parse` gives a bounded, whitelisted tree (see `syntax`).  `evaluate` works over exact numbers (`geoutils.exact.EXACT`)
and over the solver's floats alike, so that text, figure and solver cannot disagree on what a function means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from geoutils.exact import EXACT, Angle, Real
from geoutils.problems import syntax
from geoutils.problems.geometry import CONDITIONS, FUNCTIONS, Constraint
from geoutils.problems.syntax import (
    And,
    Call,
    Compare,
    ExpressionError,
    Name,
    Node,
    Not,
    Num,
    Op,
    Or,
    Tuple,
    children,
    exponent,
    functions,
    names,
    nodes,
    rebuild,
    rename,
    substitute,
    to_text,
)

__all__ = [
    "KNOWN",
    "SCALARS",
    "And",
    "Call",
    "Compare",
    "ExpressionError",
    "Name",
    "Node",
    "Not",
    "Num",
    "Op",
    "Or",
    "Tuple",
    "children",
    "evaluate",
    "functions",
    "holds",
    "names",
    "names_in",
    "nodes",
    "parse",
    "rebuild",
    "rename",
    "substitute",
    "to_text",
    "unparse",
]

names_in = names
unparse = to_text


def parse(text: str) -> Node:
    """The tree of an expression.  ExpressionError (a ValueError) names the piece that is not of the language.

    ``a != b`` is read as ``not a == b``, ``a <= b`` as ``not a > b``.
    """
    return syntax.parse(text, KNOWN)


# --- evaluation ------------------------------------------------------------------------------------------------------


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
            return a ** exponent(args[1], to_text(node))
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


# --- scalar functions ------------------------------------------------------------------------------------------------


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
