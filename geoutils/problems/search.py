"""The search for figures: all variants and starts at once, by Levenberg and Marquardt."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from geoutils.problems.expressions import evaluate
from geoutils.problems.floats import FLOAT
from geoutils.problems.geometry import Constraint
from geoutils.problems.systems import System, constrain
from geoutils.problems.tape import Array

MARGIN = 0.02  # how clearly an inequality must hold, free of units
APART = 0.05  # least distance of two points, in units of the figure's size
TOLERANCE = 1e-11  # largest residual of an accepted figure, free of units
MOVED = 1e-6  # relative change of the asked quantity that counts
ALONG = {"on_segment": (0.1, 0.9), "on_ray": (0.2, 2.0), "beyond": (1.1, 2.5), "on_line": (-1.0, 2.0)}  # starts
NEEDED = 3  # accepted figures below which a proof is empty


@dataclass(frozen=True)
class UniquenessResult:
    """What the search found for one variant.

    `accepted` figures meet all conditions; `worst` is the largest relative deviation of the
    asked quantity from the answer among them; `example` is the figure that deviates most.
    """

    verdict: str
    accepted: int
    worst: float
    starts: int
    reason: str = ""
    example: dict[str, tuple[float, ...]] = field(default_factory=dict)


@dataclass
class _Lanes:
    """Running starts: unknowns, damping, and the settled part of the tape for each."""

    x: Array
    parameters: Array
    variant: Any
    scale: Array


class Search:
    """The search for the figures of variants that share one structure."""

    def __init__(self, system: System, query: Any, numbers: list[list[float]], gold: list[float]) -> None:
        self.system, self.query, self.gold = system, query, np.asarray(gold, float)
        self.numbers = np.asarray(numbers, float).reshape(len(numbers), -1).T
        self.pairs = np.triu_indices(len(system.points), 1)

    # -- the whole search

    def run(
        self, truth: list[Mapping[str, Sequence[float]]], starts: int, rounds: int, seed: int
    ) -> list[UniquenessResult]:
        count = len(truth)
        figures = [{f"P{k}": tuple(map(float, p)) for k, p in enumerate(f.values())} for f in truth]
        self.sizes = np.array([_size([f[p] for p in self.system.points]) for f in figures])
        reasons = [self._true_figure(i, f) for i, f in enumerate(figures)]
        accepted, tried = np.zeros(count, int), np.zeros(count, int)
        worst = np.zeros(count)
        examples: list[dict[str, tuple[float, ...]]] = [{} for _ in range(count)]
        self.seeds = [[seed, zlib.crc32(column.tobytes())] for column in np.ascontiguousarray(self.numbers.T)]
        open_variants = np.array([i for i in range(count) if not reasons[i]], int)
        for turn in range(rounds):
            if not open_variants.size:
                break
            lanes = self._begin(open_variants, starts, turn)
            tried[open_variants] += starts
            self._solve(lanes)
            good, values = self._accept(lanes)
            deviation = self._deviation(lanes, values, good)
            doubtful = good & (deviation > MOVED) & (deviation < 1e-2)
            if doubtful.any():  # a double root converges slowly: look closer before saying so
                self._solve(lanes, steps=12, polish=True)
                good, values = self._accept(lanes)
                deviation = self._deviation(lanes, values, good)
            for lane in np.flatnonzero(good):
                v = lanes.variant[lane]
                accepted[v] += 1
                if not examples[v] or deviation[lane] > worst[v]:
                    worst[v] = max(worst[v], deviation[lane])
                    examples[v] = {
                        p: tuple(float(np.broadcast_to(values[k], good.shape)[lane]) for k in lines)
                        for p, lines in self.system.places.items()
                    }
            open_variants = open_variants[(accepted[open_variants] < NEEDED) & ~(worst[open_variants] > MOVED)]
        return [
            _conclude(int(accepted[i]), float(worst[i]), int(tried[i]), reasons[i], examples[i]) for i in range(count)
        ]

    def _true_figure(self, i: int, figure: dict[str, tuple[float, ...]]) -> str:
        """Why the true figure is not admissible, or nothing."""
        env: dict[str, Any] = {**figure, **_parameters(self.numbers[:, i]), "#size": float(self.sizes[i])}
        total = Constraint()
        try:
            for c in self.system.direct:
                total = total + constrain(c, env, FLOAT)
            value = evaluate(self.query, env, FLOAT)
        except (ArithmeticError, ValueError, TypeError) as error:
            return f"the true figure cannot be computed: {error}"
        if any(not abs(k) < 1e-8 for k in total.equalities):
            return "the true figure does not meet the conditions"
        if any(not k > MARGIN - 1e-9 for k in total.margins):
            return "the true figure meets an inequality too narrowly"
        if not abs(value - self.gold[i]) <= 1e-8 * max(abs(self.gold[i]), 1e-9):
            return "the true figure gives another answer"
        places = np.array([_pad(figure[p]) for p in self.system.points])
        if len(places) > 1 and _nearest(places) < APART * self.sizes[i]:
            return "two points of the true figure are too near one another"
        return ""

    # -- starts

    def _begin(self, variants: Any, starts: int, turn: int) -> _Lanes:
        """Starts of the size of the figure; those of a variant depend on nothing but its numbers."""
        system = self.system
        lane_variant = np.repeat(variants, starts)
        size = self.sizes[lane_variant]
        spread = (0.5, 0.3, 0.8)[turn % 3]
        columns, signs = [], []
        for v in variants.tolist():
            rng = np.random.default_rng([*self.seeds[v], turn])
            signs.append(rng.choice([-1.0, 1.0], (system.choices, starts)))
            x = rng.normal(0.0, spread, (len(system.kinds), starts))
            for row, kind in enumerate(system.kinds):
                if kind in ALONG:
                    low, high = ALONG[kind]
                    wide = 0.0 if kind == "on_segment" else (0.0, 1.0, 4.0)[turn % 3]
                    x[row] = rng.uniform(low - wide * (kind == "on_line"), high + wide, starts)
            columns.append(x)
        parameters = np.concatenate([self.numbers[:, lane_variant], size[None], np.concatenate(signs, axis=1)])
        x = np.concatenate(columns, axis=1)
        centre, axis = self._centre(parameters), 0
        for row, kind in enumerate(system.kinds):
            if kind == "coordinate":
                x[row] += centre[axis % len(centre)] / size
                axis += 1
        return _Lanes(x, parameters, lane_variant, size)

    def _centre(self, parameters: Array) -> list[Any]:
        """The middle of the points that the text itself places."""
        tape = self.system.tape
        placed = [lines for lines in self.system.places.values() if not any(tape.moving[k] for k in lines)]
        dimension = len(next(iter(self.system.places.values())))
        if not placed:
            return [0.0] * dimension
        with np.errstate(all="ignore"):
            settled = tape.settle(parameters)
        return [sum(settled[lines[d]] for lines in placed) / len(placed) for d in range(dimension)]

    # -- Levenberg and Marquardt

    def _solve(self, lanes: _Lanes, steps: int = 80, polish: bool = False) -> None:
        """Improve all lanes until their residuals vanish, stall or `steps` are over."""
        tape = self.system.tape
        if not self.system.kinds:
            return
        with np.errstate(all="ignore"):
            alive = np.arange(lanes.variant.size)
            x, scale = lanes.x.copy(), lanes.scale
            settled = tape.settle(lanes.parameters)
            values = tape.run(x, settled)
            r = self._residuals(values, scale)
            cost = np.einsum("mb,mb->b", r, r)
            damping = np.full(alive.size, 1e-9 if polish else 1e-2)
            reference = cost.copy()
            for step in range(1, steps + 1):
                move = _step(self._jacobian(values, r, scale), r, damping)
                trial = x + move
                trial_values = tape.run(trial, settled)
                trial_r = self._residuals(trial_values, scale)
                trial_cost = np.einsum("mb,mb->b", trial_r, trial_r)
                better = trial_cost < cost
                damping = np.clip(np.where(better, damping * 0.15, damping * 6.0), 1e-13, 1e9)
                x = np.where(better, trial, x)
                cost = np.where(better, trial_cost, cost)
                done = (cost < (1e-30 if polish else 1e-25)) | ~np.isfinite(cost) | (damping >= 1e9)
                if step % 6 == 0:
                    done |= (cost > 1e-12) & (cost > 0.6 * reference)
                    reference = cost.copy()
                finished = step == steps or bool(done.all())
                if finished or done.mean() > 0.2:
                    lanes.x[:, alive] = x
                    if finished:
                        return
                    keep = ~done
                    alive, x, cost, damping, reference = (
                        alive[keep],
                        x[:, keep],
                        cost[keep],
                        damping[keep],
                        reference[keep],
                    )
                    scale = scale[keep]
                    settled = tape.settle(lanes.parameters[:, alive])
                elif better.all():
                    values, r = trial_values, trial_r
                    continue
                values = tape.run(x, settled)
                r = self._residuals(values, scale)

    def _places(self, values: list[Any], lanes: int) -> list[Array]:
        """The points' coordinates: for each axis one row a point."""
        places = list(self.system.places.values())
        axes = [np.empty((len(places), lanes)) for _ in places[0]]
        for row, lines in enumerate(places):
            for axis, k in zip(axes, lines, strict=True):
                axis[row] = values[k]
        return axes

    def _gaps(self, values: list[Any], scale: Array) -> tuple[list[Array], Array]:
        first, second = self.pairs
        steps = [(c[first] - c[second]) / scale for c in self._places(values, scale.size)]
        return steps, np.sqrt(sum(s * s for s in steps))

    def _residuals(self, values: list[Any], scale: Array) -> Array:
        """Equalities, unmet inequalities, and points that come too near one another."""
        equal, unequal = self.system.equalities, self.system.margins
        r = np.empty((len(equal) + len(unequal) + len(self.pairs[0]), scale.size))
        for row, k in enumerate(equal):
            r[row] = values[k]
        for row, k in enumerate(unequal, len(equal)):
            r[row] = values[k]
        mine = r[len(equal) : len(equal) + len(unequal)]
        np.minimum(mine - MARGIN, 0.0, out=mine)
        _, gap = self._gaps(values, scale)
        np.minimum(gap - 1.1 * APART, 0.0, out=r[len(equal) + len(unequal) :])
        return r

    def _jacobian(self, values: list[Any], r: Array, scale: Array) -> Array:
        """The derivatives of the residuals: (rows, unknowns, lanes)."""
        system = self.system
        equal, unequal = len(system.equalities), len(system.margins)
        d = system.tape.derive(values)
        j = np.zeros((r.shape[0], len(system.kinds), r.shape[1]))
        for row, k in enumerate(system.equalities):
            if d[k] is not None:
                j[row] = d[k]
        for row, k in enumerate(system.margins, equal):
            if d[k] is not None and r[row].any():
                j[row] = d[k] * (r[row] < 0)
        close = np.flatnonzero(r[equal + unequal :].any(axis=1))
        if close.size:
            steps, gap = self._gaps(values, scale)
            lines = list(system.places.values())
            for p in close.tolist():
                row = equal + unequal + p
                weight = (r[row] < 0) / np.maximum(gap[p], 1e-9) / scale
                for axis, s in enumerate(steps):
                    a, b = d[lines[self.pairs[0][p]][axis]], d[lines[self.pairs[1][p]][axis]]
                    if a is not None:
                        j[row] += a * (s[p] * weight)
                    if b is not None:
                        j[row] -= b * (s[p] * weight)
        return j

    # -- judging what was found

    def _accept(self, lanes: _Lanes) -> tuple[Any, list[Any]]:
        """Which lanes hold a figure that meets every condition; the values of all lines."""
        system, tape = self.system, self.system.tape
        count = lanes.variant.size
        with np.errstate(all="ignore"):
            values = tape.run(lanes.x, tape.settle(lanes.parameters))
            good = np.ones(count, bool)
            for k in system.equalities:
                good &= np.abs(values[k]) < TOLERANCE
            for k in system.margins:
                good &= values[k] > MARGIN - 1e-6
            if len(self.pairs[0]):
                places = self._places(values, count)
                size = np.sqrt(sum((c.max(axis=0) - c.min(axis=0)) ** 2 for c in places))
                good &= (self._gaps(values, lanes.scale)[1] * lanes.scale >= APART * 0.99 * size).all(axis=0)
                good &= np.isfinite(size)
        return good, values

    def _deviation(self, lanes: _Lanes, values: list[Any], good: Any) -> Array:
        """How far the asked quantity is from the answer, relatively, in the accepted lanes."""
        gold = self.gold[lanes.variant]
        found = gold.copy()
        if self.system.asked is not None:
            found = np.broadcast_to(values[self.system.asked], gold.shape)
        else:
            for lane in np.flatnonzero(good):
                env: dict[str, Any] = {
                    p: tuple(float(np.broadcast_to(values[k], gold.shape)[lane]) for k in lines)
                    for p, lines in self.system.places.items()
                }
                env.update(_parameters(lanes.parameters[: len(self.numbers), lane]))
                found[lane] = evaluate(self.query, env, FLOAT)
        with np.errstate(all="ignore"):
            off = np.abs(found - gold) / np.maximum(np.abs(gold), 1e-9)
        return np.where(good, np.where(np.isfinite(off), off, np.inf), 0.0)


def _step(j: Array, r: Array, damping: Array) -> Array:
    """The damped Gauss-Newton step of every lane: solve (J'J + k I) s = -J'r by Cholesky."""
    jt = np.ascontiguousarray(j.transpose(2, 1, 0))
    a = np.ascontiguousarray((jt @ jt.transpose(0, 2, 1)).transpose(1, 2, 0))
    b = -(jt @ np.ascontiguousarray(r.T)[:, :, None])[:, :, 0].T
    n = a.shape[0]
    trace = np.einsum("iib->b", a) / n
    shift = damping * trace + 1e-300
    for i in range(n):
        a[i, i] += shift
    least = 1e-15 * trace + 1e-300
    b = np.ascontiguousarray(b)
    for k in range(n):
        root = 1.0 / np.sqrt(np.maximum(a[k, k], least))
        a[k:, k] *= root
        a[k, k] = root  # the inverse of the diagonal
        b[k] *= root
        if k + 1 < n:
            column = a[k + 1 :, k]
            for i in range(k + 1, n):
                a[i:, i] -= column[i - k - 1 :] * column[i - k - 1]
            b[k + 1 :] -= column * b[k]
    for k in range(n - 1, -1, -1):
        b[k] *= a[k, k]
        if k:
            b[:k] -= a[k, :k] * b[k]
    return b


def _conclude(
    accepted: int, worst: float, tried: int, reason: str, example: dict[str, tuple[float, ...]]
) -> UniquenessResult:
    if reason:
        return UniquenessResult("vacuous", accepted, worst, tried, reason, example)
    if worst > MOVED:
        return UniquenessResult("moved", accepted, worst, tried, "another figure gives another answer", example)
    if accepted < NEEDED:
        return UniquenessResult("vacuous", accepted, worst, tried, "too few figures meet the conditions", example)
    return UniquenessResult("unique", accepted, worst, tried, "", example)


def _parameters(numbers: Array) -> dict[str, float]:
    return {f"#{k}": float(value) for k, value in enumerate(numbers)}


def _pad(p: Sequence[float]) -> tuple[float, ...]:
    return (*p, 0.0)[:3] if len(p) == 2 else tuple(p)


def _size(points: Sequence[Sequence[float]]) -> float:
    """The diagonal of the box round the points."""
    c = np.array([_pad(p) for p in points])
    return float(np.linalg.norm(c.max(axis=0) - c.min(axis=0))) or 1.0


def _nearest(places: Array) -> float:
    i, j = np.triu_indices(len(places), 1)
    return float(np.linalg.norm(places[i] - places[j], axis=1).min())
