"""The judge's baseline on the whole calibration set, what it costs, and whether the corrected limits keep their word.

`python benchmarks/judge.py` prints the three tables of docs/judge.md. It needs no key; the first run reads some
hundred images by OCR (two to four minutes on one core), later ones take them from the cache.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from geoutils import judge, judge_tables
from geoutils.experiment import experiment_from_dict
from geoutils.judge_settings import BASELINE
from geoutils.judge_solutions import COUNT
from geoutils.stats.misclassified import rogan_gladen


def calibrate(count: int) -> tuple[pd.DataFrame, dict[str, float]]:
    """The verdicts of the baseline on the first `count` solutions, and seconds of processor time for drawing and judging."""
    experiment = experiment_from_dict({"name": "judge-benchmark"})
    start = time.process_time()
    judging = judge.open_judging(experiment, models=[BASELINE], calibration=count)
    drawn = time.process_time()
    verdicts = judge.run_judges(judging, progress="none")
    return verdicts, {"drawing": drawn - start, "judging": time.process_time() - drawn}


def coverage(draws: int) -> pd.DataFrame:
    """How often the 95 % limits of the corrected accuracy hold the truth, by truth, sensitivity, specificity and sizes."""
    rng = np.random.default_rng(1)
    rows = []
    for truth in (0.05, 0.3, 0.6, 0.95):
        for se, sp in ((0.95, 0.95), (0.8, 0.9), (0.6, 0.7), (0.7, 1.0)):
            for n, known in ((200, 72), (50, 12)):
                held, wide = 0, 0.0
                for _ in range(draws):
                    right = rng.binomial(n, truth)
                    called = rng.binomial(right, se) + rng.binomial(n - right, 1 - sp)
                    found = rogan_gladen(called, n, rng.binomial(known, se), known, rng.binomial(known, sp), known)
                    held += found.low <= truth <= found.high
                    wide += found.high - found.low
                rows.append({
                    "truth": truth, "sensitivity": se, "specificity": sp, "judged": n, "known right and wrong": f"{known} + {known}",
                    "held": held / draws, "width": wide / draws,
                })  # fmt: skip
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=COUNT, help="solutions of the calibration set (default: all)")
    parser.add_argument("--draws", type=int, default=2000, help="simulated studies for each row of the coverage table")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "judge-benchmark", help="folder for CSVs")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    verdicts, seconds = calibrate(options.count)
    tables = {
        "quality": judge_tables.quality(verdicts), "by rendering": judge_tables.quality(verdicts, by=["rendering"]),
        "by known labels": judge_tables.by_known(verdicts), "correction tried": judge_tables.tried_correction(verdicts),
        "coverage": coverage(options.draws),
    }  # fmt: skip
    for name, table in tables.items():
        table.to_csv(options.out / f"{name.replace(' ', '_')}.csv", index=False)
        print(f"\n{name}\n{table.round(3).to_string(index=False)}")
    print("\nprocessor time: " + ", ".join(f"{name} {value:.1f} s" for name, value in seconds.items()))


if __name__ == "__main__":
    main()
