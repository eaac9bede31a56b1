"""Letters of multiple choices: read where they are meant, never where they are words, apart from free form."""

import json
import time

import pytest

from geoutils import dataset
from geoutils.choices import is_letter, read_choice
from geoutils.grading import grade
from geoutils.parsing import parse_responses
from geoutils.robust_cells import read_cells
from geoutils.robust_comparisons import by_question_type
from geoutils.scoring import score
from geoutils.written import written_forms

READ = [
    ("C", "C"), ("(C)", "C"), ("c", "C"), ("Answer: C", "C"), ("The answer is (B).", "B"), ("The answer is **D**", "D"),
    (r"So \boxed{\text{B}}", "B"), ('{"answer": "A"}', "A"), ("The correct option is B", "B"), ("Option C is correct.", "C"),
    ("B) 12", "B"), ("A) 1\nB) 2\nC) 3\nThe answer is B", "B"), ("Final answer: D. 3/5", "D"), ("答案是C", "C"),
    ("The answer is A. No, the answer is C", "C"), ("<think>B?</think>The answer is A", "A"), ("the answer is A because", "A"),
    ("I think it is 12.", ""), ("A triangle has area 12.", ""), ("Answer: A triangle", ""), ("Answer: I don't know", ""),
    ("The answer is A or B.", ""), ("The answer is 12", ""), ("", ""), ("Let ABC be a triangle. Then AB = 5.", ""),
]  # fmt: skip


@pytest.mark.parametrize("text, letter", READ)
def test_letters_are_read_where_they_are_meant(text, letter):
    assert read_choice(text).predicted == letter


def test_readings_say_what_happened():
    assert read_choice("The answer is A or B.").warnings == ["two letters side by side"]
    assert read_choice("I cannot answer this.").reading == "refusal"
    assert read_choice("C", truncated=True).reading == "cut"
    assert read_choice("<think>so C").reading == "cut"


def test_hostile_texts_take_no_time():
    began = time.process_time()
    for text in ("answer is " * 50_000, "(" * 200_000 + "A" * 200_000, "\\boxed{" * 50_000, "** ( " * 50_000, "A or " * 60_000):
        read_choice(text)
    assert time.process_time() - began < 2


def test_only_a_gold_that_is_a_letter_is_graded_so():
    assert is_letter("C") and not is_letter("c") and not is_letter("12") and not is_letter("K")
    assert grade("The answer is (C).", "C").verdict == "correct"
    assert grade("The answer is (B).", "C").verdict == "wrong"
    assert grade("I do not know", "C").verdict == "unparsed"
    assert grade("The answer is C", "12").verdict == "unparsed"


@pytest.fixture()
def source(tmp_path, monkeypatch):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path / "home"))
    base = {"category": "length", "coord": "A(0, 0) and B(3, 4). Find AB. A) 5 B) 6 C) 7 D) 8"}
    rows = [{**base, "id": "one", "answer": "A", "choices": 4}, {**base, "id": "two", "coord": "Find AB for A(0, 0), B(6, 8).", "answer": "10"}]
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_choices_and_free_form_stand_apart_with_the_chance_level(source):
    problems = dataset.problems_table(source)
    assert list(problems["unit"]) == ["letter", ""]
    assert list(problems["question_type"]) == ["multiple choice", "free form"]
    cell = {"model": "m/x", "strategy": "direct", "category": "length", "variant": 0, "representation": "coord", "repeat": 0, "outcome": "ok"}
    responses = [{**cell, "problem": "one", "content": "The answer is A."}, {**cell, "problem": "two", "content": "The answer is 10."}]
    import pandas as pd

    units = dict(zip(problems["problem"], problems["unit"], strict=True))
    scores = score(parse_responses(pd.DataFrame(responses), units=units), problems)
    assert list(scores["correct"]) == [1, 1] and list(scores["predicted"]) == ["A", "10"]
    wrong = score(parse_responses(pd.DataFrame([{**responses[0], "content": ""}]), units=units), problems)
    assert list(wrong["correct"]) == [0] and list(wrong["verdict"]) == ["unparsed"]  # an empty answer is never correct
    cells, _ = read_cells(scores, problems=problems)
    table = by_question_type(cells).set_index("question_type")
    assert table.loc["multiple choice", "chance"] == 0.25 and table["cells"].to_dict() == {"multiple choice": 1, "free form": 1}
    assert not dataset.check(source).faults or all(f.level != "error" for f in dataset.check(source).faults)


@pytest.mark.parametrize("gold", ["A", "C", "I"])
def test_every_written_form_of_a_letter_is_read(gold):
    forms = written_forms(gold, "letter")
    assert len(forms) >= 10 and all(grade(form, gold).verdict == "correct" for form in forms)
