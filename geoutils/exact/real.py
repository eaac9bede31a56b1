"""The number type: rational, algebraic (see `algebraic`) or a quotient of polynomials in pi (see `pi`)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from geoutils.exact import algebraic as alg
from geoutils.exact import pi as pi_quotient
from geoutils.exact import terms as form
from geoutils.exact.terms import MAX_BITS

MAX_EXPONENT = 64
MAX_PLACES = 200
_MAX_PRECISION = 1 << 17
_new = object.__new__


def _from_rational(q: fmpq) -> Real:
    if q.height_bits() > MAX_BITS:
        raise OverflowError(f"number with more than {MAX_BITS} bits")
    out = _new(Real)
    out._q = q
    out._x = None
    return out


def _from_terms(a: form.Terms) -> Real:
    if not a:
        return ZERO
    if len(a) == 1 and 1 in a:
        return _from_rational(a[1])
    for c in a.values():
        if c.height_bits() > MAX_BITS:
            raise OverflowError(f"number with more than {MAX_BITS} bits")
    out = _new(Real)
    out._q = None
    out._x = a
    return out


def _from_quotient(a: pi_quotient.Quotient) -> Real:
    top, bottom = a
    if len(bottom) == 1 and len(top) <= 1:
        return _from_terms(top[0] if top else form.ZERO)
    for c in (c for p in a for terms in p for c in terms.values()):
        if c.height_bits() > MAX_BITS:
            raise OverflowError(f"number with more than {MAX_BITS} bits")
    out = _new(Real)
    out._q = None
    out._x = a
    return out


class Real:
    """An exact real number; immutable.  Make one with `Real.of`, `sqrt`, `PI` and arithmetic.

    Arithmetic is closed under + - * / and whole powers up to 64.  Comparisons and `sign` are proved.
    OverflowError: a whole number past 4,096 bits, a number under a root past 128 bits, roots nested more than 6 deep,
    more than 64 different roots.  ValueError: outside the domain.  ZeroDivisionError: division by (a proved) zero.
    """

    __slots__ = ("_q", "_x")  # _q: the value if rational; else _x: Terms, or a pi quotient (a tuple)
    _q: fmpq | None
    _x: Any

    @staticmethod
    def of(value: int | Fraction | fmpq | Real) -> Real:
        """The number `value`; TypeError for floats and strings, which are not exact."""
        kind = type(value)
        if kind is Real:
            return value  # type: ignore[return-value]
        if kind is int:
            return _from_rational(fmpq(value))  # type: ignore[arg-type]
        if kind is Fraction:
            return _from_rational(fmpq(value.numerator, value.denominator))  # type: ignore[union-attr,arg-type]
        if kind is fmpq:
            return _from_rational(value)  # type: ignore[arg-type]
        if isinstance(value, int | fmpz):
            return _from_rational(fmpq(int(value)))
        if isinstance(value, Fraction):
            return _from_rational(fmpq(int(value.numerator), int(value.denominator)))
        raise TypeError(f"no exact number from {kind.__name__}")

    # --- forms ---------------------------------------------------------------------------------------------------

    def terms(self) -> form.Terms:
        """The algebraic form; ValueError if pi occurs."""
        if self._q is not None:
            return alg.rational(self._q)
        if type(self._x) is tuple:
            raise ValueError("a number with pi is not algebraic")
        return self._x

    def quotient(self) -> pi_quotient.Quotient:
        """The form as a quotient of polynomials in the square root of pi."""
        return self._x if type(self._x) is tuple else pi_quotient.quotient(self.terms())

    def has_pi(self) -> bool:
        """Whether the number is transcendental (a proper expression in pi)."""
        return type(self._x) is tuple

    def _rational(self) -> fmpq | None:
        if self._q is not None or type(self._x) is tuple:
            return self._q
        return alg.as_rational(self._x)

    def is_rational(self) -> bool:
        """Whether the number is rational, proved either way."""
        return self._rational() is not None

    def fraction(self) -> Fraction:
        """The rational value; ValueError if there is none."""
        q = self._rational()
        if q is None:
            raise ValueError(f"{self} is not rational")
        return Fraction(int(q.p), int(q.q))

    def is_int(self) -> bool:
        """Whether the number is whole."""
        q = self._rational()
        return q is not None and q.q == 1

    # --- arithmetic ------------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Real:
        if type(other) is not Real:
            other = _coerce(other)
            if other is None:
                return NotImplemented
        p, q = self._q, other._q
        if p is not None and q is not None:
            return _from_rational(p + q)
        if type(self._x) is tuple or type(other._x) is tuple:
            return _from_quotient(pi_quotient.add(self.quotient(), other.quotient()))
        return _from_terms(alg.add(self.terms(), other.terms()))

    __radd__ = __add__

    def __neg__(self) -> Real:
        if self._q is not None:
            return _from_rational(-self._q)
        if type(self._x) is tuple:
            return _from_quotient(pi_quotient.neg(self._x))
        return _from_terms(alg.neg(self._x))

    def __pos__(self) -> Real:
        return self

    def __sub__(self, other: Any) -> Real:
        if type(other) is not Real:
            other = _coerce(other)
            if other is None:
                return NotImplemented
        p, q = self._q, other._q
        if p is not None and q is not None:
            return _from_rational(p - q)
        return self + (-other)

    def __rsub__(self, other: Any) -> Real:
        return (-self) + other

    def __mul__(self, other: Any) -> Real:
        if type(other) is not Real:
            other = _coerce(other)
            if other is None:
                return NotImplemented
        p, q = self._q, other._q
        if p is not None:
            if q is not None:
                return _from_rational(p * q)
            if type(other._x) is dict:
                return _from_terms(alg.scale(other._x, p))
        elif q is not None and type(self._x) is dict:
            return _from_terms(alg.scale(self._x, q))
        if type(self._x) is tuple or type(other._x) is tuple:
            return _from_quotient(pi_quotient.mul(self.quotient(), other.quotient()))
        return _from_terms(alg.mul(self._x, other._x))

    __rmul__ = __mul__

    def inverse(self) -> Real:
        """1 / self"""
        if self._q is not None:
            return _from_rational(1 / self._q)
        if type(self._x) is tuple:
            return _from_quotient(pi_quotient.inv(self._x))
        return _from_terms(alg.inv(self._x))

    def __truediv__(self, other: Any) -> Real:
        if type(other) is not Real:
            other = _coerce(other)
            if other is None:
                return NotImplemented
        p, q = self._q, other._q
        if p is not None and q is not None:
            return _from_rational(p / q)
        return self * other.inverse()

    def __rtruediv__(self, other: Any) -> Real:
        other = _coerce(other)
        return NotImplemented if other is None else other / self

    def __pow__(self, exponent: Any) -> Real:
        if type(exponent) is Real and exponent._q is not None and exponent._q.q == 1:
            exponent = int(exponent._q.p) if abs(exponent._q.p) <= MAX_EXPONENT else MAX_EXPONENT + 1
        if not isinstance(exponent, int):
            raise ValueError("only whole exponents have a meaning here")
        if abs(exponent) > MAX_EXPONENT:
            raise OverflowError(f"exponent past {MAX_EXPONENT}")
        if exponent < 0:
            return self.inverse() ** -exponent
        if self._q is not None:
            if self._q.height_bits() * exponent > 2 * MAX_BITS:
                raise OverflowError(f"number with more than {MAX_BITS} bits")
            return _from_rational(self._q**exponent)
        out, square = ONE, self
        while exponent:
            if exponent & 1:
                out = out * square
            exponent >>= 1
            if exponent:
                square = square * square
        return out

    def __abs__(self) -> Real:
        return -self if self.sign() < 0 else self

    # --- order -----------------------------------------------------------------------------------------------------

    def sign(self) -> int:
        """-1, 0 or 1, proved."""
        if self._q is not None:
            p = self._q.p
            return 1 if p > 0 else -1 if p < 0 else 0
        if type(self._x) is not tuple:
            return form.sign(self._x)
        precision = 64
        while precision <= _MAX_PRECISION:  # not zero: pi is transcendental
            value = self.ball(precision)
            if value > 0:
                return 1
            if value < 0:
                return -1
            precision *= 2
        raise OverflowError("sign not decided within the precision allowed")

    def __bool__(self) -> bool:
        return self._q != 0 if self._q is not None else self.sign() != 0

    def __eq__(self, other: Any) -> bool:
        if type(other) is not Real:
            other = _coerce(other)
            if other is None:
                return NotImplemented
        p, q = self._q, other._q
        if p is not None and q is not None:
            return p == q
        a, b = self._x, other._x
        if type(a) is tuple or type(b) is tuple:
            return type(a) is type(b) and pi_quotient.equal(a, b)
        a, b = self.terms(), other.terms()
        if a == b:
            return True
        return not (form.is_flat(a) and form.is_flat(b)) and form.is_zero(alg.sub(a, b))

    def _compare(self, other: Any) -> int | None:
        if type(other) is not Real:
            other = _coerce(other)
            if other is None:
                return None
        p, q = self._q, other._q
        if p is not None and q is not None:
            return -1 if p < q else int(p > q)
        return (self - other).sign()

    def __lt__(self, other: Any) -> bool:
        c = self._compare(other)
        return NotImplemented if c is None else c < 0

    def __le__(self, other: Any) -> bool:
        c = self._compare(other)
        return NotImplemented if c is None else c <= 0

    def __gt__(self, other: Any) -> bool:
        c = self._compare(other)
        return NotImplemented if c is None else c > 0

    def __ge__(self, other: Any) -> bool:
        c = self._compare(other)
        return NotImplemented if c is None else c >= 0

    def __hash__(self) -> int:
        q = self._rational()
        if q is not None:
            return hash(Fraction(int(q.p), int(q.q)))
        return hash(("irrational", int((self * 1048576).floor())))  # a function of the value, whatever its form

    # --- decimals --------------------------------------------------------------------------------------------------

    def ball(self, precision: int = 64) -> arb:
        """A ball that holds the number, computed with `precision` bits."""
        if self._q is not None:
            with ctx.workprec(precision):
                return arb(self._q)
        if type(self._x) is tuple:
            return pi_quotient.ball(self._x, precision)
        return form.ball(self._x, precision)

    def __float__(self) -> float:
        if self._q is not None:
            return float(Fraction(int(self._q.p), int(self._q.q)))
        precision = 80
        while precision <= _MAX_PRECISION:
            value = self.ball(precision)
            if value.rel_accuracy_bits() >= 58:
                out = float(value.mid())
                if out in (float("inf"), float("-inf")):
                    raise OverflowError("number too large for a float")
                return out
            if precision > 1024 and not self.sign():
                return 0.0
            precision *= 2
        raise OverflowError("number not separated from zero")

    def floor(self) -> int:
        """The greatest whole number not above, proved."""
        q = self._rational()
        if q is not None:
            return int(q.p // q.q)
        precision = 64
        while precision <= _MAX_PRECISION:  # irrational: some ball has one floor
            with ctx.workprec(precision):
                whole = self.ball(precision).floor().unique_fmpz()
            if whole is not None:
                return int(whole)
            precision *= 2
        raise OverflowError("floor not decided within the precision allowed")

    def decimal(self, places: int = 3) -> str:
        """Decimal notation with that many places, rounded half up (half away from zero), proved.

        The digits come from a ball that lies on one side of the rounding boundary, or from the rational value.
        """
        if not 0 <= places <= MAX_PLACES:
            raise ValueError(f"places must be between 0 and {MAX_PLACES}")
        size = abs(self)
        ten = fmpq(10**places)
        if size._q is not None:
            scaled = size._q * ten + fmpq(1, 2)
            digits = int(scaled.p // scaled.q)
        else:
            digits = (size * _from_rational(ten) + HALF).floor()
        text = str(digits).rjust(places + 1, "0")
        if places:
            text = f"{text[:-places]}.{text[-places:]}"
        return "-" + text if digits and self.sign() < 0 else text

    # --- printing --------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """As statements print it: `3√2/5`, `5 + 2√6`, `4π/3 - √3`."""
        return _printing().real_text(self)

    def ascii(self) -> str:
        """As tables store it: `3*sqrt(2)/5`, `5+2*sqrt(6)`, `4*pi/3-sqrt(3)`."""
        return _printing().real_ascii(self)

    def latex(self) -> str:
        r"""As solutions print it: `\\frac{3\\sqrt{2}}{5}`."""
        return _printing().real_latex(self)

    __str__ = text

    def __repr__(self) -> str:
        return f"<{self.ascii()}>"

    def __reduce__(self) -> Any:
        from geoutils.exact.reading import read_exact

        return read_exact, (self.ascii(),)


def _printing() -> Any:
    from geoutils.exact import printing

    return printing


def _coerce(value: Any) -> Real | None:
    try:
        return Real.of(value)
    except TypeError:
        return None


ZERO = _from_rational(fmpq(0))
ONE = _from_rational(fmpq(1))
HALF = _from_rational(fmpq(1, 2))
PI = _from_quotient(pi_quotient.PI)


def sqrt(x: Real | int | Fraction) -> Real:
    """The square root; ValueError below zero or of a sum with pi, OverflowError past the bounds."""
    x = Real.of(x)
    if x._q is not None:
        if x._q < 0:
            raise ValueError("square root of a negative number")
        return _from_terms(alg.sqrt_rational(x._q))
    if type(x._x) is not tuple:
        return _from_terms(alg.sqrt(x._x))
    if x.sign() < 0:
        raise ValueError("square root of a negative number")
    return _from_quotient(pi_quotient.sqrt(x._x))
