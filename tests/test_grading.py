"""Grading one answer and streams of JSON lines."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from geoutils.errors import UserError
from geoutils.grading import grade, grade_lines, grade_stream


def run(*lines: str | bytes) -> list[dict]:
    return [json.loads(line) for line in grade_lines(lines)]


def test_one_answer() -> None:
    found = grade(r"So \boxed{\frac{\sqrt{20}}{4}}.", "sqrt(5)/2")
    assert (found.verdict, found.value, found.rule) == ("correct", "sqrt(20)/4", "box")
    assert grade("Answer: 7", "5").verdict == "wrong"
    assert grade("", "5").verdict == "unparsed"
    assert grade(None, "5").verdict == "unparsed"
    assert grade("60", "60", "degrees").verdict == "correct"
    assert grade("1.1", "sqrt(5)/2", min_significant=2).verdict == "correct"


def test_each_line_gives_one_line_and_errors_do_not_stop_the_rest() -> None:
    found = run(
        '{"output": "Answer: 12", "gold": "12", "id": "a"}', "not JSON", '{"output": "x"}', '{"output": 5, "gold": "5"}', "[1]",
        '{"output": "Answer: 12", "gold": "no number"}', b"\xff\xfe", "", '{"output": "60 rad", "gold": "60", "unit": "degrees"}',
        '{"output": null, "gold": 5}', '{"output": "0.5", "gold": 0.5}',
    )  # fmt: skip
    assert [("error" in f) for f in found] == [False, True, True, True, True, True, True, False, False, False]
    assert found[0] == {"id": "a", "verdict": "correct", "value": "12", "rule": "marker", "span": "12", "reading": "answered", "warnings": []}
    assert [f["line"] for f in found if "error" in f] == [2, 3, 4, 5, 6, 7]
    assert [f["verdict"] for f in found[7:]] == ["wrong", "unparsed", "correct"]


def test_deeply_nested_json_is_an_error_line() -> None:
    assert "error" in run("[" * 100_000)[0]


def test_lone_surrogates_do_not_break_the_output() -> None:
    found = run('{"output": "Answer: 12 \\ud800", "gold": "12"}')
    json.dumps(found, ensure_ascii=False).encode("utf-8")
    assert found[0]["verdict"] == "correct"


def test_a_stream_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"output": "5", "gold": "5"}\nbroken\n', encoding="utf-8")
    out = io.StringIO()
    assert grade_stream(path, out=out) == 1
    assert len(out.getvalue().splitlines()) == 2
    with pytest.raises(UserError, match="cannot be read"):
        grade_stream(tmp_path / "missing.jsonl", out=out)
