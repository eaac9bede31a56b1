"""The command line: help with examples, errors in one line, the right exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from geoutils.cli import build_parser, main

COMMANDS = [
    "run", "check", "grade", "regrade", "export", "export problems", "export raw", "export parsed", "export scores",
    "export batch",
    "import batch",
    "merge", "cluster",
    "import", "import raw", "import parsed", "import scores", "power", "setup-model",
]  # fmt: skip


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*command.split(), "--help"])
    assert caught.value.code == 0
    told = capsys.readouterr().out
    assert "example:\n  geoutils " in told
    example = told.split("example:\n  geoutils ")[1].strip()
    build_parser().parse_args(example.split())  # the example itself is a valid command


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "nowhere.yaml"], "geoutils: nowhere.yaml: no such experiment file"),
        (["run", "--only", "tables"], "geoutils: unknown stage 'tables'; known are"),
        (["check", "nowhere"], "nowhere"),
        (["power", "nowhere"], "geoutils: nowhere: no such experiment file"),
        (["export", "problems", "out.txt"], "out.txt"),
        (["export", "scores", "nowhere", "out"], "geoutils: nowhere: no such experiment file"),
        (["import", "scores", "nowhere", "--name", "x"], "nowhere"),
        (["grade", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_wrong_input_is_one_line_and_code_2(
    arguments: list[str], told: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("openrouter/a/b", "the environment variable OPENROUTER_API_KEY is not set"),
        ("nowhere/b", "model 'nowhere/b' has no endpoint"),
        ("baseline/guess", "model 'baseline/guess' is unknown"),
    ],
)
def test_a_model_that_cannot_be_asked_is_told_before_anything_runs(
    model: str, told: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    path = home / "e.yaml"
    path.write_text(f"name: e\nmodels: [{model}]\n")
    assert main(["run", str(path)]) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.err.count("\n") == 1
    assert not (home / "reports").exists()


@pytest.mark.parametrize(
    "arguments", [[], ["fly"], ["run", "--jobs", "0"], ["run", "--shard", "6/5"], ["power", "--discordance", "x"]]
)
def test_wrong_options_are_one_line_and_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_the_system_refuses_is_one_line_and_code_1(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "x.jsonl")

    monkeypatch.setattr("geoutils.problems.export.export_jsonl", full)
    monkeypatch.setattr("geoutils.dataset.problems_table", lambda *_, **__: None)
    assert main(["export", "problems", "x.jsonl"]) == 1
    assert capsys.readouterr().err == "geoutils: x.jsonl: No space left on device\n"


def test_a_fault_of_ours_is_one_line_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("column")

    monkeypatch.setattr("geoutils.dataset.check", broken)
    assert main(["check"]) == 1
    assert "unexpected KeyError: 'column'; GEOUTILS_DEBUG=1 shows where" in capsys.readouterr().err
    monkeypatch.setenv("GEOUTILS_DEBUG", "1")
    with pytest.raises(KeyError):
        main(["check"])


def test_power_reads_an_experiment(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "--problems", "160", "--discordance", "0.3", "--difference", "0.1"]) == 0
    assert "160 problems" in capsys.readouterr().out


def test_problems_are_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "problems.jsonl"
    assert main(["export", "problems", str(out), "--variants", "2", "--categories", "area"]) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {row["category"] for row in rows} == {"area"}
    assert {row["variant"] for row in rows} == {0, 1}
    fields = [
        "problem",
        "category",
        "difficulty",
        "variant",
        "representation",
        "statement",
        "answer",
        "value",
        "unit",
        "solution",
        "concepts",
    ]
    assert set(fields) <= set(rows[0])


def test_the_installed_command_and_the_module_are_the_same() -> None:
    for command in ([str(Path(sys.executable).with_name("geoutils"))], [sys.executable, "-m", "geoutils"]):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("geoutils ")


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently there")
def test_a_closed_pipe_is_no_error() -> None:
    shell = f"{sys.executable} -m geoutils power | head -1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_answers_are_graded_from_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [{"id": 7, "output": "so x = 1.118", "gold": "sqrt(5)/2"}, {"output": "2"}]
    done = subprocess.run(
        [sys.executable, "-m", "geoutils", "grade"],
        input="\n".join(map(json.dumps, lines)), capture_output=True, text=True, check=True,
    )  # fmt: skip
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["id"], first["verdict"]) == (7, "correct")
    assert second["line"] == 2
    assert "1 line(s) could not be graded" in done.stderr
