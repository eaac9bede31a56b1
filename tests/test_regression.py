"""Regressions: published examples, brute force, and every edge where nothing may be printed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels
from simulated_panel import problems_table
from statsmodels.datasets import spector
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.discrete.discrete_model import Logit
from synthetic_scores import frame, irt_cells, panel_frame

from geoutils import feature_tables, per_model, regression, regression_wording
from geoutils.errors import UserError
from geoutils.stats import logit, mixed

CHECKS = json.loads((Path(__file__).parent / "data" / "reference_checks.json").read_text(encoding="utf-8"))
REFERENCE = {c["id"]: c for c in (CHECKS["checks"] if isinstance(CHECKS, dict) else CHECKS)}


def expected(name: str) -> tuple[np.ndarray, float]:
    return np.array(REFERENCE[name]["expected"], dtype=float), REFERENCE[name]["tolerance"]


# --- published examples ----------------------------------------------------------------------------


def test_average_marginal_effects_are_statas() -> None:
    data = spector.load_pandas()
    x = np.column_stack([data.exog.to_numpy(float), np.ones(32)])
    fit = logit.fit_logit(x, data.endog.to_numpy(float), np.arange(32), ["GPA", "TUCE", "PSI", "const"])
    found = logit.slopes(fit, ["GPA", "TUCE", "PSI"], covariance=fit.model_covariance)
    want, tolerance = expected("ame_spector_stata")
    values = [*(e.value for e in found.values()), *(e.se for e in found.values())]
    np.testing.assert_allclose(values, want, atol=tolerance)


def test_clustered_errors_are_petersens() -> None:
    path = Path(statsmodels.__file__).parent / "stats" / "tests" / "test_data.txt"
    if not path.is_file():
        pytest.skip("statsmodels came without Petersen's data")
    data = np.genfromtxt(path)  # firm, year, x, y
    firm = np.unique(data[:, 0], return_inverse=True)[1]
    x = np.column_stack([np.ones(len(data)), data[:, 2]])
    bread = np.linalg.inv(x.T @ x)
    residual = data[:, 3] - x @ (bread @ x.T @ data[:, 3])
    covariance = logit.cluster_covariance(bread, x * residual[:, None], firm)
    want, tolerance = expected("cluster_se_petersen")
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), want[:2], atol=tolerance)
    white = bread @ (x * residual[:, None] ** 2).T @ x @ bread
    np.testing.assert_allclose(np.sqrt(np.diag(white)), want[2:], atol=tolerance)


def test_random_intercept_is_lme4s() -> None:
    check = REFERENCE["glmm_cbpp_lme4"]
    rows = np.array(check["input"]["rows_herd_incidence_size_period"], dtype=float)
    x = np.column_stack([np.ones(len(rows)), *(rows[:, 3] == period for period in (2, 3, 4))]).astype(float)
    fit = mixed.random_intercept(rows[:, 1], rows[:, 2], x, rows[:, 0].astype(int) - 1, nodes=61)
    np.testing.assert_allclose([*fit.params, fit.sd], check["expected"], atol=check["tolerance"])


def test_firth_is_logistfs() -> None:
    check = REFERENCE["firth_logistf_separation"]
    x, y = np.array(check["input"]["X"]), np.array(check["input"]["y"])
    names = ["separator", "x1", "x2", "x3"]
    found = logit.firth(x, y, names, names)
    want, tolerance = expected("firth_logistf_separation")
    got = [*(f.value for f in found), found[0].low, found[0].high, found[0].p]
    np.testing.assert_allclose(got, want[1:], atol=tolerance)


def test_firth_adds_half_to_each_cell() -> None:
    given = REFERENCE["firth_saturated"]["input"]
    x = np.repeat([1.0, 1.0, 0.0, 0.0], [given["n11"], given["n10"], given["n01"], given["n00"]])[:, None]
    y = np.repeat([1, 0, 1, 0], [given["n11"], given["n10"], given["n01"], given["n00"]])
    want, tolerance = expected("firth_saturated")
    assert logit.firth(x, y, ["x"], ["x"])[0].value == pytest.approx(want[1], abs=10 * tolerance)


def test_conditional_odds_ratio_is_the_published_one() -> None:
    (_, b), (c, _) = REFERENCE["mcnemar_or_wald_ezra"]["input"]["table"]
    cells = np.array([[0, 1]] * b + [[1, 0]] * c + [[1, 1]] * 7 + [[0, 0]] * 68)
    found = mixed.conditional_logit(cells)
    beta, se = found.params[0], found.se[0]
    want, tolerance = expected("mcnemar_or_wald_ezra")
    np.testing.assert_allclose(np.exp([beta, beta - 1.959964 * se, beta + 1.959964 * se]), want, atol=tolerance)
    assert se == pytest.approx(np.sqrt(1 / b + 1 / c), abs=1e-8)
    assert (found.informative, found.dropped) == (b + c, 75)


# --- against the library and by brute force ---------------------------------------------------------


def design(n: int = 90, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    cells = irt_cells(rng, n, (0, 0.2, -0.7))
    x = np.column_stack([np.ones(3 * n), np.tile(np.eye(3)[:, 1:], (n, 1)), np.repeat(rng.normal(size=n), 3)])
    return x, cells.ravel().astype(float), np.repeat(np.arange(n), 3)


def test_the_fit_is_statsmodels() -> None:
    x, y, problem = design()
    ours = logit.fit_logit(x, y, problem, ["a", "e", "v", "z"])
    theirs = Logit(y, x).fit(disp=0, cov_type="cluster", cov_kwds={"groups": problem}, use_t=True)
    np.testing.assert_allclose(ours.params, theirs.params, atol=1e-7)
    np.testing.assert_allclose(np.sqrt(np.diag(ours.covariance)), theirs.bse, rtol=1e-6)
    assert ours.log_likelihood == pytest.approx(theirs.llf)


def test_unadjusted_marginal_effect_is_the_difference_of_accuracies() -> None:
    """Saturated in the representation: g-computation gives the raw difference, the error the clustered one of a mean."""
    x, y, problem = design()
    fit = logit.fit_logit(x[:, :3], y, problem, ["a", "e", "v"])
    means, derivatives = logit.standardised(fit, logit.settings(fit, [[], ["e"], ["v"]]))
    cells = y.reshape(-1, 3)
    np.testing.assert_allclose(means, cells.mean(axis=0), atol=1e-9)
    effect = logit.contrast(fit, means, derivatives, 2, 0)
    d = cells[:, 2] - cells[:, 0]
    n, k = len(y), 3
    correction = np.sqrt((n - 1) / (n - k))
    assert effect.se == pytest.approx(d.std(ddof=1) / np.sqrt(len(d)) * correction, rel=1e-6)


def test_delta_method_agrees_with_numeric_derivatives() -> None:
    x, y, problem = design()
    fit = logit.fit_logit(x, y, problem, ["a", "e", "v", "z"])
    designs = logit.settings(fit, [[], ["v"]])
    _, derivatives = logit.standardised(fit, designs)
    for j in range(4):
        moved = fit.params + 1e-6 * np.eye(4)[j]
        up = 1 / (1 + np.exp(-designs[1] @ moved))
        down = 1 / (1 + np.exp(-designs[1] @ (fit.params - 1e-6 * np.eye(4)[j])))
        assert derivatives[1][j] == pytest.approx((up.mean() - down.mean()) / 2e-6, abs=1e-7)


def test_bootstrap_refits_what_a_loop_refits() -> None:
    x, y, problem = design(40)
    x = x[:, :3]
    fit = logit.fit_logit(x, y, problem, ["a", "e", "v"])
    designs = logit.settings(fit, [[], ["e"], ["v"]])
    draws = np.random.default_rng(1).multinomial(40, np.full(40, 1 / 40), size=25).astype(float)
    found = logit.bootstrap_contrasts(fit, y, problem, designs, draws)
    cells = y.reshape(-1, 3)
    np.testing.assert_allclose(found, draws @ cells / 40, atol=1e-6)


def test_conditional_logit_is_statsmodels() -> None:
    cells = irt_cells(np.random.default_rng(4), 150, (0, 0.3, -0.8))
    ours = mixed.conditional_logit(cells)
    right = cells.sum(axis=1)
    kept = cells[(right > 0) & (right < 3)]
    x = np.tile(np.eye(3)[:, 1:], (len(kept), 1))
    theirs = ConditionalLogit(kept.ravel(), x, groups=np.repeat(np.arange(len(kept)), 3)).fit(disp=0)
    np.testing.assert_allclose(ours.params, theirs.params, atol=1e-4)
    np.testing.assert_allclose(ours.se, theirs.bse, atol=1e-3)
    assert ours.informative == len(kept)


@pytest.mark.parametrize(
    "cells",
    [
        [[1, 0, 0]] * 5 + [[1, 1, 0]] * 4,  # the first is always the better
        [[1, 1, 0]] * 5 + [[1, 0, 0], [0, 1, 0]],  # the third is never the better
        [[1, 1, 1]] * 5,
    ],
)
def test_conditional_logit_without_a_maximum_is_refused(cells: list[list[int]]) -> None:
    with pytest.raises(logit.NotEstimable):
        mixed.conditional_logit(np.array(cells))


def test_random_intercept_recovers_its_truth() -> None:
    """(0.8, 0, -0.8) and SD 1.5 with 158 problems, 60 simulations (the benchmark does 300)."""
    rng = np.random.default_rng(11)
    found = [mixed.pattern_intercept(irt_cells(rng, 158, (0.0, -0.8, -1.6), ability=0.8)) for _ in range(60)]
    params, sd = np.array([f.params for f in found]), np.array([f.sd for f in found])
    np.testing.assert_allclose(params.mean(axis=0), [0.8, -0.8, -1.6], atol=0.13)
    assert sd.mean() == pytest.approx(1.5, abs=0.12)
    covered = [abs(f.params[1] + 0.8) < 1.96 * f.se[1] for f in found]
    assert np.mean(covered) > 0.85


def test_random_intercept_at_the_edge() -> None:
    """Independent cells: the standard deviation goes to zero and the errors stay finite."""
    cells = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 20)
    fit = mixed.pattern_intercept(cells)
    assert fit.sd < 0.1
    np.testing.assert_allclose(fit.params, 0, atol=1e-4)
    assert np.isfinite(fit.se).all()


def test_joint_test_keeps_its_level() -> None:
    """Model x representation with 6 models and 60 problems: a plain chi-square would reject far too often."""
    rng = np.random.default_rng(5)
    rejected = 0
    for _ in range(120):
        difficulty = rng.normal(0, 1, 60)
        cells = np.hstack([irt_cells(rng, 60, difficulty=difficulty) for _ in range(6)])  # 60 x 18
        y, problem = cells.ravel().astype(float), np.repeat(np.arange(60), 18)
        rep, model = np.tile(np.arange(18) % 3, 60), np.tile(np.arange(18) // 3, 60)
        columns = {"a": np.ones(len(y)), "e": rep == 1, "v": rep == 2, **{f"m{m}": model == m for m in range(1, 6)}}
        crossed = {f"m{m}r{r}": (model == m) & (rep == r) for m in range(1, 6) for r in (1, 2)}
        columns |= crossed
        fit = logit.fit_logit(np.column_stack(list(columns.values())).astype(float), y, problem, list(columns))
        rejected += logit.wald(fit, list(crossed)).p <= 0.05
    assert rejected <= 14  # 5 % of 120 is 6; the 99.9 % point of the binomial is 14


# --- the analysis ------------------------------------------------------------------------------------


def scored(n: int = 160, **options: object) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores of three models, and statements for their problems."""
    models = {"lab/a": -0.5, "lab/b": 0.3, "lab/c": 1.0}
    scores = panel_frame(models=models, n=n, effects=(0, 0, -0.9), seed=2, **options)  # type: ignore[arg-type]
    problems = problems_table(n)
    problems["statement"] += [
        " It is so." * (i % 5 % 3) for i in range(len(problems))
    ]  # lengths differ within problems too
    names = dict(zip(dict.fromkeys(problems["problem"]), scores.drop_duplicates("problem")["problem"], strict=True))
    return scores, problems.assign(problem=problems["problem"].map(names))


def test_total_and_direct_effects_with_their_errors() -> None:
    scores, problems = scored()
    merged = feature_tables.merge_features(scores, problems)
    result = regression.analyse(merged, draws=400)
    total = result.margins[
        (result.margins["step"] == "total") & (result.margins["effect"] == "vector instead of coord")
    ].iloc[0]
    assert total["ame"] < -0.08
    assert total["p"] < 0.001
    assert total["bootstrap_se"] == pytest.approx(total["std_error"], rel=0.15)
    assert total["n"] == 3 * 480 and total["problems"] == 160 and total["df"] == 159
    logit_v, gee_v = (
        result.coefficients[(result.coefficients["term"] == "vector") & (result.coefficients["step"] == "total")]
        .set_index("estimator")["coefficient"]
        .loc[["logit, clustered by problem", "GEE, exchangeable by problem"]]
    )
    assert gee_v == pytest.approx(logit_v, rel=0.1)
    direct = result.margins[result.margins["step"] == "direct"]
    assert "tokens within problem (per SD)" in set(direct["effect"])
    assert not result.margins.duplicated(["kind", "strategy", "step", "effect"]).any()
    text = regression_wording.margins_text(result)
    assert "vector instead of coord" in text and "clustered by problem" in text
    sentence = regression_wording.total_effect(result.margins, result.tests)
    assert "vector instead of coord -" in sentence


def test_long_texts_of_hard_problems_do_not_distort_the_direct_effect() -> None:
    """Difficulty goes with length across problems, vectors are longer, and length itself does nothing."""
    rng = np.random.default_rng(9)
    n = 160
    length = rng.integers(5, 40, n)
    difficulty = (length - 22) / 6.0 + rng.normal(0, 0.5, n)
    scores = pd.concat(
        [frame(irt_cells(rng, n, (0, 0, -0.6), difficulty=difficulty), model=f"lab/{i}") for i in range(6)]
    )
    order = list(dict.fromkeys(scores["problem"]))
    extra = {"coord": 0, "euclid": 0, "vector": 8}
    problems = pd.DataFrame(
        [
            {
                "problem": p,
                "representation": r,
                "statement": " ".join(["side"] * int(k + extra[r] + rng.integers(0, 9))),
            }
            for p, k in zip(order, length, strict=True)
            for r in extra
        ]
    )
    margins = regression.analyse(feature_tables.merge_features(scores, problems), draws=0).margins.set_index(
        ["step", "effect"]
    )
    total, direct = (margins.loc[(step, "vector instead of coord")] for step in ("total", "direct"))
    assert total["ame"] < -0.05 and total["p"] < 0.001
    assert abs(direct["ame"] - total["ame"]) < 2.5 * direct["std_error"]
    assert direct["ame"] < 0
    assert margins.loc[("direct", "tokens problem mean (per SD)"), "p"] < 0.001
    assert abs(margins.loc[("direct", "tokens within problem (per SD)"), "t"]) < 2.6


def test_no_effect_is_said_in_plain_words() -> None:
    scores = panel_frame(models={"lab/a": 0.0}, n=160, seed=8, unread=0)
    _, problems = scored()
    result = regression.analyse(feature_tables.merge_features(scores, problems), draws=0)
    assert "no total effect of the representation is shown" in regression_wording.total_effect(
        result.margins, result.tests
    )
    assert "could not be tested" in regression_wording.interaction(result.tests)  # one model: no interaction


def test_separated_models_are_taken_out_and_told() -> None:
    scores, problems = scored()
    perfect = scores[scores["model"] == "lab/a"].assign(
        model="lab/perfect", correct=1, verdict="correct", predicted="0"
    )
    merged = feature_tables.merge_features(pd.concat([scores, perfect]), problems)
    group = regression.analyse(merged, draws=0).groups[0]
    assert any(
        line.startswith("model lab/perfect: 480 of 480 cells are correct") and "taken out" in line
        for line in group.lines
    )
    assert not any("lab/perfect" in c["term"] for c in group.coefficients)
    assert max(abs(c["coefficient"]) for c in group.coefficients) < 15
    row = per_model.per_model(merged).set_index(["model", "representation"]).loc[("lab/perfect", "vector")]
    assert "all of 480 cells correct" in row["note"] and np.isnan(row["coef"]) and row["raw_difference"] == 0


def test_a_category_that_is_never_right_is_taken_out() -> None:
    scores, problems = scored()
    scores.loc[scores["category"] == "area", ["correct", "verdict"]] = [0, "wrong"]
    group = regression.analyse(feature_tables.merge_features(scores, problems), draws=0).groups[0]
    assert any(line.startswith("category area: 0 of 360 cells are correct") for line in group.lines)
    assert {c["problems"] for c in group.coefficients} == {120}


def test_a_representation_that_is_never_right_gets_firth() -> None:
    scores, problems = scored()
    scores.loc[scores["representation"] == "vector", ["correct", "verdict"]] = [0, "wrong"]
    merged = feature_tables.merge_features(scores, problems)
    result = regression.analyse(merged, draws=0)
    assert result.margins.empty and result.coefficients.empty
    assert any("vector (never correct)" in note for note in result.notes["note"])
    assert regression_wording.total_effect(result.margins, result.tests).startswith("No regression could be fitted")
    table = per_model.per_model(merged).set_index(["model", "representation"])
    row = table.loc[("lab/b", "vector")]
    assert row["method"].startswith("Firth") and row["high"] < 0 and row["p"] < 0.001 and abs(row["coef"]) < 15


@pytest.mark.parametrize(("n", "said"), [(9, "too few for tests"), (20, "need at least 30")])
def test_too_few_problems_are_refused_with_a_reason(n: int, said: str) -> None:
    scores, problems = scored(n)
    merged = feature_tables.merge_features(scores, problems)
    result = regression.analyse(merged)
    assert result.coefficients.empty and result.margins.empty
    assert said in " ".join(result.notes["note"])
    assert f"{n} problems" in " ".join(result.notes["note"])
    table = per_model.per_model(merged)
    assert table["p"].isna().all() and table["note"].str.len().gt(0).all()
    assert "no regression" in regression_wording.summary_text(result)


def test_a_missing_representation_is_named_and_nothing_crashes() -> None:
    scores, problems = scored()
    part = scores[scores["representation"] != "vector"]
    result = regression.analyse(feature_tables.merge_features(part, problems), draws=0)
    assert any("no answers in vector" in note for note in result.notes["note"])
    assert set(result.margins[result.margins["step"] == "total"]["effect"]) == {"euclid instead of coord"}
    alone = scores[scores["representation"] == "coord"]
    result = regression.analyse(feature_tables.merge_features(alone, problems), draws=0)
    assert result.margins.empty and any("two representations" in note for note in result.notes["note"])
    assert per_model.per_model(feature_tables.merge_features(alone, problems)).empty


def test_collinear_features_are_left_out_and_told() -> None:
    scores, problems = scored()
    same = problems.assign(
        statement=problems["representation"].map({"coord": "a 1", "euclid": "a 1 2", "vector": "a 1 2 3"})
    )
    result = regression.analyse(feature_tables.merge_features(scores, same), draws=0)
    assert any(
        note.startswith("feature tokens: within problems it does not vary beyond") for note in result.notes["note"]
    )
    assert "step direct: no declared feature varies" in " ".join(result.notes["note"])


def test_kinds_and_strategies_are_never_pooled() -> None:
    scores, problems = scored(strategies=("direct", "convert"))
    others = [
        scores.assign(model=scores["model"].str.replace("lab/", prefix)) for prefix in ("baseline/", "simulated/")
    ]
    merged = feature_tables.merge_features(pd.concat([scores, *others]), problems)
    result = regression.analyse(merged, draws=0)
    assert [(g.kind, g.strategy) for g in result.groups] == [
        (k, s) for k in ("model", "SIMULATED", "BASELINE") for s in ("direct", "convert")
    ]
    joint = result.tests[result.tests["test"] == "representation (total)"]
    assert (joint["p_holm"] >= joint["p"]).all()


def test_missing_statements_and_duplicates_are_errors() -> None:
    scores, problems = scored(40)
    with pytest.raises(UserError, match="no statement of .* in vector .*run notebook 01_dataset"):
        feature_tables.merge_features(scores, problems[problems["representation"] != "vector"])
    with pytest.raises(UserError, match="is there twice"):
        feature_tables.merge_features(scores, pd.concat([problems, problems.head(1)]))
    with pytest.raises(UserError, match="repeats"):
        feature_tables.merge_features(pd.concat([scores, scores.head(1)]), problems)


def test_correlations_within_problems_do_not_mix_difficulty_with_length() -> None:
    """Hard problems have long texts and length does nothing: across problems it correlates, within them it does not."""
    rng = np.random.default_rng(3)
    length = rng.integers(2, 30, 150)
    cells = irt_cells(rng, 150, difficulty=(length - 15) / 6.0)
    scores = frame(cells)
    order = list(dict.fromkeys(scores["problem"]))
    problems = pd.DataFrame(
        {
            "problem": np.repeat(order, 3),
            "representation": ["coord", "euclid", "vector"] * 150,
            "statement": [" ".join(["side"] * int(k + rng.integers(0, 4))) for k in np.repeat(length, 3)],
        }
    )
    table = feature_tables.correlations(feature_tables.merge_features(scores, problems)).set_index("feature")
    assert table.loc["tokens", "accuracy"] < -0.4
    assert abs(table.loc["tokens", "within_problem"]) < 0.15
    assert np.isnan(table.loc["roots", "accuracy"])


def test_a_joint_test_without_variation_is_undefined_not_an_error() -> None:
    """Where every answer is alike in all representations, the clustered covariance of their effects is (nearly) zero."""
    names, tiny = ("const", "euclid", "vector"), np.diag([0.04, 1e-38, 0.0])
    fit = logit.Fit(names, np.array([-2.0, 1e-17, 0.0]), tiny, tiny, 40, 120, -30.0, np.ones((120, 3)))
    test = logit.wald(fit, ["euclid", "vector"])
    assert (test.df, test.df_error) == (2, 38)
    assert np.isnan([test.f, test.p]).all()


def test_figures_have_no_surface_text_and_are_left_out_with_their_number():
    from geoutils.feature_tables import merge_features
    from geoutils.regression_wording import cells

    scores = frame(np.ones((3, 4), dtype=int), representations=("coord", "euclid", "vector", "figure"))
    problems = scores[["problem", "representation", "variant"]].assign(statement="Find AB for A(0, 1) and B(2, 3).")
    merged = merge_features(scores, problems)
    assert set(merged["representation"]) == {"coord", "euclid", "vector"} and len(merged) == 9
    assert "3 cells of figures are left out" in cells(merged)
