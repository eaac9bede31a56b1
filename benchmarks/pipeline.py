"""Time `geoutils run` against the papermill command line, one notebook after another, on a finished quickstart.

Both run in copies of one finished experiment, so that no model is asked; `geoutils run --force` also makes the report.
They take turns, and the medians are compared (limit: 60 % with 2 jobs). Also how long `import geoutils` takes (0.5 s).

    .venv/bin/python benchmarks/pipeline.py [--home FOLDER] [--rounds 2] [--jobs 2]

`--home` is a folder with data/quickstart in it whose responses are complete (default: this project's; where there is none,
the quickstart is run first, which takes some minutes).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from numpy import median  # the standard library's would be the benchmark of that name beside this one
from size import watched

ROOT = Path(__file__).resolve().parents[1]
NAME = "quickstart"


def timed(command: list[str], home: Path) -> tuple[float, float]:
    """Seconds and processor seconds of a command; ends the benchmark when it fails."""
    env = {**os.environ, "GEOUTILS_HOME": str(home)}
    seconds, watch = watched(command, " ".join(command), cwd=ROOT, env=env)
    return seconds, sum(watch.spent.values())


def one_by_one(home: Path) -> tuple[float, float, dict[str, float]]:
    """Every notebook by the papermill command line: seconds, processor seconds, and the seconds of each."""
    notebooks = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"), key=lambda path: (path.stem.startswith("00"), path.stem))
    each, spent = {}, 0.0
    for path in notebooks:
        out = home / f"{path.stem}.ipynb"
        command = [sys.executable, "-m", "papermill", str(path), str(out), "-p", "experiment", NAME, "-k", "python3", "--no-progress-bar"]
        each[path.stem], cpu = timed(command, home)
        spent += cpu
    return sum(each.values()), spent, each


def import_seconds() -> float:
    """The median of seven imports in new processes."""
    code = "import time; before = time.perf_counter(); import geoutils; print(time.perf_counter() - before)"
    return float(median([float(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(7)]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--home", default=str(ROOT))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print(f"import geoutils: {import_seconds():.3f} s (limit 0.5 s)", flush=True)
    run = [sys.executable, "-m", "geoutils", "run", NAME, "--jobs", str(options.jobs), "--force"]
    with tempfile.TemporaryDirectory() as place:
        finished, ours, theirs = (Path(place) / name for name in ("finished", "ours", "theirs"))
        source = Path(options.home) / "data" / NAME
        if (source / "responses").is_dir():
            shutil.copytree(source, finished / "data" / NAME)
            if (Path(options.home) / ".cache").is_dir():
                shutil.copytree(Path(options.home) / ".cache", finished / ".cache")
        else:
            (finished / "data").mkdir(parents=True)
        timed(run, finished)  # whatever is not there yet
        for home in (ours, theirs):
            shutil.copytree(finished, home)
        rounds = []
        for number in range(options.rounds):
            alone, alone_cpu, each = one_by_one(theirs)
            together, together_cpu = timed(run, ours)
            rounds.append((alone, together))
            print(
                f"round {number + 1}: papermill one by one {alone:.1f} s ({alone_cpu:.1f} s of processor), geoutils run {together:.1f} s "
                f"({together_cpu:.1f} s of processor): {together / alone:.0%}; load {os.getloadavg()[0]:.1f}", flush=True,
            )  # fmt: skip
            print("   " + ", ".join(f"{name} {seconds:.1f}" for name, seconds in each.items()), flush=True)
    alone, together = (median(times) for times in zip(*rounds, strict=True))
    print(f"{len(each)} notebooks, medians of {len(rounds)}: {alone:.1f} s one by one, {together:.1f} s with {options.jobs} jobs: {together / alone:.0%} (limit 60 %)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
