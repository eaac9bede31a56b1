"""All notebooks of the project on a small experiment, through the command line, and what comes out."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from geoutils.cli import main
from geoutils.dictionary import compare_files
from geoutils.experiment import load_experiment
from geoutils.inference import load_responses
from geoutils.overrides import add_override
from geoutils.stages import find_stages

EXPERIMENT = """\
name: mini
problems: {limit_per_category: 2}
strategies: [direct]
models: [baseline/last-number, baseline/most-common-answer, baseline/gold]
judge: {calibration: 6}
parts:
  - {strategies: [direct]}
  - {strategies: [convert, reason], models: [baseline/gold], limit_per_category: 1}
"""
SEED_COLUMNS = ["problem", "category", "representation", "predicted", "gold", "correct"]


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home of a finished run."""
    home = tmp_path_factory.mktemp("home")
    path = home / "mini.yaml"
    path.write_text(EXPERIMENT)
    patch = pytest.MonkeyPatch()
    patch.setenv("GEOUTILS_HOME", str(home))
    patch.delenv("OPENROUTER_API_KEY", raising=False)
    assert main(["run", str(path), "--only", "dataset,inference"]) == 0
    row = load_responses(load_experiment(path)).iloc[2]
    cell = {name: row[name] for name in ("problem", "representation", "model", "strategy", "variant", "repeat", "response_sha256")}
    add_override(experiment="mini", **cell, correct=1, who="A reader", why="for the test")
    assert main(["run", str(path)]) == 0
    yield home
    patch.undo()


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_notebook_has_its_page(mini: Path) -> None:
    made = {path.name for path in (mini / "reports" / "mini").glob("*.html")}
    assert made == {"index.html", "gallery.html", "dictionary.html", *(f"{stage.stem}.html" for stage in find_stages())}
    for page in (mini / "reports" / "mini").glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert len(text) < 2_000_000, page.name
        assert str(mini) not in text, f"{page.name} names a folder of this machine"
        assert "Traceback" not in text


def test_every_planned_answer_is_scored(mini: Path) -> None:
    experiment = load_experiment(mini / "mini.yaml")
    results = json.loads((mini / "reports" / "mini" / "results.json").read_text(encoding="utf-8"))
    rows = [row for path in (mini / "data" / "mini" / "scores").glob("exp1_*.csv") for row in read(path)]
    assert len(rows) == results["plan"] == sum(record["count"] for record in results["outcomes"])
    assert list(rows[0])[:6] == SEED_COLUMNS
    assert {row["correct"] for row in rows} <= {"0", "1"}
    assert {(row["model"], row["strategy"]) for row in rows} == set(experiment.pairs())
    gold = [row for row in rows if row["model"] == "baseline/gold"]
    assert gold
    assert all(row["correct"] == "1" for row in gold), [row for row in gold if row["correct"] != "1"][:3]


def test_results_are_flat_records(mini: Path) -> None:
    results = json.loads((mini / "reports" / "mini" / "results.json").read_text(encoding="utf-8"))
    wanted = {
        "outcomes": {"model", "strategy", "representation", "outcome", "count"},
        "accuracy": {"model", "strategy", "representation", "correct", "n", "low", "high", "bound_low", "bound_high"},
        "invariance": {"model", "strategy", "k", "invariance", "any", "consistency", "gap", "n"},
        "cost": {"model", "usd"},
    }
    for name, columns in wanted.items():
        assert results[name], name
        for record in results[name]:
            assert columns <= set(record), name
            assert all(value is None or isinstance(value, (str, int, float)) for value in record.values())
    assert results["dataset"]["problems"] == len({row["problem"] for row in read(mini / "data" / "mini" / "problems.csv")})
    assert results["dataset"]["statements"] == 3 * results["dataset"]["problems"]
    assert results["versions"]["requirements.lock sha256"]
    for record in results["invariance"]:
        if record["model"] == "baseline/gold":
            assert (record["invariance"], record["consistency"], record["gap"]) == (1.0, 1.0, 0.0)


def test_the_tables_and_figures_have_the_seed_s_names(mini: Path) -> None:
    tables = {path.name for path in (mini / "reports" / "mini" / "tables").glob("*.csv")}
    for name in (
        "geometry_invariance_summary.csv", "geometry_invariance_summary_with_CIs.csv",
        "geometry_invariance_summary_with_CIs_and_mcnemar.csv", "invariance_consistency_summary.csv",
        "invariance_by_category.csv",
    ):  # fmt: skip
        assert name in tables
    figures = {path.name for path in (mini / "reports" / "mini" / "figures").glob("*")}
    assert {path for path in figures if path.endswith(".png")}
    assert all(path.replace(".png", ".svg") in figures for path in figures if path.endswith(".png"))


def test_every_column_of_every_table_is_in_the_dictionary(mini: Path) -> None:
    assert compare_files(mini, "mini") == []


def test_every_table_and_figure_is_there_in_each_form(mini: Path) -> None:
    report = mini / "reports" / "mini"
    for path in (report / "tables").glob("*.csv"):
        assert path.with_suffix(".md").is_file(), path.name
        assert path.with_suffix(".tex").is_file(), path.name
    assert {path.stem for path in (report / "figures").glob("*.png")} == {path.stem for path in (report / "figures").glob("*.svg")}


def test_a_second_run_asks_nothing_and_changes_no_score(mini: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = mini / "data" / "mini" / "scores"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    tables = mini / "reports" / "mini" / "tables"
    numbers = {path.name: path.read_bytes() for path in tables.iterdir()}
    assert main(["run", str(mini / "mini.yaml"), "--only", "inference,parsing,scoring,tabulation", "--force"]) == 0
    captured = capsys.readouterr()
    assert captured.out.strip() == str(mini / "reports" / "mini" / "index.html")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert {path.name: path.read_bytes() for path in tables.iterdir()} == numbers


def test_a_notebook_runs_by_itself_with_jupyter(mini: Path, tmp_path: Path) -> None:
    """Also with plain nbconvert, from another folder; the default experiment is the quickstart, which was not run."""
    notebook = next(stage.notebook for stage in find_stages() if stage.name == "tabulation")
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "notebook", "--output-dir", str(tmp_path), str(notebook)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ}, cwd=tmp_path, check=False)
    assert done.returncode != 0
    last = [line for line in done.stderr.splitlines() if "UserError" in line][-1]
    assert "run notebook 04_scoring first" in last


def test_the_export_of_the_scores_can_be_imported(mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "scores", str(mini / "mini.yaml"), str(tmp_path / "out")]) == 0
    assert main(["import", "scores", str(tmp_path / "out"), "--name", "again"]) == 0
    assert capsys.readouterr().err == ""
    assert (mini / "data" / "again").is_dir()


def test_a_packed_run_makes_the_same_tables_and_figures_elsewhere(
    mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a test that figures have the same bytes for the same data: they are drawn in other processes."""
    packed = tmp_path / "mini.zip"
    assert main(["export", "run", str(mini / "mini.yaml"), str(packed)]) == 0
    there = tmp_path / "elsewhere"
    shutil.copytree(mini / ".cache", there / ".cache")  # proofs, which only take time
    monkeypatch.setenv("GEOUTILS_HOME", str(there))
    assert main(["import", "run", str(packed)]) == 0
    assert main(["run", str(there / "data" / "mini" / "experiment.yaml")]) == 0
    for folder in ("tables", "figures", "gallery", "scores"):
        before, after = (contents(root / "reports" / "mini" / folder) for root in (mini, there))
        assert set(before) == set(after), folder
        assert [name for name in before if before[name] != after[name]] == [], folder
    assert any(row["overridden"] == "1" for path in (there / "reports" / "mini" / "scores").glob("*") for row in read(path))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
