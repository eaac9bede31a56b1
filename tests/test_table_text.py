"""Tables as Markdown and LaTeX: the numbers of the report, and nothing that a text could break."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoutils.study import open_study
from geoutils.table_text import MOST_ROWS, PREAMBLE, latex_text, to_latex, to_markdown

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
    assert re.search(r"\\begin\{tabular\}\{\S+p\{\d+pt\}rr\}", text)
    assert r"lab/\allowbreak{}a\_\allowbreak{}b & 0.123 & 12,000 \\" in text
    assert r"\input" not in text
    assert text.count(" \\\\\n") == 3


@given(st.text(max_size=60))
def test_latex_text_has_no_command_of_its_own(text: str) -> None:
    made = latex_text(text)
    bare = re.sub(r"^\{\}(?=[\[*])|\\text[a-z]+\{\}|\\[{}$&#_%]|\$[^$ ]+\$", "", made).replace("~", "")
    assert not re.search(r"[\\{}$&#_%^]", bare)
    assert "\n" not in made
    assert not made.startswith(("[", "*")), "the end of the row before would take it as its option"


def test_a_character_without_a_letter_is_written_out() -> None:
    assert latex_text("角 é √ \U0001f600") == r"{}[U+89D2] é $\surd$ [U+1F600]"


WIDE = pd.DataFrame(
    {"model": ["a", "b"], "strategy": ["direct"] * 2, **{f"a_rather_long_name_{i}": [0.5, i] for i in range(40)}}
)


def test_a_wide_table_comes_in_parts_that_say_which_row_it_is() -> None:
    text = to_latex(WIDE, "Wide")
    parts = re.findall(r"\\begin\{table\}.*?\\end\{table\}", text, re.DOTALL)
    assert len(parts) > 3
    for number, part in enumerate(parts, start=1):
        assert rf"\caption{{Wide. Part {number} of {len(parts)}.}}" in part
        assert re.search(r"\n1 & a & direct & .*\n2 & b & direct & ", part)
    found = re.findall(r"\b(\d+)\\end\{tabular\}", text)
    assert found == [str(i) for i in range(40)], "each column once, in order"


def test_a_long_table_breaks_over_pages_and_a_very_long_one_is_cut_and_says_so() -> None:
    assert r"\begin{longtable}" in to_latex(pd.DataFrame({"x": range(50)}))
    long = pd.DataFrame({"x": range(MOST_ROWS + 3)})
    for text in (to_latex(long), to_markdown(long)):
        assert "3 more rows are left out here; the CSV file beside this one holds all 2,003." in text
        assert str(MOST_ROWS) not in text.replace(",", "")[:-200]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_it_compiles(tmp_path: Path) -> None:
    hostile = [
        "\\end{document}",
        "\\input{/etc/passwd}",
        "[4pt]",
        "* star",
        "^^41",
        "$$ % &",
        "中文",
        "a" * 500,
        "??`!`",
        "\u202e\x00",
        "é ß Ł ő",
    ]
    tables = [
        WIDE,
        TABLE,
        pd.DataFrame({"[first]": hostile, "x_%": 1.5}),
        pd.DataFrame({"x": range(90), "model": "lab/m"}),
        WIDE[:0],
    ]
    body = "\n".join(to_latex(table, "100 % of $ & _ [x] 中") for table in tables)
    (tmp_path / "all.tex").write_text(
        f"\\documentclass{{article}}\n{PREAMBLE}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "all.tex"]
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    assert "Missing character" not in done.stdout


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
