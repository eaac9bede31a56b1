"""The graph of an experiment: what its files depend on, a real run of Snakemake here, and clear errors without it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from geoutils import cluster
from geoutils.cli import main
from geoutils.cluster import Graph, snakemake_command
from geoutils.errors import RunError, UserError
from geoutils.experiment import load_experiment
from geoutils.shards import shard_in

ROOT = Path(__file__).resolve().parents[1]
YAML = """\
name: NAME
problems: {source: problems}
models: [baseline/last-number]
"""


def write(home: Path, name: str, more: str = "") -> Path:
    """An experiment on two problems of the project."""
    folder = home / "problems"
    if not folder.is_dir():
        folder.mkdir(parents=True)
        records = yaml.safe_load((ROOT / "data" / "problems" / "length_01_20.yaml").read_text(encoding="utf-8"))[:2]
        (folder / "some.yaml").write_text(yaml.safe_dump(records, sort_keys=False, allow_unicode=True), encoding="utf-8")
    path = home / f"{name}.yaml"
    path.write_text(YAML.replace("NAME", name) + more, encoding="utf-8")
    return path


def geoutils(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    environment = {**os.environ, "GEOUTILS_HOME": str(home)}
    return subprocess.run(
        [sys.executable, "-m", "geoutils", *arguments], capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )


@pytest.mark.skipif(importlib.util.find_spec("snakemake") is None, reason="Snakemake is not installed")
@pytest.mark.skipif(sys.platform == "win32", reason="jobs are shell commands")
def test_the_graph_gives_the_scores_of_one_machine_and_then_has_nothing_to_do(tmp_path):
    first = geoutils(tmp_path, "cluster", str(write(tmp_path, "graph")), "--shards", "2", "--only", "inference")
    assert first.returncode == 0, first.stdout[-3000:] + first.stderr[-3000:]
    folder = tmp_path / "data" / "graph"
    shards = sorted(path.name for path in (folder / "responses").glob("*.sqlite") if shard_in(path))
    assert shards == [f"baseline--last-number__direct.shard-{place}-of-2.sqlite" for place in (1, 2)]
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "cluster" / "asked").glob("*.json"))]
    assert sum(record["planned"] for record in records) == 6 and not any(record["open"] for record in records)
    assert not list((folder / "cluster" / "work").rglob("*.*")), "what jobs worked with is gone"
    scores = asked_and_scored(tmp_path, "single"), asked_and_scored(tmp_path, "graph")  # of the graph nothing is left to ask
    assert scores[0] == scores[1] and len(scores[0].splitlines()) == 7
    times = {path: path.stat().st_mtime_ns for path in (folder / "cluster").glob("*/*.ipynb")}
    again = geoutils(tmp_path, "cluster", str(tmp_path / "graph.yaml"), "--shards", "2", "--only", "inference")
    assert again.returncode == 0 and "Nothing to be done" in again.stdout + again.stderr
    assert {path: path.stat().st_mtime_ns for path in (folder / "cluster").glob("*/*.ipynb")} == times


def asked_and_scored(home: Path, name: str) -> bytes:
    """The scores of the same plan asked in one process, without notebooks."""
    code = (
        "import sys\n"
        "from geoutils.experiment import load_experiment\n"
        "from geoutils.inference import run_inference\n"
        "from geoutils.responses import problems_of\n"
        "from geoutils.parsed_files import parse_pair\n"
        "from geoutils.scored_files import score_pair\n"
        "from geoutils.score_files import scores_path\n"
        "experiment = load_experiment(sys.argv[1])\n"
        "problems = problems_of(load_experiment(sys.argv[2]))\n"
        "asked = run_inference(experiment, problems, progress='none')['asked'].sum()\n"
        "assert asked == (6 if experiment.name == 'single' else 0), asked\n"
        "for pair in experiment.pairs():\n"
        "    parse_pair(experiment, problems, *pair)\n"
        "    score_pair(experiment, problems, *pair)\n"
        "    print(scores_path(experiment, *pair))\n"
    )
    environment = {**os.environ, "GEOUTILS_HOME": str(home)}
    command = [sys.executable, "-c", code, str(write(home, name)), str(home / "graph.yaml")]
    made = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT)
    assert made.returncode == 0, made.stderr
    return Path(made.stdout.strip().splitlines()[-1]).read_bytes()


@pytest.fixture
def graph(home: Path) -> Graph:
    """A graph with its settings written."""
    made = Graph(load_experiment(write(home, "graph")), 3)
    made.prepare()
    return made


def settings(graph: Graph) -> dict[str, int]:
    return {path.stem: path.stat().st_mtime_ns for path in (graph.folder / "settings").glob("*.json")}


def test_a_setting_changes_only_what_depends_on_it(home: Path, graph: Graph, monkeypatch):
    monkeypatch.setattr(cluster, "code_hash", lambda: "same")
    graph.prepare()
    before = settings(graph)
    time.sleep(0.01)
    graph.prepare()
    assert settings(graph) == before, "nothing has changed"

    def changed(more: str) -> set[str]:
        again = Graph(load_experiment(write(home, "graph", more)), 3)
        again.prepare()
        after = settings(again)
        made = {name for name, stamp in after.items() if before.get(name) != stamp}
        before.update(after)
        return made

    assert changed("limits: {max_usd: 9}\n") == {"experiment"}
    assert changed("grading: {min_significant: 4}\n") == {"experiment", "grading"}
    pair = "baseline--last-number__direct"
    assert changed("grading: {min_significant: 4}\nparts: [{}, {models: [baseline/gold]}]\n") == {"experiment", "problems", "baseline--gold__direct"}
    assert changed("grading: {min_significant: 4}\nrepeats: 2\n") == {"experiment", "problems", pair}
    monkeypatch.setattr(cluster, "code_hash", lambda: "other")
    assert changed("grading: {min_significant: 4}\nrepeats: 2\n") == {"code"}


def test_a_shard_with_open_cells_is_made_again(graph: Graph):
    folder = graph.folder / "asked"
    folder.mkdir()
    for place, text in enumerate(('{"planned": 5, "open": 0}', '{"planned": 5, "open": 2}', "{"), start=1):
        (folder / f"x.shard-{place}-of-3.json").write_text(text)
    (graph.folder / "report.json").write_text("{}")
    graph.prepare()
    assert [path.name for path in folder.iterdir()] == ["x.shard-1-of-3.json"]
    assert not (graph.folder / "report.json").exists(), "there is no report"
    assert json.loads((graph.folder / "spent.json").read_text()) == {"usd": 0.0}


def test_what_each_page_needs(graph: Graph):
    assert graph.asked("p") == [f"asked/p.shard-{place}-of-3.json" for place in (1, 2, 3)]
    pair = "baseline--last-number__direct"
    assert f"scored/{pair}.ipynb" in graph.page_needs("05_tabulation") and f"scored/{pair}.ipynb" not in graph.page_needs("03_parsing")
    assert "report/05_tabulation.html" in graph.page_needs("08_plots")
    assert set(graph.pages()) >= {"report/01_dataset.html", "report/00_overview.html"}
    assert graph.targets() == ["report.json"]
    assert Graph(graph.experiment, 3, ("inference", "flips")).targets() == [f"merged/{pair}.json", "report/06_flips.html"]
    with pytest.raises(UserError, match="unknown stage 'fly'; known are dataset, inference"):
        Graph(graph.experiment, 3, ("fly",)).targets()
    with pytest.raises(UserError, match="shards: '0' is not a whole number"):
        Graph.from_config({"experiment": str(graph.experiment.path), "shards": "0"})


def test_without_snakemake_or_slurm_one_line_says_what_to_do(graph: Graph, monkeypatch, capsys, tmp_path):
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name.startswith("snakemake") else there(name))
    assert main(["cluster", str(graph.experiment.path)]) == 2
    told = capsys.readouterr().err
    assert told == 'geoutils: geoutils cluster needs Snakemake, which is not installed; run: pip install "geoutils[cluster]"\n'
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(UserError, match="profile slurm needs sbatch, which is not on this machine"):
        snakemake_command(graph.experiment, profile="slurm")
    with pytest.raises(UserError, match="profile 'none' is neither `slurm` nor a folder"):
        snakemake_command(graph.experiment, profile="none")
    assert main(["cluster"]) == 2 and "name the experiment" in capsys.readouterr().err


def test_slurm_without_accounts_is_asked_by_squeue(graph: Graph, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/sbatch")
    for storage, squeue in (("accounting_storage/none", True), ("(null)/none", True), ("accounting_storage/slurmdbd", False)):
        answer = subprocess.CompletedProcess([], 0, stdout=f"A = b\nAccountingStorageType   = {storage}\nZ = y\n")
        monkeypatch.setattr(subprocess, "run", lambda *_, answer=answer, **__: answer)
        assert ("squeue" in snakemake_command(graph.experiment, profile="slurm")) is squeue

    def fails(*_: object, **__: object) -> None:
        raise subprocess.CalledProcessError(1, "scontrol", stderr="slurm_load_ctl_conf error: Unable to contact slurm controller\n")

    monkeypatch.setattr(subprocess, "run", fails)
    with pytest.raises(RunError, match="scontrol cannot reach SLURM's controller .*Unable to contact"):
        snakemake_command(graph.experiment, profile="slurm")


def test_the_templates_are_copied_once(tmp_path, capsys):
    assert main(["cluster", "--copy", str(tmp_path / "mine")]) == 0
    made = sorted(path.relative_to(tmp_path / "mine").as_posix() for path in (tmp_path / "mine").rglob("*") if path.is_file())
    assert made == ["Snakefile", "array.sbatch", "slurm/config.yaml"]
    assert main(["cluster", "--copy", str(tmp_path / "mine")]) == 2
    assert "exists already" in capsys.readouterr().err
    profile = yaml.safe_load((tmp_path / "mine" / "slurm" / "config.yaml").read_text(encoding="utf-8"))
    assert profile["executor"] == "slurm" and profile["keep-going"] is True


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_the_array_script_asks_the_shard_of_its_task(tmp_path):
    script = cluster.TEMPLATES / "array.sbatch"
    run = lambda *words, **more: subprocess.run(  # noqa: E731
        ["bash", str(script), *words], capture_output=True, text=True, check=False, env={**os.environ, "GEOUTILS": "echo", **more}
    )
    assert run("mine.yaml", "4", SLURM_ARRAY_TASK_ID="3").stdout == "run mine.yaml --shard 3/4\n"
    assert "usage: sbatch" in run("mine.yaml", SLURM_ARRAY_TASK_ID="3").stderr
    assert "not an array job" in run("mine.yaml", "4").stderr


def test_nothing_of_the_cluster_is_imported_in_ordinary_runs():
    code = "import sys, geoutils.cli, geoutils.pipeline; geoutils.cli.build_parser(); print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"snakemake", "geoutils.cluster", "geoutils.cluster_jobs", "geoutils.merge"} & set(done.stdout.split())
