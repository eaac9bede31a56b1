"""Any text at all: no exception, no hang, no growth. A short form of benchmarks/fuzz_parsing.py."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from geoutils.answers import read_gold, same_answer
from geoutils.grading import grade_lines
from geoutils.json_answers import convert_fields
from geoutils.parsing import read_answer

PIECES = [r"\boxed{", r"\fbox{", r"{", r"}", r"(", r")", r"[", r"]", r"\frac", r"\dfrac{1}", r"\sqrt", r"\sqrt[3]", r"\text{", r"\left(", r"\right)", r"\pi", r"\cdot", r"\times", r"^\circ", r"\%", r"\,", r"0", r"1", r"5", r"12", r"007", r"3.14", r"1,000", r"1.5e3", r".5", r"1/2", r"2/0", r"+", r"-", r"*", r"/", r"^", r"**", r"=", r"≈", r"<", r">", r"|", r"±", r"∞", r"°", r"%", r"!", r"?", r".", r",", r";", r":", r"'", r'\"', r"`", r"#", r"####", r"$", r"_", r"~", r"&", r"&lt;", r"&frac12;", r"½", r"²", r"π", r"√", r"١", r"５", r"。", r"は", r"答案", r"答え", r"정답", r"الإجابة", r"उत्तर", r"Answer", r"Answer:", r"answer", r"is", r"not", r"the", r"final", r"Question:", r"Wait", r"actually", r"wrong", r"because", r"so", r"therefore", r"or", r"and", r"between", r"twenty", r"four", r"half", r"of", r"<think>", r"</think>", r"<answer>", r"</answer>", r"<b>", r"<sup>", r'{\"answer\":', r'\"numeric_answer\":', r"null", r"Infinity", r"sqrt(", r"sin", r"cos(", r"arctan(", r"e", r"pi", r"i", r"x", r"AB", r"cm", r"degrees", r"rad", r"percent"] + [" ", "\n", "\t", "\x00", "\u200b", "\ud83d\ude00"]  # fmt: skip

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
