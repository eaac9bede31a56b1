"""Parsing, scoring and counting file by file give what the whole tables give, in pieces and in processes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from geoutils import asked, parsed_files, readings, robust_cells, robustness, score_files, scored_files, scoring, trust
from geoutils.compact import by_pair
from geoutils.experiment import load_experiment
from geoutils.inference import load_responses, outcome_table, provider_table, run_inference, usage_table
from geoutils.parsing import parse_responses
from geoutils.repetition import pass_rates, repetition_consistency
from geoutils.review import review_table
from geoutils.study import Study, open_study, write_table
from geoutils.tabulation import outcomes

TEXT = """
name: pieces
problems: {limit_per_category: 1}
models: [simulated/mumbling, simulated/steady]
strategies: [direct, convert]
variants: 2
repeats: 2
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    patch = pytest.MonkeyPatch()
    home = tmp_path_factory.mktemp("pieces")
    patch.setenv("GEOUTILS_HOME", str(home))
    (home / "pieces.yaml").write_text(TEXT, encoding="utf-8")
    made = open_study(load_experiment(home / "pieces.yaml"), stage="parsing", quiet=True)
    problems = made.problems()
    write_table(problems, made.data / "problems.csv")
    run_inference(made.experiment, problems, progress="none")
    yield made
    patch.undo()


def contents(paths: list[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def forget(study: Study) -> None:
    """Remove what was made, so that it is made again."""
    for folder in ("parsed", "scores"):
        for path in (study.data / folder).glob("*"):
            path.unlink()


def test_parsing_in_pieces_is_parsing(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = parse_responses(load_responses(study.experiment), units=readings.units_of(study.problems()))
    monkeypatch.setattr(parsed_files, "CHUNK", 7)
    found = parsed_files.parse_study(study)
    for path, (_, group) in zip(found.paths, whole.groupby(["model", "strategy"], sort=False), strict=True):
        assert path.read_text() == group.drop(columns=["content", "reasoning"]).to_csv(index=False, lineterminator="\n")
    assert found.tally["cells"].sum() == len(whole)
    assert found.speed["answers"] == whole["outcome"].isin(("ok", "truncated")).sum() > 0
    for count in (readings.outcome_counts, readings.reading_counts, readings.rule_counts, readings.warning_counts, readings.convert_keys):
        assert_frame_equal(count(found.tally), count(whole))
    unread = ("none", "refusal", "cut")
    assert_frame_equal(readings.examples(found.examples), readings.examples(whole))
    assert_frame_equal(readings.examples(found.examples, per_rule=4, only=unread), readings.examples(whole, per_rule=4, only=unread))


def test_scoring_in_pieces_is_scoring(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed_files.parse_study(study)
    parsed, problems = study.parsed(), study.problems()
    whole = scoring.score(parsed, problems)
    monkeypatch.setattr(scored_files, "CHUNK", 10)
    found = scored_files.score_study(study)
    for path, (_, group) in zip(found.paths, whole.groupby(["model", "strategy"], sort=False), strict=True):
        assert path.read_text() == group.to_csv(index=False, lineterminator="\n")
    assert found.rows == len(whole)
    assert_frame_equal(found.verdicts, trust.verdict_counts(whole))
    assert_frame_equal(found.same, trust.same_counts(whole))
    assert_frame_equal(found.sensitivity, scoring.sensitivity(whole))
    review = review_table(whole, parsed)
    assert found.telling == len(review) > 0
    assert found.review.astype(str).equals(review.astype(str))
    assert len(found.headline) == ((whole["variant"] == 0) & (whole["repeat"] == 0)).sum()
    monkeypatch.setattr(scored_files, "REVIEWED", 2)
    forget_scores = scored_files.scores_path(study.experiment, *study.experiment.pairs()[0])
    forget_scores.unlink()
    few = scored_files.score_pair(study.experiment, problems, *study.experiment.pairs()[0])
    assert len(few["review"]) == 2 < few["telling"]
    assert few["reasons"]["rows"].sum() >= few["telling"]


def test_a_file_in_another_order_is_scored_whole(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed_files.parse_study(study)
    pair = study.experiment.pairs()[0]
    path = parsed_files.parsed_path(study.experiment, *pair)
    before = path.read_bytes()
    monkeypatch.setattr(scored_files, "CHUNK", 10)
    try:
        mixed = pd.read_csv(path, dtype=str, keep_default_na=False).sort_values(["representation", "repeat"], kind="stable")
        write_table(mixed, path)
        _, pieces = scored_files._pieces(path)
        assert [len(piece) for piece in pieces] == [len(mixed)]
    finally:
        path.write_bytes(before)
    present, pieces = scored_files._pieces(path)
    assert present == ["coord", "euclid", "vector"]
    parts = list(pieces)
    assert len(parts) > 1
    assert not set.intersection(*(set(part["problem"]) for part in parts))


def test_processes_change_nothing(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    one = parsed_files.parse_study(study)
    scored = scored_files.score_study(study)
    before = contents(one.paths) + contents(scored.paths)
    forget(study)
    for module in (parsed_files, scored_files, score_files):
        monkeypatch.setattr(module, "ALONE", 0)
    two = parsed_files.parse_study(study, jobs=2)
    again = scored_files.score_study(study, jobs=2)
    assert contents(two.paths) + contents(again.paths) == before
    assert_frame_equal(one.tally, two.tally)
    assert_frame_equal(scored.review, again.review)
    assert_frame_equal(score_files.outcome_counts(study, jobs=2), outcomes(study.scores()))


def test_what_is_read_file_by_file_is_what_the_whole_holds(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed_files.parse_study(study)
    scored_files.score_study(study)
    monkeypatch.setattr(score_files, "ROWS", 11)
    scores, problems = study.scores(), study.problems()
    assert list(scores["line"].head(3)) == [2, 3, 4]
    first = study.scores(variant=0, repeat=0)
    assert_frame_equal(first, scores[(scores["variant"] == 0) & (scores["repeat"] == 0)].reset_index(drop=True))
    plan = study.experiment.plan(problems)
    parts = [score_files.plan_of(study.experiment, problems, *pair) for pair in study.experiment.pairs()]
    assert pd.concat(parts, ignore_index=True).astype(str).equals(plan.astype(str))
    whole, _ = robust_cells.read_cells(scores, problems=problems, plan=plan)
    cells, faults = robust_cells.load_cells(study)
    assert faults.empty
    assert [pair for pair, _ in by_pair(cells)] == study.experiment.pairs()
    assert_frame_equal(robustness.summary(robustness.cubes(cells)), robustness.summary(robustness.cubes(whole)))
    assert_frame_equal(robustness.by_variation(robustness.cubes(cells)), robustness.by_variation(robustness.cubes(whole)))
    assert_frame_equal(robustness.summary(robust_cells.load_cubes(study)), robustness.summary(robustness.cubes(whole)))
    assert_frame_equal(repetition_consistency(cells), repetition_consistency(whole))
    assert_frame_equal(pass_rates(cells), pass_rates(whole))


def test_responses_to_one_problem(study: Study) -> None:
    name = study.problems()["problem"].iloc[0]
    every = load_responses(study.experiment)
    own = study.responses_to(name)
    assert_frame_equal(own, every[every["problem"] == name].reset_index(drop=True))


def test_what_came_back_without_the_texts(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "CHUNK", 50)
    whole = load_responses(study.experiment)
    table, first = asked.load_asked(study.experiment, study.problems())
    for count in (outcome_table, provider_table, usage_table):
        assert_frame_equal(count(table), count(whole), check_dtype=False, check_categorical=False)
    shown = whole[whole["content"] != ""].drop_duplicates(["model", "strategy"])[list(asked.SHOWN)]
    assert first.to_dict("records") == shown.to_dict("records")
