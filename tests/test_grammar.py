"""The grammar: every entry's own example and counter-example, the style guide's sentences, and mutants."""

from __future__ import annotations

import pathlib
import re

import pytest

from geoutils.problems.grammar import ENTRIES, canonical, read_question, read_statement, split_sentences

GUIDE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "writing-problems.md"
HIDDEN = ["Z"]


def read(text: str, representation: str = "vector"):
    return read_statement(split_sentences(text), representation, hidden=HIDDEN)


def representation_of(item) -> str:
    return "coord" if item.meaning.__module__.endswith("coordinates") else "vector"


def case_id(item) -> str:
    return f"{item.kind}-{item.name}"


@pytest.mark.parametrize("item", [e for e in ENTRIES if e.example], ids=case_id)
def test_example(item):
    text, wanted = item.example
    if text.startswith("Find "):
        assert canonical([read_question(text)]) == canonical([wanted])
        return
    reading = read(text, representation_of(item))
    assert not reading.unread, reading.reasons
    assert item.name in " ".join(reading.entries).split()
    got = canonical(reading.conditions)
    expected = canonical(row for row in wanted.split(";") if row.strip())
    assert got == expected


@pytest.mark.parametrize("item", [e for e in ENTRIES if e.counter], ids=case_id)
def test_counter_example(item):
    if item.counter.startswith("Find "):
        with pytest.raises(ValueError):
            read_question(item.counter)
        return
    reading = read(item.counter, representation_of(item))
    assert reading.unread or item.name not in " ".join(reading.entries).split(), reading.conditions


def test_every_entry_has_an_example_and_a_counter_example():
    assert [case_id(item) for item in ENTRIES if not (item.example and item.counter)] == []


def guide_lines(word: str) -> list[str]:
    blocks = re.findall(rf"^```{word}\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.S | re.M)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("word", ["coord", "euclid", "vector"])
def test_guide_sentences_are_read(word):
    failed = []
    lines = guide_lines(word)
    for line in lines:
        reading = read(line, word)
        if reading.unread:
            failed.append((line, reading.reasons))
    assert lines and not failed


def test_guide_questions_are_read():
    lines = guide_lines("question")
    assert len(lines) > 30
    for line in lines:
        assert read_question(line)
