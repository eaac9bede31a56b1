"""Any text at all: no exception, no hang, no growth. A short form of benchmarks/fuzz_parsing.py."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from geoutils.answers import read_gold, same_answer
from geoutils.grading import grade_lines
from geoutils.json_answers import convert_fields
from geoutils.parsing import read_answer

WORDS = r"""
\boxed{ \fbox{ { } ( ) [ ] \frac \dfrac{1} \sqrt \sqrt[3] \text{ \left( \right) \pi \cdot \times ^\circ \% \, 0 1 5 12 007 3.14 1,000
1.5e3 .5 1/2 2/0 + - * / ^ ** = ≈ < > | ± ∞ ° % ! ? . , ; : ' ` # #### $ _ ~ & &lt; &frac12; ½ ² π √ ١ ５ 。 は 答案 答え 정답
الإجابة उत्तर Answer Answer: answer is not the final Question: Wait actually wrong because so therefore or and between twenty four
half of <think> </think> <answer> </answer> <b> <sup> {"answer": "numeric_answer": null Infinity sqrt( sin cos( arctan( e pi i x
AB cm degrees rad percent
"""
PIECES = [*WORDS.split(), '"', " ", "\n", "\t", "\x00", "\u200b", "😀", "\ud83d"]

soup = st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join) | st.lists(st.sampled_from(PIECES), max_size=60).map("".join)
repeated = st.builds(lambda unit, n: "".join(unit) * n, st.lists(st.sampled_from(PIECES), min_size=1, max_size=4), st.integers(1, 400))
texts = st.text(max_size=300) | soup | repeated


@settings(max_examples=400, deadline=None)
@given(texts, st.booleans())
def test_any_text_is_read_and_what_is_printed_is_read_back(text: str, truncated: bool) -> None:
    reading = read_answer(text, truncated=truncated)
    assert reading.reading in ("answered", "none", "refusal", "cut")
    assert (reading.value is not None) == (reading.reading == "answered")
    assert len(reading.span) <= 200
    if reading.value is not None and reading.value.is_number:
        again = read_gold(reading.predicted)
        assert same_answer(again, reading.value, 1), (text, reading.predicted)


@settings(max_examples=100, deadline=None)
@given(texts)
def test_the_same_text_gives_the_same_reading(text: str) -> None:
    assert read_answer(text) == read_answer(text)


@settings(max_examples=100, deadline=None)
@given(texts)
def test_json_fields_are_texts_or_missing(text: str) -> None:
    for wrapped in (text, '{"reasoning": ' + json.dumps(text) + ', "numeric_answer": 0}'):
        assert all(value is None or isinstance(value, str) for value in convert_fields(wrapped).values())


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=80) | texts.map(lambda t: json.dumps({"output": t, "gold": "5"})), max_size=5))
def test_a_stream_answers_each_line(lines: list[str]) -> None:
    flat = [part for line in lines for part in line.splitlines()]
    found = [json.loads(line) for line in grade_lines(flat)]
    assert len(found) == sum(bool(line.strip()) for line in flat)
    assert all(("verdict" in f) != ("error" in f) for f in found)
