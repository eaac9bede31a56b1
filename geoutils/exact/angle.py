"""Exact angles: a direction (x, y) with exact coordinates and whole turns, or a rational number of degrees.

The size is ``atan2(y, x) + 2 pi k`` with ``atan2`` in (-pi, pi].  The direction need not have length 1, so comparing
takes no square root: two angles are equal when the cross product is 0, the dot product positive and k the same.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from geoutils.exact.directions import (
    MAX_HALVINGS,
    Direction,
    constructible,
    direction_of_degrees,
    half_direction,
    length,
    power,
    principal_ball,
    principal_degrees,
    turns_of,
)
from geoutils.exact.real import MAX_BITS, MAX_PLACES, ONE, Real, sqrt
from geoutils.exact.real import PI as PI_NUMBER

_MAX_PRECISION = 1 << 16
MAX_MULTIPLE = 64
_new = object.__new__


class Angle:
    """An exact angle; immutable.  `Angle(cos, sin)` takes any positive multiple of cosine and sine.

    Sums, differences, whole multiples and halves are exact; an angle of rational degrees takes any rational factor.
    Comparisons are proved.  The size is in (-180, 180] degrees unless `turns` or arithmetic lead further.
    """

    __slots__ = ("_degrees", "_known", "_turns", "_x", "_y")
    _x: Real | None
    _y: Real | None
    _turns: int
    _degrees: fmpq | None
    _known: bool  # whether _degrees is final: None then means proved not rational

    def __init__(self, cos: Real | int, sin: Real | int, turns: int = 0):
        x, y = Real.of(cos), Real.of(sin)
        if x.has_pi() or y.has_pi():
            raise ValueError("no exact angle from a number with pi")
        if not x and not y:
            raise ValueError("the zero vector has no direction")
        self._x, self._y, self._turns, self._degrees, self._known = x, y, turns, None, False

    # --- form ------------------------------------------------------------------------------------------------------

    def direction(self) -> Direction:
        """A positive multiple of (cosine, sine); ValueError if it has no form in square roots (20 degrees)."""
        if self._x is None or self._y is None:
            self._x, self._y = direction_of_degrees(self._degrees)
        return self._x, self._y

    @property
    def cos(self) -> Real:
        """The exact cosine."""
        x, y = self.direction()
        return x / length(x, y)

    @property
    def sin(self) -> Real:
        """The exact sine."""
        x, y = self.direction()
        return y / length(x, y)

    @property
    def tan(self) -> Real:
        """The exact tangent; ValueError at 90 degrees."""
        x, y = self.direction()
        if not x:
            raise ValueError("a right angle has no tangent")
        return y / x

    def in_degrees(self) -> Fraction | None:
        """The size in degrees if that is rational, None if it is proved not to be."""
        q = self._rational_degrees()
        return None if q is None else Fraction(int(q.p), int(q.q))

    def _rational_degrees(self) -> fmpq | None:
        if not self._known:
            q = principal_degrees(*self.direction())
            self._degrees = None if q is None else q + 360 * self._turns
            self._known = True
        return self._degrees

    def ball(self, precision: int = 64) -> arb:
        """A ball that holds the size in radians."""
        if self._degrees is not None:
            with ctx.workprec(precision):
                return arb(self._degrees) * arb.pi() / 180
        principal = principal_ball(*self.direction(), precision)
        with ctx.workprec(precision):
            return principal + 2 * self._turns * arb.pi()

    def __float__(self) -> float:
        return float(self.ball(96).mid())

    # --- arithmetic ------------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Angle:
        if not isinstance(other, Angle):
            return NotImplemented
        if self._degrees is not None and other._degrees is not None:
            return degrees(self._degrees + other._degrees)
        (a, b), (c, d) = self.direction(), other.direction()
        return _sized((a * c - b * d, a * d + b * c), self.ball() + other.ball())

    def __neg__(self) -> Angle:
        if self._degrees is not None:
            return degrees(-self._degrees)
        x, y = self.direction()
        if not y and x.sign() < 0:
            return Angle(x, y, -self._turns - 1)
        return Angle(x, -y, -self._turns)

    def __sub__(self, other: Any) -> Angle:
        return self + (-other) if isinstance(other, Angle) else NotImplemented

    def __mul__(self, other: Any) -> Angle:
        if isinstance(other, Angle):
            return NotImplemented
        try:
            factor = Real.of(other)._rational()
        except TypeError:
            return NotImplemented
        if factor is None:
            raise ValueError("an angle takes rational factors only")
        if self._degrees is not None:
            return degrees(self._degrees * factor)
        halvings = int(factor.q).bit_length() - 1
        if factor.q != 1 << halvings or halvings > MAX_HALVINGS:
            raise ValueError(f"an angle that is not a rational number of degrees has no exact {factor}-fold here")
        if abs(factor.p) > MAX_MULTIPLE:
            raise OverflowError(f"multiple of an angle past {MAX_MULTIPLE}")
        out = self._times(int(factor.p))
        for _ in range(halvings):
            out = out.half()
        return out

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Angle:
        if isinstance(other, Angle):
            return NotImplemented
        try:
            return self * Real.of(other).inverse()
        except TypeError:
            return NotImplemented

    def _times(self, n: int) -> Angle:
        if n == 0:
            return degrees(0)
        out = power(self.direction(), abs(n))
        return _sized((out[0], out[1] if n > 0 else -out[1]), self.ball() * n)

    def half(self) -> Angle:
        """Half the angle."""
        if self._degrees is not None:
            return degrees(self._degrees / 2)
        x, y = self.direction()
        half = half_direction(x, y)
        if self._turns % 2:
            half = (-half[0], -half[1])
        return _sized(half, self.ball() / 2)

    def __abs__(self) -> Angle:
        return -self if self.sign() < 0 else self

    # --- order -----------------------------------------------------------------------------------------------------

    def sign(self) -> int:
        """-1, 0 or 1, proved."""
        if self._degrees is not None:
            return (self._degrees > 0) - (self._degrees < 0)
        if self._turns:
            return 1 if self._turns > 0 else -1
        x, y = self.direction()
        return y.sign() or (0 if x.sign() > 0 else 1)

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Angle):
            return NotImplemented
        p, q = self._degrees, other._degrees
        if p is not None and q is not None:
            return p == q
        for known, free in ((p, other), (q, self)):
            if known is not None:
                if free._known or not constructible(known):
                    return False  # the other is not rational, or has its direction in square roots and this one not
                if turns_of(known) != free._turns:
                    return False
        if p is None and q is None and self._turns != other._turns:
            return False
        (a, b), (c, d) = self.direction(), other.direction()
        return a * d == b * c and (a * c + b * d).sign() > 0

    def _compare(self, other: Angle) -> int:
        if self == other:
            return 0
        if self._degrees is not None and other._degrees is not None:
            return 1 if self._degrees > other._degrees else -1
        precision = 64
        while precision <= _MAX_PRECISION:
            with ctx.workprec(precision):
                difference = self.ball(precision) - other.ball(precision)
            if difference > 0:
                return 1
            if difference < 0:
                return -1
            precision *= 2
        raise OverflowError("order of two angles not decided within the precision allowed")

    def __lt__(self, other: Any) -> bool:
        return self._compare(other) < 0 if isinstance(other, Angle) else NotImplemented

    def __le__(self, other: Any) -> bool:
        return self._compare(other) <= 0 if isinstance(other, Angle) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        return self._compare(other) > 0 if isinstance(other, Angle) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        return self._compare(other) >= 0 if isinstance(other, Angle) else NotImplemented

    def __hash__(self) -> int:
        q = self._rational_degrees()
        if q is not None:
            return hash(("degrees", int(q.p), int(q.q)))
        return hash(("degrees", self._scaled_floor(1000000, fmpq(0))))

    # --- decimals and printing -------------------------------------------------------------------------------------

    def _scaled_floor(self, factor: int, shift: fmpq) -> int:
        """floor(|degrees| * factor + shift), for an angle that is not rational: its degrees are then transcendental."""
        precision = 64
        while precision <= _MAX_PRECISION:
            with ctx.workprec(precision):  # abs() rounds to the precision in force
                whole = (abs(self.ball(precision)) * 180 / arb.pi() * factor + arb(shift)).floor().unique_fmpz()
            if whole is not None:
                return int(whole)
            precision *= 2
        raise OverflowError("digits of an angle not decided within the precision allowed")

    def decimal(self, places: int = 3) -> str:
        """The size in degrees with that many places, half up (half away from zero), proved."""
        q = self._rational_degrees()
        if q is not None:
            return Real.of(q).decimal(places)
        if not 0 <= places <= MAX_PLACES:
            raise ValueError(f"places must be between 0 and {MAX_PLACES}")
        digits = self._scaled_floor(10**places, fmpq(1, 2))
        return Real.of(fmpq(digits if self.sign() > 0 else -digits, 10**places)).decimal(places)

    def text(self) -> str:
        """As statements print it: `60°`, else the shortest of `arctan(2/3)`, arccos and arcsin."""
        return _printing().angle_text(self)

    def ascii(self) -> str:
        """As tables store it, in degrees: `60` or `arctan(2/3)`."""
        return _printing().angle_ascii(self)

    def latex(self) -> str:
        r"""As solutions print it: `60^\\circ` or `\\arctan\\frac{2}{3}`."""
        return _printing().angle_latex(self)

    __str__ = text

    def __repr__(self) -> str:
        return f"<{self.text()}>"

    def __reduce__(self) -> Any:
        if self._degrees is not None:
            return degrees, (Fraction(int(self._degrees.p), int(self._degrees.q)),)
        return Angle, (self._x, self._y, self._turns)


def _printing() -> Any:
    from geoutils.exact import printing

    return printing


# --- making angles ---------------------------------------------------------------------------------------------------


def degrees(q: int | Fraction | fmpq | Real) -> Angle:
    """The angle of `q` degrees, any rational number."""
    if type(q) is Real:
        value = q._rational()
        if value is None:
            raise ValueError(f"{q} is not a rational number of degrees")
    else:
        value = q if type(q) is fmpq else Real.of(q)._q
    assert value is not None
    if value.height_bits() > MAX_BITS:
        raise OverflowError(f"number with more than {MAX_BITS} bits")
    out = _new(Angle)
    out._x = out._y = None
    out._turns, out._degrees, out._known = turns_of(value), value, True
    return out


def radians(x: Real | int) -> Angle:
    """The angle of `x` radians, a rational multiple of pi; ValueError otherwise."""
    ratio = (Real.of(x) / PI_NUMBER)._rational() if x else fmpq(0)
    if ratio is None:
        raise ValueError(f"{x} radians are not a rational multiple of pi")
    return degrees(ratio * 180)


def atan2(y: Real | int, x: Real | int) -> Angle:
    """The angle of the direction (x, y), in (-180, 180] degrees; ValueError for the zero vector."""
    return Angle(Real.of(x), Real.of(y))


def acos(x: Real | int | Fraction) -> Angle:
    """The angle in [0, 180] degrees with cosine `x`; ValueError outside [-1, 1]."""
    x = Real.of(x)
    return Angle(x, _other_side(x))


def asin(x: Real | int | Fraction) -> Angle:
    """The angle in [-90, 90] degrees with sine `x`; ValueError outside [-1, 1]."""
    x = Real.of(x)
    return Angle(_other_side(x), x)


def atan(x: Real | int | Fraction) -> Angle:
    """The angle in (-90, 90) degrees with tangent `x`."""
    return Angle(ONE, Real.of(x))


def _other_side(x: Real) -> Real:
    if x.has_pi():
        raise ValueError("no exact angle from a number with pi")
    rest = 1 - x * x
    if rest.sign() < 0:
        raise ValueError(f"no angle has {x} as cosine or sine")
    return sqrt(rest)


def _sized(direction: Direction, size: arb) -> Angle:
    """The angle with that direction whose size lies in the ball (radians)."""
    x, y = direction
    turns = (size - principal_ball(x, y, 64)) / (2 * arb.pi())
    whole = (turns + arb(0.5)).floor().unique_fmpz()
    if whole is None or not turns.rad() < 0.25:
        raise OverflowError("size of an angle not decided within the precision allowed")
    return Angle(x, y, int(whole))
