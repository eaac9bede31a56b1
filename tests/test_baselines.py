"""Answers that need no geometry."""

from __future__ import annotations

import pandas as pd
import pytest
from inference_cases import experiment_file, problems_table

from geoutils.baselines import numbers_in, with_most_common
from geoutils.inference import load_responses, run_inference


def test_numbers_of_a_statement():
    texts = [text for text, _ in numbers_in("A(3, -4), u = (√2, 3√2/5), x² + y² = 25, 2.5, 7/12, A1, 60°")]
    assert texts == ["3", "-4", "sqrt(2)", "3*sqrt(2)/5", "25", "2.5", "7/12", "60"]
    assert numbers_in("3√2/5")[0][1] == pytest.approx(0.8485281)
    assert numbers_in("no number at all") == []


def test_most_common_gold_of_each_category():
    table = pd.DataFrame({
        "problem": list("abcdef"), "variant": 0, "category": ["length"] * 4 + ["area"] * 2,
        "answer": ["5", "sqrt(4)", "2", "7", "1", "3"], "value": ["5.000", "2.000", "2.000", "7.000", "1.000", "3.000"],
        "unit": "",
    })
    assert with_most_common(table)["most_common"].tolist() == ["sqrt(4)"] * 4 + ["1"] * 2


def test_each_baseline_answers_every_cell(tmp_path, monkeypatch):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    names = ["last-number", "largest-number", "most-common-answer", "random-number", "gold"]
    experiment = experiment_file(tmp_path, f"models: [{', '.join(f'baseline/{name}' for name in names)}]\n")
    problems = problems_table(["AB = 9 and BC = 5", "AB = 8 and BC = 6"])
    problems["statement"] = problems["statement"].str.replace(r" \(.*", "", regex=True)
    summary = run_inference(experiment, problems, progress="none")
    assert summary["ok"].tolist() == [6] * 5
    answers = load_responses(experiment, problems=problems).groupby("model", sort=False)["content"].agg(list)
    assert answers["baseline/last-number"] == ["5"] * 3 + ["6"] * 3
    assert answers["baseline/largest-number"] == ["9"] * 3 + ["8"] * 3
    assert answers["baseline/most-common-answer"] == ["42"] * 6
    assert set(answers["baseline/random-number"]) <= {"9", "5", "8", "6"}
    assert all("42" in text for text in answers["baseline/gold"]) and len(set(answers["baseline/gold"])) > 2
    assert run_inference(experiment, problems, progress="none")["asked"].sum() == 0
