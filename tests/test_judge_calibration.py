"""The calibration set: labels true by construction, renderings that show the text, a baseline that reads them, honest statistics."""

from __future__ import annotations

import dataclasses
import io
import itertools
import re

import numpy as np
import pandas as pd
import pytest
from inference_cases import experiment_file
from PIL import Image

from geoutils import judge, judge_tables, judge_view
from geoutils.answers import compare, read_gold
from geoutils.dataset import problems_table
from geoutils.grading import grade
from geoutils.judge_rendering import _pieces, _set, ending, page, rendered, settable, wrapped
from geoutils.judge_settings import BASELINE
from geoutils.judge_solutions import COMBINATIONS, COUNT, LABELS, RENDERINGS, calibration_set, faulty_lines, sources
from geoutils.media import frames_of
from geoutils.ocr import in_lines
from geoutils.stats.misclassified import agreement_of_repeats, kappa_interval, rogan_gladen
from geoutils.stats.paired import Table


@pytest.fixture(scope="module")
def problems() -> pd.DataFrame:
    return problems_table()


@pytest.fixture(scope="module")
def solutions(problems: pd.DataFrame) -> pd.DataFrame:
    return calibration_set(problems)


def test_it_is_balanced_in_whole_and_from_the_start(solutions: pd.DataFrame, problems: pd.DataFrame) -> None:
    assert len(solutions) == COUNT >= 120 and solutions["id"].is_unique and solutions["problem"].is_unique
    assert (solutions["rendering"] != "text").sum() >= 120  # images and videos
    sizes = solutions.groupby([*LABELS, "rendering"]).size()
    assert len(sizes) == len(COMBINATIONS) * len(RENDERINGS) and sizes.nunique() == 1
    first = solutions.head(24)
    assert first.groupby(list(LABELS)).size().eq(3).all() and first["rendering"].value_counts().eq(4).all()
    assert calibration_set(problems, count=24).equals(first)
    faults = solutions.loc[solutions["intermediate_correct"] == 0, "fault"].value_counts()
    assert set(faults.index) == {"number", "sign", "measured"} and faults.min() >= 12


def test_the_grader_finds_the_labels_of_the_final_answers(solutions: pd.DataFrame) -> None:
    for row in solutions.to_dict("records"):
        verdict = grade(row["solution"], row["answer"], row["unit"] or None).verdict
        assert verdict == ("correct" if row["final_correct"] else "wrong"), row["id"]
        assert grade(row["solution_text"], row["answer"], row["unit"] or None).verdict == "correct"


def test_a_right_answer_never_stands_in_a_solution_with_a_wrong_one(solutions: pd.DataFrame) -> None:
    for row in solutions[solutions["final_correct"] == 0].to_dict("records"):
        gold = read_gold(row["answer"], row["unit"] or None)
        for math in re.findall(r"\$([^$]+)\$", row["solution"]):
            for side in math.split(" = "):
                try:
                    assert not compare(read_gold(side), gold, row["unit"] or None), (row["id"], side)
                except ValueError:
                    continue


def test_steps_are_false_where_the_label_says_so_and_only_there(problems: pd.DataFrame, solutions: pd.DataFrame) -> None:
    def numeric(line: str) -> list[bool]:
        """Whether the two numeric sides of each equation of a line are equal."""
        found = []
        for math in re.findall(r"\$([^$]+)\$", line):
            sides = math.split(" = ")
            for left, right in itertools.pairwise(sides):
                try:
                    a, b = read_gold(left), read_gold(right)
                except ValueError:
                    continue
                found.append(compare(a, b) or compare(b, a))
        return found

    pool = sources(problems)
    assert len(pool) > 140 and all(all(numeric(line)) for source in pool for line in source.lines)
    turned = [made for source in pool if (made := faulty_lines(source.lines, "sign", 0))]
    assert len(turned) > 80 and all(any(not all(numeric(line)) for line in lines) for lines in turned)
    for source in pool:
        made = faulty_lines(source.lines, "number", 0)
        changed = [new for new, old in zip(made or [], source.lines, strict=False) if new != old]
        assert made is None or (len(changed) == 1 and made[-1] == source.lines[-1])
    sound = solutions[solutions["intermediate_correct"] == 1]
    assert all(all(numeric(line)) for text in sound["solution"] for line in text.split("\n"))
    assert (solutions.loc[solutions["action_reflection"] == 1, "reflection"] != "").all()
    assert (solutions.loc[solutions["action_reflection"] == 0, "reflection"] == "").all()
    looks = re.compile(r"\b(?:check|verify|reconsider|wait|begin again|start over|second way)\b", re.I)
    assert not any(map(looks.search, solutions.loc[solutions["action_reflection"] == 0, "solution"]))


def test_renderings_show_the_text(solutions: pd.DataFrame) -> None:
    text = "Let $x = \\frac12\\cdot 3$.\nThe area is 50% of it.\nIt costs $5\nFinal answer: $2 \\sqrt{3}$"
    sizes = {}
    for rendering in RENDERINGS:
        if not ending(rendering):
            continue
        content = rendered(text, rendering)
        if ending(rendering) in ("mp4", "webm"):
            frames = frames_of(content, f"video/{ending(rendering)}", count=4)
            ink = [(np.asarray(Image.open(io.BytesIO(f.jpeg)).convert("L")) < 128).sum() for f in frames]
            assert ink[0] > 0 and len(set(ink)) > 1
            assert (ink[-1] == max(ink)) == (rendering == "steps")  # pages are wiped
            continue
        image = Image.open(io.BytesIO(content)).convert("L")
        sizes[rendering] = image.size
        levels = np.asarray(image)
        assert levels.max() - levels.min() < 100 if rendering == "low_contrast" else levels.min() < 60
        assert rendered(text, rendering) == content
    assert sizes["cropped"] < sizes["typeset"]
    long = "word " * 60 + "$a = b = c$"
    assert max(page([row]).shape[1] for row in wrapped(long, 400)) <= 880 and len(wrapped(long, 400)) > 5
    with pytest.raises(ValueError, match="cannot be set"):
        page(["$\\frac{$"])


def test_every_solution_can_be_set(solutions: pd.DataFrame) -> None:
    formulas = {piece for text in solutions["solution"] for line in text.split("\n") for piece in _pieces(settable(line)) if "$" in piece}
    assert len(formulas) > 500
    for formula in formulas:
        assert _set(formula).size, formula


def test_the_baseline_judges_final_answers_and_abstains_on_the_rest(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    judging = judge.open_judging(experiment_file(tmp_path, "judge: {calibration: 6}\n"), models=[BASELINE])
    assert set(judging.items["rendering"]) == set(RENDERINGS)
    table = judge.run_judges(judging, progress="none")
    assert table["intermediate_correct"].isna().all() and table["action_reflection"].isna().all()
    judged = table[table["final_correct"].notna()]
    assert len(judged) >= 5 and (judged["outcome"] == "ok").all()
    assert judged.loc[judged["known_final_correct"] == 0, "final_correct"].eq(0).all()
    assert judged.loc[judged["medium"] == "text", "final_correct"].eq(judged.loc[judged["medium"] == "text", "known_final_correct"]).all()
    monkeypatch.setattr("geoutils.judge_baseline.read_image", lambda *_: pytest.fail("read again"))
    assert judge.run_judges(judging, progress="none").equals(table)
    assert judge_tables.combinations(table).empty and judge_tables.consistency(table).empty and judge_tables.corrected(table).empty
    assert judge_tables.quality(table)["metric"].tolist() == ["final_correct"]
    hostile = table.assign(explanation="<script>alert(1)</script> $x$", id="<b>")
    page_html = judge_view.examples_html(hostile)
    assert "<script>" not in page_html and "&lt;script&gt;" in page_html and page_html.count("data:image/jpeg;base64,") >= 4
    assert page_html.count(" alt=") == page_html.count("<img") and len(page_html) < 600_000


def test_a_perfect_and_a_blind_judge() -> None:
    rows = [
        {"set": which, "model": "lab/m", "protocol": "verdicts", "repeat": 0, "row": place, "id": str(place), "medium": "image", "outcome": "ok",
         **dict(zip(LABELS, labels, strict=True)), **{f"known_{n}": v for n, v in zip(LABELS, labels, strict=True)}}
        for which in ("calibration", "manifest") for place, labels in enumerate(COMBINATIONS * 3, start=1)
    ]  # fmt: skip
    perfect = pd.DataFrame(rows).astype(dict.fromkeys([*LABELS, *(f"known_{n}" for n in LABELS)], "Int64"))
    quality = judge_tables.quality(perfect)
    assert quality["sensitivity"].eq(1).all() and quality["specificity"].eq(1).all() and quality["kappa"].eq(1).all()
    found = judge_tables.corrected(perfect).iloc[0]
    assert found["raw"] == found["corrected"] == 0.5 and found["corrected_low"] < 0.35 and found["corrected_high"] > 0.65
    assert judge_tables.tried_correction(perfect)["truth"].eq(0.5).all()
    blind = perfect.assign(final_correct=pd.array([1] * len(perfect), dtype="Int64"))
    found = judge_tables.corrected(blind).iloc[0]
    assert np.isnan(found["corrected"]) and (found["corrected_low"], found["corrected_high"]) == (0, 1) and "chance" in found["note"]
    assert judge_tables.combinations(perfect)["count"].tolist() == [3] * 16


def test_rogan_gladen_and_its_limits() -> None:
    found = rogan_gladen(60, 100, 45, 50, 40, 50)
    assert found.value == pytest.approx((0.6 + 0.8 - 1) / (0.9 + 0.8 - 1)) and found.low < found.value < found.high
    assert rogan_gladen(0, 100, 45, 50, 50, 50).value == 0 and rogan_gladen(100, 100, 50, 50, 45, 50).value == 1
    for worthless in ((60, 100, 20, 50, 30, 50), (60, 100, 10, 50, 10, 50), (0, 0, 1, 2, 1, 2), (5, 9, 0, 0, 1, 2)):
        found = rogan_gladen(*worthless)
        assert np.isnan(found.value) and (found.low, found.high) == (0, 1) and found.note
    with pytest.raises(ValueError):
        rogan_gladen(11, 10, 1, 2, 1, 2)
    rng = np.random.default_rng(3)
    for truth, se, sp in ((0.3, 0.8, 0.9), (0.6, 0.6, 0.95), (0.95, 0.9, 0.7)):
        hits = 0
        for _ in range(400):
            right = rng.binomial(80, truth)
            counted = rng.binomial(right, se) + rng.binomial(80 - right, 1 - sp)
            limits = rogan_gladen(counted, 80, rng.binomial(60, se), 60, rng.binomial(60, sp), 60)
            hits += limits.low <= truth <= limits.high
        assert hits >= 0.92 * 400


def test_kappa_and_agreement_limits() -> None:
    low, high = kappa_interval(Table(40, 5, 6, 30))
    assert 0.4 < low < 0.73 < high < 0.9
    assert all(np.isnan(kappa_interval(table)).all() for table in (Table(0, 0, 0, 0), Table(9, 0, 0, 0)))
    value, low, high, n = agreement_of_repeats(np.array([[1, 1, 1], [1, 0, 1], [0, 0, np.nan], [1, np.nan, np.nan]]))
    assert (value, n) == (pytest.approx((1 + 1 / 3 + 1) / 3), 3) and low <= value <= high
    assert agreement_of_repeats(np.empty((0, 3)))[3] == 0
    all_alike = agreement_of_repeats(np.ones((10, 2)))
    assert all_alike[0] == 1 and 0.6 < all_alike[1] < 0.8 and all_alike[2] == 1


def test_pieces_of_text_become_lines() -> None:
    def box(x: float, y: float, high: float = 10) -> list[list[float]]:
        return [[x, y], [x + 20, y], [x + 20, y + high], [x, y + high]]

    assert in_lines([("b", box(50, 2)), ("c", box(0, 30)), ("a", box(0, 0))]) == ["a b", "c"]
    assert in_lines([]) == []


def test_settings_can_be_replaced(tmp_path) -> None:
    experiment = experiment_file(tmp_path, "judge: {frames: 4, repeats: 2}\n")
    assert (experiment.judge.frames, experiment.judge.repeats, experiment.judge.calibration) == (4, 2, 24)
    assert dataclasses.replace(experiment.judge, frames=5).frames == 5
