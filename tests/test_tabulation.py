"""The tables of accuracy, invariance and effects: their columns, their edges and known faults that must not return."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from synthetic_scores import frame, irt_cells, panel_frame

from geoutils import comparisons, effects, flips, records, tabulation
from geoutils.panel import panels

TEN = [
    "model",
    "coord",
    "euclid",
    "vector",
    "best_performing_geometry",
    "accuracy_gap",
    "percent_diff",
    "Invariance@3",
    "Consistency@3",
    "Inconsistency_rate",
]
PAIRS = ["coord_euclid", "coord_vector", "euclid_vector"]


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    return panel_frame(models={"lab/a": 0.0, "lab/b": 1.0, "baseline/last-number": -2.0}, effects=(0, 0, -0.8))


def test_columns_of_the_seeds_files(scores):
    plain, cis, both = (
        f(scores) for f in (tabulation.summarise, tabulation.summarise_with_cis, tabulation.summarise_with_mcnemar)
    )
    for table in (plain, cis, both):
        assert list(table.columns[:10]) == TEN
    limits = [c for c in cis.columns if c.endswith(("_ci_low", "_ci_high"))]
    assert list(cis.columns[10 : 10 + len(limits)]) == limits and "vector_ci_low" in limits
    assert list(both.columns[: 10 + len(limits)]) == TEN + limits
    tail = list(both.columns[10 + len(limits) :])
    assert tail[:9] == [f"mc_p_{p}" for p in PAIRS] + [f"mcnemar_b_{p}" for p in PAIRS] + [
        f"mcnemar_c_{p}" for p in PAIRS
    ]
    assert tail[9] == "n_problems_evaluated" and "mc_midp_coord_euclid" in tail[10:]
    category = tabulation.invariance_by_category(scores)
    assert list(category.columns[:2]) == ["model", "category"] and list(category.columns[2:11]) == TEN[1:]
    assert len(category) == 12 and (category["n_problems_evaluated"] == 40).all()
    assert not any("mc_p" in c for c in category.columns)  # intervals only


def test_summary_by_hand():
    cells = np.array([[1, 1, 1]] * 6 + [[1, 1, 0]] * 3 + [[0, 1, 0]] * 2 + [[0, 0, 0]] * 9)
    row = tabulation.summarise(frame(cells)).iloc[0]
    assert (row["coord"], row["euclid"], row["vector"]) == (9 / 20, 11 / 20, 6 / 20)
    assert row["accuracy_gap"] == pytest.approx(5 / 20) and row["percent_diff"] == pytest.approx(25)
    assert (row["best_performing_geometry"], row["worst_performing_geometry"]) == ("euclid", "vector")
    assert (row["Invariance@3"], row["Any@3"]) == (6 / 20, 11 / 20)
    assert row["fragile_share"] == pytest.approx((2 * 3 + 2) / 60)
    assert row["mean_accuracy"] == pytest.approx(row["Invariance@3"] + row["fragile_share"])
    assert row["SameWrong"] == pytest.approx(row["Consistency@3"] - row["Invariance@3"])
    assert row["Inconsistency_rate"] == pytest.approx(1 - row["Consistency@3"])


def test_gap_is_not_rounded_first():
    cells = np.zeros((158, 3), dtype=int)
    cells[:71, 0] = cells[:72, 1] = cells[:82, 2] = 1
    assert tabulation.summarise(frame(cells)).iloc[0]["accuracy_gap"] == pytest.approx(11 / 158, abs=1e-12)


def test_dropped_rows_do_not_raise_a_score():
    """A model that fails to parse must not look better: removing its unread rows changes nothing."""
    rng = np.random.default_rng(1)
    cells = irt_cells(rng, 158)
    cells = np.where((cells == 0) & (rng.random(cells.shape) < 0.4), -1, cells)
    whole = frame(cells)
    dropped = whole[whole["verdict"] != "unparsed"]
    columns = ["coord", "euclid", "vector", "Invariance@3", "accuracy_gap", "n_problems_evaluated"]
    kept = tabulation.summarise(dropped[dropped["problem"].isin(dropped["problem"])])
    lost = 158 - dropped["problem"].nunique()  # only a problem without any row cannot be known
    assert kept["n_problems_evaluated"].iloc[0] == 158 - lost
    if not lost:
        assert kept[columns].equals(tabulation.summarise(whole)[columns])
    complete = tabulation.sensitivity(whole).set_index("reading")
    assert complete.loc["complete cases only", "Invariance@3"] > complete.iloc[0]["Invariance@3"]
    assert complete.loc["complete cases only", "n_all"] < 158


def test_the_gaps_limits_belong_to_the_gap():
    """Equal representations: the limits hold 0 and the point; a percentile interval of the gap never holds 0."""
    (panel,) = panels(frame(irt_cells(np.random.default_rng(0), 158)))
    row = tabulation.summarise_with_cis([panel]).iloc[0]
    assert row["accuracy_gap_ci_low"] == 0 <= row["accuracy_gap"] <= row["accuracy_gap_ci_high"] < 0.25
    effect = effects.representation_effect([panel]).iloc[0]
    assert effect["gap_null_mean"] > 0.02 and effect["gap"] < effect["gap_null_q95"] and effect["p_gap"] > 0.05


def test_accuracy_and_its_bounds(scores):
    table = tabulation.accuracy(scores)
    assert (table["n"] == table["answered"] + table["unread"] + table["missing"]).all()
    assert (table["bound_low"] == table["accuracy"]).all() and (table["bound_high"] >= table["bound_low"]).all()
    assert ((table["low"] < table["accuracy"]) & (table["accuracy"] < table["high"])).all()
    width = (table["bound_high"] - table["bound_low"]) * table["n"]
    assert np.allclose(width, table["unread"] + table["missing"])


def test_missing_outcomes_are_told_apart():
    cells = np.array([[1, 1, 1]] * 10 + [[-1, -1, 1]] * 2)
    outcome = np.full(cells.shape, "ok", dtype=object)
    outcome[10:, 0], outcome[10:, 1] = "timeout", "truncated"
    table = tabulation.accuracy(frame(cells, outcome=outcome)).set_index("representation")
    assert table.loc["coord", ["missing", "unread"]].tolist() == [2, 0]
    assert table.loc["euclid", ["missing", "unread"]].tolist() == [0, 2]
    assert table.loc["vector", "bound_high"] == 1
    counts = tabulation.outcomes(frame(cells, outcome=outcome))
    assert counts["count"].sum() == 36 and set(counts["outcome"]) == {"ok", "timeout", "truncated"}


def test_answers_before_the_cut():
    cells = np.array([[1, 1, 1]] * 10 + [[-1, 1, 1]] * 2)
    outcome = np.full(cells.shape, "ok", dtype=object)
    outcome[10:, 0] = "truncated"
    scores = frame(cells, outcome=outcome)
    assert tabulation.before_the_cut(scores).empty
    scores["correct_before_cut"] = ""
    scores.loc[scores["outcome"] == "truncated", "correct_before_cut"] = ["1", ""]
    row = tabulation.before_the_cut(scores).iloc[0]
    assert (row["truncated"], row["committed"]) == (2, 1)
    assert (row["accuracy"], row["accuracy_read"]) == (10 / 12, 11 / 12)


# --- edges --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, 1])
def test_all_right_and_all_wrong(value):
    scores = frame(np.full((40, 3), value))
    row = tabulation.summarise_with_mcnemar(scores).iloc[0]
    assert row["best_performing_geometry"] == "coord, euclid, vector (tie)" and row["accuracy_gap"] == 0
    low, high = row["coord_ci_low"], row["coord_ci_high"]
    assert low < high and (low, high) == pytest.approx((0.025 ** (1 / 40), 1) if value else (0, 1 - 0.025 ** (1 / 40)))
    assert all(row[f"mc_p_{p}"] == 1 for p in PAIRS) and np.isnan(row["mc_chi2_coord_euclid"])
    effect = effects.representation_effect(scores).iloc[0]
    assert np.isnan(effect["Q"]) and np.isnan(effect["p_exact"]) and effect["note"] == "Q n/a (0 informative problems)"
    pair = effects.representation_differences(scores).iloc[0]
    assert pair["p_midp"] == 1 and pair["note"] == "no discordant problem" and np.isnan(pair["odds_ratio"])
    assert pair["low"] < 0 < pair["high"]  # Bonett-Price is still there


def test_one_sided_discordance():
    cells = np.array([[1, 1, 0]] * 7 + [[1, 1, 1]] * 20)
    pair = effects.representation_differences(frame(cells)).set_index(["first", "second"]).loc[("coord", "vector")]
    assert (pair["b"], pair["c"], pair["odds_ratio"]) == (7, 0, np.inf) and 1 < pair["odds_low"] < np.inf


def test_a_representation_is_missing():
    scores = frame(np.array([[1, 0]] * 6 + [[1, 1]] * 20), representations=("coord", "vector"))
    row = tabulation.summarise_with_mcnemar(scores).iloc[0]
    assert np.isnan([row["euclid"], row["Invariance@3"], row["Consistency@3"], row["mc_p_coord_euclid"]]).all()
    assert row["mcnemar_b_coord_vector"] == 6 and "no answers in euclid" in row["note"]
    effect = effects.representation_effect(scores).iloc[0]
    assert "Q needs three" in effect["note"] and np.isnan(effect["p_exact"])
    assert len(effects.representation_differences(scores)) == 1
    assert effects.equivalence(scores).iloc[0]["verdict"] == "undecided"
    assert tabulation.accuracy(scores).set_index("representation").loc["euclid", "n"] == 0
    for table in (tabulation.invariance_by_category, tabulation.sensitivity, effects.largest_gap):
        table(scores)


def test_fewer_than_ten_problems():
    scores = frame(np.array([[1, 1, 0]] * 8))
    row = tabulation.summarise_with_mcnemar(scores).iloc[0]
    assert (
        row["note"] == "too few for tests (n=8)"
        and np.isnan(row["mc_p_coord_vector"])
        and row["mcnemar_b_coord_vector"] == 8
    )
    assert set(tabulation.accuracy(scores)["method"]) == {"Clopper-Pearson"}
    effect, pair = effects.representation_effect(scores).iloc[0], effects.representation_differences(scores).iloc[1]
    assert (
        np.isnan([effect["p_exact"], pair["p_midp"], pair["low"], pair["sim_high"]]).all() and pair["difference"] == 1
    )
    assert effects.equivalence(scores).iloc[0]["verdict"] == "undecided"


def test_ties_name_all():
    cells = np.array([[1, 1, 0]] * 5 + [[0, 0, 0]] * 15)
    row = tabulation.summarise(frame(cells)).iloc[0]
    assert row["best_performing_geometry"] == "coord, euclid (tie)" and row["worst_performing_geometry"] == "vector"


def test_no_scores_of_the_headline():
    scores = frame(np.ones((12, 3), dtype=int))
    scores["variant"] = 1
    assert tabulation.summarise(scores).empty and list(tabulation.summarise(scores).columns) == TEN
    for table in (
        tabulation.accuracy,
        effects.representation_effect,
        effects.representation_differences,
        effects.equivalence,
        effects.largest_gap,
        tabulation.sensitivity,
        tabulation.invariance_by_category,
    ):
        assert table(scores).empty


# --- effects ------------------------------------------------------------------------------------------------------


def test_holm_over_models_of_one_kind(scores):
    effect = effects.representation_effect(scores)
    assert effect["family"].tolist() == [2, 2, 1]
    models = effect[effect["kind"] == "model"]
    assert (models["p_holm"] >= models["p_exact"]).all()
    assert models["p_holm"].min() == pytest.approx(2 * models["p_exact"].min())
    pairs = effects.representation_differences(scores)
    joined = pairs.merge(effect[["model", "p_holm"]], on="model")
    assert (joined["p_closed"] >= joined["p_holm"]).all() and (joined["p_closed"] >= joined["p_midp"]).all()


def test_a_known_effect_is_found_and_none_is_invented():
    tilted = frame(irt_cells(np.random.default_rng(3), 160, (0, 0, -1.5)))
    pairs = effects.representation_differences(tilted).set_index(["first", "second"])
    assert pairs.loc[("coord", "vector"), "sim_low"] > 0 and pairs.loc[("coord", "vector"), "p_closed"] < 0.01
    assert pairs.loc[("coord", "euclid"), "sim_low"] < 0 < pairs.loc[("coord", "euclid"), "sim_high"]
    panel = panel_frame(models={f"lab/{i}": 0.0 for i in range(11)}, seed=1)
    assert effects.largest_gap(panel).iloc[0]["p"] > 0.05
    assert effects.representation_effect(panel)["p_holm"].min() > 0.05


def test_equivalence_only_where_all_intervals_are_inside():
    same = np.tile(np.array([[1], [0]]), (400, 3))
    table = effects.equivalence(frame(same))
    assert table.iloc[0]["verdict"] == "invariant within 5 points"
    small = effects.equivalence(frame(same[:40]))
    assert small.iloc[0]["verdict"] == "undecided" and 0.05 < small.iloc[0]["widest_high"] < 0.06
    assert effects.equivalence(frame(same[:40]), margin=0.1).iloc[0]["verdict"] == "invariant within 10 points"


def test_largest_gap_names_its_model(scores):
    table = effects.largest_gap(scores)
    assert table["kind"].tolist() == ["model", "BASELINE"] and table.iloc[0]["models"] == 2
    summary = tabulation.summarise(scores).set_index("model")
    assert summary.loc[table.iloc[0]["of"], "accuracy_gap"] == pytest.approx(table.iloc[0]["largest_gap"])


# --- records ------------------------------------------------------------------------------------------------------


def test_records_are_plain(scores):
    accuracy, invariance, outcome = (
        f(scores) for f in (records.accuracy_records, records.invariance_records, records.outcome_records)
    )
    json.dumps([accuracy, invariance, outcome], allow_nan=False)
    assert list(accuracy[0])[:9] == [
        "model",
        "strategy",
        "representation",
        "correct",
        "n",
        "low",
        "high",
        "bound_low",
        "bound_high",
    ]
    assert list(invariance[0])[:8] == ["model", "strategy", "k", "invariance", "any", "consistency", "gap", "n"]
    assert sum(r["count"] for r in outcome) == len(scores)
    assert pd.DataFrame(accuracy)["n"].eq(160).all()
    partial = records.invariance_records(frame(np.ones((12, 2), dtype=int), representations=("coord", "euclid")))
    assert partial[0]["invariance"] is None and partial[0]["gap"] == 0 and partial[0]["k"] == 3


def test_a_fourth_representation_adds_columns():
    cells = np.array([[1, 1, 1, 0]] * 10 + [[1, 1, 1, 1]] * 5 + [[0, 1, 1, 1]] * 5)
    scores = frame(cells, representations=("coord", "euclid", "vector", "figure"))
    row = tabulation.summarise(scores).iloc[0]
    assert (row["Invariance@3"], row["Invariance@4"], row["figure"]) == (15 / 20, 5 / 20, 10 / 20)
    assert row["accuracy_gap"] == pytest.approx(5 / 20)  # the seed's columns stay those of the three
    assert effects.representation_effect(scores).iloc[0]["gap"] == pytest.approx(10 / 20)
    assert len(effects.representation_differences(scores)) == 6
    mixed = pd.concat([scores, frame(cells[:, :3], model="lab/two")], ignore_index=True)
    assert effects.largest_gap(mixed).iloc[0]["models"] == 2
    assert comparisons.between_models(mixed)["metric"].tolist() == ["mean accuracy"]  # not the same number of languages
    flips.suspects(mixed, strong=0.1)
    assert [r["k"] for r in records.invariance_records(scores)] == [3, 4]


def test_two_planned_representations():
    scores = frame(np.array([[1, 0]] * 6 + [[1, 1]] * 20), representations=("coord", "vector"))
    found = panels(scores, representations=["coord", "vector"])
    row = tabulation.summarise(found).iloc[0]
    assert row["Invariance@2"] == 20 / 26 and np.isnan(row["Invariance@3"]) and row["note"] == ""
    effect = effects.representation_effect(found).iloc[0]
    assert effect["p_exact"] == pytest.approx(2 / 2**6) and effect["df"] == 1
