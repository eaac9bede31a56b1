"""Does the representation, or only the look of the text, go with being right? Regressions of correctness.

Each kind of answerer (models, simulated models, baselines) and each strategy is a group with its own fits:

1. unadjusted: representation only;
2. total effect: representation, category and model;
3. direct effect: these and the declared surface features, each split into what differs within a problem and the
   problem's mean (Mundlak 1978): otherwise hard problems with long texts would pose as an effect of length and
   distort that of the representation.

A surface feature follows from the representation, so step 3 asks what is left when statements of different
representations happen to look alike; the effect of the representation is step 2. All fits are logits with the
covariance clustered by problem; p values and average effects come from one and the same fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from geoutils.features import DECLARED
from geoutils.panel import KNOWN
from geoutils.stats.logit import (
    Fit,
    NotEstimable,
    bootstrap_contrasts,
    contrast,
    estimate,
    fit_logit,
    rank,
    settings,
    slopes,
    standardised,
    wald,
)
from geoutils.stats.paired import holm
from geoutils.stats.proportions import FEW
from geoutils.stats.resampling import weights

FEWEST_CLUSTERS = 30
BOOTSTRAP = 1000
STEPS = ("unadjusted", "total", "direct")
STEP_WORDS = {
    "unadjusted": "representation only",
    "total": "adjusted for category and model (total effect)",
    "direct": "adjusted for category, model and surface features (direct effect)",
}
LABELS = ["kind", "strategy"]


@dataclass(frozen=True)
class Design:
    """Rows ready to fit: the design of all steps by column name, right/wrong, and problem codes."""

    columns: dict[str, np.ndarray]
    y: np.ndarray
    clusters: np.ndarray
    representations: tuple[str, ...]
    models: tuple[str, ...]
    features: tuple[str, ...]

    def matrix(self, names: Sequence[str]) -> np.ndarray:
        return np.column_stack([self.columns[name] for name in names])

    def names(self, step: str) -> list[str]:
        keep = ["intercept", *self.representations[1:]]
        if step != "unadjusted":
            keep += [c for c in self.columns if c.startswith(("category ", "model "))]
        return keep + list(self.features if step == "direct" else ())


@dataclass
class Group:
    """All fits of one kind and strategy; ``lines`` say what was taken out, refused, or could not be estimated."""

    kind: str
    strategy: str
    rows: int
    problems: int
    models: tuple[str, ...]
    lines: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    fits: dict[str, Fit] = field(default_factory=dict)
    coefficients: list[dict[str, Any]] = field(default_factory=list)
    margins: list[dict[str, Any]] = field(default_factory=list)
    tests: list[dict[str, Any]] = field(default_factory=list)

    @property
    def labels(self) -> dict[str, str]:
        return {"kind": self.kind, "strategy": self.strategy}


def _take_out(frame: pd.DataFrame, column: str, lines: list[str]) -> pd.DataFrame:
    """Without the levels of ``column`` that are all right or all wrong (their coefficient would be infinite)."""
    rate = frame.groupby(column, sort=False)["correct"].agg(["sum", "count"])
    for level, row in rate.iterrows():
        if row["sum"] in (0, row["count"]):
            lines.append(
                f"{column} {level}: {int(row['sum'])} of {int(row['count'])} cells are correct, so it has no finite "
                "coefficient and says nothing about representations: taken out of the fits"
            )
            frame = frame[frame[column] != level]
    return frame


def prepare(frame: pd.DataFrame, lines: list[str]) -> Design | None:
    """The design of one group after all-right and all-wrong models and categories were taken out; None if refused.

    Refused (with a line): fewer than 30 problems, one representation, a representation that is always or never
    right. ``frame`` has the columns of :func:`geoutils.feature_tables.merge_features`.
    """
    n = frame["problem"].nunique()
    if n < FEWEST_CLUSTERS:
        why = "too few for tests" if n < FEW else f"clustered standard errors need at least {FEWEST_CLUSTERS}"
        lines.append(f"{n} problems: {why}; no regression (counts and paired intervals are in 05_tabulation)")
        return None
    size = -1
    while size != len(frame):  # taking a category out may leave a model all wrong
        size = len(frame)
        for column in ("model", "category"):
            frame = _take_out(frame, column, lines)
    representations = tuple(r for r in KNOWN if r in set(frame["representation"]))
    if len(representations) < 2:
        lines.append("fewer than two representations with both right and wrong answers are left: no regression")
        return None
    rate = frame.groupby("representation")["correct"].mean()
    edge = [f"{r} ({'always' if rate[r] == 1 else 'never'} correct)" for r in representations if rate[r] in (0, 1)]
    if edge:
        lines.append(f"{', '.join(edge)}: its coefficient is infinite; no pooled logit, see Firth's fit and the counts")
        return None
    left = frame["problem"].nunique()
    if left < FEWEST_CLUSTERS:
        lines.append(f"{left} problems are left: no regression (at least {FEWEST_CLUSTERS} are needed)")
        return None
    columns: dict[str, np.ndarray] = {"intercept": np.ones(len(frame))}
    for r in representations[1:]:
        columns[r] = (frame["representation"] == r).to_numpy(dtype=float)
    for column in ("category", "model"):
        for level in sorted(frame[column].unique())[1:]:
            columns[f"{column} {level}"] = (frame[column] == level).to_numpy(dtype=float)
    features: list[str] = []
    for name in DECLARED:
        values = frame[name].astype(float)
        mean = values.groupby(frame["problem"]).transform("mean")
        spread = float(values.std(ddof=0)) or 1.0
        parts = {f"{name} within problem (per SD)": values - mean, f"{name} problem mean (per SD)": mean - mean.mean()}
        for term, part in parts.items():
            trial = columns | {term: (part / spread).to_numpy()}
            if part.std(ddof=0) > 1e-9 and rank(np.column_stack(list(trial.values()))) == len(trial):
                columns, features = trial, [*features, term]
            elif "within" in term:
                lines.append(
                    f"feature {name}: within problems it does not vary beyond the terms before it, so it is left out of step direct"
                )
    if missing := [r for r in KNOWN[:3] if r not in representations]:
        lines.append(f"no answers in {', '.join(missing)}")
    clusters = np.unique(frame["problem"].to_numpy(dtype=str), return_inverse=True)[1]
    return Design(columns, frame["correct"].to_numpy(dtype=float), clusters, representations,
                  tuple(sorted(frame["model"].unique())), tuple(features))  # fmt: skip


def _fit_step(group: Group, design: Design, step: str, draws: int) -> None:
    names = design.names(step)
    try:
        fit = fit_logit(design.matrix(names), design.y, design.clusters, names)
    except NotEstimable as error:
        group.lines.append(f"step {step}: {error}; no coefficient is printed")
        return
    group.fits[step] = fit
    for name in names:
        e = fit.term(name)
        group.coefficients.append(
            {**group.labels, "step": step, "estimator": "logit, clustered by problem", "term": name, "coefficient": e.value,
             "std_error": e.se, "low": e.low, "high": e.high, "t": e.t, "df": fit.df, "p": e.p, "n": fit.n, "problems": fit.clusters}
        )  # fmt: skip
    reps = design.representations
    designs = settings(fit, [[] if r == reps[0] else [r] for r in reps])
    means, derivatives = standardised(fit, designs)
    boot = None
    if step != "direct" and draws:
        w = weights(fit.clusters)[:draws] * fit.clusters
        boot = bootstrap_contrasts(fit, design.y, design.clusters, designs, w)
    for j, second in enumerate(reps):
        for i in range(j):
            e = contrast(fit, means, derivatives, j, i)
            se_boot = float((boot[:, j] - boot[:, i]).std(ddof=1)) if boot is not None else np.nan
            group.margins.append(
                _margin(
                    group, step, f"{second} instead of {reps[i]}", e, se_boot, fit, float(means[i]), float(means[j])
                )
            )
    shown = list(design.features) if step == "direct" else []
    for name, e in slopes(fit, shown).items():
        group.margins.append(_margin(group, step, name, e, np.nan, fit, np.nan, np.nan))


def _margin(
    group: Group, step: str, effect: str, e: Any, se_boot: float, fit: Fit, at_first: float, at_second: float
) -> dict[str, Any]:
    return {
        **group.labels, "step": step, "effect": effect, "ame": e.value, "std_error": e.se, "low": e.low, "high": e.high,
        "t": e.t, "df": fit.df, "p": e.p, "bootstrap_se": se_boot, "share_from": at_first, "share_to": at_second,
        "n": fit.n, "problems": fit.clusters,
    }  # fmt: skip


def _gee(group: Group, design: Design) -> None:
    """The same terms as step total by GEE with an exchangeable correlation within problems, as a check."""
    from statsmodels.genmod.cov_struct import Exchangeable
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_estimating_equations import GEE

    names = design.names("total")
    correlation = Exchangeable()
    model = GEE(design.y, design.matrix(names), groups=design.clusters, family=Binomial(), cov_struct=correlation)
    found = model.fit(maxiter=60)
    if not found.converged:
        group.lines.append("GEE did not converge: no check")
        return
    df = int(design.clusters.max())
    for name, value, se in zip(names, found.params, found.bse, strict=True):
        e = estimate(value, se, df=df)
        group.coefficients.append(
            {**group.labels, "step": "total", "estimator": "GEE, exchangeable by problem", "term": name, "coefficient": e.value,
             "std_error": e.se, "low": e.low, "high": e.high, "t": e.t, "df": df, "p": e.p, "n": len(design.y), "problems": df + 1}
        )  # fmt: skip
    group.facts.append(f"GEE: correlation of two cells of a problem {float(correlation.dep_params):.2f}")


def _interaction(group: Group, design: Design, frame: pd.DataFrame) -> None:
    """Joint Wald test of model x representation, on the models without an all-right or all-wrong representation."""
    rate = frame.groupby(["model", "representation"])["correct"].agg(["sum", "count"])
    edge = rate[(rate["sum"] == 0) | (rate["sum"] == rate["count"])]
    out = sorted({m for m, _ in edge.index} & set(design.models))
    kept = [m for m in design.models if m not in out]
    if out:
        group.lines.append(f"interaction: {', '.join(out)} left out (all or none correct in a representation)")
    if len(kept) < 2:
        group.lines.append(
            "interaction of model and representation: needs two models with both right and wrong answers"
        )
        return
    model = np.select([design.columns.get(f"model {m}", np.zeros(len(design.y))) == 1 for m in design.models[1:]],
                      list(range(1, len(design.models))), 0)  # fmt: skip
    use = np.isin(model, [design.models.index(m) for m in kept])
    columns = {n: design.columns[n][use] for n in design.names("total") if not n.startswith("model ")}
    crossed = []
    for m in kept[1:]:
        is_model = (model[use] == design.models.index(m)).astype(float)
        columns[f"model {m}"] = is_model
        for r in design.representations[1:]:
            crossed.append(f"{m} x {r}")
            columns[crossed[-1]] = is_model * columns[r]
    try:
        codes = np.unique(design.clusters[use], return_inverse=True)[1]
        fit = fit_logit(np.column_stack(list(columns.values())), design.y[use], codes, list(columns))
        test = wald(fit, crossed)
    except (NotEstimable, np.linalg.LinAlgError) as error:
        group.lines.append(f"interaction of model and representation: {error}")
        return
    group.tests.append(
        {**group.labels, "test": "model x representation", "models": len(kept), "F": test.f, "df": test.df,
         "df_error": test.df_error, "p": test.p, "problems": fit.clusters,
         "note": "" if np.isfinite(test.f) else "more terms than problems: no test"}
    )  # fmt: skip


def fit_group(frame: pd.DataFrame, kind: str, strategy: str, *, draws: int = BOOTSTRAP) -> Group:
    """All pooled fits of one kind and strategy: three steps, GEE, the joint tests."""
    models = tuple(sorted(frame["model"].unique()))
    group = Group(kind, strategy, len(frame), frame["problem"].nunique(), models)
    design = prepare(frame, group.lines)
    if design is None:
        return group
    for step in STEPS:
        if step == "direct" and not design.features:
            group.lines.append("step direct: no declared feature varies")
            continue
        _fit_step(group, design, step, draws)
    for step, fit in group.fits.items():
        test = wald(fit, design.representations[1:])
        group.tests.append(
            {**group.labels, "test": f"representation ({step})", "models": len(design.models), "F": test.f, "df": test.df,
             "df_error": test.df_error, "p": test.p, "problems": fit.clusters, "note": ""}
        )  # fmt: skip
    if "total" in group.fits:
        _gee(group, design)
    if len(group.models) > 1:
        _interaction(group, design, frame)
    return group


def groups_of(merged: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Kind, strategy and rows of each group: models first, then simulated ones, then baselines."""
    for kind in ("model", "SIMULATED", "BASELINE"):
        part = merged[merged["kind"] == kind]
        for strategy in dict.fromkeys(part["strategy"]):
            yield kind, str(strategy), part[part["strategy"] == strategy]


@dataclass(frozen=True)
class Regression:
    """What notebook 07 shows: the groups, and their rows as tables."""

    groups: tuple[Group, ...]

    def _table(self, name: str, columns: Sequence[str]) -> pd.DataFrame:
        rows = [row for group in self.groups for row in getattr(group, name)]
        return pd.DataFrame(rows) if rows else pd.DataFrame(columns=list(columns))

    @property
    def coefficients(self) -> pd.DataFrame:
        """regression_table.csv: one row a term, step and estimator."""
        return self._table("coefficients", [*LABELS, "step", "estimator", "term", "coefficient", "std_error", "p", "n"])

    @property
    def margins(self) -> pd.DataFrame:
        """Average marginal effects, one row an effect and step."""
        return self._table("margins", [*LABELS, "step", "effect", "ame", "std_error", "low", "high", "p", "n"])

    @property
    def tests(self) -> pd.DataFrame:
        """Joint Wald tests, with p adjusted by Holm's method over the groups of a kind for each test."""
        table = self._table("tests", [*LABELS, "test", "models", "F", "df", "df_error", "p", "problems", "note"])
        if len(table):
            place = list(table.columns).index("p") + 1
            table.insert(place, "p_holm", np.nan)
            for _, part in table.groupby(["kind", "test"], sort=False):
                table.loc[part.index, "p_holm"] = holm(part["p"].to_numpy(dtype=float))
        return table

    @property
    def notes(self) -> pd.DataFrame:
        """What was taken out, refused or not estimable: kind, strategy, note."""
        rows = [{**g.labels, "note": line} for g in self.groups for line in dict.fromkeys(g.lines)]
        return pd.DataFrame(rows, columns=[*LABELS, "note"])


def analyse(merged: pd.DataFrame, *, draws: int = BOOTSTRAP) -> Regression:
    """All groups of a merged table. Models are never pooled with simulated ones or baselines."""
    return Regression(tuple(fit_group(rows, kind, strategy, draws=draws) for kind, strategy, rows in groups_of(merged)))
