"""Batch files out and back."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from fault_server import completion
from inference_cases import experiment_file, problems_table, served

from geoutils.batch import export_batch, import_batch
from geoutils.errors import UserError
from geoutils.inference import cost_table, load_responses


@pytest.fixture
def case(tmp_path, monkeypatch):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    experiment = experiment_file(tmp_path, served("http://127.0.0.1:9/v1", models="lab/m, baseline/gold", more="repeats: 2"))
    return experiment, problems_table([f"p{place}" for place in range(20)]), tmp_path / "batch"


def read_lines(path):
    return Path(path).read_text(encoding="utf-8").splitlines()


def test_the_open_part_of_a_plan_is_split_by_the_limits(case):
    experiment, problems, folder = case
    table = export_batch(experiment, problems, folder, max_requests=50)
    assert table["requests"].tolist() == [50, 50, 20] and set(table["model"]) == {"lab/m"}
    lines = [json.loads(line) for path in table["path"] for line in read_lines(path)]
    assert len({line["custom_id"] for line in lines}) == 120
    first = lines[0]
    assert first["method"] == "POST" and first["url"] == "/v1/chat/completions"
    assert first["body"]["model"] == "m" and first["body"]["messages"][0]["role"] == "user"
    assert set(first) == {"custom_id", "method", "url", "body"} and len(first["custom_id"]) <= 64
    small = export_batch(experiment, problems, folder, max_bytes=10_000)
    assert small["bytes"].max() <= 10_000 and small["requests"].sum() == 120
    with pytest.raises(UserError, match="does not fit"):
        export_batch(experiment, problems, folder, max_bytes=100)


def test_lines_as_openai_and_vllm_document_them(case):
    experiment, problems, folder = case
    path = export_batch(experiment, problems, folder)["path"][0]
    names = [json.loads(line)["custom_id"] for line in read_lines(path)]
    refusal = {"message": "max_tokens is too large", "type": "BadRequestError", "param": None, "code": 400}
    lines = [
        # OpenAI: an answer, a refused request (error file), a request that was never run
        {"id": "batch_req_1", "response": {"status_code": 200, "request_id": "r", "body": completion("7")}, "error": None},
        {"id": "batch_req_2", "response": {"status_code": 400, "request_id": "r", "body": {"error": refusal}}, "error": None},
        {"id": "batch_req_3", "response": None, "error": {"code": "batch_expired", "message": "This request could not be executed in time."}},
        # vLLM: an answer without `usage.cost`, a refused request in its newer and older form, an exception
        {"id": "vllm-1", "response": {"status_code": 200, "request_id": "vllm-batch-1", "body": {**completion("8"), "usage": None}}, "error": None},
        {"id": "vllm-2", "response": {"status_code": 400, "request_id": "vllm-batch-2", "body": None}, "error": {"error": refusal}},
        {"id": "vllm-3", "response": {"status_code": 400, "request_id": "vllm-batch-3", "body": None}, "error": {"object": "error", **refusal}},
        {"id": "vllm-4", "response": {"status_code": 400, "request_id": "vllm-batch-4", "body": None}, "error": "list index out of range"},
    ]  # fmt: skip
    output = folder / "output.jsonl"
    output.write_text("".join(json.dumps({**line, "custom_id": name}) + "\n" for name, line in zip(names, lines, strict=False)))
    counts = import_batch(experiment, problems, [output]).iloc[0]
    assert (counts["saved"], counts["expired"], counts["unreadable"], counts["foreign"]) == (6, 1, 0, 0)
    rows = load_responses(experiment, problems=problems)
    rows = rows[rows["model"].eq("lab/m")].head(7)
    assert rows["outcome"].tolist() == ["ok", "api_error", "not_run", "ok", "api_error", "api_error", "api_error"]
    assert rows["content"].tolist()[::3] == ["7", "8", ""] and rows["error"].str.contains("max_tokens is too large").sum() == 3
    assert "list index out of range" in rows["error"].iloc[6]
    assert export_batch(experiment, problems, folder / "rest")["requests"].sum() == 120 - 6


def test_results_come_back_in_any_order_and_twice_without_harm(case):
    experiment, problems, folder = case
    path = export_batch(experiment, problems, folder)["path"][0]
    names = [json.loads(line)["custom_id"] for line in read_lines(path)]
    random.Random(1).shuffle(names)
    output, errors = folder / "output.jsonl", folder / "errors.jsonl"

    def line(place, **more):
        return json.dumps({"id": f"r{place}", "custom_id": names[place], "response": None, "error": None, **more}) + "\n"

    good = [line(n, response={"status_code": 200, "request_id": "x", "body": completion(f"{n}")}) for n in range(80)]
    output.write_text("".join(good) + "{cut off", encoding="utf-8")
    bad = [line(n, response={"status_code": 400, "body": {"error": {"message": "bad"}}}) for n in range(80, 90)]
    late = [line(n, error={"code": "batch_expired", "message": "late"}) for n in range(90, 120)]
    foreign = json.dumps({"custom_id": "00" * 16, "response": None}) + "\n"
    errors.write_text("".join(late + bad) + foreign, encoding="utf-8")
    table = import_batch(experiment, problems, [errors, output]).set_index("path")
    assert table["saved"].tolist() == [10, 80] and table["expired"].tolist() == [30, 0]
    assert table["foreign"].tolist() == [1, 0] and table["unreadable"].tolist() == [0, 1]
    again = import_batch(experiment, problems, [output, errors])
    assert again["saved"].sum() == 0 and again["already"].sum() == 90
    responses = load_responses(experiment, problems=problems)
    counts = responses[responses["model"] == "lab/m"]["outcome"].value_counts().to_dict()
    assert counts == {"ok": 80, "not_run": 30, "api_error": 10}
    assert cost_table(experiment).set_index("model").loc["lab/m", "attempts"] == 90
    assert export_batch(experiment, problems, folder / "rest")["requests"].sum() == 30  # what expired is still open


def test_files_of_another_experiment_are_refused(case, tmp_path):
    experiment, problems, _ = case
    strange = tmp_path / "strange.jsonl"
    strange.write_text('{"custom_id": "task-1", "response": {"status_code": 200, "body": {}}}\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"strange.jsonl: no line of it"):
        import_batch(experiment, problems, [strange])
    with pytest.raises(UserError, match="no such file"):
        import_batch(experiment, problems, [tmp_path / "missing.jsonl"])
