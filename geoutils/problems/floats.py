"""Quick floating-point numbers for the geometry: margins of a drawn figure, never a proof."""

from __future__ import annotations

import math
from typing import Any


class FloatOps:
    """The number operations of geometry over plain floats; angles are radians."""

    exact = False
    zero, one, pi = 0.0, 1.0, math.pi

    @staticmethod
    def of(n: Any) -> float:
        return float(n)

    @staticmethod
    def sqrt(x: float) -> float:
        return math.sqrt(x) if x > 0 else 0.0

    abs = staticmethod(abs)
    min = staticmethod(min)
    max = staticmethod(max)
    cos = staticmethod(math.cos)
    sin = staticmethod(math.sin)
    tan = staticmethod(math.tan)
    atan = staticmethod(math.atan)

    @staticmethod
    def acos(x: float) -> float:
        return math.acos(max(-1.0, min(1.0, x)))

    @staticmethod
    def asin(x: float) -> float:
        return math.asin(max(-1.0, min(1.0, x)))

    @staticmethod
    def angle(c: float, s: float) -> float:
        return math.atan2(s, c)

    @staticmethod
    def degrees(q: float) -> float:
        return math.radians(q)

    @staticmethod
    def rad(a: float) -> float:
        return a

    @staticmethod
    def is_angle(x: Any) -> bool:
        return False

    @staticmethod
    def difference(a: float, b: float) -> float:
        return (a - b) / (abs(a) + abs(b) + 1e-12)


FLOAT = FloatOps()


def to_float(value: Any) -> Any:
    """An exact number as a float, an exact angle in radians, a tuple by parts."""
    if isinstance(value, tuple):
        return tuple(to_float(part) for part in value)
    if hasattr(value, "in_degrees"):
        return math.radians(float(value.decimal(12)))
    return float(value)
