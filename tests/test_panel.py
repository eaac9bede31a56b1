"""What the analysis accepts as scores, and what it refuses with file and row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from synthetic_scores import frame, panel_frame

from geoutils.errors import RunError, UserError
from geoutils.panel import (
    Panel,
    all_same,
    assert_identities,
    check_scores,
    common_problems,
    kind_of,
    load_scores,
    panels,
    read_correct,
)

CELLS = np.array([[1, 1, 1], [1, 0, 1], [0, -1, 0], [0, 0, 1]] * 5)


def spelled(values) -> pd.DataFrame:
    return pd.DataFrame({"correct": values})


@pytest.mark.parametrize(
    "values",
    [
        [1, 0, 1],
        [1.0, 0.0, 1.0],
        ["1", "0", "1"],
        ["1.0", "0.0", "1.0"],
        [True, False, True],
        ["TRUE", "False", " yes "],
        ["Yes", "no", "true"],
    ],
)
def test_known_spellings(values):
    assert read_correct(spelled(values))[0].tolist() == [1, 0, 1]


def test_med_counts_as_not_correct_and_is_listed():
    correct, notices = read_correct(spelled(["1", "MED", "0"]))
    assert correct.tolist() == [1, 0, 0]
    assert "1 row(s) say MED" in notices[0] and "row 3" in notices[0]


@pytest.mark.parametrize("value", ["", None, "2", "maybe", 0.5, "C"])
def test_unknown_spellings_name_file_and_row(value):
    scores = frame(CELLS).astype({"correct": object})
    scores["file"], scores["line"] = "exp1_m__direct.csv", np.arange(2, len(scores) + 2)
    scores.loc[4, "correct"] = value
    with pytest.raises(UserError, match=r"exp1_m__direct\.csv, row 6: correct is"):
        check_scores(scores)


def test_one_blank_does_not_blank_the_column():
    """A column read as float beside a blank: the others keep their values, an unanswered blank is 0."""
    scores = frame(CELLS).astype({"correct": float})
    blank = scores.index[scores["verdict"].eq("unparsed")][0]
    scores.loc[blank, "correct"] = np.nan
    assert check_scores(scores)[0]["correct"].tolist() == frame(CELLS)["correct"].tolist()


def test_duplicates_and_unknown_representations():
    scores = frame(CELLS)
    with pytest.raises(
        UserError,
        match=r"exp1_lab--one__direct\.csv, row 62: repeats exp1_lab--one__direct\.csv, row 5 .*representation=coord.*; 1 such row",
    ):
        check_scores(pd.concat([scores, scores.iloc[[3]]], ignore_index=True))
    wrong = scores.copy()
    wrong.loc[7, "representation"] = "polar"
    with pytest.raises(UserError, match="row 9: unknown representation 'polar', expected one of coord, euclid, vector"):
        check_scores(wrong)
    with pytest.raises(UserError, match="lack the column"):
        check_scores(scores.drop(columns="correct"))
    wrong = scores.astype({"repeat": object})
    wrong.loc[0, "repeat"] = "x"
    with pytest.raises(UserError, match="row 2: repeat is 'x'"):
        check_scores(wrong)


def test_the_seeds_six_columns_are_enough():
    scores = frame(CELLS)[["problem", "category", "representation", "predicted", "gold", "correct"]]
    (panel,) = panels(scores)
    assert (panel.model, panel.strategy, panel.n) == ("model", "direct", 20)
    assert panel.same is None and assert_identities(panel) == 7
    assert panel.answered.sum() == 55  # five cells have no predicted answer


def test_missing_rows_are_not_correct_and_told():
    scores = frame(CELLS)
    gone = scores[~((scores["representation"] == "vector") & (scores["correct"] == 0))]
    (panel,) = panels(gone)
    assert panel.correct.mean(axis=0).tolist() == panels(scores)[0].correct.mean(axis=0).tolist()
    assert panel.n == 20 and "5 of 60 planned cells have no row" in panel.notices[0]
    assert panel.silent.sum() == 5


def test_a_missing_representation_is_named():
    (panel,) = panels(frame(CELLS[:, :2], representations=("coord", "euclid")))
    assert panel.missing == ("vector",) and not panel.complete
    assert "no answers in vector" in panel.notices[0]


def test_the_headline_is_variant_and_repeat_zero():
    scores = panel_frame(models={"lab/a": 0.0}, n=20, repeats=3)
    later = scores[scores["repeat"] == 2]
    assert np.array_equal(
        panels(scores, repeat=2)[0].correct.sum(axis=0), later.groupby("representation")["correct"].sum().to_numpy()
    )
    assert panels(scores)[0].n == 20


def test_kinds_and_order():
    scores = panel_frame(
        models={"baseline/gold": 9.0, "simulated/x": 0.0, "lab/z": 0.0, "lab/a": 0.0},
        n=12,
        strategies=["convert", "direct"],
    )
    found = [(p.model, p.strategy) for p in panels(scores)]
    assert found[:4] == [("lab/a", "direct"), ("lab/a", "convert"), ("lab/z", "direct"), ("lab/z", "convert")]
    assert [p.kind for p in panels(scores)] == ["model"] * 4 + ["SIMULATED"] * 2 + ["BASELINE"] * 2
    assert kind_of("openrouter/baseline/x") == "model"


def test_consistency_uses_the_comparer_and_the_gold():
    cells = np.array([[1, 1, 1], [0, 0, 0], [0, 0, 0], [1, 1, 0], [0, 0, -1]])
    answers = np.array([[0, 7, 0], [3, 3, 3], [3, 3, 4], [5, 5, 5], [3, 3, 3]])
    (panel,) = panels(frame(cells, answers=answers))
    # right whatever it was written as; same wrong; not all pairs; right is never the same as wrong; unread never
    found = dict(zip((int(q[-3:]) for q in panel.problems), all_same(panel).tolist(), strict=True))
    assert found == {0: 1, 1: 1, 2: 0, 3: 0, 4: 0}


def test_identities_are_checked():
    (panel,) = panels(frame(CELLS))
    assert assert_identities(panel) == 8
    broken = {pair: np.zeros(panel.n, dtype=int) for pair in panel.same}
    bad = Panel(**{**panel.__dict__, "same": broken})
    with pytest.raises(RunError, match="consistency >= invariance"):
        assert_identities(bad)
    with pytest.raises(RunError, match="correct answers were read"):
        assert_identities(Panel(**{**panel.__dict__, "answered": np.zeros_like(panel.answered)}))


def test_common_problems_are_counted():
    a, b = frame(CELLS, model="lab/a"), frame(CELLS, model="lab/b")
    b = b[b["problem"] != "angle_easy_002"]
    shared, told = common_problems(panels(pd.concat([a, b], ignore_index=True)))
    assert len(shared) == 19 and told == "restricted to the 19 problems that all have; 1 left out"


def test_folder_of_scores(tmp_path):
    with pytest.raises(UserError, match="run notebook 04_scoring first"):
        load_scores(tmp_path)
    scores = frame(CELLS)
    scores.to_csv(tmp_path / "exp1_lab_a__direct.csv", index=False)
    scores[["problem", "category", "representation", "predicted", "gold", "correct"]].to_csv(
        tmp_path / "exp1_other.csv", index=False
    )
    loaded = load_scores(tmp_path)
    assert sorted(p.model for p in panels(loaded)) == ["lab/one", "other"]
    (tmp_path / "exp1_lab_a_skipped.csv").write_text("problem,reason\nx,y\n")
    with pytest.raises(UserError, match=r"exp1_lab_a_skipped\.csv: not a score file"):
        load_scores(tmp_path)
    (tmp_path / "exp1_lab_a_skipped.csv").unlink()
    scores.to_csv(tmp_path / "exp1_copy.csv", index=False)
    with pytest.raises(UserError, match=r"exp1_lab_a__direct\.csv, row 2: repeats exp1_copy\.csv, row 2"):
        check_scores(load_scores(tmp_path))
    (tmp_path / "notes.csv").write_text("")
    with pytest.raises(UserError, match=r"notes\.csv"):
        load_scores(tmp_path)


def test_the_headline_of_a_study(home):
    from geoutils.experiment import experiment_from_dict
    from geoutils.panel import headline
    from geoutils.study import open_study

    study = open_study(
        experiment_from_dict({"name": "small", "models": ["baseline/gold"]}), stage="tabulation", quiet=True
    )
    folder = study.data / "scores"
    folder.mkdir()
    scores = frame(CELLS, model="baseline/gold")
    scores.assign(variant=1).to_csv(folder / "exp1_baseline--gold__direct.csv", index=False)
    with pytest.raises(UserError, match="small: no score is of variant 0 and repeat 0"):
        headline(study)
    scores.to_csv(folder / "exp1_baseline--gold__direct.csv", index=False)
    (folder / "exp1_baseline--gold_skipped.csv").write_text("problem,reason\n")
    said = []
    study.say = said.append
    loaded, (panel,) = headline(study)
    assert len(loaded) == 60 and panel.n == 20 and panel.kind == "BASELINE"
    assert said[0].startswith("1 files among the scores are of no model") and "skipped" in said[0]


def test_figures_asked_of_a_part_of_the_problems_do_not_make_the_others_wrong():
    scores = frame(np.ones((6, 4), dtype=int), representations=("coord", "euclid", "vector", "figure"))
    some = scores[(scores["representation"] != "figure") | scores["problem"].isin(sorted(scores["problem"].unique())[:4])]
    whole, part = panels(scores)[0], panels(some)[0]
    assert whole.representations[-1] == "figure" and part.representations == ("coord", "euclid", "vector")
    assert part.n == 6 and any("figure was asked of 4 of 6 problems" in notice for notice in part.notices)
