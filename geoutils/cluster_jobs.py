"""One job of the graph of an experiment: `python -m geoutils.cluster_jobs EXPERIMENT JOB ...`.

A job executes one notebook by papermill, for one model, strategy and shard or for all, or merges the shards,
or puts the report together. Its files appear whole when it has succeeded, or not at all.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from geoutils.cluster import Graph
from geoutils.console import Console
from geoutils.errors import GeoutilsError
from geoutils.experiment import Experiment, load_experiment
from geoutils.files import write_text
from geoutils.paths import STAGED, STAGING, shown, staging_dir
from geoutils.shards import SPENT, restricted


def execute(graph: Graph, stage: str, folder: Path, given: dict[str, Any]) -> Path:
    """Execute the notebook of a stage, with its report going to a folder of this job; the executed notebook."""
    from geoutils import pipeline

    experiment = graph.experiment
    os.environ[STAGED], os.environ[STAGING] = experiment.name, str(folder)
    notebook = graph.stages[stage]
    folder.mkdir(parents=True, exist_ok=True)
    parameters = {"experiment": shown(experiment.path) if experiment.path else experiment.name, **given}
    pipeline.stages_module.check_parameters(notebook, parameters)
    return pipeline._execute(experiment, notebook, parameters, folder, Console())


def of_pair(graph: Graph, options: argparse.Namespace) -> None:
    """A notebook for one model and strategy, or one shard of them; tables and page of it are not kept."""
    output = Path(options.output)
    folder = graph.folder / "work" / output.with_suffix("")
    given: dict[str, Any] = {}
    if options.model:
        given = {"models": [options.model], "strategies": [options.strategy]}
    if options.shard:
        given["shard"] = options.shard
        os.environ[SPENT] = str(json.loads((graph.folder / "spent.json").read_text(encoding="utf-8"))["usd"])
    shutil.rmtree(folder, ignore_errors=True)
    made = execute(graph, options.job, folder, given)
    if options.record:
        experiment = restricted(graph.experiment, models=[options.model], strategies=[options.strategy], shard=options.shard)
        write_text(Path(options.record), json.dumps(record(experiment), indent=1) + "\n")
    output.parent.mkdir(parents=True, exist_ok=True)
    os.replace(made, output)
    shutil.rmtree(folder, ignore_errors=True)


def record(experiment: Experiment) -> dict[str, int]:
    """How many cells the experiment, or a shard of it, plans, and how many of them are still to be asked."""
    from geoutils.responses import answered, planned, problems_of

    problems = problems_of(experiment)
    counts = {"planned": 0, "open": 0}
    for model, strategy in experiment.pairs():
        known = answered(experiment, model, strategy)
        for cell, request in planned(experiment, problems, model, strategy):
            counts["planned"] += 1
            counts["open"] += known.get(request.key(cell.repeat), 0) < 16
    return counts


def merge(graph: Graph, options: argparse.Namespace) -> None:
    """The shards of one model and strategy, and what each brought."""
    from geoutils.merge import merge as unite

    table = unite(restricted(graph.experiment, models=[options.model], strategies=[options.strategy]))
    write_text(Path(options.output), table.to_json(orient="records", indent=1) + "\n")


def page(graph: Graph, options: argparse.Namespace) -> None:
    """A notebook over the whole experiment, with its page, tables and figures in the graph's report."""
    from geoutils import pipeline

    stage = next(stage for stage in graph.stages.values() if stage.stem == options.stem)
    folder = graph.folder / "report"
    made = execute(graph, stage.name, folder, {"ask": False} if stage.name == "inference" else {})
    pipeline._export(made, stage, folder)


def report(graph: Graph, options: argparse.Namespace) -> None:
    """The pages as the experiment's report, with index and results.json."""
    from geoutils import pipeline

    experiment, began = graph.experiment, time.monotonic()
    run = pipeline.Run(experiment.name, datetime.now(UTC).isoformat(timespec="seconds"))
    staging = staging_dir(experiment.name)
    shutil.rmtree(staging, ignore_errors=True)
    shutil.copytree(graph.folder / "report", staging)
    os.environ[STAGED] = experiment.name
    try:
        run.stages = dict.fromkeys(graph.stages, 0.0)
        run.seconds = time.monotonic() - began
        pipeline._finish_report(experiment, run, staging)
        pipeline._swap(staging, experiment)
    finally:
        os.environ.pop(STAGED)
        shutil.rmtree(staging, ignore_errors=True)
    pipeline._append_record(experiment, run)
    write_text(Path(options.output), json.dumps({"report": shown(experiment.report_dir / "index.html")}) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one job; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m geoutils.cluster_jobs")
    parser.add_argument("experiment")
    jobs = {"dataset": of_pair, "inference": of_pair, "parsing": of_pair, "scoring": of_pair, "merge": merge, "page": page, "report": report}
    parser.add_argument("job", choices=jobs)
    for name in ("model", "strategy", "shard", "stem", "output", "record"):
        parser.add_argument(f"--{name}", default="")
    options = parser.parse_args(arguments)
    try:
        jobs[options.job](Graph(load_experiment(options.experiment)), options)
    except GeoutilsError as error:
        print(f"geoutils: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
