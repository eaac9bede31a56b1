"""What a figure that stands for a statement must say: every condition of the Euclidean text, drawn or told.

The Euclidean statement of a variant is read by the grammar into conditions. Each is given in one of four ways:

seen    the drawing shows it: a point on a segment, a triangle, a side of a line, the order of points
mark    a length beside a segment, equal ticks, equal arcs, the square of a right angle
line    a line of text under the drawing, in the picture: a ratio, a cosine, an area, parallels
told    a sentence of the short text that goes with the picture, one that the grammar reads as just this

What is left over is told with the statement's own sentence. `geoutils.problems.restating` proves that nothing is lost.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from geoutils.problems import grammar, reading
from geoutils.problems.building import Variant, evaluate
from geoutils.problems.floats import to_float
from geoutils.problems.phrases import line, phrase
from geoutils.problems.scenes import NAME

SEEN = frozenset(("triangle", "convex", "distinct", "same_side", "opposite", "inside", "outside", "same_sense", "ccw", "cw"))
CLOSE = 1e-7  # of the figure's size
_N = r"[A-Z][0-9]?'?"
TERM = rf"(?:{_N}|mid\({_N},{_N}\))"
_DIST = rf"dist\(({TERM}),({TERM})\)"
_VALUE = r"([^a-z<>=]*(?:sqrt\(\d+\)[^a-z<>=]*)*)"
LENGTH = re.compile(rf"{_DIST} == {_VALUE}")
EQUAL = re.compile(rf"{_DIST} == {_DIST}")
HEIGHT = re.compile(rf"dist\(({_N}),line\(({_N}),({_N})\)\) == {_VALUE}")
CALL = re.compile(rf"([a-z_]+)\(({TERM}(?:,{TERM})*)\)")
FOOT = re.compile(rf"({_N}) == foot\(({_N}),({_N}),({_N})\)")
ON = ("on_segment", "on_line", "on_ray", "beyond")
FREE = "ZYXWVU"  # letters of points that only the drawing needs


@dataclass(frozen=True)
class Mark:
    """One mark of the drawing: `kind` is length, height, median, ticks, arcs or right; `condition` is what it says."""

    kind: str
    points: tuple[str, ...]
    condition: str
    text: str = ""


@dataclass
class Givens:
    """How the conditions of one variant's Euclidean statement are given with its figure (base names)."""

    variant: Variant
    conditions: list[str]
    points: dict[str, tuple[float, ...]]
    extra: list[tuple[str, str]] = field(default_factory=list)  # dashed segments that a mark needs
    labels: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)  # conditions for the lines under the drawing
    seen: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)  # sentences, printed
    by_hand: list[str] = field(default_factory=list)  # conditions of told sentences whose meaning was written by hand
    solid: bool = False

    def called(self, condition: str) -> str:
        """A condition with the printed names."""
        return reading.rename(condition, self.variant.names)


def canonical(text: str) -> str:
    """A condition as the grammar would write it."""
    return str(grammar.canonical([text])[0])


def line_text(given: Givens, condition: str) -> str | None:
    """A condition as a line under the drawing, or None where there is no way to write it."""
    return line(given.called(condition))


def givens_of(variant: Variant) -> Givens:
    """Decide for each condition of the Euclidean statement how the figure gives it."""
    made = reading.read(variant, "euclid")
    points = {k: tuple(map(float, to_float(p))) for k, p in variant.points.items()}
    spec = variant.problem.figure
    labels = [k for e in spec["labels"] for k in NAME.findall(e)] if "labels" in spec else list(variant.problem.visible)
    asked = set(NAME.findall(_plain(reading.question(variant)))) & set(variant.problem.visible)
    named = {k for c in made.conditions for k in _names(c)} | asked
    labels = [k for k in points if k in labels or (k in named and k not in variant.problem.hidden)]
    result = Givens(variant, list(made.conditions), points, labels=labels, solid=any(len(p) == 3 for p in points.values()))
    _Chooser(result, spec).choose()
    _tell_rest(result, [*made.by_hand, *made.unread, *made.stale])
    return result


def _plain(text: str) -> str:
    return re.sub(r"[a-z_]+\(", "(", text)


def _names(condition: str) -> list[str]:
    return NAME.findall(_plain(condition))


class _Chooser:
    """Goes through the conditions and sorts them into seen, marks, lines and told."""

    def __init__(self, result: Givens, spec: Mapping[str, Sequence[str]]) -> None:
        self.r = result
        self.at = {k: np.array(p) for k, p in result.points.items()}
        spread = np.array(list(self.at.values()))
        self.size = float((spread.max(axis=0) - spread.min(axis=0)).max()) or 1.0
        pairs = [NAME.findall(e) for key in ("segments", "dashed") for e in spec.get(key, ())]
        self.strokes = [(a, b, False) for a, b in pairs] + [(*NAME.findall(e), True) for e in spec.get("lines", ())]
        self.circles = list(self._circles(spec)) if not result.solid else []
        self.apart: dict[str, list[str]] = {}  # centre: its points

    # --- what is drawn

    def _circles(self, spec: Mapping[str, Sequence[str]]) -> Iterator[tuple[np.ndarray, float]]:
        from geoutils.problems.scenes import Scene, floats

        values = {k: floats(v) for k, v in self.r.variant.scope.values.items() if k not in self.r.points}
        scene = Scene({k: (p[0], p[1]) for k, p in self.r.points.items()}, {**values, **self.r.points}, False)
        for entry in spec.get("circles", ()):
            path = scene.circle(entry)
            middle = (path.min(axis=0) + path.max(axis=0)) / 2
            yield middle, float(np.ptp(path[:, 0])) / 2
        for entry in spec.get("arcs", ()):
            found = NAME.findall(entry)
            yield self.at[found[0]], float(np.linalg.norm(self.at[found[0]] - self.at[found[1]]))

    def covered(self, a: Any, b: Any) -> bool:
        """Whether drawn strokes run all the way from a to b."""
        a, b = self.at.get(a, a) if isinstance(a, str) else a, self.at.get(b, b) if isinstance(b, str) else b
        along = b - a
        long = float(np.linalg.norm(along))
        if long < CLOSE * self.size:
            return True
        unit, spans = along / long, []
        for p, q, endless in self.strokes:
            ends = self.at[p] - a, self.at[q] - a
            if all(np.linalg.norm(e - (e @ unit) * unit) < CLOSE * self.size for e in ends):
                low, high = sorted(float(e @ unit) for e in ends)
                spans.append((-math.inf, math.inf) if endless else (low, high))
        reach = 0.0
        for low, high in sorted(spans):
            if low > reach + CLOSE * self.size:
                break
            reach = max(reach, high)
        return reach >= long - CLOSE * self.size

    def join(self, a: str, b: str) -> None:
        """Draw ab dashed where no stroke runs there yet."""
        if not self.covered(a, b):
            self.strokes.append((a, b, False))
            self.r.extra.append((a, b))

    def point(self, place: np.ndarray) -> str:
        """The point at a place, a new one without a letter if there is none."""
        for name, known in self.at.items():
            if np.linalg.norm(known - place) < CLOSE * self.size:
                return name
        name = next(k for k in (f"{c}9" for c in FREE) if k not in self.at)
        self.at[name] = place
        self.r.points[name] = tuple(map(float, place))
        return name

    def term(self, text: str) -> str:
        """The point that a term (`A` or `mid(A,B)`) stands for."""
        found = NAME.findall(text)
        return found[0] if text == found[0] else self.point((self.at[found[0]] + self.at[found[1]]) / 2)

    # --- the choice

    def choose(self) -> None:
        """Sort all conditions."""
        self._centres()
        for condition in self.r.conditions:
            self._one(condition)
        self._phrases()

    def _centres(self) -> None:
        """Circles with a named centre: one radius is labelled, the text names the centre."""
        for middle, radius in self.circles:
            centre = next((k for k in self.r.labels if np.linalg.norm(self.at[k] - middle) < CLOSE * self.size), "")
            if not centre:
                continue
            on: list[str] = []
            for c in self.r.conditions:
                for a, b in re.findall(rf"dist\(({_N}),({_N})\)", c) if (LENGTH.fullmatch(c) or EQUAL.fullmatch(c)) else ():
                    other = b if a == centre else a if b == centre else ""
                    if other and abs(float(np.linalg.norm(self.at[other] - middle)) - radius) < CLOSE * self.size:
                        on.append(other)
            on = list(dict.fromkeys(on))
            if len(on) > 1:
                self.apart[centre] = [*self.apart.get(centre, []), *on]
                names = [self.r.variant.names[k] for k in on]
                listed = f"{', '.join(names[:-1])} and {names[-1]}"
                self.r.told.append(f"{self.r.variant.names[centre]} is the centre of the circle through {listed}.")

    def _one(self, c: str) -> None:
        r, head = self.r, c.partition("(")[0]
        if head in SEEN:
            r.seen.append(c)
        elif m := EQUAL.fullmatch(c):
            if not self._round(m):
                pairs = (self.term(m[1]), self.term(m[2])), (self.term(m[3]), self.term(m[4]))
                if all(self.covered(*p) for p in pairs) and "mid(" not in c:
                    r.marks.append(Mark("ticks", (*pairs[0], *pairs[1]), c))
                else:
                    r.lines.append(c)
        elif m := LENGTH.fullmatch(c):
            self._length(c, m)
        elif (m := HEIGHT.fullmatch(c)) and not r.solid:
            a, b, d = self.at[m[1]], self.at[m[2]], self.at[m[3]]
            foot = self.point(b + ((a - b) @ (d - b)) / ((d - b) @ (d - b)) * (d - b))
            self.join(m[1], foot)
            far = max((m[2], m[3]), key=lambda k: float(np.linalg.norm(self.at[k] - self.at[foot])))
            near = min((m[2], m[3]), key=lambda k: float(np.linalg.norm(self.at[k] - self.at[foot])))
            if not self.covered(foot, near) or (near == foot and not self.covered(foot, far)):
                self.join(foot, near if near != foot else far)
            r.marks.append(Mark("height", (m[1], foot, far, m[2], m[3]), c, _printed(m[4])))
        elif m := FOOT.fullmatch(c):
            self._perpendicular(c, m[2], m[1], m[3], m[4], m[1])
        elif m := CALL.fullmatch(c):
            self._call(c, m[1], m[2])
        else:
            r.lines.append(c)

    def _round(self, m: re.Match[str]) -> bool:
        """Whether an equality is that of two radii whose centre the text names."""
        for centre, on in self.apart.items():
            others = [k for k in m.groups() if k != centre]
            if len(others) == 2 and all(k in on for k in others):
                return True
        return False

    def _length(self, c: str, m: re.Match[str]) -> None:
        for centre, on in self.apart.items():
            if centre in (m[1], m[2]) and (m[2] if m[1] == centre else m[1]) in on:
                radii = [k.points for k in self.r.marks if k.kind == "length" and centre in k.points and set(k.points) & set(on)]
                better = [k for k in on if self.covered(centre, k)]
                mine = m[2] if m[1] == centre else m[1]
                wanted = any(canonical(f"dist({centre},{k}) == {m[3]}") in self.r.conditions for k in better)
                if radii or (better and wanted and mine != better[0] and self._later(c, centre, better)):
                    return
        a, b = self.term(m[1]), self.term(m[2])
        self.join(a, b)
        if "mid(" in c:
            ends = NAME.findall(m[1] if "mid(" in m[1] else m[2])
            self.r.marks.append(Mark("median", (a, b, *ends), c, _printed(m[3])))
        else:
            self.r.marks.append(Mark("length", (a, b), c, _printed(m[3])))

    def _later(self, c: str, centre: str, better: Sequence[str]) -> bool:
        """Whether a radius that is drawn comes further on among the conditions."""
        after = self.r.conditions[self.r.conditions.index(c) + 1 :]
        return any(x.startswith("dist(") and centre in _names(x) and set(_names(x)) & set(better) for x in after)

    def _call(self, c: str, head: str, inside: str) -> None:
        r, terms = self.r, re.findall(TERM, inside)
        if head in ON:
            found = [self.term(k) for k in terms]
            first, last = self._ends(found)
            middle = [k for k in terms if "mid(" in k]
            letters = all(k in r.labels or k in middle for k in terms)
            if letters and self.covered(first, last):
                if middle:
                    ends = NAME.findall(middle[0])
                    half = self.term(middle[0])
                    r.marks.append(Mark("ticks", (ends[0], half, half, ends[1]), f"midpoint({half},{ends[0]},{ends[1]})"))
                r.seen.append(c)
        elif head == "midpoint":
            m, a, b = (self.term(k) for k in terms)
            if self.covered(a, b):
                r.marks.append(Mark("ticks", (a, m, m, b), c))
        elif head == "cyclic":
            places = [self.at[k] for k in terms]
            if any(all(abs(np.linalg.norm(p - o) - s) < CLOSE * self.size for p in places) for o, s in self.circles):
                r.seen.append(c)
        elif head == "right":
            a, corner, b = terms
            if a in r.labels and b in r.labels and corner in r.labels:
                self.join(a, corner)
                self.join(corner, b)
                r.marks.append(Mark("right", (a, corner, b), c))
            else:
                r.lines.append(c)
        elif head == "perp":
            a, b, d, e = terms
            cross = None if r.solid else _meeting(*(self.at[k] for k in terms))
            if cross is None:
                r.lines.append(c)
            else:
                self._perpendicular(c, a, b, d, e, None, cross)
        elif head == "bisects" and not r.solid:
            on, a, corner, b = terms
            if all(self._arm(corner, k) for k in (on, a, b)):
                r.marks.append(Mark("arcs", (a, corner, on, on, corner, b), c))
            else:
                r.lines.append(c)
        elif phrase(c, r.variant.names, r.conditions) is None:
            r.lines.append(c)

    def _ends(self, found: Sequence[str]) -> tuple[str, str]:
        far = max(((a, b) for a in found for b in found), key=lambda p: float(np.linalg.norm(self.at[p[0]] - self.at[p[1]])))
        return far

    def _arm(self, corner: str, end: str) -> bool:
        p, q = self.at[corner], self.at[end]
        long = float(np.linalg.norm(q - p))
        return bool(long > 0) and self.covered(p, p + (q - p) * min(1.0, 0.12 * self.size / long))

    def _perpendicular(
        self, c: str, a: str, b: str, d: str, e: str, corner: str | None, cross: np.ndarray | None = None
    ) -> None:
        """The square where ab meets de, if strokes lead there on both lines; a line of text otherwise."""
        place = self.at[corner] if corner else cross
        assert place is not None
        x = self.point(place)
        arms = []
        for pair in ((a, b), (d, e)):
            far = max(pair, key=lambda k: float(np.linalg.norm(self.at[k] - place)))
            if x not in pair or not self.covered(x, far):
                self.join(*pair)
            if not self.covered(x, far):
                self.join(x, far)
            arms.append(far)
        self.r.marks.append(Mark("right", (arms[0], x, arms[1], a, b, d, e), c))

    def _phrases(self) -> None:
        """Sentences for the conditions that have one and are given in no other way."""
        done = {*self.r.seen, *self.r.lines, *(k.condition for k in self.r.marks)}
        for c in self.r.conditions:
            if c not in done and not LENGTH.fullmatch(c) and not EQUAL.fullmatch(c):
                said = phrase(c, self.r.variant.names, self.r.conditions)
                if said and said not in self.r.told:
                    self.r.told.append(said)


def _meeting(a: np.ndarray, b: np.ndarray, d: np.ndarray, e: np.ndarray) -> np.ndarray | None:
    u, v = b - a, e - d
    turn = float(u[0] * v[1] - u[1] * v[0])
    if abs(turn) < 1e-12:
        return None
    t = float((d - a)[0] * v[1] - (d - a)[1] * v[0]) / turn
    return np.asarray(a + t * u)


def _printed(expression: str) -> str:
    value = evaluate(expression, {})
    return value.text() if hasattr(value, "text") else str(value)


# ---------------------------------------------------------------- what is left


def _tell_rest(given: Givens, unread: Sequence[int]) -> None:
    """Tell what is left with the statement's own sentences, as few as do; those the grammar cannot read always."""
    from geoutils.problems.restating import missing

    variant = given.variant
    given.lines = [c for c in given.lines if line_text(given, c) is not None]
    sentences = [s.text for s in variant.statements["euclid"].sentences]
    made = grammar.read_statement(
        sentences, "euclid",
        points=[variant.names[k] for k in variant.problem.visible], hidden=[variant.names[k] for k in variant.problem.hidden],
    )  # fmt: skip
    own = [[canonical(reading.rename(c, variant.printed)) for c in part] for part in made.by_sentence]
    read = {c for part in own for c in part}
    given.by_hand = [c for c in given.conditions if c not in read] if unread else []
    needed = set(unread)
    for c in missing(given):
        needed.add(next((i for i, part in enumerate(own) if c in part), 0))
    if needed:
        phrases = given.told
        given.told = [*(sentences[i] for i in sorted(needed)), *phrases]
        if missing(given):  # a sentence that needs the ones before it
            given.told = [*sentences[: max(needed) + 1], *phrases]
    kept = {sentences[i] for i in unread}
    for sentence in reversed(given.told if len(given.told) > 1 else []):
        without = replace(given, told=[s for s in given.told if s != sentence])
        if sentence not in kept and not missing(without):
            given.told = without.told
