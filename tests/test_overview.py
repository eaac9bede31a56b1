"""Tables and cards of notebook 01: counts add up, leaks show, text is escaped."""

from __future__ import annotations

import pandas as pd
import pytest

from geoutils.problems import overview


@pytest.fixture
def table() -> pd.DataFrame:
    rows = []
    golds = [("length", "easy", "5"), ("length", "hard", "7"), ("angle", "medium", "60"), ("ratio", "", "7/12")]
    for n, (category, level, gold) in enumerate(golds):
        for variant, kinds in ((0, "canonical"), (1, "names")):
            for rep in ("coord", "euclid", "vector"):
                last = gold if rep == "coord" and n == 0 else "3"
                rows.append({
                    "problem": f"{category}_{level or 'x'}_{n}", "category": category, "difficulty": level, "family": f"f{n % 2}",
                    "variant": variant, "representation": rep, "statement": f"Find <b>it</b> from (1, 2) and {last}.",
                    "answer": gold, "value": gold, "unit": "degrees" if category == "angle" else "",
                    "solution": "one\ntwo", "concepts": "median", "kinds": kinds, "dataset_sha256": "ab",
                })  # fmt: skip
    return pd.DataFrame(rows)


def test_counts_and_families_add_up(table):
    counts = overview.counts(table)
    assert list(counts.columns) == ["category", "easy", "medium", "hard", "unmarked", "all"]
    assert counts.iloc[-1].tolist() == ["all", 1, 1, 1, 1, 4]
    assert overview.families(table)["problems"].sum() == 4
    assert overview.kinds(table).to_dict("records") == [
        {"kinds": "canonical", "variants": 4}, {"kinds": "names", "variants": 4},
    ]  # fmt: skip


def test_the_commonest_gold_is_a_share_of_its_category(table):
    golds = overview.commonest_golds(table).set_index("category")
    assert golds.at["length", "share"] == 0.5 and golds.at["angle", "unit"] == "degrees"


def test_features_are_of_canonical_statements(table):
    made = overview.features(table, ["numbers", "coordinates"])
    assert set(made["n"]) == {4} and (made[made["feature"] == "coordinates"]["median"] == 1).all()
    assert len(overview.feature_figure(table).axes) == 3


def test_the_leak_test_finds_a_planted_leak(table):
    leak = overview.leak_test(table).set_index(["model", "representation"])
    assert leak.at[("baseline/last-number", "coord"), "correct"] == 1
    assert leak.at[("baseline/last-number", "euclid"), "correct"] == 0
    assert (leak["n"] == 4).all() and ((leak["low"] <= leak["share"]) & (leak["share"] <= leak["high"])).all()


def test_cards_escape_their_text(table):
    rows = table[(table["problem"] == "angle_medium_2") & (table["variant"] == 0)]
    html = overview.card(rows)
    assert "<b>it</b>" not in html and "&lt;b&gt;it&lt;/b&gt;" in html
    assert "60° = 60" in html and "<li>two</li>" in html


def test_the_gallery_is_spread(table):
    chosen = overview.spread(table, 3)
    assert len(chosen) == 3 and len({name.split("_")[0] for name in chosen}) >= 2
    assert chosen == overview.spread(table, 3)
