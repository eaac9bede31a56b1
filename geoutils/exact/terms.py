"""Real algebraic numbers built from square roots: their form, balls around them, and proofs of sign.

A number is a dictionary ``{key: rational}``, the sum of ``rational * key``.  A key is a squarefree whole number ``d``,
which stands for the square root of ``d`` (1 for the rational part), or a pair ``(d, roots)`` with a sorted tuple of
nested roots, which stands for the square root of ``d`` times their product.  Without nested roots the form is normal:
two numbers are equal exactly when the dictionaries are.  With them, zero is *proved*: a ball is refined until it either
leaves out zero or lies below the separation bound of Burnikel, Funke, Mehlhorn, Schirra and Schmitt (2001).  All roots
here are of algebraic integers, so that bound is ``u ** (1 - D)`` for a number with conjugates below ``u`` and degree
at most ``D``.
"""

from __future__ import annotations

from math import gcd, log2
from typing import Any

from flint import arb, ctx, fmpq, fmpz

Terms = dict[Any, fmpq]

MAX_BITS = 4096
MAX_RADICAND_BITS = 128
MAX_NESTING = 6
MAX_TERMS = 64
WORK_BITS = 4 * MAX_BITS
_MAX_PRECISION = 1 << 17
ZERO: Terms = {}
ONE: Terms = {1: fmpq(1)}


class Root:
    """The positive square root of an algebraic integer that has no simpler form here."""

    __slots__ = ("_ball", "_bound", "_hash", "level", "order", "radicand")

    def __init__(self, radicand: Terms):
        self.radicand = radicand
        self.level = 1 + level(radicand)
        if self.level > MAX_NESTING:
            raise OverflowError(f"square roots nested more than {MAX_NESTING} deep")
        self.order = (self.level, tuple(sorted((key_order(k), int(c.p)) for k, c in radicand.items())))
        self._hash = hash(self.order)
        self._ball: tuple[int, arb] | None = None
        self._bound: float | None = None

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Root) and self._hash == other._hash and self.order == other.order

    def __lt__(self, other: Root) -> bool:
        return self.order < other.order

    def ball(self, precision: int) -> arb:
        """A ball around the root; call with the flint context at `precision`."""
        if self._ball is None or self._ball[0] < precision:
            inner = _ball(self.radicand, precision)
            if not inner > 0:  # the radicand is known to be positive: a wide ball only needs clipping
                inner = inner.nonnegative_part()
            self._ball = (precision, inner.sqrt())
        return self._ball[1]

    def log_bound(self) -> float:
        """Binary logarithm of a bound for the root and all its conjugates."""
        if self._bound is None:
            self._bound = _log_conjugates(self.radicand) / 2
        return self._bound


def key_order(key: Any) -> tuple:
    """A total order of keys: rational part, roots of whole numbers, then nested roots."""
    return (0, key) if type(key) is int else (len(key[1]), key[0], tuple(root.order for root in key[1]))


def level(a: Terms) -> int:
    """Depth of nested roots: 0 for sums of roots of whole numbers."""
    return max((root.level for key in a if type(key) is not int for root in key[1]), default=0)


def is_flat(a: Terms) -> bool:
    """Whether only roots of whole numbers occur, so that the form is normal."""
    for key in a:  # noqa: SIM110 - all() of a generator takes three times as long
        if type(key) is not int:
            return False
    return True


def _ball(a: Terms, precision: int) -> arb:
    total = arb(0)
    for key, c in a.items():
        if type(key) is int:
            total += arb(c) if key == 1 else arb(c) * arb(key).sqrt()
        else:
            value = arb(c) * arb(key[0]).sqrt()
            for root in key[1]:
                value *= root.ball(precision)
            total += value
    return total


def ball(a: Terms, precision: int) -> arb:
    """A ball that holds the number, computed with `precision` bits."""
    with ctx.workprec(precision):
        return _ball(a, precision)


def denominator(a: Terms) -> int:
    """The least whole number that makes all coefficients whole, and so the number an algebraic integer."""
    out = fmpz(1)
    for c in a.values():
        out = out.lcm(c.q)
    return int(out)


def _log_conjugates(a: Terms) -> float:
    """Binary logarithm of a bound for all conjugates of a."""
    logs = []
    for key, c in a.items():
        d, roots = (key, ()) if type(key) is int else key
        size = abs(c.p).bit_length() - c.q.bit_length() + 1 + log2(d) / 2
        logs.append(size + sum(root.log_bound() for root in roots))
    return max(logs, default=0.0) + log2(max(len(logs), 1)) + 0.01


def degree_exponent(*numbers: Terms) -> int:
    """k such that the numbers lie in a field of degree at most 2**k."""
    base, roots = field(*numbers)
    return len(base) + len(roots)


def field(*numbers: Terms) -> tuple[list[int], set[Root]]:
    """Coprime whole numbers and nested roots whose square roots generate a field with the numbers in it."""
    base: list[int] = []
    roots: set[Root] = set()
    todo = list(numbers)
    while todo:
        for key in todo.pop():
            d, nested = (key, ()) if type(key) is int else key
            for root in nested:
                if root not in roots:
                    roots.add(root)
                    todo.append(root.radicand)
            refine(base, d)
    return base, roots


def refine(base: list[int], d: int) -> None:
    """Refine a list of coprime numbers so that the squarefree d is a product of some."""
    fresh: list[int] = []
    for i, b in enumerate(base):
        g = gcd(b, d)
        if g > 1:
            base[i] = g
            if b > g:
                fresh.append(b // g)
            d //= g
    base.extend(fresh)
    if d > 1:
        base.append(d)


def separation_bits(a: Terms) -> int:
    """s such that a number not zero is at least 2**-s in size."""
    whole = denominator(a)
    above = _log_conjugates(a) + whole.bit_length()
    return int((2 ** degree_exponent(a) - 1) * max(above, 0.0)) + whole.bit_length() + 2


def sign(a: Terms) -> int:
    """-1, 0 or 1, proved."""
    if not a:
        return 0
    if len(a) == 1:
        (c,) = a.values()
        return 1 if c.p > 0 else -1
    precision = 64
    limit: int | None = None
    flat = is_flat(a)
    while precision <= _MAX_PRECISION:
        value = ball(a, precision)
        if value > 0:
            return 1
        if value < 0:
            return -1
        if not flat:  # a flat number with terms is not zero
            if limit is None:
                limit = separation_bits(a)
            if limit > _MAX_PRECISION:
                if precision >= 2048:
                    break
            elif precision > 64 and value.abs_upper() < arb(2) ** -limit:
                return 0
        precision *= 2
    raise OverflowError("sign not decided within the precision allowed")


def is_zero(a: Terms) -> bool:
    """Whether a is zero, proved."""
    return not a or (not is_flat(a) and sign(a) == 0)
