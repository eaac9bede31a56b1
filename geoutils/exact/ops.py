"""The namespace through which geometry works over exact numbers (its twin for floats is the solver's)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from geoutils.exact import angle as angles
from geoutils.exact import real
from geoutils.exact.angle import Angle
from geoutils.exact.real import PI, Real

MAX_DEGREES = 720


class ExactOps:
    """What functions of geometry may ask of a number system besides + - * / and whole powers."""

    exact = True
    zero = real.ZERO
    one = real.ONE
    pi = PI

    @staticmethod
    def of(n: int | Fraction) -> Real:
        """The number n."""
        return Real.of(n)

    num = of

    @staticmethod
    def sqrt(x: Real) -> Real:
        """The square root; ValueError below zero."""
        return real.sqrt(x)

    @staticmethod
    def abs(x: Any) -> Any:
        """The absolute value."""
        return abs(x)

    @staticmethod
    def min(*xs: Any) -> Any:
        """The least, proved."""
        return min(xs)

    @staticmethod
    def max(*xs: Any) -> Any:
        """The greatest, proved."""
        return max(xs)

    @staticmethod
    def sign(x: Any) -> int:
        """-1, 0 or 1, proved."""
        return Real.of(x).sign() if not isinstance(x, Angle) else x.sign()

    @staticmethod
    def angle(c: Any, s: Any) -> Angle:
        """The direction of (c, s), any positive multiple of cosine and sine, in (-180, 180] degrees."""
        return Angle(c, s)

    @staticmethod
    def degrees(q: Any) -> Angle:
        """The angle of q degrees, q rational and below 720 in size."""
        out = angles.degrees(q)
        if not -MAX_DEGREES < (out.in_degrees() or 0) < MAX_DEGREES:
            raise ValueError(f"degrees must be below {MAX_DEGREES}")
        return out

    deg = degrees

    @staticmethod
    def cos(a: Angle) -> Real:
        """The cosine of an angle."""
        return _angle(a, "cos").cos

    @staticmethod
    def sin(a: Angle) -> Real:
        """The sine of an angle."""
        return _angle(a, "sin").sin

    @staticmethod
    def tan(a: Angle) -> Real:
        """The tangent of an angle; ValueError at 90 degrees."""
        return _angle(a, "tan").tan

    acos = staticmethod(angles.acos)
    asin = staticmethod(angles.asin)
    atan = staticmethod(angles.atan)

    @staticmethod
    def rad(a: Angle) -> Real:
        """The length of the angle's arc on the unit circle; ValueError unless its degrees are rational."""
        q = _angle(a, "rad").in_degrees()
        if q is None:
            raise ValueError(f"{a.ascii()} is not a rational number of degrees, so its arc has no closed form")
        return PI * Real.of(q / 180)

    @staticmethod
    def is_angle(x: Any) -> bool:
        """Whether x is an angle."""
        return isinstance(x, Angle)

    @staticmethod
    def difference(a: Any, b: Any) -> Any:
        """What must be zero where a == b, and positive where a > b."""
        if isinstance(a, Angle) != isinstance(b, Angle):
            raise ValueError("an angle compared with a number (write deg(60) for 60 degrees)")
        return a - b


def _angle(a: Any, name: str) -> Angle:
    if not isinstance(a, Angle):
        raise ValueError(f"{name} needs an angle (write deg(60) for 60 degrees)")
    return a


EXACT = ExactOps()
