"""Questions with text and media go through the machinery of the inference stage."""

from __future__ import annotations

import json

import pytest
from fault_server import FaultServer
from inference_cases import experiment_file, served

from geoutils import lanes
from geoutils.asking import Question, answers, ask, parameters_for
from geoutils.errors import UserError
from geoutils.inference import cost_table
from geoutils.outcomes import Result
from geoutils.requests import media_type
from geoutils.store import Key

PNG = b"\x89PNG\r\n\x1a\n-picture"
MP4 = b"\x00\x00\x00\x18ftypisom-film"
OPTIONS = {"purpose": "judge", "folder": "judge/responses", "parameters": {"temperature": 0.0, "max_tokens": 9}}


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    monkeypatch.setenv("LAB_KEY", "sk-canary-8f3a1c")
    monkeypatch.setattr(lanes, "FIRST_WAIT_S", 0.02)


def test_media_travel_as_data_uris_in_their_order_and_nothing_is_asked_twice(tmp_path):
    questions = [
        Question(("look", PNG, "0 s", PNG, MP4), key=Key("a")),
        Question("fault:first-1-server-error", system="be brief", key=Key("b")),
        Question("fault:first-1-server-error", system="be brief", key=Key("c")),
        Question(lambda: "fault:bad-request", key=Key("d"), repeat=1),
    ]
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        assert [row["outcome"] for row in answers(experiment, "lab/m", questions, **OPTIONS)] == ["not_run"] * 4
        rows = ask(experiment, "lab/m", questions, **OPTIONS, progress="none")
        assert [row["outcome"] for row in rows] == ["ok", "ok", "ok", "api_error"]
        bodies = [json.loads(body) for body in server.bodies]
        sent = next(body for body in bodies if isinstance(body["messages"][0]["content"], list))
        parts = sent["messages"][0]["content"]
        assert [part["type"] for part in parts] == ["text", "image_url", "text", "image_url", "video_url"]
        assert parts[1]["image_url"]["url"] == parts[3]["image_url"]["url"] == "data:image/png;base64,iVBORw0KGgotcGljdHVyZQ=="
        assert parts[4]["video_url"]["url"].startswith("data:video/mp4;base64,")
        assert [m["role"] for m in bodies[-1]["messages"]] in (["system", "user"], ["user"])
        asked = len(bodies)
        assert asked == 5  # the probe, a, b twice (its first answer failed), d; c is the same question as b
        assert ask(experiment, "lab/m", questions, **OPTIONS, progress="none") == rows
        assert len(server.bodies) == asked
        assert answers(experiment, "lab/m", questions, **OPTIONS) == rows
    assert cost_table(experiment)["usd"].sum() == pytest.approx(0.003)  # within the budget of the experiment
    assert not list(tmp_path.rglob("data/trial/responses"))


def test_what_is_answered_here_is_kept_as_well(tmp_path):
    experiment = experiment_file(tmp_path, "")
    seen: list[str] = []

    def answer(question: Question) -> Result:
        seen.append(question.key.problem)
        return Result("ok", "done", content="1", cost_usd=0.0)

    questions = [Question(("x", PNG), key=Key("a")), Question("y", key=Key("b"))]
    for _ in range(2):
        rows = ask(experiment, "baseline/ocr", questions, **OPTIONS, progress="none", answer=answer)
        assert [row["content"] for row in rows] == ["1", "1"] and seen == ["a", "b"]
    ask(experiment, "baseline/ocr", questions, **OPTIONS, progress="none", answer=answer, label="newer")
    assert seen == ["a", "b", "a", "b"]
    assert ask(experiment, "baseline/ocr", [], **OPTIONS) == []


def test_parameters_and_errors(tmp_path, monkeypatch):
    text = 'models: [lab/m]\nendpoints: {lab: {base_url: "http://127.0.0.1:9/v1", api_key_env: NO_KEY}}\n'
    text += "sampling: {max_tokens: 5, per_strategy: {judge: {max_tokens: 99}}, per_model: {lab/m: {seed: null}}}\n"
    experiment = experiment_file(tmp_path, text)
    found = parameters_for(experiment, "lab/m", "judge", {"temperature": 0.0, "max_tokens": 1000, "seed": 1})
    assert found == {"temperature": 0.0, "max_tokens": 99}
    assert answers(experiment, "lab/m", [Question("x")], **OPTIONS)[0]["outcome"] == "not_run"  # reading needs no key
    with pytest.raises(UserError, match="NO_KEY"):
        ask(experiment, "lab/m", [Question("x")], **OPTIONS, progress="none")
    with pytest.raises(UserError, match="no outcome"):
        ask(experiment, "lab/m", [Question("x")], **OPTIONS, retry=["bad"])
    assert media_type(b"\x1a\x45\xdf\xa3rest") == "video/webm" and media_type(b"MZ") == ""
