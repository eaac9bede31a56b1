"""Two runs of one plan: what is paired, what is tested against known counts, what the page and the command say."""

from __future__ import annotations

import html
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from synthetic_scores import frame, irt_cells

from geoutils import compare
from geoutils.cli import main
from geoutils.compare_plots import change_forest
from geoutils.errors import UserError
from geoutils.experiment import safe_name
from geoutils.report import comparisons_section
from geoutils.stats.paired import bonett_price, mcnemar_midp, paired_table


def report(home: Path, name: str, scores: pd.DataFrame, *, inside: bool = True, **results: object) -> Path:
    """A report folder with results and scores, the scores inside it or in data/NAME."""
    folder = home / "reports" / name
    folder.mkdir(parents=True)
    record = {"name": name, "started": "2026-01-01T00:00:00+00:00", "dataset": {"sha256": "d"}, "versions": {"pandas": "2"}, **results}
    (folder / "results.json").write_text(json.dumps(record))
    place = folder / "scores" if inside else home / "data" / name / "scores"
    place.mkdir(parents=True)
    for (model, strategy), part in scores.groupby(["model", "strategy"]):
        part.to_csv(place / f"exp1_{safe_name(str(model))}__{strategy}.csv", index=False)
    return folder


def run(cells: np.ndarray, *, model: str = "lab/one", answer: str = "a") -> pd.DataFrame:
    made = frame(cells, model=model)
    return made.assign(response_sha256=[f"{answer}{place}" for place in range(len(made))], unit="")


@pytest.fixture
def cells() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    first = irt_cells(rng, 60)
    second = np.where(rng.random(first.shape) < 0.25, 1, first)
    return first, second


def test_differences_are_those_of_the_paired_table(home: Path, cells: tuple[np.ndarray, np.ndarray]) -> None:
    old, new = (compare.read_run(report(home, name, run(c))) for name, c in zip(("old", "new"), cells, strict=True))
    both, counts = compare.pair(old.scores, new.scores)
    assert counts == {"compared": 180, "other gold": 0, "only before": 0, "only after": 0}
    table = compare.differences(both).set_index("measure")
    for j, name in enumerate(("coord", "euclid", "vector")):
        t = paired_table(cells[1][:, j], cells[0][:, j])
        limits = bonett_price(t)
        row = table.loc[f"accuracy, {name}"]
        assert (row["gained"], row["lost"], row["n"]) == (t.b, t.c, 60)
        assert row[["difference", "low", "high"]].tolist() == pytest.approx(list(limits))
        assert row["p"] == pytest.approx(mcnemar_midp(t.b, t.c))
    every = [c.min(axis=1).mean() for c in cells]
    assert table.loc["Invariance@3", ["before", "after"]].tolist() == pytest.approx(every)
    mean = table.loc["mean of all cells"]
    assert mean["difference"] == pytest.approx(cells[1].mean() - cells[0].mean())
    assert mean["low"] < mean["difference"] < mean["high"]
    assert (table["p_holm"] >= table["p"]).all()


def test_the_order_of_the_runs_turns_the_sign(home: Path, cells: tuple[np.ndarray, np.ndarray]) -> None:
    old, new = (compare.read_run(report(home, name, run(c))).scores for name, c in zip(("old", "new"), cells, strict=True))
    there, back = (compare.differences(compare.pair(*order)[0]) for order in ((old, new), (new, old)))
    assert there["difference"].to_numpy() == pytest.approx(-back["difference"].to_numpy())
    assert there["gained"].tolist() == back["lost"].tolist()


def test_equal_runs_differ_in_nothing(home: Path, cells: tuple[np.ndarray, np.ndarray]) -> None:
    old, new = (compare.read_run(report(home, name, run(cells[0]))) for name in ("old", "new"))
    both, _ = compare.pair(old.scores, new.scores)
    table = compare.differences(both)
    assert set(table["difference"]) == {0.0}
    assert set(table["note"]) == {"nothing changed"}
    assert compare.changed(both).empty
    assert compare.settings(old, new).empty


def test_a_changed_grader_is_told_from_changed_answers(home: Path, cells: tuple[np.ndarray, np.ndarray]) -> None:
    old, new = run(cells[0]), run(cells[1])
    fresh = np.arange(len(new)) % 4 == 0
    new.loc[fresh, "response_sha256"] = "other"
    both, _ = compare.pair(*(compare.read_run(report(home, n, t)).scores for n, t in (("old", old), ("new", new))))
    row = compare.causes(both).iloc[0]
    moved = (cells[0] != cells[1]).ravel()
    assert row["regraded"] == int((moved & ~fresh).sum())
    assert row["other_response"] == int(fresh.sum())
    assert row["gained"] + row["lost"] == int(moved.sum()) == len(compare.changed(both))
    assert set(compare.changed(both)["cause"]) == {"same response", "other response"}


def test_only_common_cells_with_one_gold_are_compared(home: Path) -> None:
    old, new = run(np.ones((20, 3), dtype=int)), run(np.ones((24, 3), dtype=int))
    new.loc[new["problem"].eq(new["problem"].iloc[0]), "gold"] = "7"
    both, counts = compare.pair(*(compare.read_run(report(home, n, t)).scores for n, t in (("old", old), ("new", new))))
    assert counts == {"compared": 57, "other gold": 3, "only before": 0, "only after": 12}
    told = compare.sentences(compare.differences(both), counts, compare.causes(both))
    assert told == [
        "lab/one (strategy direct) did not change: each answer in both runs is as right as it was, over 19 problems.",
        "57 cells are in both runs; left out are 3 with another gold, 12 only in the second run.",
    ]


def test_the_result_in_words_names_models_before_baselines_and_says_why(home: Path, cells: tuple[np.ndarray, np.ndarray]) -> None:
    before, after = run(cells[0]), run(cells[1])
    after.loc[:59, "response_sha256"] = "other"
    guess = run(np.zeros((60, 3), dtype=int), model="baseline/last-number")
    tables = [compare.read_run(report(home, n, pd.concat([t, guess]))).scores for n, t in (("old", before), ("new", after))]
    both, counts = compare.pair(*tables)
    told = compare.sentences(compare.differences(both), counts, compare.causes(both))
    assert told[0].startswith("lab/one (strategy direct) is right on ")
    mean = compare.differences(both).set_index(["model", "measure"]).loc[("lab/one", "mean of all cells")]
    assert f"points, 95 % limits {100 * mean['low']:+.1f} to {100 * mean['high']:+.1f})" in told[0]
    assert mean["p_holm"] < 0.001
    assert "That is more than chance explains (p < 0.001)." in told[0]
    assert "baseline" not in " ".join(told)
    moved = cells[0] != cells[1]
    same = moved.ravel()[60:].sum()
    assert f"{moved.sum()} cells turned from correct to not or back; in {same} of them the response is the same" in told[1]
    only, _ = compare.pair(*(t[t["model"].eq("baseline/last-number")] for t in tables))
    assert "baseline/last-number (strategy direct) did not change" in compare.sentences(compare.differences(only), counts, compare.causes(only))[0]


def test_several_models_are_counted_and_only_the_changed_ones_drawn(cells: tuple[np.ndarray, np.ndarray]) -> None:
    before = pd.concat([run(cells[0]), run(cells[0], model="lab/two")])
    after = pd.concat([run(cells[1]), run(cells[0], model="lab/two")])
    both, counts = compare.pair(*(table.assign(gold="1", outcome="ok", category="area") for table in (before, after)))
    table = compare.differences(both)
    told = compare.sentences(table, counts, compare.causes(both))
    assert told[0].startswith("Of 2 combinations of model and strategy 1 changed in some answer, and 1 by more than chance explains")
    assert "lab/two" not in " ".join(told)
    made = change_forest(table)
    assert "for 1 combination of model" in made.alt
    assert "The 1 without any change are not drawn." in made.alt
    assert "lab/one" in " ".join(text.get_text() for text in made.figure.axes[0].get_yticklabels())
    assert "not drawn" not in change_forest(table[table["model"].eq("lab/two")]).alt


def test_a_report_links_to_its_comparisons_and_back(home: Path, cells: tuple[np.ndarray, np.ndarray]) -> None:
    section = comparisons_section("new", [])
    for name, own in zip(("old", "new"), cells, strict=True):
        folder = report(home, name, run(own))
        (folder / "index.html").write_text(f"<p>first</p>{section}<p>last</p>", encoding="utf-8")
    page, said = compare.write_comparison("old", "new")
    for name in ("old", "new"):
        index = (home / "reports" / name / "index.html").read_text(encoding="utf-8")
        assert index.startswith("<p>first</p>")
        assert index.endswith("<p>last</p>")
        assert index.count('href="../comparisons/old__new/index.html"') == 1
        assert html.escape(said[0], quote=False) in index
        assert f'href="../../{name}/index.html"' in page.read_text(encoding="utf-8")
    compare.write_comparison("old", "new")
    assert index == (home / "reports" / "new" / "index.html").read_text(encoding="utf-8")


def test_a_model_under_a_new_name_is_matched() -> None:
    old, new = run(np.ones((3, 3), dtype=int), model="lab/may"), run(np.ones((3, 3), dtype=int), model="lab/june")
    more = run(np.ones((3, 3), dtype=int), model="lab/other")
    assert compare.matched(old, new) == {"lab/may": "lab/june"}
    assert compare.matched(old, pd.concat([new, more])) == {}
    assert compare.matched(old, pd.concat([new, more]), {"lab/may": "lab/other"}) == {"lab/may": "lab/other"}
    with pytest.raises(UserError, match="no model 'lab/july'"):
        compare.matched(old, new, {"lab/may": "lab/july"})


def test_settings_that_differ_are_listed(home: Path) -> None:
    one = report(home, "old", run(np.ones((3, 3), dtype=int)))
    two = report(home, "new", run(np.ones((3, 3), dtype=int)), versions={"pandas": "3"}, dataset={"sha256": "e"})
    (one / "experiment.yaml").write_text("name: old\nsampling: {temperature: 0.0, seed: 1}\n")
    (two / "experiment.yaml").write_text("name: new\nsampling: {temperature: 0.7, seed: 1}\n")
    table = compare.settings(compare.read_run(one), compare.read_run(two)).set_index("setting")
    assert set(table.index) == {"experiment: sampling.temperature", "dataset sha256", "pandas"}
    assert table.loc["experiment: sampling.temperature"].tolist() == ["0.0", "0.7"]


def test_the_command_writes_a_page_and_tables(
    home: Path, cells: tuple[np.ndarray, np.ndarray], capsys: pytest.CaptureFixture[str]
) -> None:
    report(home, "old", run(cells[0]).assign(predicted="<script>alert(1)</script>"))
    report(home, "new", run(cells[1], model="lab/two", answer="b").assign(predicted="\u202e$$"), inside=False)
    assert main(["compare", "old", str(home / "reports" / "new")]) == 0
    told = capsys.readouterr()
    page = Path(told.out.strip())
    assert page == home / "reports" / "comparisons" / "old__new" / "index.html"
    assert "lab/one (strategy direct) is right on" in told.err
    assert "In all three representations it is right on" in told.err
    assert "180 cells are in both runs." in told.err
    text = page.read_text(encoding="utf-8")
    assert "lab/two" in text
    assert "<script>alert" not in text
    assert "\u202e" not in text
    assert len(text) < 2_000_000
    made = pd.read_csv(page.parent / "tables" / "differences.csv")
    assert list(made) == compare.DIFFERENCE_COLUMNS
    names = {path.name for path in (page.parent / "tables").iterdir()}
    assert names == {f"{name}.{end}" for name in ("differences", "causes", "settings", "changed") for end in ("csv", "md", "tex")}
    assert {path.name for path in (page.parent / "figures").iterdir()} == {"what_changed.png", "what_changed.svg"}


def test_faults_are_one_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(home, "old", run(np.ones((3, 3), dtype=int), model="lab/one"))
    report(home, "new", run(np.ones((3, 3), dtype=int), model="baseline/gold"))
    report(home, "bare", run(np.ones((3, 3), dtype=int)))
    (home / "reports" / "bare" / "results.json").write_text("[]")
    for arguments, message in (
        (["old", "absent"], "results.json is missing"),
        (["old", "new"], "no cell in common"),
        (["old", "bare"], "not the results of a run"),
    ):
        assert main(["compare", *arguments]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1
    with pytest.raises(SystemExit):
        main(["compare", "old", "new", "--match", "lab/one"])
