"""Simulated models: always the same, in formats the grader reads, and a truth that the analysis finds again."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from simulated_panel import problems_table, responses, scores

from geoutils import effects, feature_tables, flips, per_model, regression, regression_wording, simulated, tabulation
from geoutils.errors import UserError
from geoutils.grading import grade
from geoutils.panel import kind_of, panels

MODELS = [simulated.PREFIX + name for name in simulated.PROFILES]
NO_EFFECT = {simulated.PREFIX + name for name in ("steady", "weak", "noisy", "perfect")}


@cache
def problems() -> pd.DataFrame:
    return problems_table(160)


@cache
def panel_scores() -> pd.DataFrame:
    return scores(problems(), MODELS, strategies=("direct", "convert"))


def test_answers_are_reproducible_and_depend_on_the_cell() -> None:
    row = {**problems().iloc[0].to_dict(), "strategy": "direct", "repeat": 0}
    assert simulated.answer("simulated/steady", row) == simulated.answer("simulated/steady", dict(row))
    texts = {
        simulated.answer(m, {**row, "repeat": k, "problem": p})
        for m in MODELS
        for k in (0, 1)
        for p in ("length_easy_1", "x")
    }
    assert len(texts) > 8
    with pytest.raises(UserError, match="simulated/nobody is unknown; the simulated models are simulated/steady"):
        simulated.answer("simulated/nobody", row)


@pytest.mark.parametrize("strategy", ["direct", "convert", "reason"])
def test_the_grader_agrees_with_the_truth_in_every_format(strategy: str) -> None:
    """Right answers in messy forms are graded right, plausible wrong ones wrong, silence unparsed."""
    kinds = set()
    for row in problems().iloc[::5].to_dict("records"):
        for model in ("simulated/mumbling", "simulated/weak", "simulated/strong"):
            cell = {**row, "strategy": strategy, "repeat": 0}
            text = simulated.answer(model, cell)
            verdict = grade(text, row["answer"], row["unit"] or None, strategy).verdict
            silent = text in simulated.NO_ANSWER
            assert verdict == ("unparsed" if silent else "correct" if simulated.is_right(model, cell) else "wrong"), (
                text,
                row["answer"],
            )
            kinds.add(verdict)
    assert kinds == {"correct", "wrong", "unparsed"}


def test_the_experiment_file_names_known_models() -> None:
    from geoutils.experiment import load_experiment

    experiment = load_experiment("simulated")
    asked = {model for model, _ in experiment.pairs() if kind_of(model) == "SIMULATED"}
    assert asked == set(MODELS)
    for model in asked:
        simulated.profile(model)


def test_accuracy_and_invariance_are_those_of_the_model() -> None:
    """Each estimate lies within 4 standard errors of its expectation, and 95 % intervals cover as they should."""
    table = tabulation.accuracy(panel_scores()).set_index(["model", "strategy", "representation"])
    summary = tabulation.summarise(panel_scores()).set_index(["model", "strategy"])
    covered, total = 0, 0
    for model in MODELS:
        for strategy in ("direct", "convert"):
            truth = simulated.truth(model, problems(), strategy=strategy)
            for r in ("coord", "euclid", "vector"):
                row, p = table.loc[(model, strategy, r)], truth[r]
                assert abs(row["accuracy"] - p) <= 4 * np.sqrt(p * (1 - p) / row["n"]) + 1e-9, (model, strategy, r)
                covered, total = covered + (row["low"] <= p <= row["high"] + 1e-9), total + 1
            p = truth["Invariance"]
            assert abs(summary.loc[(model, strategy), "Invariance@3"] - p) <= 4 * np.sqrt(p * (1 - p) / 160) + 1e-9
    assert covered / total >= 0.9


def test_effects_are_found_where_they_are_and_only_there() -> None:
    effect = effects.representation_effect(panel_scores())
    assert set(effect["kind"]) == {"SIMULATED"}
    shown = set(effect[(effect["p_holm"] <= 0.05) & (effect["strategy"] == "direct")]["model"])
    assert shown >= {"simulated/coordinate-minded", "simulated/euclid-minded"}
    assert not shown & NO_EFFECT
    pairs = effects.representation_differences(panel_scores())
    inside = 0
    for row in pairs.to_dict("records"):
        truth = simulated.truth(row["model"], problems(), strategy=row["strategy"])[f"{row['first']}-{row['second']}"]
        inside += row["sim_low"] <= truth <= row["sim_high"]
    assert inside / len(pairs) >= 0.93


def test_the_regression_finds_the_truth_and_tells_the_separation() -> None:
    merged = feature_tables.merge_features(panel_scores(), problems())
    result = regression.analyse(merged, draws=0)
    assert any("simulated/perfect" in note and "taken out" in note for note in result.notes["note"])
    assert result.coefficients["coefficient"].abs().max() < 15
    interaction = result.tests[
        (result.tests["test"] == "model x representation") & (result.tests["strategy"] == "direct")
    ]
    assert interaction["p"].iloc[0] < 0.001  # models do differ
    table = per_model.per_model(merged)
    for row in table[table["ame"].notna()].to_dict("records"):
        truth = -simulated.truth(row["model"], problems(), strategy=row["strategy"])[f"coord-{row['representation']}"]
        assert abs(row["ame"] - truth) < 4 * row["ame_se"], row
    shown = set(table[(table["p_holm"] <= 0.05) & (table["strategy"] == "direct")]["model"])
    assert shown and not shown & NO_EFFECT
    assert "SIMULATED" in regression_wording.summary_text(result)
    assert "**SIMULATED** models" in regression_wording.total_effect(result.margins, result.tests)


def test_repeats_split_noise_from_representation() -> None:
    """A model whose luck is new in each run flips by noise only; one with effects flips beyond it."""
    part = problems().iloc[: 3 * 120]
    data = scores(part, ["simulated/noisy", "simulated/coordinate-minded"], repeats=4)
    sources = flips.flip_sources(data).set_index("model")
    noisy, minded = sources.loc["simulated/noisy"], sources.loc["simulated/coordinate-minded"]
    assert noisy["excess_low"] <= 0 <= noisy["excess_high"]
    assert minded["excess_low"] > 0


def test_wrong_answers_may_be_stubborn() -> None:
    answers = panels(panel_scores())
    weak = next(p for p in answers if p.model == "simulated/weak" and p.strategy == "direct")
    noisy = next(p for p in answers if p.model == "simulated/noisy" and p.strategy == "direct")
    assert tabulation.joint_shares(weak)["same_wrong"] > 0.15 > tabulation.joint_shares(noisy)["same_wrong"]


def test_silence_is_counted_not_dropped() -> None:
    table = tabulation.accuracy(panel_scores())
    mumbling = table[(table["model"] == "simulated/mumbling") & (table["strategy"] == "direct")]
    assert (mumbling["n"] == 160).all()
    assert 8 <= (mumbling["n"] - mumbling["answered"]).mean() <= 42  # 15 % of 160
    assert set(responses(problems().head(300), ["simulated/mumbling"])["outcome"]) == {"ok", "empty"}
