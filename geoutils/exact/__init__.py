"""Exact real numbers and angles: square roots, nested square roots and pi, with proved comparisons.

>>> from geoutils.exact import Real, sqrt, PI, read_exact
>>> print(1 / (sqrt(3) - sqrt(2)), 4 * PI / 3 - sqrt(3), sqrt(5 + 2 * sqrt(6)) == sqrt(2) + sqrt(3))
√2 + √3 4π/3 - √3 True
>>> read_exact("arctan(2/3)").decimal(3)
'33.690'
"""

from geoutils.exact.angle import Angle, acos, asin, atan, atan2, degrees, radians
from geoutils.exact.ops import EXACT, ExactOps
from geoutils.exact.reading import read_exact
from geoutils.exact.real import PI, Real, sqrt

__all__ = [
    "EXACT",
    "PI",
    "Angle",
    "ExactOps",
    "Real",
    "acos",
    "asin",
    "atan",
    "atan2",
    "degrees",
    "radians",
    "read_exact",
    "sqrt",
]
