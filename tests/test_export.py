"""Exports: JSON lines with a card and a canary, and the seed's files, which read back."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from geoutils.errors import UserError
from geoutils.problems.export import (
    CANARY,
    EXPORTED,
    dataset_card,
    export_jsonl,
    export_problems,
    export_seed_files,
    seed_answer,
)
from geoutils.problems.static import load_static


def table() -> pd.DataFrame:
    rows = []
    for variant, kinds in ((0, "canonical"), (1, "names")):
        for rep in ("coord", "euclid", "vector"):
            rows.append({
                "problem": "area_easy_01", "category": "area", "difficulty": "easy", "family": "two sides, angle",
                "variant": variant, "representation": rep,
                "statement": f"{rep} √2 “text” {variant}",
                "answer": "3*sqrt(2)", "value": "4.243", "unit": "", "solution": "one\ntwo",
                "concepts": "median; chord", "kinds": kinds,
                "dataset_sha256": "ab" * 32,
            })  # fmt: skip
    return pd.DataFrame(rows)


def test_jsonl_has_one_line_per_statement_and_a_canary(tmp_path):
    path = export_jsonl(table(), tmp_path / "deep" / "out.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 6 and list(lines[0]) == list(EXPORTED)
    assert all(line["canary"] == CANARY and line["dataset_sha256"] == "ab" * 32 for line in lines)
    assert lines[3]["kinds"] == "names" and lines[3]["statement"] == "coord √2 “text” 1"
    with pytest.raises(UserError, match=r"ends in \.jsonl"):
        export_jsonl(table(), tmp_path / "out.json")


def test_the_export_is_read_again(tmp_path):
    problems, findings = load_static(export_jsonl(table(), tmp_path / "out.jsonl"))
    assert findings == [] and [(made.id, made.variant, made.kinds) for made in problems] == [
        ("area_easy_01", 0, "canonical"), ("area_easy_01", 1, "names"),
    ]  # fmt: skip
    assert problems[0].value == "4.243" and problems[0].answer == "3*sqrt(2)"


def test_the_card_says_what_it_is(tmp_path):
    card = dataset_card(table())
    for words in (
        "Licence: MIT",
        "Problems: 1",
        "statements: 6",
        "ab" * 32,
        CANARY,
        "| area | 1 | 0 | 0 | 1 |",
        "Known limits",
        "names 1",
    ):
        assert words in card
    export_jsonl(table(), tmp_path / "out.jsonl")
    assert (tmp_path / "out.card.md").read_text(encoding="utf-8").startswith("# Dataset card: out.jsonl")


def test_the_seeds_files(tmp_path):
    paths = export_seed_files(table(), tmp_path)
    assert {path.relative_to(tmp_path).as_posix() for path in paths} == {
        "dataset_specs/dataset.py",
        *(f"problems/exp1/area/area_easy_01_{kind}.txt" for kind in ("coord", "euclid", "vector", "answer")),
    }
    assert (tmp_path / "problems/exp1/area/area_easy_01_answer.txt").read_text() == "4.243\n"
    problems, findings = load_static(tmp_path / "dataset_specs" / "dataset.py")
    assert findings == [] and problems[0].answer == "4.243" and problems[0].statements["euclid"] == "euclid √2 “text” 0"


def test_seed_answers_are_decimal_strings():
    assert [seed_answer(value) for value in ("12.000", "4.243", "0.500", "7")] == ["12", "4.243", "0.500", "7"]


def test_ids_that_are_no_file_names_are_refused(tmp_path):
    evil = table().assign(problem="../../x")
    with pytest.raises(UserError, match="cannot be a file name"):
        export_seed_files(evil, tmp_path)
    with pytest.raises(UserError, match="no variant 5"):
        export_seed_files(table(), tmp_path, variant=5)


def test_a_folder_gets_the_seeds_files_and_a_file_json_lines(tmp_path):
    one = table()[table()["variant"] == 0]
    assert export_problems(one, tmp_path / "out") == tmp_path / "out"
    assert (tmp_path / "out/problems/exp1/area/area_easy_01_euclid.txt").is_file()
    assert "Licence: MIT" in (tmp_path / "out/dataset_specs/README.md").read_text(encoding="utf-8")
    assert load_static(tmp_path / "out/dataset_specs/dataset.py")[1] == []
    assert export_problems(table(), tmp_path / "all.jsonl").is_file()
    with pytest.raises(UserError, match="hold one variant"):
        export_problems(table(), tmp_path / "out")
    with pytest.raises(UserError, match=r"ends in \.jsonl, or a folder"):
        export_problems(one, tmp_path / "out.csv")
