"""The commands about concepts: scored solutions come in, ours go out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any


def add_import(group: Any, add: Callable[..., Any]) -> None:
    """Add `geoutils import concepts`."""
    parser = add(
        group, "concepts", take_in, "take in solutions with concept scores (.csv), or problems with solutions (.jsonl)",
        "geoutils import concepts scoring_output.csv --name theirs",
    )  # fmt: skip
    parser.add_argument("file", help="a wide CSV with <name>_solution and <name>_solution_notion_SCORE, or JSON lines")
    parser.add_argument("--name", required=True, help="the experiment that they become")


def add_export(group: Any, add: Callable[..., Any]) -> None:
    """Add `geoutils export concepts`."""
    parser = add(
        group, "concepts", write, "write scored solutions as one wide CSV, a row a problem",
        "geoutils export concepts concepts scoring_output.csv",
    )  # fmt: skip
    parser.add_argument("experiment", help="its file, or its name")
    parser.add_argument("out", help="the .csv file to write")


def take_in(options: Namespace) -> int:
    """`geoutils import concepts`"""
    from geoutils.concepts_tables import import_concepts

    print(import_concepts(options.file, name=options.name).text())
    return 0


def write(options: Namespace) -> int:
    """`geoutils export concepts`"""
    from geoutils.concepts_tables import export_concepts

    path, rows = export_concepts(options.experiment, options.out)
    print(f"{path}: {rows:,} rows")
    return 0
