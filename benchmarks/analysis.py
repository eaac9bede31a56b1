"""Time notebooks 05 to 08 over twenty made-up models, 480 answers each (limit: 40 s on two cores).

The scores are generated from an item-response model, imported with `geoutils import scores` and
analysed with `geoutils run`, all in a temporary folder, as a user would do it.

    .venv/bin/python benchmarks/analysis.py [--models 20] [--jobs 2]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from geoutils.dataset import problems_table
from geoutils.experiment import project_root

STAGES = "tabulation,flips,regression,plots"


def write_scores(folder: Path, models: int) -> int:
    """One seed-format CSV a model; returns the number of answers a model."""
    rng = np.random.default_rng(20)
    table = problems_table(str(project_root() / "data" / "problems"), variants=1)
    table = table[table["variant"] == 0]
    names = table["problem"].unique()
    hard = dict(zip(names, rng.normal(0, 1.5, len(names)), strict=True))
    for model in range(models):
        ability = rng.normal(0.5, 1.0)
        effect = {r: rng.normal(0, 0.3) for r in ("coord", "euclid", "vector")}
        logit = np.array([ability + effect[r] - hard[p] for p, r in zip(table["problem"], table["representation"], strict=True)])
        right = rng.random(len(table)) < 1 / (1 + np.exp(-logit))
        scores = table[["problem", "category", "representation"]].assign(
            predicted=np.where(right, table["answer"], "1234567"), gold=table["answer"], correct=right.astype(int)
        )
        scores.to_csv(folder / f"exp1_generated-{model:02d}.csv", index=False)
    return len(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "scores"
        folder.mkdir()
        answers = write_scores(folder, options.models)
        home = {**os.environ, "GEOUTILS_HOME": place}
        command = [sys.executable, "-m", "geoutils"]
        subprocess.run([*command, "import", "scores", str(folder), "--name", "generated"], env=home, check=True)
        subprocess.run([*command, "run", "generated", "--only", "scoring"], env=home, check=True)
        begin = time.perf_counter()
        subprocess.run([*command, "run", "generated", "--only", STAGES, "--jobs", str(options.jobs)], env=home, check=True)
        seconds = time.perf_counter() - begin
    print(f"{options.models} generated models x {answers} answers, {STAGES}: {seconds:.1f} s with {options.jobs} jobs (limit 40 s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
