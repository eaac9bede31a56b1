"""A run goes into one file and comes out elsewhere with the same responses and the same scores, byte for byte."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from geoutils import packing
from geoutils.cli import main
from geoutils.errors import RunError, UserError
from geoutils.experiment import load_experiment
from geoutils.inference import load_responses, run_inference
from geoutils.overrides import add_override, load_overrides
from geoutils.packing import export_run, import_run
from geoutils.parsing import parse_responses
from geoutils.paths import project_root
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
    cell = {
        name: row[name]
        for name in ("problem", "representation", "model", "strategy", "variant", "repeat", "response_sha256")
    }
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
        (packed("slip.zip", **{"../evil.csv": b"x"}), "not part of a packed run"),
        (packed("root.zip", **{"/evil.csv": b"x"}), "not part of a packed run"),
        (packed("back.zip", **{"responses\\\\evil.sqlite": b"x"}), "not part of a packed run"),
        (packed("hidden.zip", **{"responses/.evil.sqlite": b"x"}), "not part of a packed run"),
        (packed("kind.zip", **{"judge/evil.sh": b"x"}), "not part of a packed run"),
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


def test_every_store_and_own_file_comes_along_and_what_is_made_again_does_not(
    source: Path, home: Path, tmp_path: Path
) -> None:
    data = home / "data" / "packed"
    for name in ("judge/a__judge.sqlite", "embeddings/b.db"):
        (data / name).parent.mkdir(exist_ok=True)
        with sqlite3.connect(data / name) as store:
            store.execute("create table x (y)")
    for name in ("judge/human.csv", "parsed/a.csv", "scores/exp1_a.csv", "failed/x.ipynb", "run.lock", "runs.jsonl"):
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_text("x\n")
    packed, count = export_run(source, tmp_path / "packed.zip")
    names = set(zipfile.ZipFile(packed).namelist())
    assert count == len(names) - 1
    assert {
        "judge/a__judge.sqlite",
        "embeddings/b.db",
        "judge/human.csv",
        "problems.csv",
        "experiment.yaml",
        "overrides.csv",
    } <= names
    assert not {name for name in names if name.startswith(("parsed", "scores", "failed", "run"))}


def test_imported_results_are_packed_as_they_came(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "theirs").mkdir()
    (home / "theirs" / "gpt-result.csv").write_text(
        "Question ID,Variant 1,Variant 2,Topic,Difficulty Level\n1,correct,fail,plane,easy\n2,correct,correct,plane,easy\n"
    )
    assert main(["import", "variants", str(home / "theirs"), "--name", "theirs"]) == 0
    assert main(["export", "run", "theirs", str(tmp_path / "theirs.zip")]) == 0
    before = {path.name: path.read_bytes() for path in (home / "data" / "theirs" / "scores").iterdir()}
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path / "elsewhere"))
    assert main(["import", "run", str(tmp_path / "theirs.zip")]) == 0
    assert {
        path.name: path.read_bytes() for path in (tmp_path / "elsewhere" / "data" / "theirs" / "scores").iterdir()
    } == before


def test_own_problems_come_along_and_other_prompts_are_told(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = home / "own"
    own.mkdir()
    for name in ("ratio.yaml", "concepts.yaml"):
        (own / name).write_bytes((project_root() / "data" / "problems" / name).read_bytes())
    path = home / "packed.yaml"
    path.write_text(YAML.replace("data/problems/area.yaml", str(own)))
    study = open_study(path, stage="inference", quiet=True)
    run_inference(study.experiment, study.problems(), progress="none")
    export_run(path, tmp_path / "packed.zip")
    (own / "ratio.yaml").write_text("[]\n")  # what stands there now is another set of problems
    prompts = tmp_path / "project" / "data" / "prompts"
    prompts.mkdir(parents=True)
    monkeypatch.setattr("geoutils.packing.project_root", lambda: prompts.parents[1])
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path / "elsewhere"))
    name, experiment, told = import_run(tmp_path / "packed.zip")
    assert name == "packed"
    assert (
        told[0]
        == "the problem files here are not those of the run; the packed ones are used: data/packed/packed-problems"
    )
    assert "direct.txt" in told[1]
    there = load_experiment(experiment)
    assert there.source == experiment.parent / "packed-problems"
    assert len(open_study(there, stage="inference", quiet=True).problems()) > 0


def test_a_key_between_two_pieces_is_found(
    source: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-test-0123456789")
    (home / "data" / "packed" / "note.txt").write_bytes(b"x" * (packing.PIECE - 7) + b"sk-test-0123456789")
    with pytest.raises(RunError, match=r"note\.txt holds the value"):
        export_run(source, tmp_path / "leak.zip")
    assert list(tmp_path.glob("*leak*")) == []


def test_the_judge_s_manifest_comes_along_with_its_images(
    source: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "solutions"
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "a.png").write_bytes(b"png")
    (folder / "list.csv").write_text(
        "id,subtask,media,solution_text\na,t,images/a.png,x = 1\nb,t,../secret.png,x = 1\nc,t,absent.png,x = 1\n"
    )
    (tmp_path / "secret.png").write_bytes(b"png")
    source.write_text(f"{YAML}judge: {{manifest: {folder / 'list.csv'}}}\n")
    export_run(source, tmp_path / "packed.zip")
    names = zipfile.ZipFile(tmp_path / "packed.zip").namelist()
    assert [name for name in names if name.startswith("packed-judge")] == [
        "packed-judge/list.csv",
        "packed-judge/images/a.png",
    ]
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path / "elsewhere"))
    _, experiment, _ = import_run(tmp_path / "packed.zip")
    assert load_experiment(experiment).judge.manifest == "packed-judge/list.csv"
    assert (experiment.parent / "packed-judge" / "images" / "a.png").is_file()
