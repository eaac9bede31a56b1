"""The worked example of a few-shot prompt: another problem of the same kind, never the one that is asked."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from inference_cases import experiment_file, problems_table

from geoutils import prompts
from geoutils.endpoints import resolve
from geoutils.errors import UserError
from geoutils.examples import COLUMNS, NEAR, SAME, examples_for, with_examples
from geoutils.requests import RequestMaker, cell_request, cells_of
from geoutils.responses import planned


def worked(count: int = 24, *, variants: int = 2) -> pd.DataFrame:
    """Problems of four categories, with solutions and answers of their own."""
    table = problems_table([f"statement {place} with {{statement}}" for place in range(count)], variants=variants)
    number = table["problem"].str[-5:].astype(int)
    return table.assign(
        difficulty=["easy" if place % 8 < 4 else "hard" for place in number],
        solution=[f"solution of {name}" for name in table["problem"]],
        answer=[str(place) for place in number],
        value=[f"{place}.000" for place in number],
    )


def test_the_example_is_another_problem_of_its_category_and_difficulty() -> None:
    table = worked()
    shown = with_examples(table, table)
    assert (shown["example_problem"] != shown["problem"]).all()
    assert (shown["example_match"] == SAME).all()
    about = table.drop_duplicates("problem").set_index("problem")
    for column in ("category", "difficulty"):
        assert (about.loc[shown["example_problem"], column].to_numpy() == shown[column].to_numpy()).all()
    assert (shown.groupby("problem")["example_problem"].nunique() == 1).all()  # the same for variants and representations
    first = shown.iloc[0]
    assert first["example_solution"] == f"solution of {first['example_problem']}"
    assert f", 0, {first['representation']})" in first["example_statement"]  # canonical, in the same representation
    assert shown["example_problem"].nunique() > 6  # not one example for all


def test_the_choice_is_fixed_and_does_not_move_with_the_rest_of_the_table() -> None:
    table = worked()
    once = with_examples(table, table).drop_duplicates("problem").set_index("problem")["example_problem"]
    turned = with_examples(table.iloc[::-1], table.sample(frac=1, random_state=1)).drop_duplicates("problem")
    assert once.to_dict() == turned.set_index("problem")["example_problem"].to_dict()
    part = table[table["problem"].isin(table["problem"].unique()[:4])]
    assert with_examples(part, table)["example_problem"].isin(once).all()


def test_an_example_with_the_same_answer_is_passed_over() -> None:
    table = worked()
    with pytest.raises(UserError, match="another answer"):
        with_examples(table.assign(value="1.000"), table.assign(value="1.000"))


def test_where_no_other_of_the_difficulty_is_there_the_category_serves_and_is_told() -> None:
    table = worked(8, variants=1)
    assert set(with_examples(table, table)["example_match"]) == {NEAR}
    with pytest.raises(UserError, match=r"length_easy_00000.*few-shot"):
        with_examples(table, table.assign(solution=" "))


@pytest.mark.parametrize("model", ["lab/m", "local/smollm2-135m-instruct"])
def test_the_request_holds_both_and_the_quick_maker_makes_the_same(tmp_path, model) -> None:
    text = f'models: [{model}]\nstrategies: [fewshot]\nrepeats: 2\nendpoints: {{lab: {{base_url: "http://h/v1"}}}}\n'
    experiment = experiment_file(tmp_path, text)
    table = worked(variants=1)
    rows = with_examples(table, table)
    parameters = experiment.sampling_for(model, "fewshot")
    endpoint = resolve(model, experiment)
    make = RequestMaker(endpoint, "fewshot", experiment, parameters)
    for cell in cells_of(experiment, rows, model, "fewshot"):
        request = make(cell)
        assert request == cell_request(endpoint, cell, experiment, parameters)
        sent = json.loads(request.body())["messages"][0]["content"]
        assert sent.index(cell.row["example_solution"]) < sent.index(cell.row["statement"])
        assert sent.count(cell.row["statement"]) == 1 and f"solution of {cell.problem}" not in sent
        assert "{statement}" in sent  # the statement's own words, not a place


def test_the_plan_gets_its_examples_from_the_whole_source(tmp_path) -> None:
    text = (
        'models: [lab/m, baseline/gold]\nstrategies: [fewshot, cot, zeroshot]\nendpoints: {lab: {base_url: "http://h/v1"}}\n'
        "problems: {source: data/problems, limit_per_category: 1}\n"
    )
    experiment = experiment_file(tmp_path, text)
    from geoutils.dataset import problems_table as ours

    table = ours()
    few = table[table["problem"].isin(table.drop_duplicates("category")["problem"])]
    shown = examples_for(experiment, few, "fewshot")
    assert (shown["example_match"] == SAME).all() and not shown["example_problem"].isin(few["problem"]).all()
    for strategy in ("fewshot", "cot", "zeroshot"):
        cells = list(planned(experiment, few, "lab/m", strategy))
        assert len(cells) == 12 and len({request.sha256 for _, request in cells}) == 12
        assert len(list(planned(experiment, few, "baseline/gold", strategy))) == 12


def test_a_prompt_with_half_an_example_is_refused(tmp_path, monkeypatch) -> None:
    (tmp_path / "half.txt").write_text("{example_statement}\n{statement}", encoding="utf-8")
    monkeypatch.setattr(prompts, "prompt_dir", lambda: tmp_path)
    with pytest.raises(UserError, match=r"half.txt: \{example_"):
        prompts.load_prompt("half")
    with pytest.raises(UserError, match="no worked example"):
        prompts.fill("{statement}{example_statement}", {"statement": "s", "problem": "p"})
    assert len(COLUMNS) == 5
