"""Parse, score and analyse a large experiment of generated answers: time, rows a second and memory of each stage.

An experiment of simulated models is made in a temporary folder: 160 problems x 11 variants x 4 representations x 5
repeats for each model and strategy (35,200 rows). No model answered anything of it, and every table says SIMULATED. Then
`geoutils run` does the rest as for a user: parsing, scoring, and the analysis with the report.

    .venv/bin/python benchmarks/size.py              # 1 x 1 and 3 x 3 models x strategies: 35,200 and 316,800 rows
    .venv/bin/python benchmarks/size.py --full       # also 30 x 3: 3,168,000 rows, about 8 GB of disk

Memory is that of all processes together, shared pages counted once, and of the largest one. Limits: parsing and scoring
5,000 rows a second of processor time at least, the analysis of the full size 10 minutes and 4 GB on two cores.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

VARIANTS, REPEATS = 11, 5
REPRESENTATIONS = ("coord", "euclid", "vector", "figure")
STRATEGIES = ("direct", "convert", "reason")
STEPS = {"parsing": "parsing", "scoring": "scoring", "analysis": "tabulation,flips,regression,plots,robustness,overview"}
SIZES = {"small": (1, 1), "middle": (3, 3), "full": (30, 3)}


# --- the generated experiment ---------------------------------------------------------------------


def experiment_file(folder: Path, models: int, strategies: int) -> Path:
    """The experiment of so many simulated models and strategies."""
    from geoutils.simulated import PROFILES

    profiles = [name for name in PROFILES if name != "perfect"]
    names = [f"simulated/{profiles[i % len(profiles)]}-{i:02d}" for i in range(models)]
    path = folder / "size.yaml"
    path.write_text(
        f"name: size\nmodels: [{', '.join(names)}]\nstrategies: [{', '.join(STRATEGIES[:strategies])}]\n"
        f"representations: [{', '.join(REPRESENTATIONS)}]\nvariants: {VARIANTS}\nrepeats: {REPEATS}\n",
        encoding="utf-8",
    )
    return path


def write_problems(experiment: Any) -> int:
    """The problems table, with a row for the figure of each problem where the project has none; how many rows."""
    import pandas as pd

    from geoutils.dataset import problems_table
    from geoutils.study import write_table

    table = problems_table(experiment.source, variants=VARIANTS)
    if "figure" not in set(table["representation"]):
        table = pd.concat([table, table[table["representation"] == "euclid"].assign(representation="figure")])
        table = table.sort_values(["problem", "variant"], kind="stable", ignore_index=True)
    write_table(table, experiment.data_dir / "problems.csv")
    return len(table)


SLIPS = (2.0, 0.5, 1.4142, 0.57735, 1.3333, 1.1, 0.9)
FORMS = {
    "direct": ("{0}", "The value is {0}.", "**{0}**", "${0}$", "Answer: {0}"),
    "convert": ('{{"euclidean_conversion": "{1}", "reasoning": "The relation between the parts gives it.", "numeric_answer": "{0}"}}',),
    "reason": ("{1}\nFrom this the value follows: it has to be {0}.\n\nAnswer: {0}", "{1}\nTherefore the answer is $\\boxed{{{0}}}$."),
}
SILENT = ("I cannot determine the answer from the information given.", "", "Let us place the figure and look for")


def respond(cell: Any, forms: dict[tuple[str, str], list[str]]) -> str:
    """A generated response: right, wrong or silent by chance, in one of several forms; the cell decides the chance."""
    text = f"{cell.model}|{cell.strategy}|{cell.problem}|{cell.variant}|{cell.representation}|{cell.repeat}"
    draw = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    skill = 0.15 + 0.7 * (sum(cell.model.encode()) % 17) / 16 - 0.1 * (cell.representation == "vector")
    if draw % 997 < 20:
        return SILENT[draw % 3]
    row = cell.row
    if draw // 997 % 1000 < 1000 * skill:
        answers = forms[row["answer"], row["unit"]]
        value = answers[draw // 1_000_003 % len(answers)]
    else:
        value = f"{(float(row['value']) or 1.0) * SLIPS[draw % 7]:.3f}"
    shape = FORMS[cell.strategy]
    said = f"In step {draw % 10_007} the lengths of the sides and the angle between them are as given."
    return shape[draw // 7 % len(shape)].format(value, said)


def write_responses(experiment: Any, pair: tuple[str, str], problems: Any) -> int:
    """Fill the response file of a model and strategy; how many responses."""
    from geoutils.outcomes import Result
    from geoutils.responses import planned
    from geoutils.store import Key, Store, store_path
    from geoutils.written import written_forms

    now = datetime.datetime.now(datetime.UTC).isoformat()
    forms = {key: written_forms(key[0], key[1] or None)[:6] for key in set(zip(problems["answer"], problems["unit"], strict=True))}
    rows, count = [], 0
    with Store(store_path(experiment, *pair), write=True, model=pair[0], strategy=pair[1]) as store:
        for cell, request in planned(experiment, problems, *pair):
            content = respond(cell, forms)
            result = Result("ok" if content else "empty", "done", content=content, finish_reason="stop", served_model=pair[0], cost_usd=0.0)
            key = Key(cell.problem, cell.category, cell.variant, cell.representation, cell.repeat)
            rows.append((request.key(cell.repeat), key, request, result, {"started": now, "latency_s": 0.1}))
            count += 1
            if len(rows) == 2000:
                store.append_all(rows)
                rows = []
        store.append_all(rows)
    return count


def _fill(pair: tuple[str, str], path: str) -> int:
    from geoutils.experiment import load_experiment
    from geoutils.responses import problems_of

    experiment = load_experiment(path)
    return write_responses(experiment, pair, problems_of(experiment))


# --- measuring ------------------------------------------------------------------------------------


class Watch(threading.Thread):
    """Memory (MB) and processor time (s) of a process and all that it starts, looked at again and again."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.ended = pid, threading.Event()
        self.together, self.largest = 0.0, 0.0
        self.spent: dict[int, float] = {}

    def run(self) -> None:
        """Look until told to end."""
        tick = os.sysconf("SC_CLK_TCK")
        while not self.ended.wait(0.25):
            parents: dict[int, int] = {}
            used: dict[int, float] = {}
            for item in Path("/proc").iterdir():
                if item.name.isdigit():
                    try:
                        fields = (item / "stat").read_text().rpartition(")")[2].split()
                    except OSError:
                        continue
                    parents[int(item.name)] = int(fields[1])
                    used[int(item.name)] = (int(fields[11]) + int(fields[12])) / tick
            mine = {self.pid}
            while more := {pid for pid, parent in parents.items() if parent in mine} - mine:
                mine |= more
            together = 0.0
            for pid in mine & used.keys():
                self.spent[pid] = used[pid]
                shared, resident = _memory(pid)
                together += shared
                self.largest = max(self.largest, resident)
            self.together = max(self.together, together)


def _memory(pid: int) -> tuple[float, float]:
    """MB of a process: its share of what it has in memory, and all of it."""
    found = {"Pss": 0.0, "Rss": 0.0}
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name in found:
                found[name] = int(rest.split()[0]) / 1024
    except (OSError, ValueError, IndexError):
        pass
    return found["Pss"], found["Rss"]


def watched(command: list[str], what: str, **options: Any) -> tuple[float, Watch]:
    """Run a command: its seconds, and what its processes used; ends the benchmark when it fails."""
    before = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)
    watch = Watch(process.pid)
    watch.start()
    _, said = process.communicate()
    watch.ended.set()
    watch.join()
    if process.returncode:
        sys.exit(f"{what} failed:\n{said[-3000:]}")
    return time.perf_counter() - before, watch


def run(path: Path, stages: str, jobs: int) -> dict[str, Any]:
    """`geoutils run` of some stages: seconds, processor seconds, MB, and the seconds of each stage."""
    command = [sys.executable, "-m", "geoutils", "run", str(path), "--only", stages, "--jobs", str(jobs), "--force"]
    seconds, watch = watched(command, stages)
    record = json.loads((path.parent / "data" / "size" / "runs.jsonl").read_text().splitlines()[-1])
    return {
        "seconds": seconds, "cpu": sum(watch.spent.values()), "mb": watch.together,
        "largest": watch.largest, "stages": record["stages"],
    }  # fmt: skip


def measure(name: str, jobs: int, place: Path) -> None:
    """One size: generate, run, and print a line for each step."""
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial
    from multiprocessing import get_context

    from geoutils.experiment import load_experiment

    folder = place / name
    folder.mkdir(parents=True)
    os.environ["GEOUTILS_HOME"] = str(folder)
    path = experiment_file(folder, *SIZES[name])
    experiment = load_experiment(path)
    write_problems(experiment)
    before = time.perf_counter()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        rows = sum(pool.map(partial(_fill, path=str(path)), experiment.pairs()))
    print(f"{rows:,} generated rows, {SIZES[name][0]} simulated models x {SIZES[name][1]} strategies (made in {time.perf_counter() - before:.0f} s)")
    print(f"{'':14}{'seconds':>9}{'cpu s':>9}{'rows/s':>10}{'rows/cpu s':>12}{'MB together':>13}{'MB largest':>12}")
    for step in STEPS:
        found = run(path, STEPS[step], jobs)
        print(
            f"{step:14}{found['seconds']:9.1f}{found['cpu']:9.1f}{rows / found['seconds']:10,.0f}{rows / found['cpu']:12,.0f}"
            f"{found['mb']:13,.0f}{found['largest']:12,.0f}   {', '.join(f'{k} {v:.0f} s' for k, v in found['stages'].items())}",
            flush=True,
        )
    used = sum(item.stat().st_size for item in folder.rglob("*") if item.is_file())
    print(f"disk: {used / 1e9:.2f} GB; load of the machine (1 min): {os.getloadavg()[0]:.1f}\n", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="also 3,168,000 rows")
    parser.add_argument("--only", choices=list(SIZES), action="append", help="only this size; may be given again")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--place", default=None, help="make the temporary folder here")
    options = parser.parse_args()
    sizes = options.only or [name for name in SIZES if name != "full" or options.full]
    with tempfile.TemporaryDirectory(dir=options.place) as place:
        for name in sizes:
            measure(name, options.jobs, Path(place))
            shutil.rmtree(Path(place) / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
