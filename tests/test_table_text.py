"""Tables as Markdown and LaTeX: the numbers of the report, and nothing that a text could break."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoutils.study import open_study
from geoutils.table_text import latex_text, to_latex, to_markdown

TABLE = pd.DataFrame(
    {
        "model": ["lab/a_b", "x|y & <z> $1$ \\input{/etc} `c`\nsecond \u202e line"],
        "share": [0.123456, float("nan")],
        "n": [12000, 3],
    }
)


def test_markdown_has_one_line_for_a_row() -> None:
    lines = to_markdown(TABLE, "Two models").splitlines()
    assert lines[0] == "Two models"
    assert lines[2] == "| model | share | n |"
    assert lines[3] == "| --- | ---: | ---: |"
    assert lines[4] == r"| lab/a\_b | 0.123 | 12,000 |"
    assert len(lines) == 6
    assert len(re.findall(r"(?<!\\)\|", lines[5])) == 4
    assert "[U+202E]" in lines[5].replace("\\", "")


def test_latex_prints_what_it_is_given() -> None:
    text = to_latex(TABLE, "100 % of $ & _")
    assert r"\caption{100 \% of \$ \& \_}" in text
    assert r"\begin{tabular}{lrr}" in text
    assert r"lab/a\_b & 0.123 & 12,000 \\" in text
    assert r"\input" not in text
    assert text.count(r" \\") == 3


@given(st.text(max_size=60))
def test_latex_text_has_no_command_of_its_own(text: str) -> None:
    made = latex_text(text)
    bare = re.sub(r"\\text[a-z]+\{\}|\\[{}$&#_%]|\$-\$|\$\\(?:infty|surd|pi)\$", "", made)
    assert not re.search(r"[\\{}$&#_%~^]", bare)
    assert "\n" not in made


def test_an_empty_table_is_a_table() -> None:
    empty = pd.DataFrame(columns=["a", "b"])
    assert to_markdown(empty).splitlines() == ["| a | b |", "| --- | --- |"]
    assert r"a & b \\" in to_latex(empty)


def test_save_table_writes_all_three(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = open_study("quickstart", stage="tabulation", quiet=True)
    path = study.save_table(TABLE, "models", caption="Two models")
    assert path == home / "reports" / "quickstart" / "tables" / "models.csv"
    assert path.with_suffix(".md").read_text() == to_markdown(TABLE, "Two models")
    assert path.with_suffix(".tex").read_text() == to_latex(TABLE, "Two models")
    assert "models.csv (2 rows" in capsys.readouterr().out
