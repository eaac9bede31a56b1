"""The inference stage against a server that plays every fault."""

from __future__ import annotations

import collections
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import traceback
from pathlib import Path

import pytest
from fault_server import JSON_FAULTS, FaultServer, error
from inference_cases import experiment_file, problems_table, served

from geoutils import lanes
from geoutils.errors import RunError, UserError
from geoutils.inference import (
    attempts_table,
    cost_table,
    dry_run,
    load_responses,
    outcome_table,
    probe,
    provider_table,
    run_inference,
)
from geoutils.outcomes import OUTCOMES
from geoutils.store import Store, store_path

TRUTH = {  # each injected fault and the outcome that must be reported
    "": "ok", "first-1-rate-limit": "ok", "first-1-server-error": "ok", "first-1-reset": "ok", "first-1-cut": "ok",
    "wrong-type": "ok", "think": "ok", "parts": "ok", "huge": "ok", "no-usage": "ok",
    "empty": "empty", "null-content": "empty", "truncated": "truncated", "refused": "refused",
    "content-filter": "content_filter", "moderation-403": "content_filter",
    "invalid-utf8": "malformed", "not-json": "malformed", "html-page": "malformed", "no-body": "malformed",
    "deep": "malformed", "no-choices": "malformed", "list-body": "malformed", "cut": "malformed", "bad-gzip": "malformed",
    "error-200": "api_error", "choice-error": "api_error", "bad-request": "api_error", "not-found": "api_error",
    "too-large": "api_error", "unprocessable": "api_error", "rate-limit": "api_error", "server-error": "api_error",
    "overloaded": "api_error", "conflict": "api_error", "html-502": "api_error", "reset": "api_error",
    "stall": "timeout", "trickle": "timeout",
}  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    monkeypatch.setenv("LAB_KEY", "sk-canary-8f3a1c")
    monkeypatch.setattr(lanes, "FIRST_WAIT_S", 0.02)


def ask(experiment, problems, **options):
    return run_inference(experiment, problems, progress="none", **options)


def test_truth_table_of_injected_and_reported_outcomes(tmp_path):
    faults = [fault for fault in TRUTH for _ in range(10)]
    problems = problems_table([f"fault:{fault}" if fault else "well" for fault in faults], representations=["coord"])
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        started = time.monotonic()
        summary = ask(experiment, problems)
        assert time.monotonic() - started < 30
        asked = sum(server.seen.values())
        again = ask(experiment, problems, retry=["empty"])
        assert server.seen["empty"] == 20 and server.seen["truncated"] == 10  # retried as asked, and only that
        assert server.seen["bad-request"] == 10  # a permanent error is not asked again
        assert server.seen["timeout"] == 0 and sum(server.seen.values()) > asked
    responses = load_responses(experiment, problems=problems)
    for fault, outcome in TRUTH.items():
        name = f"fault:{fault} (" if fault else "well ("
        these = problems.loc[problems["statement"].str.startswith(name), "problem"]
        found = responses[responses["problem"].isin(these)]["outcome"]
        assert (found == outcome).sum() == 10, f"{fault}: {found.value_counts().to_dict()} instead of 10 {outcome}"
    counts = summary.iloc[0]
    assert counts["planned"] == len(faults) == sum(counts[name] for name in OUTCOMES)
    assert again.iloc[0]["planned"] == len(faults)
    assert outcome_table(responses)[list(OUTCOMES)].sum().sum() == len(faults)
    assert attempts_table(experiment)["count"].sum() > len(faults)


def test_contents_are_kept_apart_and_whole(tmp_path):
    problems = problems_table(["fault:think", "fault:parts", "fault:huge", "fault:refused"], representations=["coord"])
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        ask(experiment, problems)
    rows = load_responses(experiment, problems=problems)
    assert rows["content"].tolist()[:2] == ["42", "42"] and len(rows["content"][2]) == 3_000_000
    assert rows["reasoning"][0] == "3 times 14" and rows["error"][3] == "I cannot help with that."
    assert set(rows["served_model"]) == {"served-model"} and set(rows["served_provider"]) == {"Provider A"}
    assert rows["prompt_tokens"].tolist() == [10] * 4 and rows["cost_usd"].tolist() == [0.001] * 4
    with Store(store_path(experiment, "lab/m", "direct")) as store:
        assert b"same-id-for-all" in store.received(bytes.fromhex(rows["response_sha256"][0]))


def test_a_second_run_asks_nothing_and_a_changed_request_asks_again(tmp_path):
    problems = problems_table(["a", "b"])
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        ask(experiment, problems)
        first = len(server.bodies)
        assert first == 7  # six cells and one probe
        ask(experiment, problems)
        assert len(server.bodies) == first
        changed = experiment_file(tmp_path, served(server.url, more="sampling: {temperature: 0.5}"))
        assert ask(changed, problems)["asked"].sum() == 6
        repeats = experiment_file(tmp_path, served(server.url, more="repeats: 3"))
        assert ask(repeats, problems)["asked"].sum() == 12  # repeat 0 is there already, 1 and 2 are not
        assert load_responses(repeats, problems=problems)["outcome"].eq("ok").all()
        assert len(load_responses(experiment, experiment.plan(problems), problems=problems)) == 6


def test_shards_divide_the_plan(tmp_path):
    problems = problems_table([f"p{place}" for place in range(20)])
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        asked = [ask(experiment, problems, shard=(part, 3))["asked"].sum() for part in (1, 2, 3)]
        assert sum(asked) == 60 and min(asked) > 0
        assert len(set(server.bodies)) == 61  # each cell, and a probe
    assert load_responses(experiment, problems=problems)["outcome"].eq("ok").all()


@pytest.mark.parametrize(
    ("fault", "words"),
    [("unauthorized", "the key in LAB_KEY was refused"), ("no-credit", "credit or quota"), ("quota", "credit or quota"),
     ("forbidden", "forbidden")],
)
def test_a_refusal_stops_its_endpoint_only(tmp_path, monkeypatch, fault, words):
    monkeypatch.setenv("OTHER_KEY", "other")
    problems = problems_table([f"{'fault:' + fault if place == 3 else 'well'} {place}" for place in range(40)])
    yaml = served("%s", models="lab/m, other/m", limits="max_in_flight: 4")
    with FaultServer() as server, FaultServer() as other:
        own = f'endpoints: {{other: {{base_url: "{other.url}", api_key_env: OTHER_KEY}}, lab:'
        experiment = experiment_file(tmp_path, (yaml % server.url).replace("endpoints: {lab:", own))
        with pytest.raises(RunError, match=words):
            ask(experiment, problems, models=["lab/m"])
        assert server.seen[fault] <= 4 and sum(server.seen.values()) < 60  # no more than those in flight
        well = problems.assign(statement=problems["statement"].str.replace(f"fault:{fault}", "well"))
        assert ask(experiment, well, models=["other/m"])["ok"].sum() == 120
        assert ask(experiment, well, models=["lab/m"])["ok"].sum() == 120  # resumable


def test_the_other_endpoint_finishes_before_the_error(tmp_path):
    problems = problems_table([f"p{place}" for place in range(30)])
    with FaultServer(delay_s=0.01) as server:
        yaml = served(server.url, models="lab/m, baseline/gold, away/m")
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            away = f'endpoints: {{away: {{base_url: "http://127.0.0.1:{unused.getsockname()[1]}/v1"}}, lab:'
            experiment = experiment_file(tmp_path, yaml.replace("endpoints: {lab:", away))
            with pytest.raises(RunError, match=r"away .* cannot be reached .*; 180 of 270 answers are saved"):
                ask(experiment, problems)
    counts = load_responses(experiment, problems=problems).groupby("model")["outcome"].value_counts().to_dict()
    assert counts == {("lab/m", "ok"): 90, ("baseline/gold", "ok"): 90, ("away/m", "not_run"): 90}


def test_missing_key_and_unknown_model_are_refused_before_anything_is_sent(tmp_path, monkeypatch):
    problems = problems_table(["a"])
    with FaultServer() as server:
        monkeypatch.delenv("LAB_KEY")
        with pytest.raises(UserError, match="LAB_KEY is not set"):
            ask(experiment_file(tmp_path, served(server.url, models="lab/m, baseline/gold")), problems)
        for model in ("nowhere/m", "local/other", "baseline/other"):
            with pytest.raises(UserError, match=model):
                ask(experiment_file(tmp_path, served(server.url, models=model)), problems)
        assert not server.bodies


def test_a_parameter_that_is_not_taken_stops_the_model_and_names_the_line(tmp_path):
    problems = problems_table(["fault:refuses-temperature"])
    with FaultServer() as server:
        server_prompt = "Reply with the number 1. fault:refuses-temperature"
        from geoutils import probing

        original = probing.QUESTION
        probing.QUESTION = server_prompt
        try:
            experiment = experiment_file(tmp_path, served(server.url))
            with pytest.raises(RunError, match=r"per_model: \{lab/m: \{temperature: null\}\}"):
                ask(experiment, problems)
            assert "temperature" in probe(experiment)["detail"][0]
            fixed = experiment_file(
                tmp_path, served(server.url, more="sampling: {per_model: {lab/m: {temperature: null}}}")
            )
            assert ask(fixed, problems)["ok"].sum() == 3
            assert probe(fixed)["outcome"].tolist() == ["ok"]
        finally:
            probing.QUESTION = original


def test_a_budget_is_not_passed_by_more_than_what_is_in_flight(tmp_path):
    problems = problems_table([f"p{place}" for place in range(200)])
    with FaultServer(delay_s=0.01) as server:
        text = served(server.url, limits="max_in_flight: 8").replace("max_usd: 1000", "max_usd: 0.1")
        experiment = experiment_file(tmp_path, text.replace("api_key_env", "price: {prompt: 1, completion: 1}, api_key_env"))
        summary = ask(experiment, problems)
        spent = cost_table(experiment)["usd"].sum()
        assert 0.1 <= spent <= 0.1 + 8 * 0.001 + 1e-9
        assert summary["not_run"].sum() == 600 - summary["ok"].sum() > 400
        ask(experiment, problems)
        assert cost_table(experiment)["usd"].sum() == pytest.approx(spent)  # earlier runs count


def test_dry_run_counts_without_asking(tmp_path):
    problems = problems_table(["a", "b"])
    with FaultServer() as server:
        text = served(server.url, models="lab/m, openrouter/vendor/model, baseline/gold")
        listed = f'endpoints: {{openrouter: {{base_url: "{server.url}", api_key_env: LAB_KEY}}, lab:'
        table = dry_run(experiment_file(tmp_path, text.replace("endpoints: {lab:", listed)), problems).set_index("model")
        assert not server.bodies
    assert table["open"].tolist() == [6, 6, 6] and table.loc["baseline/gold", "usd_at_most"] == 0
    routed = table.loc["openrouter/vendor/model"]
    usd = (routed["prompt_tokens"] * 1 + routed["completion_tokens_at_most"] * 2) / 1e6
    assert routed["usd_at_most"] == pytest.approx(usd) and routed["completion_tokens_at_most"] == 6 * 512


def test_mixed_providers_are_told(tmp_path):
    problems = problems_table(["well", "fault:other-provider"])
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        ask(experiment, problems)
    table = provider_table(load_responses(experiment, problems=problems))
    assert table["mixed"].tolist() == [True] and table["providers"].tolist() == ["Provider A, Provider B"]


def test_a_second_run_at_the_same_time_is_refused(tmp_path):
    problems = problems_table(["a"])
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        busy = Store(store_path(experiment, "lab/m", "direct"), write=True)
        with busy, pytest.raises(RunError, match="in use by another run"):
            ask(experiment, problems)


def test_a_full_disk_ends_in_one_line_and_loses_nothing(tmp_path, monkeypatch):
    problems = problems_table([f"p{place}" for place in range(100)])
    opened = Store.__init__

    def small(self, path, *, write=False, **more):
        opened(self, path, write=write, **more)
        if write:
            self._db.execute("PRAGMA max_page_count=40")

    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        monkeypatch.setattr(Store, "__init__", small)
        with pytest.raises(RunError, match=r"trial/responses/lab--m__direct.sqlite: cannot save .*full"):
            ask(experiment, problems)
        kept = load_responses(experiment, problems=problems)["outcome"].eq("ok").sum()
        assert 0 < kept < 300
        monkeypatch.setattr(Store, "__init__", opened)
        summary = ask(experiment, problems)
        assert summary["ok"].sum() == 300 and summary["asked"].sum() == 300 - kept


def test_the_key_appears_nowhere(tmp_path, capsys, caplog):
    caplog.set_level("DEBUG")
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        problems = problems_table(["well", "fault:unauthorized", "fault:server-error"])
        with pytest.raises(RunError) as caught:
            run_inference(experiment, problems, progress="plain")
    printed = capsys.readouterr()
    trace = "".join(traceback.format_exception(caught.value))
    assert "sk-canary" not in trace + printed.out + printed.err + caplog.text
    assert "[key]" in str(caught.value)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"sk-canary" not in path.read_bytes(), path
    database = sqlite3.connect(store_path(experiment, "lab/m", "direct"))
    assert "sk-canary" not in "\n".join(database.iterdump())


def test_it_works_inside_a_running_event_loop(tmp_path):
    import asyncio

    async def cell():
        return ask(experiment_file(tmp_path, "models: [baseline/gold, baseline/last-number]\n"), problems_table(["a 7"]))

    assert asyncio.run(cell())["ok"].tolist() == [3, 3]


CHILD = """
import sys; sys.path.insert(0, {tests!r})
from inference_cases import problems_table
from geoutils.errors import GeoutilsError
from geoutils.experiment import load_experiment
from geoutils.inference import run_inference
try:
    run_inference(load_experiment({path!r}), problems_table([f'p{{place}}' for place in range(200)]), progress='none')
except GeoutilsError as error:
    sys.exit(f"{{error}}")
"""


def child(experiment):
    """A run of 600 cells in a process of its own."""
    code = CHILD.format(tests=str(Path(__file__).parent), path=str(experiment.path))
    return subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)


def wait_for(server, count):
    deadline = time.monotonic() + 60
    while len(server.bodies) < count and time.monotonic() < deadline:
        time.sleep(0.01)


def test_an_interrupted_run_saves_what_is_in_flight(tmp_path):
    problems = problems_table([f"p{place}" for place in range(200)])
    with FaultServer(delay_s=0.05) as server:
        experiment = experiment_file(tmp_path, served(server.url, limits="max_in_flight: 16"))
        with child(experiment) as process:
            wait_for(server, 200)
            process.send_signal(signal.SIGINT)
            _, words = process.communicate(timeout=30)
        assert process.returncode == 1 and "the same command goes on" in words and words.count("\n") == 1
        asked = len(server.bodies)
        kept = load_responses(experiment, problems=problems)["outcome"].eq("ok").sum()
        assert kept == asked - 1 < 600  # every request but the probe
        assert ask(experiment, problems)["asked"].sum() == 600 - kept


def test_waits_of_the_server_and_limits_of_a_request_are_kept(tmp_path, monkeypatch):
    monkeypatch.setitem(JSON_FAULTS, "wait", (503, error(503, "busy"), {"Retry-After": "0.6"}))
    problems = problems_table(["fault:first-1-wait", "fault:server-error"], representations=["coord"])
    with FaultServer() as server:
        limits = served(server.url, limits="request_timeout_s: 2").replace("max_attempts: 2", "max_attempts: 1000")
        summary = ask(experiment_file(tmp_path, limits), problems)
        waited = [when for when, body in zip(server.times, server.bodies, strict=True) if b"first-1-wait" in body]
    assert waited[1] - waited[0] >= 0.6
    assert summary["ok"].sum() == 1 and summary["api_error"].sum() == 1  # after two seconds of errors


def test_a_killed_run_asks_again_only_what_was_in_flight(tmp_path):
    problems = problems_table([f"p{place}" for place in range(200)])
    with FaultServer(delay_s=0.05) as server:
        experiment = experiment_file(tmp_path, served(server.url, limits="max_in_flight: 16"))
        with child(experiment) as process:
            wait_for(server, 300)
            process.send_signal(signal.SIGKILL)
        before = load_responses(experiment, problems=problems)["outcome"].eq("ok").sum()
        assert 200 < before < 600
        summary = ask(experiment, problems)
        assert summary["ok"].sum() == 600 and summary["asked"].sum() == 600 - before
        twice = [body for body, count in collections.Counter(server.bodies).items() if count > 1]
    assert len(twice) <= 16
