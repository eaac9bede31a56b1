"""The pace of requests: pure, with a clock of its own, and against a token bucket."""

from __future__ import annotations

import heapq
import itertools
import math

import pytest
from fault_server import FaultServer
from inference_cases import experiment_file, problems_table, served

from geoutils.inference import run_inference
from geoutils.pacing import Gate, Pace


def simulate(*, latency_s: float, rate: float, capacity: float, seconds: float, cap: int = 64) -> tuple[float, float]:
    """Rate of successes and share of refusals against a token bucket, in simulated time."""
    pace = Pace(Gate(cap))
    now, tokens, filled, good, bad = 0.0, capacity, 0.0, 0, 0
    flying: list[tuple[float, float, bool]] = []
    while now < seconds:
        wait = pace.wait(now)
        if wait <= 0:
            tokens = min(tokens + (now - filled) * rate, capacity)
            filled = now
            allowed = tokens >= 1
            tokens -= allowed
            pace.sent(now)
            heapq.heappush(flying, (now + (latency_s if allowed else 0.001), now, allowed))
            continue
        ended = flying[0][0] if flying else math.inf
        now = min(ended, now + wait)
        if now == ended:
            _, sent_at, allowed = heapq.heappop(flying)
            pace.ended()
            good, bad = good + allowed, bad + (not allowed)
            if not allowed:
                pace.refused(now, sent_at, 1.0)
    return good / seconds, bad / (good + bad)


@pytest.mark.parametrize("latency_s", [0.002, 0.02, 0.05, 0.2, 0.5])
def test_it_reaches_the_allowed_rate_with_few_refusals(latency_s):
    rate, refused = simulate(latency_s=latency_s, rate=100, capacity=100, seconds=60)
    assert rate >= 90, rate
    assert refused <= 0.05, refused


def test_the_window_shrinks_once_for_each_episode_and_grows_back():
    pace = Pace(Gate(64))
    for _ in range(8):
        assert pace.wait(0.0) == 0.0
        pace.sent(0.0)
    assert pace.wait(0.0) == math.inf
    for _ in range(8):
        pace.refused(0.1, 0.0, 2.0)
        pace.ended()
    assert pace.episodes == 1 and pace.window == 4.0
    assert pace.wait(0.1) == pytest.approx(2.0)
    assert pace.wait(2.2) == 0.0
    before = pace.window
    for step in range(30):
        if pace.wait(2.2 + step / 10) == 0.0:
            pace.sent(2.2 + step / 10)
    assert before < pace.window <= before + 3.1


def test_requests_per_minute_are_spread():
    pace = Pace(Gate(64, per_minute=120))
    sent, now = [], 0.0
    while now < 10:
        wait = pace.wait(now)
        if wait == 0:
            pace.sent(now)
            pace.ended()
            sent.append(now)
        else:
            now += wait
    assert len(sent) == pytest.approx(20, abs=1)
    assert min(after - before for before, after in itertools.pairwise(sent)) == pytest.approx(0.5)


def test_models_of_one_endpoint_share_its_cap():
    gate = Gate(4)
    one, other = Pace(gate, adaptive=False), Pace(gate, adaptive=False)
    for pace in (one, one, other, other):
        assert pace.wait(0.0) == 0.0
        pace.sent(0.0)
    assert one.wait(0.0) == other.wait(0.0) == math.inf
    one.ended()
    assert other.wait(0.0) == 0.0


def test_a_real_token_bucket(tmp_path, monkeypatch):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    monkeypatch.setenv("LAB_KEY", "key")
    problems = problems_table([f"p{place}" for place in range(300)])
    with FaultServer(delay_s=0.05, bucket=(100, 100)) as server:
        text = served(server.url).replace("max_attempts: 2", "max_attempts: 8")
        summary = run_inference(experiment_file(tmp_path, text), problems, progress="none")
    assert summary["ok"].sum() == 900
    # Unpaced, most requests would be refused. The exact share and rate are measured by benchmarks/inference.py pace.
    assert server.codes[429] / (900 + server.codes[429]) <= 0.25, server.codes
