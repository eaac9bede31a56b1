"""Comparisons between models and strategies."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic_scores import frame, irt_cells, panel_frame

from geoutils import comparisons
from geoutils.panel import panels


def test_between_models_is_paired():
    scores = panel_frame(models={"lab/a": 0.0, "lab/b": 1.0, "lab/c": 1.0}, unread=0)
    table = comparisons.between_models(scores)
    assert len(table) == 6 and table["family"].eq(3).all()
    a, b = (p.correct.mean(axis=1) for p in panels(scores)[:2])
    row = table.iloc[0]
    assert (row["model"], row["other"], row["metric"]) == ("lab/a", "lab/b", "mean accuracy")
    assert row["p"] == pytest.approx(stats.ttest_rel(a, b).pvalue) and row["p"] < 0.001
    assert row["p_exact"] < 0.001 and row["high"] < 0
    same = table[(table["model"] == "lab/b") & (table["other"] == "lab/c")]
    assert (same["p_holm"] > 0.05).all()


def test_different_problem_sets_are_restricted_and_counted():
    rng = np.random.default_rng(0)
    a, b = frame(irt_cells(rng, 40), model="lab/a"), frame(irt_cells(rng, 40), model="lab/b")
    scores = pd.concat([a, b[b["problem"] != "area_easy_001"]], ignore_index=True)
    table = comparisons.between_models(scores)
    assert (table["n"] == 39).all() and table["note"].str.contains("39 problems that all have; 1 left out").all()
    assert (comparisons.ranks(scores)["n"] == 39).all()


def test_one_model_has_no_section():
    scores = panel_frame(models={"lab/a": 0.0}, n=20)
    assert comparisons.between_models(scores).empty and "p_holm" in comparisons.between_models(scores).columns
    assert comparisons.ranks(scores).empty and comparisons.between_strategies(scores).empty


def test_ranks_have_limits():
    ranks = comparisons.ranks(panel_frame(models={"lab/a": -1.0, "lab/b": 1.0, "lab/c": 1.0}))
    assert ranks.iloc[-1]["model"] == "lab/a" and ranks.iloc[-1][["rank_low", "rank_high"]].tolist() == [3, 3]
    assert ranks.iloc[0]["rank_high"] >= 2


def test_strategies():
    scores = panel_frame(models={"lab/a": 0.0, "lab/b": 0.5}, strategies=["direct", "convert", "reason"], unread=0)
    table = comparisons.between_strategies(scores)
    assert set(table["contrast"]) == {"convert - direct", "reason - direct", "convert - reason"}
    assert set(table["metric"]) == {
        "accuracy coord",
        "accuracy euclid",
        "accuracy vector",
        "mean accuracy",
        "Invariance@3",
        "Consistency@3",
        "accuracy gap",
    }
    assert table["family"].eq(6).all() and table["p"].between(0, 1).all()
    assert ((table["low"] < table["difference"] + 0.05) & (table["difference"] - 0.05 < table["high"])).all()
    by = {p.strategy: p for p in panels(scores) if p.model == "lab/a"}
    gap = np.ptp(by["convert"].correct.mean(axis=0))
    gap -= np.ptp(by["direct"].correct.mean(axis=0))
    row = table[
        (table["model"] == "lab/a") & (table["contrast"] == "convert - direct") & (table["metric"] == "accuracy gap")
    ]
    assert row.iloc[0]["difference"] == pytest.approx(gap)


def test_strategies_on_a_part_use_the_shared_problems():
    scores = panel_frame(models={"lab/a": 0.0}, n=60, strategies=["direct", "convert"])
    part = scores[(scores["strategy"] == "direct") | (scores["problem"].str[-3:].astype(int) < 20)]
    table = comparisons.between_strategies(part)
    assert (table["n"] == 20).all() and table["note"].str.contains("40 left out").all()


def test_fewer_than_ten_problems_have_no_test():
    table = comparisons.between_strategies(panel_frame(models={"lab/a": 0.0}, n=8, strategies=["direct", "convert"]))
    assert table[["p", "low", "high", "p_holm"]].isna().all().all() and table["difference"].notna().all()
    assert table["note"].str.contains("too few for tests").all()


def full(conversion: str) -> str:
    return json.dumps({"euclidean_conversion": conversion, "reasoning": "r", "numeric_answer": "5"})


def test_conversions():
    scores = frame(np.array([[1, 1, 0]] * 12), strategy="convert")
    responses = scores[["model", "strategy", "problem", "variant", "representation", "repeat"]].copy()
    responses["content"] = "no json"
    vector = responses["representation"] == "vector"
    euclid = responses["representation"] == "euclid"
    responses.loc[vector, "content"] = full("The point is (3, 4).")
    responses.loc[euclid, "content"] = "```json\n" + full("Triangle ABC has AB = 3.") + "\n```"
    table = comparisons.conversions(scores, responses, lint=lambda text: ["tuple"] if "(" in text else [])
    table = table.set_index(["representation", "condition"])
    assert table.loc[("euclid", "all three keys"), ["k", "n", "correct"]].tolist() == [12, 12, 12]
    assert table.loc[("euclid", "conversion passes the lint"), "k"] == 12
    assert table.loc[("vector", "conversion fails the lint"), ["k", "correct"]].tolist() == [12, 0]
    assert table.loc[("coord", "keys missing"), ["k", "correct"]].tolist() == [12, 12]
    assert table.loc[("coord", "no conversion to check"), "k"] == 12
    assert np.isnan(table.loc[("coord", "all three keys"), "accuracy_given"])


@pytest.mark.parametrize(
    "text", ["", "{" * 100_000, '{"numeric_answer": ' * 20_000, "[" * 100_000, '{"reasoning": "' + "x" * 500_000]
)
def test_hostile_responses_are_bounded(text):
    scores = frame(np.ones((1, 3), dtype=int), strategy="convert")
    responses = scores[["model", "strategy", "problem", "variant", "representation", "repeat"]].assign(content=text)
    table = comparisons.conversions(scores, responses, lint=lambda text: [])
    assert table.loc[table["condition"] == "all three keys", "k"].sum() == 0
