"""The judge against a server: images, videos whole and as frames, texts, bad rows, resume, repeats, the command line."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path

import pytest
from inference_cases import experiment_file, served
from judge_samples import JudgeServer, film, png, write_manifest

from geoutils import judge, judge_tables, lanes
from geoutils.cli import main
from geoutils.errors import RunError, UserError
from geoutils.inference import cost_table
from geoutils.judge_manifest import read_manifest
from geoutils.judge_questions import takes_video
from geoutils.judge_settings import BASELINE, DEFAULT_JUDGE
from geoutils.judge_solutions import LABELS
from geoutils.requests import chat_request

TRUTH = "The sides are 3 and 4, so the hypotenuse is 5.\nFinal answer: 5"


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    monkeypatch.setenv("LAB_KEY", "sk-canary-8f3a1c")
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    monkeypatch.setattr(lanes, "FIRST_WAIT_S", 0.02)


def row(name: str, media: str = "", solution: str = "", truth: str = TRUTH, subtask: str = "AIME", **more) -> dict:
    return {"id": name, "subtask": subtask, "media": media, "solution_text": truth, "solution": solution, **more}


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    files = {"a.png": png(), "b.mp4": film(), "c.webm": film("webm"), "e.png": b"no picture", "h.mp4": film()[:300]}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return write_manifest(tmp_path, [
        row("image", "a.png", final_correct=1), row("mp4", "b.mp4", subtask="MATH-500"), row("webm", "c.webm", subtask="GSM8K", final_correct=0),
        row("text", solution="3^2 + 4^2 = 25, so 5", subtask="OmniMath"), row("no file", "missing.png"), row("not one", "e.png"),
        row("image", "a.png"), row("no truth", "a.png", truth=" "), row("nothing"), row("torn", "h.mp4"), row("label", "a.png", final_correct="maybe"),
        row("wrong", solution="reply:wrong"), row("chatty", solution="reply:chatty"), row("quoted", solution="reply:quoted"),
        row("empty", solution="reply:empty"), row("busy", solution="fault:first-1-server-error"), row("refused", solution="fault:bad-request"),
    ])  # fmt: skip


def opened(tmp_path: Path, manifest: Path, url: str, more: str = "", **options):
    experiment = experiment_file(tmp_path, served(url, more=f"judge: {{models: [lab/m], calibration: 0{more}}}\n"))
    return judge.open_judging(experiment, manifest=str(manifest), **options)


def test_every_row_is_judged_or_says_why_not(tmp_path, manifest) -> None:
    with JudgeServer() as server:
        judging = opened(tmp_path, manifest, server.url)
        table = judge.run_judges(judging, progress="none")
        asked = len(server.bodies)
        found = dict(zip(table["id"].astype(str) + table["row"].astype(str), table["outcome"], strict=True))
        assert found == {
            "image1": "ok", "mp42": "ok", "webm3": "ok", "text4": "ok", "no file5": "bad_input", "not one6": "bad_input", "image7": "bad_input",
            "no truth8": "bad_input", "nothing9": "bad_input", "torn10": "bad_input", "label11": "bad_input", "wrong12": "ok",
            "chatty13": "judge_error", "quoted14": "judge_error", "empty15": "empty", "busy16": "ok", "refused17": "api_error",
        }  # fmt: skip
        verdicts = dict(zip(table["row"], table["final_correct"], strict=True))
        assert verdicts[1] == verdicts[2] == 1 and verdicts[12] == 0
        assert all(str(verdicts[place]) == "<NA>" for place in (5, 13, 14, 15, 17))  # never 0 for want of a verdict
        assert judge.run_judges(judging, progress="none").equals(table)  # nothing is asked again, but for nothing
        assert len(server.bodies) == asked
    sent = dict(zip(table["row"], table["sent_as"], strict=True))
    assert sent[1] == "image" and sent[2] == "12 frames" and sent[4] == "text"
    messages = [json.loads(body)["messages"][0]["content"] for body in server.bodies]
    video = next(m for m in messages if isinstance(m, list) and sum(part["type"] == "image_url" for part in m) == 12)
    assert "Frame 12 of 12, at 1.9 s:" in [part.get("text") for part in video]
    assert any(isinstance(m, list) and [part["type"] for part in m] == ["text", "image_url"] for m in messages)
    text = next(m for m in messages if isinstance(m, str) and "3^2 + 4^2" in m)
    assert text.endswith("The generated solution, as text:\n| 3^2 + 4^2 = 25, so 5") and TRUTH in text
    with (tmp_path / "data" / "trial" / "verdicts.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["id", "subtask", "medium", "outcome", "intermediate_correct", "final_correct", "action_reflection", "explanation"]
    assert len(rows) == 17 and rows[4]["final_correct"] == "" and rows[4]["explanation"] == "the file does not exist"
    replies = (tmp_path / "data" / "trial" / "judge" / "verdicts.csv").read_text()
    assert "I think it is fine." in replies and "sk-canary" not in replies
    assert float(cost_table(judging.experiment)["usd"].sum()) > 0
    assert cost_table(judging.experiment, answers_only=True).empty, "what judges cost does not change the table of notebook 02"


def test_accuracy_is_over_all_outputs_with_bounds(tmp_path, manifest) -> None:
    with JudgeServer() as server:
        table = judge.run_judges(opened(tmp_path, manifest, server.url), progress="none")
    found = judge_tables.accuracy(table).iloc[0]
    assert (found["n"], found["judged"], found["correct"]) == (17, 6, 5)
    assert found["accuracy"] == found["bound_low"] == pytest.approx(5 / 17) and found["share_of_judged"] == pytest.approx(5 / 6)
    assert found["bound_high"] == pytest.approx(16 / 17) and found["low"] < found["accuracy"] < found["high"]
    tasks = judge_tables.accuracy(table, by=["subtask", "medium"])
    assert {("MATH-500", "video"), ("GSM8K", "video"), ("OmniMath", "text"), ("AIME", "image")} <= set(zip(tasks["subtask"], tasks["medium"], strict=True))
    combinations = judge_tables.combinations(table)
    assert len(combinations) == 8 and combinations["count"].sum() == 6 and (combinations["n"] == 17).all()
    assert combinations.set_index(list(LABELS)).loc[(1, 1, 0), "count"] == 5
    unjudged = judge_tables.unjudged(table)
    assert len(unjudged) == 11 and "I think it is fine." in set(unjudged["reply"])
    quality = judge_tables.quality(table, metric="final_correct").iloc[0]
    assert (quality["right"], quality["sensitivity"], quality["wrong"], quality["specificity"]) == (1, 1.0, 1, 0.0)
    records = judge.saved_records(opened(tmp_path, manifest, "http://127.0.0.1:9/v1").experiment)
    assert records[0]["medium"] == "all" and records[0]["n"] == 17 and records[0]["corrected"] is None


def test_a_video_goes_whole_where_the_judge_takes_it_and_repeats_are_their_own_questions(tmp_path, manifest) -> None:
    with JudgeServer() as server:
        judging = opened(tmp_path, manifest, server.url, video="whole", repeats=3, limit=2)
        table = judge.run_judges(judging, progress="none")
        assert len(table) == 6 and table["sent_as"].tolist()[3:] == ["whole video"] * 3
        assert server.seen["judged"] == 6 + 1  # and the probe
    bodies = [json.loads(body)["messages"][0]["content"] for body in server.bodies]
    url = next(part["video_url"]["url"] for m in bodies if isinstance(m, list) for part in m if part["type"] == "video_url")
    assert url.startswith("data:video/mp4;base64,")
    found = judge_tables.consistency(table)
    assert found["agreement"].tolist() == [1.0] * 3 and found["items"].tolist() == [2] * 3 and (found["low"] < 0.3).all()


def test_a_stopped_run_goes_on_where_it_was(tmp_path, manifest, monkeypatch) -> None:
    monkeypatch.setattr(lanes, "LOST_IN_A_ROW", 3)
    with JudgeServer() as server:
        judge.run_judges(opened(tmp_path, manifest, server.url, limit=3), progress="none")
        seen = server.seen["judged"]
        judge.run_judges(opened(tmp_path, manifest, server.url), progress="none")
        assert server.seen["judged"] == seen + 5  # the texts; two more are faults of the server's own
        assert judge.run_judges(opened(tmp_path, manifest, server.url), progress="none", asks=False)["outcome"].eq("ok").sum() == 6
        url = server.url
    judging = opened(tmp_path, manifest, url)
    judging = dataclasses.replace(judging, items=judging.items.assign(solution_text=judging.items["solution_text"] + "."))
    with pytest.raises(RunError, match="cannot be reached"):
        judge.run_judges(judging, progress="none")
    assert (tmp_path / "data" / "trial" / "judge" / "open.json").is_file()  # so that a report is not taken as up to date
    left = judge.run_judges(judging, progress="none", asks=False)
    assert set(left["outcome"]) <= {"not_run", "api_error", "bad_input"} and left["final_correct"].isna().all()


def test_the_text_judge_says_true_or_false(tmp_path) -> None:
    rows = [row("t", solution="reply:true"), row("f", solution="reply:false"), row("p", solution="reply:perhaps"), row("i", "a.png")]
    with JudgeServer() as server:
        table = judge.run_judges(opened(tmp_path, write_manifest(tmp_path, rows), server.url, protocol="answer"), progress="none")
    assert table["outcome"].tolist() == ["ok", "ok", "judge_error", "bad_input"]
    assert table["final_correct"].tolist()[:2] == [1, 0] and table["intermediate_correct"].isna().all()
    assert (tmp_path / "data/trial/judge/responses/lab--m__judge-answer.sqlite").is_file()


def test_the_command_line(tmp_path, manifest, capsys) -> None:
    with JudgeServer() as server:
        experiment_file(tmp_path, served(server.url))
        command = ["judge", str(manifest), "--name", "mine", "--model", "lab/m", "--experiment", str(tmp_path / "trial.yaml"), "--limit", "6"]
        assert main(command) == 0
    out = capsys.readouterr()
    assert "data/mine/verdicts.csv" in out.out and "no file (image): bad_input: the file does not exist" in out.err
    assert len((tmp_path / "data/mine/verdicts.csv").read_text().splitlines()) == 7
    assert main(["judge", str(manifest), "--name", "dry", "--dry-run"]) == 0  # the default judge, without a key
    dry = capsys.readouterr()
    assert dry.out == "10 judgements would be asked; the limit of dry is 5 USD\n" and "torn (video): bad_input" in dry.err
    assert not (tmp_path / "data/dry/verdicts.csv").exists()
    for wrong, words in (
        (["judge", "nowhere.csv", "--name", "x"], "no such manifest"), (["judge", str(manifest), "--name", "x"], "OPENROUTER_API_KEY"),
        (["judge", str(manifest), "--name", "x", "--model", "baseline/gold"], "cannot judge"),
        (["judge", str(manifest), "--name", "x", "--model", "lab/m"], "no endpoint"), (["judge", str(manifest), "--name", "../x"], "name"),
    ):  # fmt: skip
        assert main(wrong) == 2
        error = capsys.readouterr().err
        assert words in error and len(error.splitlines()) == 1


def test_manifests_that_cannot_be_used_and_rows_that_can_not(tmp_path) -> None:
    path = tmp_path / "m.csv"
    for content, words in (
        (b"id,subtask,media\n1,2,3\n", "no column 'solution_text'"), (b"", "no column 'id'"), (b"\xff\xfe", "not UTF-8"),
        (b"id,subtask,media,solution_text\n", "no row"), (b'id,subtask,media,solution_text\n1,2,3,"x', "not a readable CSV"),
    ):  # fmt: skip
        path.write_bytes(content)
        with pytest.raises(UserError, match=words):
            read_manifest(path)
    path.write_text("\ufeffid, subtask,media,solution_text\n1,A,a.png,t\n,A,a.png,t\n2,A,http://x/a.png,t\n3,A\n4,A,a.png,t,u\n", encoding="utf-8")
    table = read_manifest(path)
    assert [bool(fault) for fault in table["fault_of_row"]] == [False, True, True, True, True]
    assert table["media"][0] == str(tmp_path / "a.png") and table["id"].tolist() == ["1", "row 3", "2", "3", "4"]
    path.write_text("id,subtask,media,solution_text,solution\n1,A,a.png,t\n2,A,,t,s\n")  # a last cell left out that need not be there
    assert read_manifest(path)["fault_of_row"].tolist() == ["", ""]
    lines = tmp_path / "m.jsonl"
    lines.write_text('{"id": 7, "subtask": "A", "solution_text": "t", "solution": "s"}\nnot json\n[1]\n{"id": "x"}\n{"id": "y", "subtask": {}, "solution_text": "t", "solution": "s"}\n')
    assert read_manifest(lines)["fault_of_row"].tolist() == ["", "the line is not JSON", "the line is no JSON object", "no field 'subtask'", "subtask is no text"]


def test_who_judges_by_default(tmp_path, monkeypatch) -> None:
    free, paid = (experiment_file(tmp_path, f"limits: {{max_usd: {usd}}}\n", name=name) for usd, name in ((0, "free"), (1, "paid")))
    assert judge.judges_of(free) == judge.judges_of(paid) == (BASELINE,)
    monkeypatch.setenv("OPENROUTER_API_KEY", "k" * 20)
    assert judge.judges_of(paid) == (DEFAULT_JUDGE, BASELINE) and judge.judges_of(free) == (BASELINE,)
    assert judge.judges_of(paid, ["lab/m"]) == ("lab/m",)
    with pytest.raises(UserError, match="protocol must be one of"):
        experiment_file(tmp_path, "judge: {protocol: guess}\n")


def test_the_request_to_gemini_over_openrouter(tmp_path) -> None:
    experiment = experiment_file(tmp_path, 'endpoints: {google: {base_url: "https://generativelanguage.googleapis.com/v1beta/openai"}}\n')
    gemini, own = (judge.endpoint(model, experiment) for model in (DEFAULT_JUDGE, "google/gemini-2.5-pro"))
    settings = experiment.judge
    assert takes_video(gemini, settings) and not takes_video(own, settings)
    assert takes_video(own, dataclasses.replace(settings, video="whole")) and not takes_video(gemini, dataclasses.replace(settings, video="frames"))
    body = json.loads(chat_request(gemini, ("look", film()), judge.PARAMETERS).body())
    assert body["model"] == "google/gemini-2.5-pro" and body["provider"]["require_parameters"] is True and body["usage"] == {"include": True}
    part = body["messages"][0]["content"][1]
    assert part["type"] == "video_url" and part["video_url"]["url"].startswith("data:video/mp4;base64,")
    with pytest.raises(UserError, match="at most 144"):
        judge.open_judging(experiment, calibration=145)


def test_what_the_notebook_depends_on(tmp_path, manifest) -> None:
    experiment = experiment_file(tmp_path, f"judge: {{manifest: {manifest}}}\n")
    before = judge.fingerprint(experiment, {})
    assert judge.fingerprint(experiment, {}) == before
    (tmp_path / "a.png").write_bytes(png(size=(65, 48)))
    after = judge.fingerprint(experiment, {})
    assert after != before and judge.fingerprint(experiment, {"models": ["lab/m"]}) != after


def test_a_judge_keeps_to_the_budget_and_asks_again_what_is_wanted(tmp_path, manifest) -> None:
    with JudgeServer() as server:
        text = f'endpoints: {{lab: {{base_url: "{server.url}", api_key_env: LAB_KEY, price: {{prompt: 1, completion: 1}}}}}}\n'
        text += "limits: {max_usd: 0.0025, max_in_flight: 1, timeout_s: 5}\njudge: {models: [lab/m], calibration: 0}\n"
        experiment = experiment_file(tmp_path, text)
        table = judge.run_judges(judge.open_judging(experiment, manifest=str(manifest)), progress="none")
        assert table["outcome"].eq("ok").sum() <= 3 and table["outcome"].eq("not_run").sum() >= 5
        assert (tmp_path / "data/trial/judge/open.json").is_file()
        richer = dataclasses.replace(experiment, limits=dataclasses.replace(experiment.limits, max_usd=10.0))
        judging = judge.open_judging(richer, manifest=str(manifest))
        assert judge.run_judges(judging, progress="none")["outcome"].ne("not_run").all()
        assert not (tmp_path / "data/trial/judge/open.json").exists()
        asked = len(server.bodies)
        judge.run_judges(judging, retry=["empty"], progress="none")
        assert len(server.bodies) == asked + 1


def test_the_records_follow_the_schema(tmp_path, manifest) -> None:
    import jsonschema

    from geoutils.results import schema

    with JudgeServer() as server:
        judging = opened(tmp_path, manifest, server.url, limit=6)
        judge.run_judges(judging, progress="none")
    records = judge.saved_records(judging.experiment)
    jsonschema.validate(records, schema()["properties"]["judge"])
    assert [record["medium"] for record in records] == ["all", "image", "video", "text"]
