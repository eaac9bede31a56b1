"""A run goes into one file and comes out elsewhere with the same responses and the same scores, byte for byte."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from geoutils.cli import main
from geoutils.errors import RunError, UserError
from geoutils.experiment import load_experiment
from geoutils.inference import load_responses, run_inference
from geoutils.overrides import add_override, load_overrides
from geoutils.packing import export_run, import_run
from geoutils.parsing import parse_responses
from geoutils.scoring import score, write_scores
from geoutils.study import open_study, write_table

YAML = "name: packed\nproblems: {source: data/problems/area.yaml, limit_per_category: 3}\nmodels: [baseline/gold, baseline/last-number]\nstrategies: [direct]\n"


@pytest.fixture
def source(home: Path) -> Path:
    """The experiment file of a run with responses and an override."""
    path = home / "packed.yaml"
    path.write_text(YAML)
    study = open_study(path, stage="inference", quiet=True)
    problems = study.problems()
    write_table(problems, study.data / "problems.csv")
    run_inference(study.experiment, problems, progress="none")
    row = load_responses(study.experiment).iloc[5]
    cell = {name: row[name] for name in ("problem", "representation", "model", "strategy", "variant", "repeat", "response_sha256")}
    add_override(experiment="packed", **cell, correct=0, who="A reader", why="for the test")
    return path


def scored(experiment: Path, folder: Path) -> dict[str, bytes]:
    study = open_study(experiment, stage="scoring", quiet=True)
    table = score(parse_responses(study.responses()), study.problems(), overrides=load_overrides(experiment="packed"))
    return {path.name: path.read_bytes() for path in write_scores(table, folder)}


def test_it_comes_back_the_same(
    source: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "run", str(source), str(tmp_path / "packed.zip")]) == 0
    before, responses = scored(source, tmp_path / "before"), load_responses(load_experiment(source))
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path / "elsewhere"))
    assert main(["import", "run", str(tmp_path / "packed.zip")]) == 0
    there = tmp_path / "elsewhere" / "data" / "packed" / "experiment.yaml"
    assert capsys.readouterr().out.splitlines()[-1].endswith("experiment.yaml")
    assert load_responses(load_experiment(there)).equals(responses)
    assert scored(there, tmp_path / "after") == before
    assert any(b",1,\n" in content for content in before.values()), "the override came along"
    with pytest.raises(UserError, match="has responses already"):
        import_run(tmp_path / "packed.zip")


def test_no_key_is_packed(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-test-0123456789")
    export_run(source, tmp_path / "fine.zip")
    source.write_text(YAML + "# sk-test-0123456789\n")
    with pytest.raises(RunError, match=r"experiment\.yaml holds the value of OPENROUTER_API_KEY"):
        export_run(source, tmp_path / "leak.zip")
    assert not (tmp_path / "leak.zip").exists()


def test_what_is_not_a_packed_run_is_refused(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, _ = export_run(source, tmp_path / "good.zip")
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path / "elsewhere"))
    with zipfile.ZipFile(good) as file:
        contents = {name: file.read(name) for name in file.namelist()}

    def packed(name: str, **changes: bytes) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            for item, content in {**contents, **changes}.items():
                file.writestr(item, content)
        return tmp_path / name

    record = json.loads(contents["manifest.json"])
    for path, message in (
        (packed("slip.zip", **{"../evil": b"x"}), "not part of a packed run"),
        (packed("changed.zip", **{"problems.csv": b"x"}), "not what was packed"),
        (packed("more.zip", **{"imported.json": b"{}"}), "does not fit"),
        (packed("name.zip", **{"manifest.json": json.dumps({**record, "name": "../up"}).encode()}), "does not fit"),
        (source, "not a packed run"),
        (tmp_path / "absent.zip", "not a packed run"),
    ):
        with pytest.raises(UserError, match=message):
            import_run(path)
    assert not (tmp_path / "elsewhere").exists()


def test_a_run_without_responses_is_told(home: Path) -> None:
    path = home / "packed.yaml"
    path.write_text(YAML)
    with pytest.raises(UserError, match="no responses to pack"):
        export_run(path, home / "out.zip")
