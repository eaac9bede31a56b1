"""A straight-line program recorded from geometry functions, run on whole batches.

The geometry is called once with symbols in place of numbers; every operation is written
down, equal ones only once.  The tape then runs over arrays (one entry per variant and
start) and carries dual numbers along: values and their derivatives by the unknowns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

UNKNOWN, PARAMETER, CONSTANT = "unknown", "parameter", "constant"


class Symbol:
    """A number that stands for one line of a tape."""

    __slots__ = ("line", "tape")

    def __init__(self, tape: Tape, line: int) -> None:
        self.tape, self.line = tape, line

    def __add__(self, other: Any) -> Any:
        return self.tape.binary("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return self.tape.binary("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return self.tape.binary("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self.tape.binary("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return self.tape.binary("mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self.tape.binary("mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self.tape.binary("div", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.tape.binary("div", other, self)

    def __neg__(self) -> Any:
        return self.tape.unary("neg", self)

    def __pos__(self) -> Any:
        return self

    def __pow__(self, power: int) -> Any:
        if not isinstance(power, int) or abs(power) > 12:
            raise ValueError("only small whole exponents can be solved for")
        result: Any = 1.0
        for _ in range(abs(power)):
            result = self if isinstance(result, float) else result * self
        return result if power >= 0 else 1.0 / result


_SCALAR: dict[str, Any] = {
    "neg": lambda x: -x,
    "sqrt": lambda x: math.sqrt(max(x, 0.0)),
    "abs": abs,
    "sign": lambda x: float((x > 0) - (x < 0)),
    "cos": math.cos,
    "sin": math.sin,
    "tan": math.tan,
    "acos": lambda x: math.acos(min(1.0, max(-1.0, x))),
    "asin": lambda x: math.asin(min(1.0, max(-1.0, x))),
    "atan": math.atan,
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "min": min,
    "max": max,
    "atan2": math.atan2,
}

_ARRAY: dict[str, Any] = {
    "neg": np.negative,
    "sqrt": lambda x: np.sqrt(np.maximum(x, 0.0)),
    "abs": np.abs,
    "sign": np.sign,
    "cos": np.cos,
    "sin": np.sin,
    "tan": np.tan,
    "acos": lambda x: np.arccos(np.clip(x, -1.0, 1.0)),
    "asin": lambda x: np.arcsin(np.clip(x, -1.0, 1.0)),
    "atan": np.arctan,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "min": np.minimum,
    "max": np.maximum,
    "atan2": np.arctan2,
}


class Tape:
    """The recorded program, and the `ops` namespace that records it."""

    exact = False
    zero, one, pi = 0.0, 1.0, math.pi

    def __init__(self) -> None:
        self.code: list[tuple[str, Any, Any]] = []
        self.moving: list[bool] = []
        self._seen: dict[tuple[str, Any, Any], Symbol] = {}
        self.unknowns = 0

    # -- recording

    def _line(self, op: str, a: Any, b: Any, moving: bool) -> Symbol:
        key = (op, a, b)
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = Symbol(self, len(self.code))
            self.code.append(key)
            self.moving.append(moving)
        return found

    def unknown(self) -> Symbol:
        """A new unknown."""
        self.unknowns += 1
        return self._line(UNKNOWN, self.unknowns - 1, None, True)

    def parameter(self, index: int) -> Symbol:
        """A given number, another one in each variant (or start)."""
        return self._line(PARAMETER, index, None, False)

    def _operand(self, x: Any) -> Symbol:
        return x if isinstance(x, Symbol) else self._line(CONSTANT, float(x), None, False)

    def unary(self, op: str, x: Any) -> Any:
        if not isinstance(x, Symbol):
            return _SCALAR[op](float(x))
        if op == "neg" and self.code[x.line][0] == "neg":
            return Symbol(self, self.code[x.line][1])
        return self._line(op, x.line, None, self.moving[x.line] and op != "sign")

    def binary(self, op: str, x: Any, y: Any) -> Any:
        if not isinstance(x, Symbol) and not isinstance(y, Symbol):
            return _SCALAR[op](float(x), float(y))
        if not isinstance(y, Symbol):
            if (y == 0 and op in ("add", "sub")) or (y == 1 and op in ("mul", "div")):
                return x
            if y == 0 and op == "mul":
                return 0.0
        elif not isinstance(x, Symbol):
            if (x == 0 and op == "add") or (x == 1 and op == "mul"):
                return y
            if x == 0 and op in ("mul", "div"):
                return 0.0
            if x == 0 and op == "sub":
                return self.unary("neg", y)
        a, b = self._operand(x).line, self._operand(y).line
        if op in ("add", "mul", "min", "max") and a > b:
            a, b = b, a
        return self._line(op, a, b, self.moving[a] or self.moving[b])

    # -- the namespace that geometry calls

    @staticmethod
    def of(n: Any) -> float:
        return float(n)

    def sqrt(self, x: Any) -> Any:
        return self.unary("sqrt", x)

    def abs(self, x: Any) -> Any:
        return self.unary("abs", x)

    def sign(self, x: Any) -> Any:
        return self.unary("sign", x)

    def min(self, first: Any, *others: Any) -> Any:
        for x in others:
            first = self.binary("min", first, x)
        return first

    def max(self, first: Any, *others: Any) -> Any:
        for x in others:
            first = self.binary("max", first, x)
        return first

    def angle(self, c: Any, s: Any) -> Any:
        return self.binary("atan2", s, c)

    def cos(self, a: Any) -> Any:
        pair = self._pair(a)
        return self.unary("cos", a) if pair is None else pair[0]

    def sin(self, a: Any) -> Any:
        pair = self._pair(a)
        return self.unary("sin", a) if pair is None else pair[1]

    def tan(self, a: Any) -> Any:
        pair = self._pair(a)
        return self.unary("tan", a) if pair is None else pair[1] / pair[0]

    def _pair(self, a: Any) -> tuple[Any, Any] | None:
        """Cosine and sine of an angle that was made from its direction."""
        if not isinstance(a, Symbol) or self.code[a.line][0] != "atan2":
            return None
        _, s, c = self.code[a.line]
        s, c = Symbol(self, s), Symbol(self, c)
        r = self.sqrt(c * c + s * s)
        return c / r, s / r

    def acos(self, x: Any) -> Any:
        return self.unary("acos", x)

    def asin(self, x: Any) -> Any:
        return self.unary("asin", x)

    def atan(self, x: Any) -> Any:
        return self.unary("atan", x)

    def degrees(self, q: Any) -> Any:
        return q * (math.pi / 180) if isinstance(q, Symbol) else math.radians(float(q))

    @staticmethod
    def rad(a: Any) -> Any:
        return a

    @staticmethod
    def is_angle(x: Any) -> bool:
        return False

    def difference(self, a: Any, b: Any) -> Any:
        """a - b, free of units."""
        return (a - b) / (self.abs(a) + self.abs(b) + 1e-12)

    # -- running

    def settle(self, parameters: Array) -> list[Any]:
        """The values of all lines that no unknown reaches, computed once."""
        values: list[Any] = [None] * len(self.code)
        for k, (op, a, b) in enumerate(self.code):
            if self.moving[k]:
                continue
            if op == PARAMETER:
                values[k] = parameters[a]
            elif op == CONSTANT:
                values[k] = a
            elif values[a] is not None and (b is None or values[b] is not None):
                values[k] = _ARRAY[op](values[a]) if b is None else _ARRAY[op](values[a], values[b])
        return values

    def run(self, x: Array, settled: list[Any]) -> list[Any]:
        """The value of every line for unknowns `x` (one row each, one column per start)."""
        values = list(settled)
        for k, (op, a, b) in enumerate(self.code):
            if values[k] is None:
                if op == UNKNOWN:
                    values[k] = x[a]
                elif b is None:
                    values[k] = _ARRAY[op](values[a])
                else:
                    values[k] = _ARRAY[op](values[a], values[b])
        return values

    def derive(self, values: list[Any]) -> list[Any]:
        """The derivatives of every line by all unknowns: None, (n, 1) or (n, starts)."""
        n = self.unknowns
        eye = np.eye(n)
        d: list[Any] = [None] * len(self.code)
        for k, (op, a, b) in enumerate(self.code):
            if not self.moving[k]:
                continue
            if op == UNKNOWN:
                d[k] = eye[:, a : a + 1]
            elif b is None:
                d[k] = _chain(op, d[a], values[a], values[k])
            else:
                d[k] = _chain2(op, d[a], d[b], values[a], values[b], values[k])
        return d


def _chain(op: str, d: Any, x: Any, y: Any) -> Any:
    if d is None:
        return None
    if op == "neg":
        return -d
    if op == "sqrt":
        return d * (0.5 / np.maximum(y, 1e-150))
    if op == "abs":
        return d * np.sign(x)
    if op == "cos":
        return d * -np.sin(x)
    if op == "sin":
        return d * np.cos(x)
    if op == "tan":
        return d * (1 + y * y)
    if op == "atan":
        return d / (1 + x * x)
    slope = 1 / np.sqrt(np.maximum(1 - x * x, 1e-30))
    return d * (slope if op == "asin" else -slope)


def _chain2(op: str, da: Any, db: Any, x: Any, y: Any, z: Any) -> Any:
    if op == "add":
        return da if db is None else db if da is None else da + db
    if op == "sub":
        return da if db is None else -db if da is None else da - db
    if op == "mul":
        if da is db:
            return da * (x + y)
        return da * y if db is None else db * x if da is None else da * y + db * x
    if op == "div":
        if db is None:
            return da / y
        return db * (-z / y) if da is None else (da - db * z) / y
    if op == "atan2":
        r = x * x + y * y
        if da is None:
            return db * (-x / r)
        return da * (y / r) if db is None else da * (y / r) - db * (x / r)
    first = x <= y if op == "min" else x >= y
    return np.where(first, 0.0 if da is None else da, 0.0 if db is None else db)
