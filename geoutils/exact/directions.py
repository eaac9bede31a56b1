"""Directions in the plane with exact coordinates: turning, halving, and which of them are rational in degrees."""

from __future__ import annotations

from functools import lru_cache

from flint import arb, ctx, fmpq

from geoutils.exact import terms as form
from geoutils.exact.real import ONE, ZERO, Real, sqrt

MAX_HALVINGS = 6
_FERMAT = (3, 5, 17, 257, 65537)
Direction = tuple[Real, Real]


def turn(a: Direction, b: Direction) -> Direction:
    """The direction of the sum of two angles."""
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def half_direction(x: Real, y: Real) -> Direction:
    """The direction of half the angle atan2(y, x)."""
    return (x + length(x, y), y) if y or x.sign() > 0 else (ZERO, ONE)


def length(x: Real, y: Real) -> Real:
    """The length of (x, y)."""
    return sqrt(x * x + y * y)


def principal_ball(x: Real, y: Real, precision: int) -> arb:
    """A ball around atan2(y, x), in (-pi, pi], however near the cut the direction is."""
    side = y.sign()
    if side == 0:
        with ctx.workprec(precision):
            return arb(0) if x.sign() > 0 else arb.pi()
    work = precision
    while True:
        above, along = y.ball(work), x.ball(work)
        if above.is_finite() and (above > 0 or above < 0):
            break
        work *= 2
    with ctx.workprec(work):
        return side * arb.pi() / 2 - (along / above).atan()


def turns_of(q: fmpq) -> int:
    """k with q - 360 k in (-180, 180]."""
    return -int((180 - q).p // ((180 - q).q * 360))


def constructible(q: fmpq) -> bool:
    """Whether the direction of q degrees has a form in square roots: the turn's order is 2**a times Fermat primes."""
    order = int((q / 360).q)
    order //= order & -order
    for prime in _FERMAT:
        if order % prime == 0:
            order //= prime
    return order == 1


@lru_cache(maxsize=2048)
def direction_of_degrees(q: fmpq) -> Direction:
    """Cosine and sine of a multiple of 3 degrees or a dyadic part of one."""
    bottom = int(q.q)
    halvings = bottom.bit_length() - 1
    if bottom != 1 << halvings or int(q.p) % 3 or halvings > MAX_HALVINGS:
        raise ValueError(f"{q} degrees have no cosine and sine in square roots here")
    if halvings:
        x, y = direction_of_degrees(_reduced(q * 2))
        x, y = half_direction(x, y)
        c, s = x / length(x, y), y / length(x, y)
        return (c, s) if not turns_of(q * 2) % 2 else (-c, -s)
    n = int(q.p) // 3 % 120  # 3 n degrees = 18 a + 15 b
    a = n % 5
    return turn(power(_eighteen(), a), power(_fifteen(), (n - 6 * a) // 5 % 24))


def _reduced(q: fmpq) -> fmpq:
    return q - 360 * turns_of(q)


@lru_cache(maxsize=1)
def _eighteen() -> Direction:
    return sqrt(10 + 2 * sqrt(5)) / 4, (sqrt(5) - 1) / 4


@lru_cache(maxsize=1)
def _fifteen() -> Direction:
    return (sqrt(6) + sqrt(2)) / 4, (sqrt(6) - sqrt(2)) / 4


def power(a: Direction, n: int) -> Direction:
    """The direction of n times the angle, n >= 0."""
    out = (ONE, ZERO)
    while n:
        if n & 1:
            out = turn(out, a)
        n >>= 1
        if n:
            a = turn(a, a)
    return out


def principal_degrees(x: Real, y: Real) -> fmpq | None:
    """Degrees of atan2(y, x) if rational, else None, proved.

    The root of unity would have degree at most 2**(k + 2) over the rational numbers, where the coordinates lie in a
    field of degree 2**k; so its order divides M below, and a ball for M times the turn that holds no whole number
    refutes it.  A candidate is verified by comparing directions exactly.
    """
    if not y:
        return fmpq(0) if x.sign() > 0 else fmpq(180)
    if not x:
        return fmpq(90 * y.sign())
    if abs(x) == abs(y):
        return fmpq((45 if x.sign() > 0 else 135) * y.sign())
    if x.is_rational() and y.is_rational():
        return None  # only multiples of 45 degrees have a rational tangent
    k = form.degree_exponent(x.terms(), y.terms())
    order = 1 << (k + 3)
    for prime in _FERMAT:
        if prime - 1 <= 1 << (k + 2):
            order *= prime
    precision = 96 + order.bit_length()
    ball = principal_ball(x, y, precision)
    with ctx.workprec(precision):
        steps = ball / (2 * arb.pi()) * order
    if not steps.contains_integer():
        return None
    whole = (steps.mid() + arb(0.5)).floor().unique_fmpz()
    if whole is None:
        raise OverflowError("degrees of an angle not decided within the precision allowed")
    q = fmpq(whole, order) * 360
    try:
        c, s = direction_of_degrees(q)
    except ValueError:
        c, s = power((x, y), int((q / 360).q))
        return q if not s and c.sign() > 0 else None
    return q if x * s == y * c and (x * c + y * s).sign() > 0 else None
