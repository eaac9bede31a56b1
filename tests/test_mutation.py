"""The mutation test: corruptions of sound problems are noticed, same meanings are left out."""

from __future__ import annotations

import pytest
from problem_samples import MEDIAN, problem

from geoutils.errors import UserError
from geoutils.problems.mutants import mutants
from geoutils.problems.mutation import CAUGHT, SAME, MutationReport, mutation_test
from geoutils.problems.variants import draw_variants

KINDS = {
    "printed number changed", "sentence dropped", "two names swapped", "two values swapped", "relation word changed",
    "leak added", "answer told", "check is a constant", "check uses hidden data", "check gives another value",
    "coordinates mixed into Euclid", "representations mixed", "question asks something else", "no question",
    "another answer", "category wrong", "concept unknown", "invisible character", "digit typed by hand",
}  # fmt: skip


def written(folder):
    (folder / "concepts.yaml").write_text("median: a line to a midpoint\n", encoding="utf-8")
    path = folder / "length.yaml"
    path.write_text(MEDIAN, encoding="utf-8")
    return path


def test_every_kind_of_corruption_is_made():
    variants = draw_variants(problem(), 3, conditions=lambda variant: []).variants
    made = list(mutants(problem(), variants))
    assert {mutant.kind for mutant in made} >= KINDS
    assert all(mutant.problem != problem() or mutant.printed for mutant in made)


def test_corruptions_of_a_sound_problem_are_caught(tmp_path):
    path = written(tmp_path)
    report = mutation_test(path, sample=2, jobs=1)
    assert report.share >= 0.95, report.survivors()
    table = report.table()
    assert list(table.columns) == ["corruption", "mutants", "same_meaning", "tested", "caught", "share"]
    assert table.iloc[-1]["corruption"] == "all" and table.iloc[-1]["tested"] >= 30
    again = mutation_test(path, sample=2, jobs=1)
    assert again.rows == report.rows
    assert report.markdown().startswith("| corruption | mutants |")


def test_a_name_swap_of_the_same_meaning_is_left_out(tmp_path):
    path = written(tmp_path)
    report = mutation_test(path, jobs=1)
    swaps = {what: result for _, kind, what, result in report.rows if kind == "two names swapped"}
    assert swaps["euclid[1]: C and B"] == SAME  # the midpoint of CB is that of BC
    assert swaps["euclid[1]: B and M"] == CAUGHT
    assert report.share >= 0.95, report.survivors()


def test_only_sound_problems_are_tested(tmp_path):
    path = tmp_path / "length.yaml"
    path.write_text(MEDIAN.replace("answer: dist(A, M)", "answer: dist(B, M)"), encoding="utf-8")
    with pytest.raises(UserError, match="only sound problems"):
        mutation_test(path, sample=1, jobs=1)


def test_an_empty_report():
    assert MutationReport().share == 0.0 and MutationReport().table().empty
