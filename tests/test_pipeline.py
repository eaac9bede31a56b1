"""The pipeline on fixture notebooks: order, failure, locks, what is up to date, what stays untouched."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from geoutils import pipeline, stages
from geoutils.console import Console
from geoutils.errors import GeoutilsError, RunError, UserError
from geoutils.experiment import Experiment, load_experiment
from geoutils.files import locked
from geoutils.paths import STAGED

FIXTURES = Path(__file__).parent / "data" / "notebooks"
PROBLEMS = "problem,category,variant,representation,dataset_sha256\n" + "".join(
    f"p{number},angle,0,{name},abc\n" for number in range(4) for name in ("coord", "euclid", "vector")
)


class Quiet(Console):
    """A console that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__(io.StringIO())
        self.said: list[str] = []

    def say(self, line: str) -> None:
        self.said.append(line)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Experiment, pipeline.Run, list[str]]]:
    """One real run of the two fixture notebooks."""
    home = tmp_path_factory.mktemp("home")
    patch = pytest.MonkeyPatch()
    patch.setenv("GEOUTILS_HOME", str(home))
    patch.setattr(stages, "project_root", lambda: FIXTURES.parent)
    patch.setattr(stages, "code_hash", lambda: "same")
    (home / "problems").mkdir()
    (home / "quickstart.yaml").write_text("name: quickstart\nproblems: {source: problems}\n")
    experiment = load_experiment(home / "quickstart.yaml")
    experiment.data_dir.mkdir(parents=True)
    (experiment.data_dir / "problems.csv").write_text(PROBLEMS)
    console = Quiet()
    run = pipeline.run_experiment(experiment, console=console)
    yield experiment, run, console.said
    patch.undo()


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_run_makes_a_whole_report(finished: tuple[Experiment, pipeline.Run, list[str]]) -> None:
    experiment, run, said = finished
    assert run.index == experiment.report_dir / "index.html"
    made = contents(experiment.report_dir)
    for name in ("index.html", "01_dataset.html", "02_second.html", "results.json", "experiment.yaml",
                 "executed/01_dataset.ipynb", "tables/fixture.csv", "figures/fixture.png", "figures/fixture.svg"):  # fmt: skip
        assert name in made
    assert not [name for name in made if ".tmp" in name]
    assert [item.name for item in experiment.report_dir.parent.iterdir()] == ["quickstart"]
    assert [line.split(":")[0].split()[0] for line in said] == ["01_dataset", "01_dataset", "02_second", "02_second"]
    assert os.environ.get(STAGED) is None
    results = json.loads(made["results.json"])
    assert results["dataset"] == {"problems": 4, "statements": 12, "sha256": "abc"}
    wanted = ["name", "dataset", "plan", "outcomes", "accuracy", "invariance", "cost", "versions", "started", "seconds"]
    assert set(wanted) <= set(results)
    record = json.loads((experiment.data_dir / "runs.jsonl").read_text().splitlines()[0])
    assert record["finished"] is True
    assert set(record["stages"]) == {"dataset", "second"}


def test_pages_say_where_files_will_be_not_where_they_were_made(
    finished: tuple[Experiment, pipeline.Run, list[str]],
) -> None:
    experiment, _, _ = finished
    page = (experiment.report_dir / "01_dataset.html").read_text(encoding="utf-8")
    assert "reports/quickstart/tables/fixture.csv" in page
    assert ".quickstart.new" not in page
    assert str(experiment.report_dir.parents[1]) not in page


def test_what_is_up_to_date_is_not_executed_again(finished: tuple[Experiment, pipeline.Run, list[str]]) -> None:
    experiment, _, _ = finished
    console = Quiet()
    run = pipeline.run_experiment(experiment, console=console)
    assert console.said == ["01_dataset: up to date", "02_second: up to date"]
    assert run.stages == {"dataset": 0.0, "second": 0.0}
    assert (experiment.report_dir / "tables" / "fixture.csv").is_file()
    memory = experiment.report_dir / "executed" / "fingerprints.json"
    assert set(pipeline._up_to_date(experiment.report_dir, memory)) == {"dataset", "second"}
    table = experiment.report_dir / "tables" / "fixture.csv"
    content = table.read_bytes()
    table.unlink()  # what a reader deleted is made again
    assert pipeline._up_to_date(experiment.report_dir, memory) == {}
    table.write_bytes(content)


def test_force_on_one_stage_leaves_the_others_up_to_date(finished: tuple[Experiment, pipeline.Run, list[str]]) -> None:
    experiment, _, _ = finished
    console = Quiet()
    pipeline.run_experiment(experiment, only=["second"], force=True, console=console)
    assert not any("up to date" in line for line in console.said)
    console = Quiet()
    pipeline.run_experiment(experiment, console=console)
    assert console.said == ["01_dataset: up to date", "02_second: up to date"]


@pytest.mark.parametrize(
    ("how", "kind", "told"),
    [
        (
            "error",
            RunError,
            "02_second failed in cell 5: ZeroDivisionError: division by zero; see data/quickstart/failed/",
        ),
        ("missing", UserError, "02_second: run notebook 04_scoring first: data/quickstart/scores/"),
        ("kill", RunError, "02_second failed: DeadKernelError"),
        ("key", RunError, "02_second: its output held the value of OPENROUTER_API_KEY"),
    ],
)
def test_a_failed_notebook_leaves_the_earlier_report_untouched(
    finished: tuple[Experiment, pipeline.Run, list[str]],
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    kind: type[GeoutilsError],
    told: str,
) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-or-not-a-real-key")
    experiment, _, _ = finished
    before = contents(experiment.report_dir)
    console = Quiet()
    with pytest.raises(kind) as caught:
        pipeline.run_experiment(experiment, only=["second"], parameters={"second": {"fail": how}}, console=console)
    assert told in str(caught.value)
    assert contents(experiment.report_dir) == before
    assert [item.name for item in experiment.report_dir.parent.iterdir()] == ["quickstart"]
    last = json.loads((experiment.data_dir / "runs.jsonl").read_text().splitlines()[-1])
    assert last["finished"] is False
    assert told in last["error"]
    if how == "error":
        assert "1 / 0" in "\n".join(console.said)


def test_a_second_run_at_the_same_time_is_refused(finished: tuple[Experiment, pipeline.Run, list[str]]) -> None:
    experiment, _, _ = finished
    with (
        locked(experiment.data_dir / "run.lock", "x"),
        pytest.raises(RunError, match="experiment quickstart is already running"),
    ):
        pipeline.run_experiment(experiment, console=Quiet())


def test_unknown_options_are_refused_before_anything_runs(
    finished: tuple[Experiment, pipeline.Run, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment, _, _ = finished
    monkeypatch.setattr(pipeline, "_execute", lambda *_: pytest.fail("ran"))
    with pytest.raises(UserError, match=r"02_second.ipynb: no parameter 'fial'; it has experiment, fail"):
        pipeline.run_experiment(experiment, parameters={"second": {"fial": "x"}}, console=Quiet())
    with pytest.raises(UserError, match="unknown stage 'third'; known are dataset, second"):
        pipeline.run_experiment(experiment, only=["third"], console=Quiet())


def test_a_notebook_needs_exactly_one_parameters_cell(tmp_path: Path) -> None:
    path = tmp_path / "05_x.ipynb"
    path.write_text((FIXTURES / "02_second.ipynb").read_text().replace('"parameters"', '"other"'))
    with pytest.raises(UserError, match="0 cells are tagged `parameters`"):
        stages.check_parameters(stages.Stage("x", path, ()), {})
    path.write_text("{")
    with pytest.raises(UserError, match="not a readable notebook"):
        stages.check_parameters(stages.Stage("x", path, ()), {})


def make_notebooks(folder: Path, *stems: str) -> Path:
    folder.mkdir()
    for stem in stems:
        shutil.copy(FIXTURES / "02_second.ipynb", folder / f"{stem}.ipynb")
    return folder


ALL = ("00_overview", "01_dataset", "02_inference", "03_parsing", "04_scoring", "05_tabulation", "06_flips",
       "07_regression", "08_plots", "12_mine")  # fmt: skip


def test_what_each_notebook_needs(tmp_path: Path) -> None:
    found = {stage.name: stage for stage in stages.find_stages(make_notebooks(tmp_path / "n", *ALL))}
    assert list(found)[-1] == "overview"
    assert set(found["mine"].needs) == {"dataset", "inference", "parsing", "scoring"}
    assert {"tabulation", "flips", "scoring"} <= set(found["plots"].needs)
    assert len(found["overview"].needs) == 9
    assert [stage.name for stage in stages.chosen(list(found.values()), ["04_scoring", "dataset"])] == [
        "dataset",
        "scoring",
    ]


def test_independent_notebooks_run_side_by_side(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_notebooks(tmp_path / "n", *ALL)
    order: list[tuple[str, str]] = []
    most, running, guard = 0, 0, threading.Lock()

    def execute(_: Experiment, stage: stages.Stage, *__: object) -> None:
        nonlocal most, running
        with guard:
            running += 1
            most = max(most, running)
            order.append(("start", stage.name))
        time.sleep(0.05)
        with guard:
            running -= 1
            order.append(("end", stage.name))

    monkeypatch.setattr(pipeline, "_execute", execute)
    monkeypatch.setattr(pipeline, "_export", lambda *_: None)
    monkeypatch.setattr(pipeline, "_warm_up", lambda *_: None)
    found = stages.find_stages(folder)
    given = {stage.name: {} for stage in found}
    run = pipeline.Run("x", "")
    experiment = load_experiment("quickstart")
    pipeline._run_stages(experiment, found, given, run, tmp_path / "out", jobs=2, force=False, console=Quiet())
    assert most == 2
    for stage in found:
        for need in stage.needs:
            assert order.index(("end", need)) < order.index(("start", stage.name))


def test_stages_that_spend_run_one_after_the_other(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_notebooks(tmp_path / "n", "01_dataset", "02_inference", "03_parsing", "04_scoring", "10_judge", "11_concepts")
    running: set[str] = set()
    together: list[set[str]] = []
    guard = threading.Lock()

    def execute(_: Experiment, stage: stages.Stage, *__: object) -> None:
        with guard:
            running.add(stage.name)
            together.append(set(running))
        time.sleep(0.2 if stage.name == "judge" else 0.02)
        with guard:
            running.discard(stage.name)

    monkeypatch.setattr(pipeline, "_execute", execute)
    monkeypatch.setattr(pipeline, "_export", lambda *_: None)
    monkeypatch.setattr(pipeline, "_warm_up", lambda *_: None)
    found = stages.find_stages(folder)
    pipeline._run_stages(
        load_experiment("quickstart"), found, {stage.name: {} for stage in found}, pipeline.Run("x", ""),
        tmp_path / "out", jobs=4, force=False, console=Quiet(),
    )  # fmt: skip
    assert any(len(names) > 1 for names in together), "the judge runs beside what asks nobody"
    assert all(len(names & pipeline.ASKING) <= 1 for names in together)


def test_after_a_failure_nothing_new_starts(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_notebooks(tmp_path / "n", *ALL)
    started: list[str] = []

    def execute(_: Experiment, stage: stages.Stage, *__: object) -> None:
        started.append(stage.name)
        if stage.name == "parsing":
            raise RunError("no")

    monkeypatch.setattr(pipeline, "_execute", execute)
    monkeypatch.setattr(pipeline, "_export", lambda *_: None)
    monkeypatch.setattr(pipeline, "_warm_up", lambda *_: None)
    found = stages.find_stages(folder)
    with pytest.raises(RunError, match="no"):
        pipeline._run_stages(
            load_experiment("quickstart"), found, {stage.name: {} for stage in found}, pipeline.Run("x", ""),
            tmp_path / "out", jobs=4, force=False, console=Quiet(),
        )  # fmt: skip
    assert started == ["dataset", "inference", "parsing"]


def test_fingerprints_change_with_what_a_stage_reads(home: Path) -> None:
    experiment = load_experiment("quickstart")
    stage = stages.Stage("scoring", FIXTURES / "02_second.ipynb", ())
    folder = experiment.data_dir / "parsed"
    folder.mkdir(parents=True)
    first = stages.fingerprint(stage, experiment, {}, "code")
    assert first == stages.fingerprint(stage, experiment, {}, "code")
    assert first != stages.fingerprint(stage, experiment, {}, "other code")
    assert first != stages.fingerprint(stage, experiment, {"x": 1}, "code")
    (folder / "a.csv").write_text("x")
    assert first != stages.fingerprint(stage, experiment, {}, "code")
    assert stages.fingerprint(stages.Stage("inference", stage.notebook, ()), experiment, {}, "code") == ""


def test_a_response_store_counts_by_its_attempts(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as store:
        store.execute("create table attempts (id integer primary key, cell text, outcome text, response_sha256 text)")
        store.execute("insert into attempts (cell, outcome) values ('c', 'ok')")
        store.commit()
        first = stages.hash_files([tmp_path])
        store.execute("create table about (x)")
        store.commit()
        assert stages.hash_files([tmp_path]) == first
        store.execute("insert into attempts (cell, outcome) values ('d', 'ok')")
        store.commit()
    assert stages.hash_files([tmp_path]) != first


def test_a_full_disk_is_one_line(
    finished: tuple[Experiment, pipeline.Run, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment, _, _ = finished
    before = contents(experiment.report_dir)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pipeline.shutil, "copytree", full)
    with pytest.raises(RunError, match="cannot be made: No space left on device"):
        pipeline.run_experiment(experiment, console=Quiet())
    assert contents(experiment.report_dir) == before


class Terminal(io.StringIO):
    """A stream that says it is watched."""

    def isatty(self) -> bool:
        return True


def test_progress_is_redrawn_where_a_person_watches() -> None:
    stream = Terminal()
    console = Console(stream)
    console.tick("1 of 2")
    console.tick("2 of 2")
    console.say("done")
    assert stream.getvalue() == "\r\x1b[K1 of 2\r\x1b[K2 of 2\r\x1b[Kdone\n"


def test_progress_is_a_line_now_and_then_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    console = Console(stream)
    console.tick("1 of 2")
    assert stream.getvalue() == ""
    monkeypatch.setattr("geoutils.console.PLAIN_EVERY_S", 0.0)
    console.tick("2 of 2")
    assert stream.getvalue() == "  2 of 2\n"


@pytest.mark.skipif(shutil.which("ps") is None, reason="there is no ps to look for processes")
def test_a_stopped_run_ends_its_kernels_and_their_children(home: Path, tmp_path: Path) -> None:
    """In a process of its own: a notebook that starts a child and sleeps, then a polite end."""
    folder = tmp_path / "project" / "notebooks"
    folder.mkdir(parents=True)
    source = (FIXTURES / "02_second.ipynb").read_text(encoding="utf-8")
    source = source.replace(
        "1 / 0", "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(97)'])"
    )
    (folder / "02_second.ipynb").write_text(source, encoding="utf-8")
    (home / "e.yaml").write_text("name: e\n")
    (home / "reports" / "e" / "tables").mkdir(parents=True)
    (home / "reports" / "e" / "tables" / "fixture.csv").write_text("x\n1\n")
    code = (
        "import pathlib, signal, sys\n"
        "from geoutils import cli, pipeline, stages\n"
        "signal.signal(signal.SIGTERM, cli._stop)\n"
        f"stages.project_root = lambda: pathlib.Path({str(folder.parent)!r})\n"
        f"pipeline.run_experiment({str(home / 'e.yaml')!r}, parameters={{'second': {{'fail': 'error'}}}})\n"
    )
    run = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not sleepers() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert sleepers(), "the notebook did not start its child"
    run.terminate()
    _, told = run.communicate(timeout=20)
    assert run.returncode != 0
    assert "KeyboardInterrupt" in told
    time.sleep(0.5)
    assert not sleepers()
    record = json.loads((home / "data" / "e" / "runs.jsonl").read_text())
    assert record["error"] == "KeyboardInterrupt"
    assert [item.name for item in (home / "reports").iterdir()] == ["e"]


def sleepers() -> list[str]:
    """The processes that sleep for 97 seconds."""
    done = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if line.endswith("import time; time.sleep(97)")]


def test_one_representation_is_compared_with_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []
    names = ["dataset", "scoring", *pipeline.COMPARING, "concepts", "overview"]
    found = [stages.Stage(name, tmp_path / f"{name}.ipynb", ()) for name in names]
    monkeypatch.setattr(stages, "find_stages", lambda: found)
    monkeypatch.setattr(stages, "check_parameters", lambda *_: None)
    monkeypatch.setattr(pipeline, "_run_stages", lambda _, todo, *__, **___: ran.extend(stage.name for stage in todo))
    monkeypatch.setattr(pipeline, "_finish_report", lambda *_: None)
    path = tmp_path / "one.yaml"
    path.write_text("name: one\nrepresentations: [euclid]\nmodels: [baseline/gold]\n", encoding="utf-8")
    pipeline.run_experiment(path, console=None)
    assert ran == ["dataset", "scoring", "concepts", "overview"]
    assert "only euclid is asked" in capsys.readouterr().err
