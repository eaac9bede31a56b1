"""Solids on paper: a view that separates the points, and which edges it hides."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

AZIMUTHS = (-62, -55, -70, -48, -75, -40, 28, 35, 20, 42)  # degrees; the first good one is taken
ELEVATIONS = (18, 24, 13)


@dataclass(frozen=True)
class View:
    """A parallel projection: two axes of the paper and the direction towards the viewer."""

    right: Array
    up: Array
    towards: Array

    def project(self, p: Sequence[float] | Array) -> tuple[float, float]:
        """The place of a point of space on the paper."""
        q = np.asarray(p, float)
        return float(q @ self.right), float(q @ self.up)


def view(azimuth: float, elevation: float) -> View:
    """The view from a direction given in degrees: turned about the vertical, then raised."""
    a, e = math.radians(azimuth), math.radians(elevation)
    return View(
        np.array([-math.sin(a), math.cos(a), 0.0]),
        np.array([-math.sin(e) * math.cos(a), -math.sin(e) * math.sin(a), math.cos(e)]),
        np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)]),
    )


def best_view(points: Mapping[str, Sequence[float]], segments: Sequence[tuple[str, str]]) -> View:
    """The view in which points stay clear of one another and of segments they are not on."""
    places = {k: np.asarray(p, float) for k, p in points.items()}
    off = [
        (k, a, b)
        for a, b in segments
        for k in places
        if k not in (a, b) and _from_line(places[k], places[a], places[b]) > 1e-9
    ]
    best, winner = -1.0, view(AZIMUTHS[0], ELEVATIONS[0])
    for elevation in ELEVATIONS:
        for azimuth in AZIMUTHS:
            v = view(azimuth, elevation)
            flat: dict[str, Array] = {k: np.array(v.project(p), float) for k, p in places.items()}
            size = float(np.linalg.norm(np.ptp(np.array(list(flat.values())), axis=0))) or 1.0
            room = min((float(np.linalg.norm(flat[p] - flat[q])) for p, q in combinations(flat, 2)), default=size)
            room = min([room, *(_from_segment(flat[k], flat[a], flat[b]) * 1.5 for k, a, b in off)]) / size
            if room > best + 0.01:
                best, winner = room, v
            if best > 0.09:
                return winner
    return winner


def faces_of(points: Sequence[Sequence[float]]) -> list[tuple[int, ...]]:
    """The faces of the convex hull of a few points of space, as sets of corners."""
    c = np.asarray(points, float)
    if len(c) < 4:
        return []
    size = float(np.ptp(c, axis=0).max()) or 1.0
    faces: dict[tuple[int, ...], None] = {}
    for i, j, k in combinations(range(len(c)), 3):
        normal = np.cross(c[j] - c[i], c[k] - c[i])
        length = float(np.linalg.norm(normal))
        if length < 1e-9 * size * size:
            continue
        height = (c - c[i]) @ (normal / length)
        if height.max() < 1e-7 * size or height.min() > -1e-7 * size:
            faces[tuple(np.flatnonzero(np.abs(height) < 1e-7 * size).tolist())] = None
    return [] if len(faces) < 4 else list(faces)


def hidden(
    points: Mapping[str, Sequence[float]], segments: Sequence[tuple[str, str]], faces: Sequence[Sequence[str]], v: View
) -> set[tuple[str, str]]:
    """The segments of a convex solid that the viewer does not see.

    A segment is seen when it lies in a face that looks at the viewer; one that lies in no
    face runs through the inside.
    """
    places = {k: np.asarray(p, float) for k, p in points.items()}
    corners = sorted({k for face in faces for k in face})
    if not corners:
        return set()
    middle = np.mean([places[k] for k in corners], axis=0)
    size = float(np.ptp([places[k] for k in corners], axis=0).max()) or 1.0
    seen: list[tuple[Array, Array, bool]] = []
    for face in faces:
        a = places[face[0]]
        spread = [np.cross(places[p] - a, places[q] - a) for p, q in combinations(face[1:], 2)]
        normal = max(spread, key=lambda n: float(n @ n))
        normal = normal / np.linalg.norm(normal)
        if normal @ (a - middle) < 0:
            normal = -normal
        seen.append((a, normal, bool(normal @ v.towards > 1e-9)))
    result = set()
    for p, q in segments:
        on = [
            front
            for a, normal, front in seen
            if max(abs((places[p] - a) @ normal), abs((places[q] - a) @ normal)) < 1e-6 * size
        ]
        if not any(on):
            result.add((p, q))
    return result


def _from_line(p: Array, a: Array, b: Array) -> float:
    return float(np.linalg.norm(np.cross(b - a, p - a)) / max(float(np.linalg.norm(b - a)), 1e-12))


def _from_segment(p: Array, a: Array, b: Array) -> float:
    d = b - a
    t = min(1.0, max(0.0, float((p - a) @ d) / max(float(d @ d), 1e-12)))
    return float(np.linalg.norm(p - a - t * d))
