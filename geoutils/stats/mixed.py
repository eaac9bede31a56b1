"""Two looks inside one model: right/wrong compared within problems, and with a random intercept per problem.

Both work on the table problems x representations. Their coefficients are conditional on the problem: they are
larger than those of a population-averaged logit, and the two kinds must not be mixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import optimize
from scipy.special import expit, logsumexp

from geoutils.stats.logit import NotEstimable

NODES = 31


class Conditional(NamedTuple):
    """Conditional logit of columns 1.. against column 0; ``informative`` problems are neither all right nor all wrong."""

    params: np.ndarray
    se: np.ndarray
    informative: int
    dropped: int


def _reachable(beats: np.ndarray) -> bool:
    """Whether every column can be reached from every other along ``beats``: then the maximum is finite."""
    k = len(beats)
    reach = beats | np.eye(k, dtype=bool)
    for _ in range(k):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    return bool(reach.all())


def conditional_logit(cells: np.ndarray) -> Conditional:
    """Which column is right, given how many of a problem's columns are (Chamberlain 1980; two columns: log(b/c)).

    ``cells`` is problems x columns of 0/1. Problems that are all right or all wrong say nothing and are counted
    in ``dropped``. Raises :class:`NotEstimable` where a column (or a group of them) never wins or never loses.
    """
    y = np.asarray(cells, dtype=int)
    n, k = y.shape
    right = y.sum(axis=1)
    kept = y[(right > 0) & (right < k)]
    beats = np.array([[bool(((kept[:, i] == 1) & (kept[:, j] == 0)).any()) for j in range(k)] for i in range(k)])
    if not _reachable(beats):
        raise NotEstimable("among the problems that differ, one representation is always or never the better")
    groups = []
    for u in range(1, k):
        rows = kept[kept.sum(axis=1) == u]
        if len(rows):
            options = np.array([[int(j in chosen) for j in range(k)] for chosen in combinations(range(k), u)])
            groups.append((options[:, 1:], rows[:, 1:].sum(axis=0), len(rows)))
    beta = np.zeros(k - 1)
    for _ in range(60):
        score, information = np.zeros(k - 1), np.zeros((k - 1, k - 1))
        for options, seen, count in groups:
            p = np.exp(options @ beta - logsumexp(options @ beta))
            mean = p @ options
            score += seen - count * mean
            information += count * ((options * p[:, None]).T @ options - np.outer(mean, mean))
        step = np.clip(np.linalg.solve(information, score), -2, 2)
        beta = beta + step
        if np.abs(step).max() < 1e-10:
            break
    return Conditional(beta, np.sqrt(np.diag(np.linalg.inv(information))), len(kept), n - len(kept))


class RandomIntercept(NamedTuple):
    """Maximum likelihood with a normal intercept per group; ``sd`` is its standard deviation (logit scale)."""

    params: np.ndarray
    se: np.ndarray
    sd: float
    log_likelihood: float


def random_intercept(
    successes: np.ndarray,
    trials: np.ndarray,
    x: np.ndarray,
    groups: np.ndarray,
    *,
    times: np.ndarray | None = None,
    nodes: int = NODES,
) -> RandomIntercept:
    """Binomial logit with a random intercept, by Gauss-Hermite quadrature and BFGS.

    ``groups`` holds codes 0..G-1 of the rows, ``times`` how often each group occurs (so that equal ones can be
    collapsed). Raises :class:`NotEstimable` where the likelihood has no maximum.
    """
    z, w = np.polynomial.hermite_e.hermegauss(nodes)
    log_w = np.log(w) - 0.5 * np.log(2 * np.pi)
    count = int(groups.max()) + 1
    times = np.ones(count) if times is None else np.asarray(times, dtype=float)
    belongs = np.zeros((count, len(groups)))
    belongs[groups, np.arange(len(groups))] = 1.0
    total = times.sum()

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        eta = (x @ theta[:-1])[:, None] + theta[-1] * z
        each = belongs @ (successes[:, None] * eta - trials[:, None] * np.logaddexp(0, eta)) + log_w
        value = logsumexp(each, axis=1)
        posterior = np.exp(each - value[:, None]) * times[:, None]
        residual = (successes[:, None] - trials[:, None] * expit(eta)) * posterior[groups]
        slope = np.append(x.T @ residual.sum(axis=1), (residual @ z).sum())
        return -float(times @ value) / total, -slope / total

    start = np.append(np.zeros(x.shape[1]), 1.0)
    found = optimize.minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-7, "maxiter": 300})
    theta = found.x
    if not np.all(np.isfinite(theta)) or np.abs(theta).max() > 12 or np.abs(found.jac).max() > 1e-4:
        raise NotEstimable("the likelihood with a random intercept has no maximum in reach")
    size, step = len(theta), 1e-4
    hessian = np.array([(loss(theta + step * e)[1] - loss(theta - step * e)[1]) / (2 * step) for e in np.eye(size)])
    hessian = total * (hessian + hessian.T) / 2
    free = slice(0, size if abs(theta[-1]) > 0.05 else size - 1)  # at the edge (sd = 0) the sd is no free parameter
    variances = np.diag(np.linalg.inv(hessian[free, free]))[: size - 1]
    if (variances <= 0).any():
        raise NotEstimable("the likelihood with a random intercept is flat")
    return RandomIntercept(theta[:-1], np.sqrt(variances), abs(float(theta[-1])), -float(found.fun) * total)


def pattern_intercept(cells: np.ndarray, *, nodes: int = NODES) -> RandomIntercept:
    """:func:`random_intercept` of problems x columns: an intercept (column 0), then columns 1.. against it.

    Only the counts of the patterns matter, so it takes milliseconds. Raises :class:`NotEstimable` where a column
    is always or never right.
    """
    y = np.asarray(cells, dtype=int)
    share = y.mean(axis=0)
    if (share == 0).any() or (share == 1).any():
        raise NotEstimable("a representation is always or never right")
    seen, times = np.unique(y, axis=0, return_counts=True)
    m, k = seen.shape
    design: Sequence[np.ndarray] = [np.eye(k)] * m
    x = np.vstack(design)
    x[:, 0] = 1.0
    groups = np.repeat(np.arange(m), k)
    return random_intercept(seen.ravel().astype(float), np.ones(m * k), x, groups, times=times, nodes=nodes)
