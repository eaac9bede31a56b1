"""Arithmetic of real algebraic numbers built from square roots.

A number is a dictionary ``{key: rational}``, the sum of ``rational * key``.  A key is a squarefree whole number ``d``,
which stands for the square root of ``d`` (1 for the rational part), or a pair ``(d, roots)`` with a sorted tuple of
nested roots, which stands for the square root of ``d`` times their product.  Without nested roots the form is normal:
two numbers are equal exactly when the dictionaries are.  With them, zero is *proved*: a ball is refined until it either
leaves out zero or lies below the separation bound of Burnikel, Funke, Mehlhorn, Schirra and Schmitt (2001).  All roots
here are of algebraic integers, so that bound is ``u ** (1 - D)`` for a number with conjugates below ``u`` and degree
at most ``D``.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd, isqrt, log2
from typing import Any

from flint import arb, ctx, fmpq, fmpz

Terms = dict[Any, fmpq]

MAX_BITS = 4096
MAX_RADICAND_BITS = 128
MAX_NESTING = 6
MAX_TERMS = 64
_WORK_BITS = 4 * MAX_BITS
_MAX_PRECISION = 1 << 17
ZERO: Terms = {}
ONE: Terms = {1: fmpq(1)}


class Root:
    """The positive square root of an algebraic integer that has no simpler form here."""

    __slots__ = ("radicand", "order", "level", "_hash", "_ball", "_bound")

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
    for key in a:
        if type(key) is not int:
            return False
    return True


def rational(q: fmpq) -> Terms:
    """The number `q` as terms."""
    return {1: q} if q else {}


# --- ring operations ---------------------------------------------------------------------------------------------


def _checked(a: Terms) -> Terms:
    if len(a) > MAX_TERMS:
        raise OverflowError(f"more than {MAX_TERMS} different square roots in one number")
    for c in a.values():
        if c.height_bits() > _WORK_BITS:
            raise OverflowError("number too large in an intermediate step")
    return a


def add(a: Terms, b: Terms) -> Terms:
    """a + b"""
    if len(a) < len(b):
        a, b = b, a
    out = dict(a)
    for key, c in b.items():
        old = out.get(key)
        if old is None:
            out[key] = c
        else:
            c = old + c
            if c:
                out[key] = c
            else:
                del out[key]
    return out


def neg(a: Terms) -> Terms:
    """-a"""
    return {key: -c for key, c in a.items()}


def sub(a: Terms, b: Terms) -> Terms:
    """a - b"""
    return add(a, neg(b))


def scale(a: Terms, q: fmpq) -> Terms:
    """a times a rational number"""
    return {key: c * q for key, c in a.items()} if q else {}


def mul(a: Terms, b: Terms) -> Terms:
    """a * b"""
    out: Terms = {}
    for key, c in a.items():
        for other, e in b.items():
            if type(key) is int and type(other) is int:
                if key == 1:
                    new, factor = other, c * e
                elif other == 1:
                    new, factor = key, c * e
                elif key == other:
                    new, factor = 1, c * e * key
                else:
                    g = gcd(key, other)
                    new, factor = (key // g) * (other // g), c * e * g
                old = out.get(new)
                if old is not None:
                    factor = old + factor
                if factor:
                    out[new] = factor
                elif old is not None:
                    del out[new]
            else:
                out = add(out, scale(_mul_keys(key, other), c * e))
    return _checked(out)


@lru_cache(maxsize=4096)
def _mul_keys(key: Any, other: Any) -> Terms:
    d, roots = (key, ()) if type(key) is int else key
    e, more = (other, ()) if type(other) is int else other
    g = gcd(d, e)
    extra: Terms = {(d // g) * (e // g): fmpq(g)}
    left = [root for root in roots if root not in more] + [root for root in more if root not in roots]
    for root in roots:
        if root in more:
            extra = mul(extra, root.radicand)
    for i, first in enumerate(left):
        for second in left[i + 1 :]:
            product = _root_product(first, second)
            if product is not None:
                rest = [root for root in left if root is not first and root is not second]
                return mul(mul(extra, product), _monomial(rest))
    if not left:
        return extra
    tail = _monomial(left)
    return tail if extra == ONE else _attach(extra, left)


def _monomial(roots: list[Root]) -> Terms:
    return {(1, tuple(sorted(roots))): fmpq(1)} if roots else ONE


def _attach(a: Terms, roots: list[Root]) -> Terms:
    """a times the product of `roots`, none of which needs simplifying against each other."""
    if is_flat(a):
        tail = tuple(sorted(roots))
        return {(d, tail): c for d, c in a.items()}
    return mul(a, _monomial(roots))


@lru_cache(maxsize=4096)
def _root_product(first: Root, second: Root) -> Terms | None:
    """The product of two nested roots without new roots, if it has such a form."""
    return denest(mul(first.radicand, second.radicand))


def split(a: Terms, root: Root) -> tuple[Terms, Terms]:
    """(A, B) with a = A + B * root."""
    rest: Terms = {}
    part: Terms = {}
    for key, c in a.items():
        if type(key) is not int and root in key[1]:
            left = tuple(r for r in key[1] if r != root)
            part[(key[0], left) if left else key[0]] = c
        else:
            rest[key] = c
    return rest, part


def _split_flat(a: Terms) -> tuple[int, Terms, Terms]:
    """(b, A, B) with a = A + B * sqrt(b), b > 1 prime to all numbers under roots in A and B."""
    b = min(d for d in a if d != 1)
    settled = False
    while not settled:
        settled = True
        for d in a:
            g = gcd(b, d)
            if 1 < g < b:
                b, settled = g, False
    return b, {d: c for d, c in a.items() if d % b}, {d // b: c for d, c in a.items() if d % b == 0}


def _generator(a: Terms) -> tuple[Terms, Terms, Terms, Terms]:
    """(A, B, r, t): a = A + B * t, t * t = r, with t the deepest root of a."""
    top = max((root for key in a if type(key) is not int for root in key[1]), default=None)
    if top is not None:
        return (*split(a, top), top.radicand, _monomial([top]))
    b, rest, part = _split_flat(a)
    return rest, part, {1: fmpq(b)}, {b: fmpq(1)}


def inv(a: Terms) -> Terms:
    """1 / a, by conjugates.  ZeroDivisionError if a is zero, which is proved."""
    if len(a) == 1:
        ((key, c),) = a.items()
        if type(key) is int:
            return {key: 1 / (c * key)}
        d, roots = key
        out = _attach({d: 1 / (c * d)}, list(roots))
        for root in roots:
            out = mul(out, inv(root.radicand))
        return out
    if is_zero(a):
        raise ZeroDivisionError("division by zero")
    rest, part, square, root = _generator(a)
    norm = sub(mul(rest, rest), mul(mul(part, part), square))
    if is_zero(norm):  # the deepest root is not independent, and a is twice its other half
        return inv(scale(rest, fmpq(2)))
    return mul(sub(rest, mul(part, root)), inv(norm))


# --- balls, signs, proofs ------------------------------------------------------------------------------------------


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


def _within(a: Terms, base: list[int], roots: set[Root]) -> bool:
    more, others = field(a)
    grown = list(base)
    for d in more:
        refine(grown, d)
    return len(grown) == len(base) and others <= roots


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


def as_rational(a: Terms) -> fmpq | None:
    """The rational number that a is, or None if it is proved to be none."""
    if not a:
        return fmpq(0)
    if is_flat(a):
        return a[1] if len(a) == 1 and 1 in a else None
    whole = denominator(a)
    precision = 64
    while True:
        near = ball(a, precision) * whole
        if near.rad() < 0.125:
            break
        precision *= 2
    guess = (near.mid() + arb(0.5)).floor().unique_fmpz()
    if guess is None or not near.contains(arb(guess)):
        return None
    value = fmpq(guess, whole)  # whole * a is an algebraic integer: if rational, it is this integer
    return value if is_zero(sub(a, rational(value))) else None


# --- square roots ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def squarefree(n: int) -> tuple[int, int]:
    """(s, d) with n = s*s*d and d squarefree, n >= 1."""
    root = isqrt(n)
    if root * root == n:
        return root, 1
    if n.bit_length() > MAX_RADICAND_BITS:
        raise OverflowError(f"number under a square root has more than {MAX_RADICAND_BITS} bits")
    s = d = 1
    for prime, power in fmpz(n).factor():
        s *= int(prime) ** (power // 2)
        if power % 2:
            d *= int(prime)
    return s, d


def sqrt_rational(q: fmpq) -> Terms:
    """Square root of a rational number >= 0."""
    if not q:
        return {}
    s, d = squarefree(int(q.p))
    t, e = squarefree(int(q.q))
    return {d * e: fmpq(s, t * e)}


def content(a: Terms) -> fmpq:
    """The positive rational g for which a/g has coprime whole coefficients."""
    top, bottom = fmpz(0), fmpz(1)
    for c in a.values():
        top, bottom = top.gcd(c.p), bottom.lcm(c.q)
    return fmpq(top, bottom)


def denest(a: Terms) -> Terms | None:
    """Square root of a >= 0 with no nested root that a has not, or None."""
    if not a:
        return {}
    if len(a) == 1 and 1 in a:
        return sqrt_rational(a[1])
    rest, part, square, root = _generator(a)
    norm = sub(mul(rest, rest), mul(mul(part, part), square))
    if sign(norm) < 0:
        return None
    base, roots = field(rest, part, *([] if len(square) == 1 and 1 in square else [square]))
    half = denest(norm)  # if a = c*y*y with c rational, this is c times the norm of y, and in the smaller field
    if half is None or not _within(half, base, roots):
        return None
    for difference in (half, neg(half)):
        candidate = scale(add(rest, difference), fmpq(1, 2))
        if sign(candidate) <= 0:
            continue
        first = denest(candidate)
        if first is not None:
            whole = add(first, scale(mul(mul(part, root), inv(first)), fmpq(1, 2)))
            return whole if sign(whole) > 0 else neg(whole)
    return None


def sqrt(a: Terms) -> Terms:
    """The square root; ValueError below zero, OverflowError past the bounds on size and nesting."""
    s = sign(a)
    if s < 0:
        raise ValueError("square root of a negative number")
    if s == 0:
        return {}
    if len(a) == 1 and 1 in a:
        return sqrt_rational(a[1])
    if not is_flat(a):
        value = as_rational(a)
        if value is not None:
            return sqrt_rational(value)
    simple = denest(a)
    if simple is not None:
        return simple
    outer = content(a)
    inner = scale(a, 1 / outer)
    factor = sqrt_rational(outer)
    if is_flat(inner) and len(inner) == 2 and 1 in inner:
        # of two conjugates use one, so that the field has one generator: sqrt(p - q) = sqrt(p*p - q*q) / sqrt(p + q)
        ((d, q),) = ((d, q) for d, q in inner.items() if d != 1)
        p = inner[1]
        norm = p * p - q * q * d
        if q < 0 and norm > 0:
            other = {1: p, d: -q}
            factor = mul(mul(factor, sqrt_rational(norm)), inv(other))
            inner = other
    return _attach(factor, [Root(inner)])
