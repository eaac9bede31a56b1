"""Experiments and problems tables for the tests of the inference stage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from geoutils.experiment import Experiment, load_experiment


def problems_table(
    statements: Sequence[str], *, variants: int = 1, representations: Sequence[str] = ("coord", "euclid", "vector")
) -> pd.DataFrame:
    """A problems table with one problem for each statement."""
    rows = []
    for place, statement in enumerate(statements):
        category = ("length", "area", "angle", "ratio")[place % 4]
        for variant in range(variants):
            for representation in representations:
                rows.append({
                    "problem": f"{category}_easy_{place:05d}", "category": category, "difficulty": "easy", "family": "t",
                    "variant": variant, "representation": representation,
                    "statement": f"{statement} (problem {place}, {variant}, {representation})",
                    "answer": "42", "value": "42.000", "unit": "", "solution": "", "concepts": "", "kinds": "",
                    "dataset_sha256": "0",
                })
    return pd.DataFrame(rows)


def experiment_file(folder: Path, text: str, *, name: str = "trial") -> Experiment:
    """An experiment from YAML without its name."""
    path = folder / f"{name}.yaml"
    path.write_text(f"name: {name}\n{text}", encoding="utf-8")
    return load_experiment(path)


def served(url: str, *, models: str = "lab/m", limits: str = "", more: str = "", key: str = "LAB_KEY") -> str:
    """The YAML of an experiment that asks a server under the prefix `lab`."""
    return (
        f"models: [{models}]\nendpoints: {{lab: {{base_url: \"{url}\", api_key_env: {key}}}}}\n"
        f"limits: {{timeout_s: 1, max_attempts: 2, max_usd: 1000{', ' if limits else ''}{limits}}}\n{more}"
    )
