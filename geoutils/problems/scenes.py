"""Entries of a figure as paths: circles, arcs, shaded regions and marks, in plain floats."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoutils.problems.expressions import evaluate, parse
from geoutils.problems.floats import FLOAT, to_float
from geoutils.problems.geometry import Circle, Ellipse
from geoutils.problems.shapes import circumcenter

Array = NDArray[np.float64]
Place = tuple[float, float]

NAME = re.compile(r"[A-Z][0-9]?'?")


class FigureError(ValueError):
    """An entry of a figure cannot be drawn; the message names it."""


def floats(value: Any) -> Any:
    """A number, point or curve with floats in place of exact numbers."""
    if isinstance(value, Circle):
        return Circle(to_float(value.center), to_float(value.radius))
    if isinstance(value, Ellipse):
        return Ellipse(to_float(value.focus1), to_float(value.focus2), to_float(value.major))
    return value if is_dataclass(value) and not isinstance(value, type) else to_float(value)


def split(entry: str, points: Mapping[str, Any], count: int = 0) -> list[str]:
    """The points an entry names, all of them known."""
    found = NAME.findall(entry)
    if "".join(found) != entry.replace(" ", "") or (count and len(found) != count):
        raise FigureError(f"{entry!r}: {count or 'some'} points are needed")
    for k in found:
        if k not in points:
            raise FigureError(f"{entry!r}: there is no point {k}")
    return found


def pair_of(entry: str, points: Mapping[str, Any]) -> tuple[str, str]:
    """The two points an entry names."""
    a, b = split(entry, points, 2)
    return a, b


def used_points(spec: Mapping[str, Sequence[str]], points: Mapping[str, Any]) -> list[str]:
    """The points that the drawing shows, in the order of the record."""
    shown = {
        k
        for key, entries in spec.items()
        if key not in ("view", "faces")
        for e in entries
        for k in re.findall(r"(?<![A-Za-z])(?:[A-Z][0-9]?'?)+(?![a-z(])", e)
        for k in NAME.findall(k)
    }
    return [k for k in points if k in shown]


@dataclass
class Scene:
    """Curves of the figure in its own plane."""

    flat: Mapping[str, Place]
    env: Mapping[str, Any]
    solid: bool

    def _value(self, text: str, entry: str) -> Any:
        try:
            value = evaluate(parse(text), self.env, FLOAT)
        except (ValueError, ArithmeticError, KeyError, TypeError) as error:
            raise FigureError(f"{entry!r}: {error}") from None
        return value

    def circle(self, entry: str) -> Array:
        """A circle as a closed path."""
        if self.solid:
            raise FigureError(f"{entry!r}: circles are drawn in the plane only")
        parts = entry.split(None, 1)
        names = NAME.findall(entry)
        if len(parts) == 1 and len(names) == 3 and "".join(names) == entry:
            a, b, c = (self._point(k, entry) for k in names)
            o = circumcenter(FLOAT, a, b, c)
            return ring(o, math.dist(o, a))
        if len(parts) == 1:
            value = self._value(entry, entry)
            if not isinstance(value, Circle):
                raise FigureError(f"{entry!r}: not a circle")
            return ring(value.center, value.radius)
        o = self._point(parts[0], entry)
        if parts[1] in self.flat:
            return ring(o, math.dist(o, self.flat[parts[1]]))
        return ring(o, float(self._value(parts[1], entry)))

    def ellipse(self, entry: str) -> Array:
        """An ellipse as a closed path."""
        parts = entry.split(None, 2)
        if len(parts) == 3:
            value: Any = Ellipse(
                self._point(parts[0], entry), self._point(parts[1], entry), self._value(parts[2], entry)
            )
        else:
            value = self._value(entry, entry)
        if not isinstance(value, Ellipse):
            raise FigureError(f"{entry!r}: not an ellipse")
        first, last = np.asarray(value.focus1, float), np.asarray(value.focus2, float)
        a, c = float(value.major) / 2, float(np.linalg.norm(last - first)) / 2
        along = (last - first) / (2 * c) if c else np.array([1.0, 0.0])
        t = np.linspace(0, 2 * math.pi, 97)[:, None]
        across = np.array([-along[1], along[0]])
        b = math.sqrt(max(a * a - c * c, 0.0))
        return np.asarray((first + last) / 2 + a * np.cos(t) * along + b * np.sin(t) * across)

    def arc(self, entry: str) -> Array:
        """An arc as a path."""
        found = split(entry, self.flat)
        if len(found) not in (3, 4):
            raise FigureError(f"{entry!r}: an arc needs its centre and two or three points")
        o, a, b = (np.array(self.flat[k]) for k in found[:3])
        start, turn = sweep(o, a, b)
        if len(found) == 4:
            _, past = sweep(o, a, np.array(self.flat[found[3]]))
            if past * turn < 0 or abs(past) > abs(turn):
                turn -= math.copysign(2 * math.pi, turn)
        t = start + turn * np.linspace(0, 1, 61)
        return np.asarray(o + math.dist(o, a) * np.stack([np.cos(t), np.sin(t)], axis=1))

    def shade(self, entry: str) -> Array:
        """The outline of a shaded region."""
        head, _, rest = entry.partition(" ")
        if head == "circle":
            return self.circle(rest)
        if head == "sector":
            return np.concatenate([[self.flat[split(rest, self.flat)[0]]], self.arc(rest)])
        if head == "segment":
            return self.arc(rest)
        return np.array([self.flat[k] for k in split(entry, self.flat)])

    def _point(self, name: str, entry: str) -> Place:
        if name not in self.flat:
            raise FigureError(f"{entry!r}: there is no point {name}")
        return self.flat[name]


# ---------------------------------------------------------------- paths


def ring(o: Sequence[float], r: float) -> Array:
    """A circle as a closed path."""
    t = np.linspace(0, 2 * math.pi, 97)
    return np.stack([o[0] + r * np.cos(t), o[1] + r * np.sin(t)], axis=1)


def sweep(o: Array, a: Array, b: Array) -> tuple[float, float]:
    """The direction of A seen from O, and the shorter turn on to B."""
    start = math.atan2(a[1] - o[1], a[0] - o[0])
    turn = math.atan2(b[1] - o[1], b[0] - o[0]) - start
    return start, (turn + math.pi) % (2 * math.pi) - math.pi


def run_across(a: Place, b: Place, frame: Array) -> Array:
    """The line AB as far as it runs inside the frame."""
    p, d = np.array(a), np.subtract(b, a)
    low, high = frame.min(axis=0), frame.max(axis=0)
    safe = np.where(np.abs(d) < 1e-12, 1e-12, d)
    first, second = (low - p) / safe, (high - p) / safe
    enter, leave = float(np.minimum(first, second).max()), float(np.maximum(first, second).min())
    return np.array([p + min(enter, -0.1) * d, p + max(leave, 1.1) * d])


def corner_mark(a: Place, b: Place, c: Place) -> Array:
    """The mark of a right angle at B."""
    o = np.array(b)
    u, v = np.subtract(a, b), np.subtract(c, b)
    side = min(0.13, 0.3 * float(np.linalg.norm(u)), 0.3 * float(np.linalg.norm(v)))
    u, v = u / np.linalg.norm(u) * side, v / np.linalg.norm(v) * side
    return np.array([o + u, o + u + v, o + v])


def angle_mark(a: Place, b: Place, c: Place, count: int) -> Iterable[Array]:
    """The arcs in the angle ABC."""
    o = np.array(b)
    start, turn = sweep(o, np.array(a), np.array(c))
    reach = min(math.dist(a, b), math.dist(c, b))
    radius = min(0.26 + 0.1 / max(abs(turn), 0.35), 0.45 * reach)
    for k in range(count):
        t = start + turn * np.linspace(0, 1, 25)
        yield o + (radius + 0.05 * k) * np.stack([np.cos(t), np.sin(t)], axis=1)
