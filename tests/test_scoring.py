"""Scores: one row a planned cell, one comparer for right and for same, numbers under other rules."""

from __future__ import annotations

import pandas as pd
import pytest
from scored_samples import parsed, problems

from geoutils.errors import UserError
from geoutils.scoring import COLUMNS, golds, headline, read_correct, score, sensitivity, write_scores


def test_every_cell_has_a_verdict_and_the_usual_columns_come_first() -> None:
    scores = score(parsed(), problems())
    assert list(scores.columns) == COLUMNS
    assert list(scores["correct"]) == [1, 1, 0, 1, 1, 0, 1, 0, 0]
    assert list(scores["verdict"]) == ["correct", "correct", "wrong", "correct", "correct", "wrong", "correct", "unparsed", "unparsed"]
    assert list(scores["correct_before_cut"]) == [""] * 8 + [1]


def test_the_same_answers_are_found_by_the_grader_not_by_strings() -> None:
    scores = score(parsed(), problems()).set_index(["problem", "representation"])
    assert scores.loc["length_easy_01", "same_coord_euclid"].eq(1).all()
    assert scores.loc["length_easy_01", "same_coord_vector"].eq(0).all()
    assert list(scores.loc["length_easy_01", "same_group"]) == ["1", "1", "2"]
    assert list(scores.loc["area_easy_01", "same_group"]) == ["1", "", ""]
    assert scores.loc["angle_easy_01", "same_coord_euclid"].eq(1).all()


def test_figures_and_order_of_rows_do_not_matter() -> None:
    table = parsed()
    shuffled = table.sample(frac=1, random_state=1)
    key = ["problem", "representation"]
    columns = ["correct", "same_group", "same_coord_euclid", "same_coord_vector", "same_euclid_vector"]
    one, two = score(table, problems()).set_index(key)[columns], score(shuffled, problems()).set_index(key)[columns]
    assert list(score(shuffled, problems()).index) == list(shuffled.index)
    same_order = two.loc[one.index].drop(columns="same_group")
    assert one.drop(columns="same_group").equals(same_order)


def test_a_fourth_representation_gets_its_own_pairs() -> None:
    table = parsed()
    extra = table[table["representation"] == "coord"].assign(representation="figure")
    scores = score(pd.concat([table, extra], ignore_index=True), problems())
    assert {"same_coord_figure", "same_euclid_figure", "same_vector_figure"} <= set(scores.columns)
    assert scores.loc[scores["problem"] == "area_easy_01", "same_coord_figure"].eq(1).all()


def test_a_bad_gold_or_none_is_an_error_that_names_the_problem() -> None:
    broken = problems().assign(answer="see figure")
    with pytest.raises(UserError, match=r"length_easy_01.*cannot be read"):
        golds(broken)
    with pytest.raises(UserError, match=r"area_easy_01.*no gold"):
        score(parsed(), problems()[lambda t: t["problem"] != "area_easy_01"])
    with pytest.raises(UserError, match="min_significant"):
        score(parsed(), problems(), min_significant=0)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1), ("1.0", 1), ("True", 1), ("yes", 1), ("0", 0), ("0.0", 0), ("FALSE", 0), ("no", 0), ("MED", 0), ("", None), (" ", None), (None, None)],
)
def test_marks_of_others(text: str | None, value: int | None) -> None:
    assert read_correct(text) == value


def test_an_unknown_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="maybe"):
        read_correct("maybe")


def test_imported_marks_are_kept_and_blanks_are_graded() -> None:
    table = parsed().iloc[:4].assign(imported_correct=["0", "MED", "", ""])
    scores = score(table, problems())
    assert list(scores["correct"]) == [0, 0, 0, 1]
    assert "our grader says 1" in scores["warnings"][0]
    assert "MED by hand" in scores["warnings"][1]


def test_headline_and_sensitivity() -> None:
    scores = score(parsed(), problems())
    table = headline(scores).set_index("measure")["value"]
    assert table["accuracy coord"] == 1.0
    assert table["accuracy euclid"] == pytest.approx(2 / 3)
    assert table["invariance@3"] == 0.0
    moves = sensitivity(scores).set_index("measure")
    assert moves.loc["accuracy coord", "strict"] == pytest.approx(2 / 3)  # 33.69 is not 33.690
    assert moves.loc["accuracy vector", "before_cut"] == pytest.approx(1 / 3)
    assert moves.loc["accuracy vector", "used"] == 0.0
    assert (moves["n"] == 3).all()
    coarse = score(parsed().assign(predicted=lambda t: t["predicted"].replace("1.11", "1.1")), problems())
    assert sensitivity(coarse).set_index("measure").loc["accuracy vector", "figures_2"] == pytest.approx(1 / 3)


def test_scores_are_written_one_file_a_pair(tmp_path) -> None:
    scores = score(parsed(), problems())
    (path,) = write_scores(scores, tmp_path)
    assert path.name == "exp1_lab--one__direct.csv"
    again = pd.read_csv(path, keep_default_na=False)
    assert list(again.columns) == COLUMNS
    assert list(again["correct"]) == list(scores["correct"])
