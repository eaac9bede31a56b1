"""Read random texts for a while: no exception, no hang, no growth of memory. Prints the counts.

    python benchmarks/fuzz_parsing.py --seconds 600

Three sources in turn: hypothesis (the strategies and properties of tests/test_fuzz.py), random walks over the pieces
that the rules look for, and one short unit repeated up to 100,000 characters, which is what slow patterns die of. Each text is
timed by the processor time of this process; one slower than --limit-ms is read again, and the best of five counts.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import test_fuzz as properties  # noqa: E402

from geoutils.parsing import read_answer  # noqa: E402


def timed(text: str, truncated: bool) -> float:
    start = time.process_time()
    read_answer(text, truncated=truncated)
    return time.process_time() - start


def one_text(source: random.Random) -> str:
    """A walk over the pieces, or a repeated unit."""
    pieces = properties.PIECES
    if source.random() < 0.5:
        return source.choice(["", " "]).join(source.choice(pieces) for _ in range(source.randint(1, 80)))
    unit = "".join(source.choice(pieces) for _ in range(source.randint(1, 4)))
    start = source.choice(["", "Answer: ", r"\boxed{", '{"answer": "', "So ", "\n"])
    return start + unit * (source.choice([200, 10_000, 100_000]) // len(unit) or 1)


def hypothesis_round(number: int, examples: int) -> int:
    """Check the property of tests/test_fuzz.py on fresh examples; returns how many texts that were."""
    count = 0
    check = properties.test_any_text_is_read_and_what_is_printed_is_read_back.hypothesis.inner_test

    @seed(number)
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(text=properties.texts, truncated=properties.st.booleans())
    def run(text: str, truncated: bool) -> None:
        nonlocal count
        count += 1
        check(text, truncated)

    run()
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit-ms", type=float, default=20.0)
    options = parser.parse_args()
    source = random.Random(options.seed)
    for _ in range(2000):
        read_answer(one_text(source))
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    end, texts, checked, characters, slow, worst = time.monotonic() + options.seconds, 0, 0, 0, [], (0.0, "")
    round_number = options.seed
    while time.monotonic() < end:
        round_number += 1
        checked += hypothesis_round(round_number, 300)
        for _ in range(600):
            text, truncated = one_text(source), source.random() < 0.2
            took = timed(text, truncated)
            if 1000 * took > options.limit_ms:
                took = min(timed(text, truncated) for _ in range(5))
                if 1000 * took > options.limit_ms:
                    slow.append((took, text[:60]))
            worst = max(worst, (took, text[:60]))
            texts, characters = texts + 1, characters + len(text)
    gc.collect()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{texts:,} generated texts ({characters / 1e6:,.0f} million characters) and {checked:,} hypothesis examples in {options.seconds:.0f} s")
    print(f"exceptions: 0; slower than {options.limit_ms:g} ms: {len(slow)}; slowest {1000 * worst[0]:.1f} ms: {worst[1]!r}")
    print(f"peak memory {before / 1024:.0f} MiB after the warm-up, {after / 1024:.0f} MiB at the end")
    for took, text in sorted(slow, reverse=True)[:10]:
        print(f"  {1000 * took:.1f} ms {text!r}")
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
