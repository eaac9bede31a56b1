"""Patterns, coherence, transfer, audit and the split of flips."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from synthetic_scores import frame, irt_cells, panel_frame

from geoutils import flips
from geoutils.panel import panels

# columns: coord, euclid, vector; the patterns read Euclid-Coord-Vector
BY_PATTERN = {
    "CCC": [1, 1, 1],
    "CCW": [1, 1, 0],
    "CWC": [0, 1, 1],
    "WCC": [1, 0, 1],
    "CWW": [0, 1, 0],
    "WCW": [1, 0, 0],
    "WWC": [0, 0, 1],
    "WWW": [0, 0, 0],
}
COUNTS = {"CCC": 9, "CCW": 5, "CWC": 2, "WCC": 2, "CWW": 3, "WCW": 1, "WWC": 4, "WWW": 6}
CELLS = np.array([BY_PATTERN[name] for name, count in COUNTS.items() for _ in range(count)])


def test_patterns_in_euclid_coord_vector_order():
    table = flips.pattern_counts(frame(CELLS))
    assert list(table.columns[:10]) == ["model", *COUNTS, "n"]
    assert table.iloc[0][list(COUNTS)].to_dict() == COUNTS and table.iloc[0]["n"] == 32
    shares = flips.pattern_shares(frame(CELLS)).iloc[0]
    assert shares["CCW"] == pytest.approx(100 * 5 / 32) and sum(shares[p] for p in COUNTS) == pytest.approx(100)


def test_the_seeds_spelling_of_correct_does_not_empty_the_table():
    scores = frame(CELLS).astype({"correct": float})
    assert flips.pattern_counts(scores).iloc[0]["n"] == 32


def test_pairwise_by_hand():
    table = flips.pairwise(frame(CELLS)).set_index("pair")
    assert list(table.index) == ["euclid-coord", "euclid-vector", "coord-vector"]
    row = table.loc["euclid-coord"]
    both, only, other, neither = 9 + 5, 2 + 3, 2 + 1, 4 + 6
    assert row[["both", "only_first", "only_second", "neither"]].tolist() == [both, only, other, neither]
    assert row["agreement"] == pytest.approx((both + neither) / 32)
    p, q = (both + only) / 32, (both + other) / 32
    chance = p * q + (1 - p) * (1 - q)
    assert row["agreement_by_chance"] == pytest.approx(chance)
    assert row["kappa"] == pytest.approx((row["agreement"] - chance) / (1 - chance))
    assert (row["transfer_k"], row["transfer_m"], row["reverse_m"]) == (14, 19, 17)
    assert row["transfer_text"].startswith("14 of 19 = 0.737 [")
    assert (row["net"], row["churn"]) == (only - other, only + other)


def test_transfer_of_nothing_is_not_zero():
    row = flips.pairwise(frame(np.zeros((20, 3), dtype=int))).iloc[0]
    assert np.isnan(row["transfer"]) and row["transfer_text"] == "n/a (0 of 0)" and np.isnan(row["kappa"])
    assert row["note"] == "no discordant problem" and row["p_midp"] == 1


def test_single_points_of_failure():
    assert flips.single_failures(frame(CELLS)).iloc[0]["single_point_of_failure"] == "vector"
    tie = np.array([BY_PATTERN["CCW"]] * 4 + [BY_PATTERN["WCC"]] * 4 + [BY_PATTERN["CCC"]] * 4)
    assert flips.single_failures(frame(tie)).iloc[0]["single_point_of_failure"] == "euclid, vector (tie)"
    perfect = flips.single_failures(frame(np.ones((20, 3), dtype=int))).iloc[0]
    assert perfect["single_point_of_failure"] == "none" and perfect["single_failures"] == 0


def test_exchangeability_tells_apart_what_q_pools():
    row = flips.pattern_exchangeability(frame(CELLS)).iloc[0]
    assert (row["two_correct"], row["one_correct"]) == (9, 8) and row["two_expected_each"] == 3
    assert 0 < row["two_p"] < 1
    few = flips.pattern_exchangeability(frame(CELLS[:8])).iloc[0]
    assert np.isnan(few["two_p"])


def test_audit_counts_correctness_not_answers():
    scores = frame(np.vstack([CELLS, [[-1, 1, 1]]]))
    row = flips.audit(scores).iloc[0]
    assert row[["all_correct", "all_wrong", "inconsistent", "n", "with_unanswered"]].tolist() == [9, 6, 18, 33, 1]
    over = flips.audit_over_models(panel_frame(models={"lab/a": 0.0, "lab/b": 0.5, "baseline/x": -3.0}, n=20))
    assert (over["models"] == 2).all() and (over["all_correct"] + over["all_wrong"] + over["inconsistent"] == 2).all()
    both = flips.audit_over_models(panel_frame(models={"lab/a": 0.0, "baseline/x": -3.0}, n=20), include_baselines=True)
    assert (both["models"] == 2).all()


def test_coherence_and_its_edge():
    assert -1 <= flips.coherence(frame(CELLS)).iloc[0]["fleiss_kappa"] <= 1
    assert "n/a" in flips.coherence(frame(np.ones((20, 3), dtype=int))).iloc[0]["note"]


def test_suspects_need_strong_models():
    good = np.ones((20, 3), dtype=int)
    good[4, 2] = 0
    one, two = good.copy(), good.copy()
    two[7, 0] = 0
    scores = pd.concat(
        [frame(one, model="lab/a"), frame(two, model="lab/b"), frame(np.zeros((20, 3), dtype=int), model="lab/weak")]
    )
    table, sentence = flips.suspects(scores)
    assert table[["problem", "representation", "models"]].values.tolist() == [["length_easy_004", "vector", 2]]
    assert "1 of 20 problems" in sentence
    none, sentence = flips.suspects(frame(one))
    assert none.empty and "at least 2 are needed" in sentence


def test_a_missing_representation_gives_no_patterns():
    scores = frame(CELLS[:, :2], representations=("coord", "euclid"))
    row = flips.pattern_counts(scores).iloc[0]
    assert row["n"] == 0 and "needs three; no answers in vector" in row["note"]
    assert np.isnan(flips.pattern_shares(scores).iloc[0]["CCC"])
    assert len(flips.pairwise(scores)) == 1
    assert flips.single_failures(scores).iloc[0]["single_point_of_failure"] == "n/a"
    for table in (flips.audit, flips.coherence, flips.pattern_exchangeability, flips.audit_over_models):
        table(scores)


def test_flip_sources():
    once = flips.flip_sources(frame(CELLS)).iloc[0]
    assert once["note"] == "flips include sampling noise; not separable with one run per cell" and np.isnan(
        once["within"]
    )
    rng = np.random.default_rng(5)
    difficulty = rng.normal(0, 1.5, 300)
    runs = pd.concat([frame(irt_cells(rng, 300, (0, 0, -2), difficulty=difficulty), repeat=k) for k in range(4)])
    row = flips.flip_sources(runs).iloc[0]
    assert row["excess_low"] > 0 and row["within"] < row["between"] and row["repeats"] == "4"
    assert row["between"] - row["within"] == pytest.approx(row["excess"])
    unequal = runs[~((runs["repeat"] == 3) & (runs["representation"] == "coord"))]
    assert flips.flip_sources(unequal).iloc[0]["repeats"] == "3 to 4 (the first 3 used)"


def test_thirty_models_are_quick():
    scores = panel_frame(models={f"lab/{i}": i / 10 for i in range(30)})
    found = panels(scores)
    assert len(flips.pattern_counts(found)) == 30 and len(flips.pairwise(found)) == 90
