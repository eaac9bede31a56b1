"""The commands for more than one machine: `geoutils merge` and `geoutils cluster`."""

from __future__ import annotations

import argparse
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any


def add(group: Any, add_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands to a parser."""
    unite = add_command(
        group, "merge", merge, "unite the response files of shards", "geoutils merge mine other-machine/*.shard-*.sqlite"
    )
    unite.add_argument("experiment", help="its file, or its name")
    unite.add_argument("files", nargs="*", help="response files (default: all shards in the experiment's folder)")
    unite.add_argument("--remove", action="store_true", help="delete the files of shards once all in them is merged")
    graph = add_command(
        group, "cluster", cluster, "run an experiment as jobs of Snakemake, here or on a cluster",
        "geoutils cluster mine --shards 4 --profile slurm",
    )  # fmt: skip
    graph.add_argument("experiment", nargs="?", help="its file, or its name")
    graph.add_argument("--shards", type=_count, default=4, help="parts of each model and strategy (default 4)")
    graph.add_argument("--jobs", type=_count, default=2, help="processors to use on this machine (default 2)")
    graph.add_argument("--profile", default="", help="slurm, or a folder with a Snakemake profile; empty: on this machine")
    graph.add_argument("--only", type=_names, default=[], metavar="STAGES", help="only these stages, such as inference")
    graph.add_argument("--dry-run", action="store_true", help="say what would be made")
    graph.add_argument("--copy", metavar="DIR", help="copy Snakefile, SLURM profile and array script there, to be changed")
    graph.add_argument(
        "--snakemake", action="append", default=[], metavar="OPTIONS", help='options for Snakemake, such as --snakemake="--restart-times 0"'
    )


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def merge(options: Namespace) -> int:
    """`geoutils merge`"""
    from geoutils.experiment import load_experiment
    from geoutils.merge import merge as unite
    from geoutils.merge import strays

    experiment = load_experiment(options.experiment)
    for path in strays(experiment):
        print(f"geoutils: {path.name} belongs to no model and strategy of {experiment.name}; it stays as it is", file=sys.stderr)
    table = unite(experiment, options.files, remove=options.remove)
    if table.empty:
        print(f"no files of shards in the folder of {experiment.name}: nothing to merge")
        return 0
    print(table.to_string(index=False))
    return 0


def cluster(options: Namespace) -> int:
    """`geoutils cluster`"""
    from geoutils.cluster import copy_templates, describe, run_graph
    from geoutils.errors import UserError
    from geoutils.experiment import load_experiment

    if options.copy:
        for path in copy_templates(Path(options.copy)):
            print(path)
        return 0
    if not options.experiment:
        raise UserError("name the experiment: geoutils cluster EXPERIMENT")
    experiment = load_experiment(options.experiment)
    code = run_graph(
        experiment, shards=options.shards, jobs=options.jobs, profile=options.profile, only=options.only,
        dry_run=options.dry_run, more=[word for given in options.snakemake for word in shlex.split(given)],
    )  # fmt: skip
    if not options.dry_run:
        print(describe(experiment, code), file=sys.stderr if code else sys.stdout)
    return 1 if code else 0
