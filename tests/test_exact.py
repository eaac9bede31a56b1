"""Exact numbers: forms, proofs, decimals, printing, reading, bounds."""

from fractions import Fraction as F

from geoutils.exact import PI, Angle, Real, degrees, read_exact, sqrt


def test_printed_forms_of_the_kinds_the_problems_need():
    assert (3 * sqrt(2) / 5).text() == "3√2/5"
    assert (5 + 2 * sqrt(6)).ascii() == "5+2*sqrt(6)"
    assert (4 * PI / 3 - sqrt(3)).text() == "4π/3 - √3"
    assert (1 / (sqrt(3) - sqrt(2))) == sqrt(3) + sqrt(2)
    assert Angle(Real.of(3), Real.of(2)).ascii() == "arctan(2/3)"
    assert degrees(F(60)).text() == "60°"
    assert read_exact("arctan(2/3)").decimal(3) == "33.690"
