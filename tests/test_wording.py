"""Sentences say what the tables hold, at every edge, and escape what a model is called."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from synthetic_scores import frame, irt_cells, panel_frame

from geoutils import comparisons, effects, flip_wording, flips, power, tabulation, wording

TABLES = [
    (wording.counted, tabulation.accuracy),
    (wording.accuracy_range, tabulation.accuracy),
    (wording.bounds, tabulation.accuracy),
    (wording.sensitivity, tabulation.sensitivity),
    (wording.cut, tabulation.before_the_cut),
    (wording.invariance, tabulation.summarise_with_cis),
    (wording.effect, effects.representation_effect),
    (wording.gap, effects.largest_gap),
    (wording.pairs, effects.representation_differences),
    (wording.equivalent, effects.equivalence),
    (wording.categories, tabulation.invariance_by_category),
    (wording.models, comparisons.between_models),
    (wording.ranks, comparisons.ranks),
    (wording.strategies, comparisons.between_strategies),
    (wording.detectable, power.detectable_after),
    (flip_wording.patterns, flips.pattern_counts),
    (flip_wording.exchangeability, flips.pattern_exchangeability),
    (flip_wording.pairwise, flips.pairwise),
    (flip_wording.net, flips.pairwise),
    (flip_wording.single, flips.single_failures),
    (flip_wording.audit, flips.audit),
    (flip_wording.over_models, flips.audit_over_models),
    (flip_wording.coherence, flips.coherence),
    (flip_wording.sources, flips.flip_sources),
]
NO_HEADLINE = frame(np.ones((12, 3), dtype=int)).assign(variant=1)
EDGES = {
    "rich": panel_frame(
        models={"lab/a": 0.0, "simulated/b": 1.0, "baseline/x": -2.0}, n=40, strategies=["direct", "convert"]
    ),
    "repeats": panel_frame(models={"lab/a": 0.0}, n=20, repeats=3),
    "few": panel_frame(models={"lab/a": 0.0, "lab/b": 1.0}, n=4, strategies=["direct", "reason"]),
    "all right": frame(np.ones((20, 3), dtype=int)),
    "all wrong": frame(np.zeros((20, 3), dtype=int)),
    "nothing read": frame(np.full((20, 3), -1)),
    "two representations": frame(np.array([[1, 0]] * 6 + [[1, 1]] * 20), representations=("coord", "vector")),
    "one representation": frame(np.ones((20, 1), dtype=int), representations=("coord",)),
    "no headline": NO_HEADLINE,
}


@pytest.mark.parametrize("edge", EDGES)
def test_every_sentence_at_every_edge(edge):
    for say, make in TABLES:
        text = say(make(EDGES[edge]))
        assert text.strip() and "nan" not in text.replace("nant", ""), (say.__name__, text)


def test_an_effect_and_none():
    tilted = frame(irt_cells(np.random.default_rng(0), 160, (0, 0, -1.5)))
    assert "depends on the representation for 1 of 1" in wording.effect(effects.representation_effect(tilted))
    assert "coord minus vector +" in wording.pairs(effects.representation_differences(tilted))
    even = frame(irt_cells(np.random.default_rng(0), 160))
    assert "**not shown**" in wording.effect(effects.representation_effect(even))
    assert "**no** pair" in wording.pairs(effects.representation_differences(even))
    assert "**within** what chance alone gives" in wording.gap(effects.largest_gap(even))
    assert "**none**" in wording.equivalent(effects.equivalence(even))


def test_counts_are_those_of_the_table():
    text = wording.counted(tabulation.accuracy(frame(np.array([[1, 0, -1]] * 10))))
    assert text.startswith("Of 30 planned cells 20 (66.7 %) hold an answer")


def test_a_missing_representation_is_named():
    assert "No answers at all: lab/one (direct) in euclid." in wording.counted(
        tabulation.accuracy(EDGES["two representations"])
    )
    # one pair is left: without Q it is adjusted by itself
    text = wording.pairs(effects.representation_differences(EDGES["two representations"]))
    assert "1 of 1 pairs differ after adjustment" in text


def test_kinds_are_spoken_of_apart():
    text = wording.accuracy_range(tabulation.accuracy(EDGES["rich"]))
    assert [part.split(":")[0] for part in text.split("\n\n")] == [
        "Models",
        "**SIMULATED** models",
        "Baselines (no language model)",
    ]


def test_names_are_escaped():
    scores = frame(np.ones((12, 3), dtype=int), model="lab/<script>*x*")
    for say, make in ((wording.accuracy_range, tabulation.accuracy), (flip_wording.audit, flips.audit)):
        assert "<script>" not in say(make(scores)) and "*x*" not in say(make(scores))


def test_conversions_in_words():
    table = pd.DataFrame(
        [
            {"kind": "model", "condition": "all three keys", "k": 3, "n": 4, "correct": 2},
            {"kind": "model", "condition": "conversion passes the lint", "k": 2, "n": 4, "correct": 1},
        ]
    )
    text = wording.conversions(table)
    assert "3 of 4 responses (75.0 %)" in text and "1 of 2 = 50.0 % are correct" in text
    assert wording.conversions(table.iloc[:0]) == "The strategy convert was not asked."


def test_numbers_in_words():
    assert wording.pct(np.nan) == wording.points(np.nan) == "n/a"
    assert wording.points(-0.125) == "-12.5 points" and wording.p_value(0.0002) == "p < 0.001"
    assert wording.listed([]) == "none" and wording.listed(["a", "b", "c"]) == "a, b and c"
    assert wording.listed(list("abcdefg")) == "a, b, c, d, e and 2 more"
