"""The names that expressions may call: functions of geometry and relations of points.

Every entry takes the number type's namespace first and works over exact numbers, plain
floats, arrays and batched dual numbers alike (see `shapes`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from geoutils.problems import circles, measures, regions, shapes
from geoutils.problems.polygons import POLYGONS
from geoutils.problems.regions import Polygon
from geoutils.problems.relations import RELATIONS, Constraint
from geoutils.problems.shapes import Circle, Ellipse, GeometryError, Line, Plane, is_vector
from geoutils.problems.solids import SOLIDS

_NAMES: dict[Any, str] = {
    shapes: (
        "x y z vec dot cross norm unit perp mid at divide centroid line line_eq line_along plane "
        "foot meet reflect rotate homothety circumcenter incenter excenter orthocenter "
        "bisector_foot outer_bisector_foot regular_vertex"
    ),
    measures: "dist angle area perimeter volume circumradius inradius exradius",
    circles: (
        "circle incircle center radius apollonius power tangent_length cut1 cut2 second "
        "radical_axis cross1 cross2 touch1 touch2 ellipse ellipse_xy focus1 focus2 major minor"
    ),
    regions: ("polygon arc_length sector_area segment_area lens_area gap_area overlap_area nearer_area"),
}

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(module, name) for module, names in _NAMES.items() for name in names.split()
}
FUNCTIONS["external_bisector_foot"] = shapes.outer_bisector_foot
FUNCTIONS["perp"] = RELATIONS["perp"]  # one name, told apart by the number of arguments

CONDITIONS: dict[str, Callable[..., Constraint]] = {**RELATIONS, **POLYGONS, **SOLIDS}

__all__ = [
    "CONDITIONS",
    "FUNCTIONS",
    "Circle",
    "Constraint",
    "Ellipse",
    "GeometryError",
    "Line",
    "Plane",
    "Polygon",
    "is_vector",
]
