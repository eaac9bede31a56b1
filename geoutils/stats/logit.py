"""Logistic regression for clustered right/wrong data, and effects on the scale of shares.

One fit gives everything: coefficients by maximum likelihood, a covariance that allows any dependence within a
cluster (CR1), Student's t with clusters - 1 degrees, and average effects by g-computation with the delta method
from the same covariance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.special import expit

LARGEST_COEFFICIENT = 15.0
LARGEST_ERROR = 100.0
FLAT = 1e-8


class NotEstimable(ValueError):
    """The data do not fix the coefficients: separation, or terms that say the same."""


class Estimate(NamedTuple):
    """A number with its standard error, limits and two-sided p."""

    value: float
    se: float
    low: float
    high: float
    t: float
    p: float


def estimate(value: float, se: float, *, df: float = np.inf, confidence: float = 0.95) -> Estimate:
    """Value, standard error, limits, t and p of Student's t with ``df`` degrees (normal when infinite)."""
    if not se > 0:
        return Estimate(float(value), float(se), np.nan, np.nan, np.nan, np.nan)
    half = float(stats.t.ppf(0.5 + confidence / 2, df)) * se
    t = value / se
    return Estimate(float(value), float(se), float(value - half), float(value + half), float(t),
                    float(2 * stats.t.sf(abs(t), df)))  # fmt: skip


@dataclass(frozen=True)
class Fit:
    """A logit fit: ``covariance`` is clustered (CR1), ``model_covariance`` is the inverse information."""

    names: tuple[str, ...]
    params: np.ndarray
    covariance: np.ndarray
    model_covariance: np.ndarray
    clusters: int
    n: int
    log_likelihood: float
    x: np.ndarray

    @property
    def df(self) -> int:
        """Degrees of freedom of t: clusters - 1."""
        return self.clusters - 1

    def term(self, name: str) -> Estimate:
        """The coefficient of a term with its clustered standard error."""
        i = self.names.index(name)
        return estimate(self.params[i], float(np.sqrt(self.covariance[i, i])), df=self.df)


def cluster_covariance(bread: np.ndarray, contributions: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """CR1: G/(G-1) (N-1)/(N-K) bread (sum over clusters of summed scores squared) bread.

    ``bread`` is the inverse of the information (for least squares of X'X), ``contributions`` the score of each
    row (for least squares residual times x), ``clusters`` whole-number codes 0..G-1.
    """
    n, k = contributions.shape
    g = int(clusters.max()) + 1
    if g < 2:
        raise NotEstimable("one cluster: no clustered covariance")
    sums = np.zeros((g, k))
    np.add.at(sums, clusters, contributions)
    return (g / (g - 1)) * ((n - 1) / (n - k)) * bread @ (sums.T @ sums) @ bread


def rank(x: np.ndarray) -> int:
    """Rank of a design, from its scaled cross products (columns of very different size are no matter)."""
    size = np.sqrt((x * x).sum(axis=0))
    x = x / np.where(size > 0, size, 1.0)
    return int(np.linalg.matrix_rank(x.T @ x, tol=1e-9, hermitian=True))


def maximise(x: np.ndarray, successes: np.ndarray, trials: np.ndarray, *, steps: int = 40) -> np.ndarray:
    """Maximum-likelihood coefficients of a binomial logit by Newton's method with step halving.

    Raises :class:`NotEstimable` when the terms are collinear or the likelihood has no maximum (separation).
    """
    beta = np.zeros(x.shape[1])
    if rank(x) < x.shape[1]:
        raise NotEstimable("some terms say the same as others together (collinear)")

    def value(b: np.ndarray) -> float:
        eta = x @ b
        return float(successes @ eta - trials @ np.logaddexp(0, eta))

    now = value(beta)
    for _ in range(steps):
        p = expit(x @ beta)
        score = x.T @ (successes - trials * p)
        information = (x * (trials * p * (1 - p))[:, None]).T @ x
        try:
            step = np.linalg.solve(information, score)
        except np.linalg.LinAlgError:
            raise NotEstimable("the likelihood has no maximum (separation)") from None
        for _ in range(30):
            after = value(beta + step)
            if after >= now - 1e-12:
                break
            step = step / 2
        beta, now = beta + step, after
        if not np.all(np.isfinite(beta)) or np.abs(beta).max() > 2 * LARGEST_COEFFICIENT:
            break
        if np.abs(step).max() < 1e-9:
            return beta
    raise NotEstimable("the likelihood has no maximum (separation)")


def fit_logit(x: np.ndarray, y: np.ndarray, clusters: np.ndarray, names: Sequence[str]) -> Fit:
    """Logit of 0/1 ``y`` on the columns of ``x`` with the covariance clustered by ``clusters`` (codes 0..G-1).

    Raises :class:`NotEstimable` instead of returning a coefficient beyond 15 or a standard error beyond 100.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    beta = maximise(x, y, np.ones_like(y))
    eta = x @ beta
    p = expit(eta)
    bread = np.linalg.inv((x * (p * (1 - p))[:, None]).T @ x)
    covariance = cluster_covariance(bread, x * (y - p)[:, None], clusters)
    errors = np.sqrt(np.diag(covariance))
    if (
        np.abs(beta).max() > LARGEST_COEFFICIENT
        or errors.max() > LARGEST_ERROR
        or np.sqrt(np.diag(bread)).max() > LARGEST_ERROR
    ):
        raise NotEstimable("the likelihood is all but flat (near separation)")
    ll = float(y @ eta - np.logaddexp(0, eta).sum())
    return Fit(tuple(names), beta, covariance, bread, int(clusters.max()) + 1, len(y), ll, x)


def slopes(fit: Fit, names: Sequence[str], *, covariance: np.ndarray | None = None) -> dict[str, Estimate]:
    """Average marginal effect of continuous terms: mean of p (1 - p) times the coefficient, delta method.

    With ``covariance`` given (for example ``fit.model_covariance``) the limits are normal instead of t.
    """
    v = fit.covariance if covariance is None else covariance
    p = expit(fit.x @ fit.params)
    w = p * (1 - p)
    mean_w, turn = float(w.mean()), (fit.x * (w * (1 - 2 * p))[:, None]).mean(axis=0)
    out = {}
    for name in names:
        i = fit.names.index(name)
        gradient = fit.params[i] * turn
        gradient[i] += mean_w
        se = float(np.sqrt(gradient @ v @ gradient))
        out[name] = estimate(fit.params[i] * mean_w, se, df=fit.df if covariance is None else np.inf)
    return out


def settings(fit: Fit, levels: Sequence[Sequence[str]]) -> list[np.ndarray]:
    """The design with everyone at each level: ``levels`` names the indicator columns that are 1 there.

    All columns named in any level are set to 0 first (the reference level names none).
    """
    moved = [fit.names.index(name) for name in dict.fromkeys(name for level in levels for name in level)]
    out = []
    for level in levels:
        x = fit.x.copy()
        x[:, moved] = 0.0
        x[:, [fit.names.index(name) for name in level]] = 1.0
        out.append(x)
    return out


def standardised(fit: Fit, designs: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Mean predicted share under each design (g-computation), and its derivative by the coefficients."""
    means, rows = [], []
    for x in designs:
        p = expit(x @ fit.params)
        means.append(p.mean())
        rows.append((x * (p * (1 - p))[:, None]).mean(axis=0))
    return np.array(means), np.array(rows)


def contrast(fit: Fit, means: np.ndarray, derivatives: np.ndarray, first: int, second: int) -> Estimate:
    """Mean share under design ``first`` minus under ``second``, delta method with the clustered covariance."""
    gradient = derivatives[first] - derivatives[second]
    se = float(np.sqrt(max(gradient @ fit.covariance @ gradient, 0.0)))
    return estimate(float(means[first] - means[second]), se, df=fit.df)


class Wald(NamedTuple):
    """A joint test of several coefficients."""

    f: float
    df: int
    df_error: int
    p: float


def wald(fit: Fit, names: Sequence[str]) -> Wald:
    """Joint cluster-robust Wald test, W (G - q) / (q (G - 1)) as F with q and G - q degrees (Hotelling).

    The covariance is estimated from G clusters, so chi-square or a plain F would reject too often when q is not
    small beside G. ``nan`` when q >= G, or when the covariance is singular: nothing varies that it could be measured by.
    """
    which = [fit.names.index(name) for name in names]
    q, g = len(which), fit.clusters
    if q == 0 or q >= g:
        return Wald(np.nan, q, g - q, np.nan)
    b, v = fit.params[which], fit.covariance[np.ix_(which, which)]
    if not np.linalg.eigvalsh(v).min() > 1e-12:  # no answer differs between the levels, or only within one cluster
        return Wald(np.nan, q, g - q, np.nan)
    f = float(b @ np.linalg.solve(v, b)) * (g - q) / (q * (g - 1))
    return Wald(f, q, g - q, float(stats.f.sf(f, q, g - q)))


def bootstrap_contrasts(
    fit: Fit, y: np.ndarray, clusters: np.ndarray, designs: Sequence[np.ndarray], draws: np.ndarray
) -> np.ndarray:
    """Mean shares under each design in resamples of the clusters: (draws, designs).

    ``draws`` holds how often each cluster is drawn (draws x clusters). Rows with the same covariates are
    collapsed, and all resamples are refitted together.
    """
    whole = np.hstack([fit.x, *designs])
    cells, index = np.unique(whole, axis=0, return_inverse=True)
    index = index.reshape(-1)
    k, m, g = fit.x.shape[1], cells.shape[0], fit.clusters
    trials, successes = np.zeros((g, m)), np.zeros((g, m))
    np.add.at(trials, (clusters, index), 1.0)
    np.add.at(successes, (clusters, index), y)
    n, s = draws @ trials, draws @ successes
    x = cells[:, :k]
    squares = (x[:, :, None] * x[:, None, :]).reshape(m, k * k)
    beta = np.tile(fit.params, (len(draws), 1))
    for _ in range(8):
        p = expit(beta @ x.T)
        score = (s - n * p) @ x
        information = ((n * p * (1 - p)) @ squares).reshape(-1, k, k) + FLAT * np.eye(k)
        step = np.linalg.solve(information, score[:, :, None])[:, :, 0]
        beta = np.clip(beta + np.clip(step, -3, 3), -2 * LARGEST_COEFFICIENT, 2 * LARGEST_COEFFICIENT)
    blocks = [cells[:, k * (j + 1) : k * (j + 2)] for j in range(len(designs))]
    return np.column_stack([(n * expit(beta @ b.T)).sum(axis=1) / n.sum(axis=1) for b in blocks])


class Firth(NamedTuple):
    """A coefficient by Firth's penalised likelihood with profile limits and likelihood-ratio p."""

    name: str
    value: float
    low: float
    high: float
    p: float


def firth(x: np.ndarray, y: np.ndarray, names: Sequence[str], wanted: Sequence[str]) -> list[Firth]:
    """Firth's logit (finite even under separation) for the terms ``wanted``; ``x`` without intercept.

    It treats rows as independent. For a contrast within problems that is shy, never bold.
    """
    from firthmodels import FirthLogisticRegression

    model = FirthLogisticRegression(backend="numpy", max_iter=200).fit(x, y)
    which = [list(names).index(name) for name in wanted]
    limits = model.conf_int(features=which, method="pl")
    model.lrt(features=which)
    return [
        Firth(name, float(model.coef_[i]), float(limits[i][0]), float(limits[i][1]), float(model.lrt_pvalues_[i]))
        for name, i in zip(wanted, which, strict=True)
    ]
