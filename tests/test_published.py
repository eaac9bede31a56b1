"""The published problems: how many of what, and that their canonical statements are proved."""

from __future__ import annotations

from collections import Counter

import pytest

from geoutils import dataset
from geoutils.experiment import project_root
from geoutils.problems.records import CATEGORIES, load_records

FOLDER = project_root() / "data" / "problems"


@pytest.fixture(scope="module")
def problems():
    found, findings = load_records([FOLDER])
    assert findings == []
    return found


def test_forty_of_each_category_a_quarter_easy_half_medium_a_quarter_hard(problems):
    counts = Counter((problem.category, problem.difficulty) for problem in problems)
    wanted = {"easy": 10, "medium": 20, "hard": 10}
    assert counts == {(category, level): n for category in CATEGORIES for level, n in wanted.items()}


def test_at_most_three_of_a_family_and_no_id_twice(problems):
    assert len({problem.id for problem in problems}) == len(problems) == 160
    assert max(Counter((problem.category, problem.family) for problem in problems).values()) <= 3


def test_statements_print_one_minus_sign(problems):
    said = [s.say for problem in problems for rep in problem.statements.values() for s in rep]
    assert not [text for text in said if "\u2212" in text or "\u2013" in text]


def test_every_canonical_statement_is_proved(tmp_path, monkeypatch):
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    summary = dataset.check(FOLDER, variants=1)
    assert [finding.line() for finding in summary.faults] == []
    assert (summary.problems, summary.statements, summary.proved) == (160, 480, 480)
    assert summary.share_read >= 0.95
