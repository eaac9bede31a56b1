"""The views of the notebooks: they follow their controls, show what the static tables show, and escape what they show."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from gallery_samples import finished

from geoutils import gallery, widgets
from geoutils.study import Study


@pytest.fixture
def study(home: Path) -> tuple[Study, pd.DataFrame, pd.DataFrame]:
    return finished(home)


def test_problems_are_found_by_category_and_text(study: tuple[Study, pd.DataFrame, pd.DataFrame]) -> None:
    problems = study[0].problems()
    every = list(dict.fromkeys(problems["problem"]))
    assert widgets.found_problems(problems) == every
    angles = widgets.found_problems(problems, category="angle")
    assert angles == [name for name in every if name.startswith("angle")]
    assert widgets.found_problems(problems, text=every[3].upper()) == [every[3]]
    assert widgets.found_problems(problems, text="(((") == []


def test_the_problem_view_follows_its_controls(study: tuple[Study, pd.DataFrame, pd.DataFrame]) -> None:
    one, _, _ = study
    problems = one.problems()
    view = widgets.ProblemView(problems, source=one.experiment.source)
    assert "8 problem(s) fit" in view.view.html.value
    assert "data:image/png;base64," in view.view.html.value
    view.category.value = "area"
    assert view.problem.value.startswith("area")
    assert "2 problem(s) fit" in view.view.html.value
    assert view.problem.value in view.view.html.value
    view.text.value = "there is no such word"
    assert "No problem fits" in view.view.html.value
    view.text.value = ""
    view.problem.value = view.problem.options[1]
    assert view.problem.options[1] in view.view.html.value
    assert "has no variant 7" in widgets.problem_card(problems, view.problem.value, 7, source=one.experiment.source)


def test_the_answers_view_shows_the_table_of_answers(study: tuple[Study, pd.DataFrame, pd.DataFrame]) -> None:
    _, scores, responses = study
    view = widgets.AnswersView(scores, responses)
    name = view.problem.options[2]
    view.problem.value = name
    shown = view.view.html.value
    table = gallery.answers_to(name, scores, responses)
    assert shown.count("<tr>") == len(table) + 1
    assert all(verdict in shown for verdict in table["verdict"])
    for harm in ("<script>", "<img", "<h1>", "\u202e"):
        assert harm not in shown
    view.strategy.value = "direct"
    assert view.view.html.value == shown
    assert "No answers" in widgets.answers_html("nothing", scores, responses)


def test_the_flip_view_shows_the_chosen_rows(study: tuple[Study, pd.DataFrame, pd.DataFrame]) -> None:
    table = gallery.flip_table(study[1])
    view = widgets.FlipView(table)
    assert f"{int(table['flips'].sum())} of 24 combinations" in view.view.html.value
    view.pattern.value = "CCW"
    view.model.value = "lab/one"
    chosen = gallery.chosen_flips(table, pattern="CCW", model="lab/one")
    assert view.view.html.value.count("<tr>") == len(chosen) + 1
    view.pattern.value = widgets.ANY
    view.category.value = "ratio"
    assert len(gallery.chosen_flips(table, category="ratio", model="lab/one")) == view.view.html.value.count("<tr>") - 1


def test_the_grader_view_reads_what_is_pasted() -> None:
    view = widgets.GraderView()
    assert "correct" in view.view.html.value
    view.output.value = "So the length is 0.85."
    assert "wrong" in view.view.html.value
    view.figures.value = 2
    assert "correct" in view.view.html.value
    view.output.value = "<script>alert(1)</script>"
    assert "unparsed" in view.view.html.value
    assert "<script>" not in view.view.html.value
    view.gold.value = "__import__('os')"
    assert "<b>" in view.view.html.value, "a gold that cannot be read is told"
    view.gold.value = " "
    assert "A gold is needed" in view.view.html.value


def test_the_static_table_grades_the_same() -> None:
    table = widgets.graded()
    assert list(table["verdict"]) == ["correct", "correct", "wrong", "correct", "wrong", "unparsed"]
    loose = widgets.graded(min_significant=2)
    assert loose["verdict"].iloc[2] == "correct"


def test_nothing_to_show_is_no_fault(study: tuple[Study, pd.DataFrame, pd.DataFrame]) -> None:
    one, scores, _ = study
    assert "No problem fits" in widgets.ProblemView(one.problems().head(0), source="data/problems").view.html.value
    assert "No problem is chosen" in widgets.AnswersView(scores.head(0)).view.html.value
    assert "0 of 0" in widgets.FlipView(gallery.flip_table(scores).head(0)).view.html.value
