"""Compare graders on the shared cases in one run: accuracy, answers a second, worst case.

    python benchmarks/grading.py [CASES.jsonl] [--only ours,last-number,math-verify,math-verify-3,inspect-ai]

Every grader runs in a process of its own, and a foreign one in an environment of its own, which this script makes in a
temporary folder with uv (or venv and pip) and removes at the end. A case that takes longer than --limit seconds is stopped and
counts as not accepted. Accuracy asks one thing of all alike: is an answer accepted exactly where the case says `correct`? Speed counts the
processor time of the grader's process, one pass over the cases, so that other work on the machine does not count; the clock time of the
slowest case stands beside it.
The table is what benchmarks/README.md and the README show.
"""

from __future__ import annotations

import argparse
import json
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "data" / "grading_cases.jsonl"

OURS = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
from geoutils.grading import grade
def accepts(output, gold): return grade(output, gold).verdict
"""
LAST_NUMBER = """
import math, re
from fractions import Fraction
number = re.compile(r"-?\\d+(?:\\.\\d+)?(?:/[1-9]\\d*)?|-?\\.\\d+")
names = {"sqrt(5)/2": math.sqrt(5) / 2, "pi": math.pi, "2*pi": 2 * math.pi, "pi/2": math.pi / 2, "pi/6": math.pi / 6}
def value(text):
    try: return float(Fraction(text))
    except ValueError: return float(text)
def accepts(output, gold):
    found = number.findall(output.replace(",", "")[-4000:])
    gold = gold.removesuffix(" deg")
    try: truth = names[gold] if gold in names else value(gold)
    except ValueError: return False
    return bool(found) and math.isclose(value(found[-1]), truth, rel_tol=1e-3)
"""
MATH_VERIFY = """
from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify
import logging; logging.disable(logging.CRITICAL)
def accepts(output, gold):
    gold = gold.removesuffix(" deg")
    truth = parse(gold, extraction_config=[ExprExtractionConfig(), LatexExtractionConfig()]) or parse(f"${gold}$")
    return bool(verify(truth, parse(output)%s))
"""
INSPECT = """
import asyncio
from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Target, math
from inspect_ai.solver import TaskState
scorer = math()
loop = asyncio.new_event_loop()
def accepts(output, gold):
    state = TaskState(model=ModelName("none/none"), sample_id=1, epoch=1, input="", messages=[], output=ModelOutput.from_content("none/none", output))
    score = loop.run_until_complete(scorer(state, Target(gold.removesuffix(" deg"))))
    return score is not None and score.value == "C"
"""
WORKER = """
import json, sys, time
for line in sys.stdin:
    case = json.loads(line)
    start, processor = time.perf_counter(), time.process_time()
    try: verdict = accepts(case["output"], case["gold"])
    except Exception as error: verdict = False
    print(json.dumps([verdict, time.process_time() - processor, time.perf_counter() - start]), flush=True)
"""
GRADERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "ours": (OURS, ()),
    "last-number": (LAST_NUMBER, ()),
    "math-verify": (MATH_VERIFY % "", ("math-verify[antlr4_13_2]==0.9.0",)),
    "math-verify-3": (MATH_VERIFY % ", float_rounding=3", ("math-verify[antlr4_13_2]==0.9.0",)),
    "inspect-ai": (INSPECT, ("inspect_ai==0.3.285", "latex2sympy2-extended[antlr4_13_2]==1.11.0")),
}
NAMES = {
    "ours": "geoutils", "last-number": '"the last number"', "math-verify": "Math-Verify 0.9.0, defaults",
    "math-verify-3": "Math-Verify 0.9.0, float_rounding=3", "inspect-ai": "inspect_ai 0.3.285 math()",
}  # fmt: skip


def environment(packages: tuple[str, ...], folder: Path, made: dict[tuple[str, ...], str]) -> str:
    """The Python of an environment with `packages`; ours when there are none."""
    if not packages:
        return sys.executable
    if packages not in made:
        place = folder / f"environment-{len(made)}"
        python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        uv = shutil.which("uv") or (str(ROOT / ".venv/bin/uv") if (ROOT / ".venv/bin/uv").exists() else None)
        if uv:
            subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(place)], check=True)
            subprocess.run([uv, "pip", "install", "--quiet", "--python", str(python), *packages], check=True)
        else:
            subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
        made[packages] = str(python)
    return made[packages]


class Worker:
    """A grader in a process; `ask` gives None when it does not answer in time, and starts and warms it anew."""

    def __init__(self, python: str, source: str) -> None:
        self.command = [python, "-c", source + WORKER]
        self.start()

    def warm(self) -> bool:
        """Whether it answers an easy question; the first one waits for its imports."""
        easy = {"output": "The answer is \\boxed{\\frac{1}{2}}.", "gold": "1/2"}
        return all(self._ask(easy, 180.0) is not None for _ in range(2))

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, args=(self.process,), daemon=True).start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def ask(self, case: dict[str, Any], limit: float) -> tuple[Any, float, float] | None:
        found = self._ask(case, limit)
        if found is None:
            self.process.kill()
            self.process.wait()
            self.start()
            self.warm()
        return found

    def _ask(self, case: dict[str, Any], limit: float) -> tuple[Any, float, float] | None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps({k: case[k] for k in ("output", "gold")}) + "\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=limit)
        except (queue.Empty, BrokenPipeError):
            line = ""
        if not line:
            return None
        verdict, processor, elapsed = json.loads(line)
        return verdict, processor, elapsed

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def measure(name: str, python: str, cases: list[dict[str, Any]], limit: float) -> dict[str, Any]:
    """One row of the table: each case once after a warm-up, timed inside the process."""
    worker = Worker(python, GRADERS[name][0])
    if not worker.warm():
        worker.close()
        raise SystemExit(f"{name}: the grader does not start; run {python} by hand to see why")
    accepted, verdicts, times, clock, hangs = [], [], [], [], 0
    for case in cases:
        found = worker.ask(case, limit)
        hangs += found is None
        verdict, processor, elapsed = (False, limit, limit) if found is None else found
        verdicts.append(verdict)
        accepted.append(verdict in (True, "correct"))
        times.append(processor)
        clock.append(elapsed)
    worker.close()

    def share(kind: str) -> float:
        chosen = [a == (c["expect"] == "correct") for a, c in zip(accepted, cases, strict=True) if c["expect"] == kind]
        return sum(chosen) / len(chosen) if chosen else float("nan")

    right = [a == (c["expect"] == "correct") for a, c in zip(accepted, cases, strict=True)]
    row = {"grader": NAMES[name], "accuracy": sum(right) / len(right)} | {kind: share(kind) for kind in ("correct", "wrong", "unparsed")}
    row |= {"per_second": len(cases) / sum(times), "worst_ms": 1000 * max(times), "stopped": hangs}
    row["elapsed_worst_ms"] = 1000 * max(clock)
    if name == "ours":
        exact = [
            v == c["expect"] or (c["kind"] == "dos" and {v, c["expect"]} == {"wrong", "unparsed"})
            for v, c in zip(verdicts, cases, strict=True)
        ]
        row["three"] = sum(exact) / len(exact)
    return row


def table(rows: list[dict[str, Any]], limit: float) -> Iterator[str]:
    """The Markdown table."""
    yield "| grader | accuracy | correct accepted | wrong rejected | unparsed rejected | answers/s | slowest: processor | slowest: clock |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        clock = f"{row['stopped']} stopped at {limit:g} s" if row["stopped"] else f"{row['elapsed_worst_ms']:.1f} ms"
        shares = " | ".join(f"{row[k]:.3f}" for k in ("accuracy", "correct", "wrong", "unparsed"))
        yield f"| {row['grader']} | {shares} | {row['per_second']:,.0f} | {row['worst_ms']:.1f} ms | {clock} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="?", type=Path, default=CASES)
    parser.add_argument("--only", default=",".join(GRADERS))
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for one case")
    options = parser.parse_args()
    cases = [json.loads(line) for line in options.cases.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows: list[dict[str, Any]] = []
    made: dict[tuple[str, ...], str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only.split(","):
            start = time.monotonic()
            python = environment(GRADERS[name][1], Path(folder), made)
            print(f"{name}: environment ready after {time.monotonic() - start:.0f} s", file=sys.stderr)
            rows.append(measure(name, python, cases, options.limit))
    print(f"{len(cases)} cases of {options.cases.name}\n")
    print("\n".join(table(rows, options.limit)))
    for row in rows:
        if "three" in row:
            print(f"\n{row['grader']} with all three verdicts told apart: {row['three']:.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
