"""Tables about readings and verdicts, and the sentences that tell them."""

from __future__ import annotations

from scored_samples import parsed, problems, responses

from geoutils import readings, trust
from geoutils.parsing import parse_responses
from geoutils.scoring import score, sensitivity


def test_readings_add_up_to_the_responses() -> None:
    counts = readings.reading_counts(parsed())
    row = counts.iloc[0]
    assert (row["planned"], row["responses"], row["answered"], row["refusal"]) == (9, 8, 7, 1)
    assert "7 (87.5 %)" in readings.said_counts(counts)
    assert readings.rule_counts(parsed())["answers"].sum() == 7
    assert "Most answers" in readings.said_rules(readings.rule_counts(parsed()))


def test_examples_speed_and_warnings() -> None:
    shown = readings.examples(parsed(), per_rule=1)
    assert set(shown["rule"]) == {"whole text", "marker"}
    assert readings.speed(parsed())["answers"] == 8
    assert "a second on one core" in readings.said_speed(readings.speed(parsed()))
    warned = parse_responses(responses(), units={"angle_easy_01": "degrees"})
    assert list(readings.warning_counts(warned)["warning"]) == ["unit missing"]
    assert readings.units_of(problems())["angle_easy_01"] == "degrees"


def test_convert_fields_are_counted() -> None:
    table = parse_responses(responses().assign(strategy="convert", content='{"reasoning": "a", "numeric_answer": 1}'))
    row = readings.convert_keys(table).iloc[0]
    assert (row["responses"], row["reasoning"], row["euclidean_conversion"], row["all three"]) == (9, 9, 0, 0)


def test_empty_tables_have_sentences() -> None:
    nothing = parsed().head(0)
    assert "No response" in readings.said_counts(readings.reading_counts(nothing))
    assert readings.said_rules(readings.rule_counts(nothing)) == "No answer was read."


def test_golds_grade_themselves_and_sentences_hold_numbers() -> None:
    table = trust.gold_self_test(problems())
    assert table["refused"].sum() == 0
    assert (table["forms"] >= 10).all()
    assert "0 refused" in trust.said_self_test(table)
    scores = score(parsed(), problems())
    counts = trust.verdict_counts(scores)
    assert (counts.iloc[0]["correct"], counts.iloc[0]["unparsed"]) == (5, 2)
    assert "5 of 9 planned cells" in trust.said_verdicts(counts)
    assert "points" in trust.said_sensitivity(sensitivity(scores))
    assert "not part" in trust.said_gold_baseline(scores)
    assert "100" not in trust.said_gold_baseline(scores.assign(model="baseline/gold"))
    assert "broken" in trust.said_gold_baseline(scores.assign(model="baseline/gold"))
    assert trust.same_counts(scores)["n"][0] == 3
