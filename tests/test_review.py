"""The review table, the agreement of two readers, and the view that writes overrides."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from scored_samples import parsed, problems, responses

from geoutils.overrides import load_overrides
from geoutils.review import COLUMNS, cohen_kappa, reason_counts, review_table
from geoutils.review_view import ReviewView
from geoutils.scoring import score


def table() -> pd.DataFrame:
    return review_table(score(parsed(), problems()), parsed())


def test_rows_that_deserve_a_look_say_why() -> None:
    found = table().set_index(["problem", "representation"])["reasons"]
    assert "near miss" in found["length_easy_01", "vector"]
    assert found["angle_easy_01", "vector"] == "right in radians"
    assert found["area_easy_01", "vector"] == "right before the cut"
    assert ("length_easy_01", "coord") not in found.index
    assert list(table().columns) == COLUMNS
    assert set(reason_counts(table())["reason"]) >= {"near miss", "right in radians"}


def test_overridden_rows_are_not_asked_again() -> None:
    scores = score(parsed(), problems())
    scores.loc[2, "overridden"] = 1
    assert "length_easy_01" not in set(review_table(scores)["problem"])


def marks(values: list[int]) -> pd.DataFrame:
    rows = [("e", "m", "s", f"p{i}", 0, "coord", 0, f"{i:064x}", v) for i, v in enumerate(values)]
    return pd.DataFrame(rows, columns=["experiment", "model", "strategy", "problem", "variant", "representation", "repeat", "response_sha256", "correct"])


def test_kappa_against_a_hand_count() -> None:
    first, second = marks([1] * 25 + [0] * 25), marks([1] * 20 + [0] * 5 + [1] * 10 + [0] * 15)
    row = cohen_kappa(first, second).iloc[0]
    assert (row["n"], row["disagree"]) == (50, 15)
    assert row["agreement"] == pytest.approx(0.7)
    assert row["kappa"] == pytest.approx(0.4)
    assert row["low"] < 0.4 < row["high"]
    assert pd.isna(cohen_kappa(marks([1, 1]), marks([1, 1])).iloc[0]["kappa"])
    assert cohen_kappa(marks([1]), marks([])).iloc[0]["only_first"] == 1


def test_the_view_writes_overrides_only_with_a_name_and_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "overrides.csv"
    view = ReviewView(table(), responses(), experiment="e", path=path)
    view.right.click()
    assert not path.exists()
    assert "blank" in view.message.value
    view.who.value, view.why.value = "Ada", "the response says so"
    view.right.click()
    assert view.row.value == 2
    view.wrong.click()
    assert list(load_overrides(path)["correct"]) == [1, 0]
    view.row.value = 1
    view.accept.click()
    assert list(load_overrides(path)["correct"]) == [0]
    assert set(load_overrides(path)["experiment"]) == {"e"}


def test_the_view_escapes_the_response_and_takes_an_empty_table(tmp_path: Path) -> None:
    hostile = responses().assign(content="<script>alert(1)</script>")
    view = ReviewView(table(), hostile, experiment="e", path=tmp_path / "o.csv")
    assert "<script>" not in view.text.value
    assert "Nothing to review" in ReviewView(table().head(0), None, experiment="e", path=tmp_path / "o.csv").text.value
