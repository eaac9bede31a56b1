"""Wide tables of scored solutions come in, are analysed, and go out; sets of problems come in and are solved."""

from __future__ import annotations

import csv
import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import nbformat
import pandas as pd
import pytest
from concept_samples import wide_rows, write_wide
from fault_server import FaultServer
from inference_cases import experiment_file, problems_table, served
from IPython.core.interactiveshell import InteractiveShell

from geoutils import concepts, concepts_extraction, display, lanes
from geoutils.cli import main
from geoutils.concepts_answers import boxed, gold_answer, grade_solution
from geoutils.concepts_lists import Concepts
from geoutils.concepts_settings import IMPORTED, IMPORTED_LISTS, LEXICON
from geoutils.concepts_tables import group_name, import_concepts
from geoutils.errors import UserError
from geoutils.experiment import load_experiment
from geoutils.results import collect_results
from geoutils.study import open_study, read_table

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "11_concepts.ipynb"


def run(experiment: Path | str) -> InteractiveShell:
    """Run the notebook's code cells in order, as a kernel would."""
    shell = InteractiveShell()
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        if cell.cell_type == "code":
            shell.run_cell(cell.source.replace("data/experiments/quickstart.yaml", str(experiment)), silent=True).raise_error()
    return shell


@pytest.mark.parametrize(
    ("solution", "gold", "right", "wrong"),
    [
        (r"so $x=\boxed{\frac{3}{4}}$.", "3/4", "it is 0.75", "it is 4/3"),
        (r"\fbox{2} and then $\boxed{2\sqrt{3}}$", "2*sqrt(3)", r"\boxed{\sqrt{12}}", r"\boxed{3\sqrt2}"),
        (r"no box: the answer is 12.", "12", "The answer is 12.", "The answer is 13."),
        (r"$\boxed{10,000}$", "10000", "Answer: 10000", "Answer: 10"),
        (r"$\boxed{60^\circ}$", "60 deg", "the angle is 60 degrees", "the angle is 61 degrees"),
        (r"$\boxed{(3, 4)}$", "(3, 4)", r"\boxed{(3,4)}", r"\boxed{(4,3)}"),
        (r"$\boxed{x^2+1}$", "x^2+1", r"so $\boxed{x^2 + 1}$", r"so $\boxed{x^2 - 1}$"),
        (r"$\boxed{\text{even}}$", r"\text{even}", "the number is even.", r"\boxed{\text{odd}}"),
        (r"$\boxed{[0,1)}$", "[0,1)", r"\boxed{\left[0,1\right)}", r"\boxed{[0,1]}"),
    ],
)
def test_answers_of_golden_solutions(solution: str, gold: str, right: str, wrong: str) -> None:
    assert gold_answer(solution) == gold
    assert grade_solution(right, gold)[0] == "correct"
    assert grade_solution(wrong, gold)[0] == "wrong"
    assert grade_solution("", gold)[0] == "unparsed"


def test_without_an_answer_nothing_is_graded() -> None:
    assert gold_answer("It is large.") is None and grade_solution("5", None) == ("not graded", "")
    assert boxed("\\boxed{" * 3_000) is None and boxed(r"\boxed{a{b}c} \boxed{open") == "a{b}c"


def test_names_of_model_and_prompt() -> None:
    assert group_name("gpt_davinci2_zeroshot") == ("imported/gpt_davinci2", "zeroshot")
    assert group_name("gpt_chatgpt_zeroshotCOT") == ("imported/gpt_chatgpt", "cot")
    assert group_name("gpt_chatgpt_fewshot") == ("imported/gpt_chatgpt", "fewshot")
    assert group_name("human") == ("imported/human", "unknown")


def test_a_wide_table_is_analysed_at_both_levels(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    monkeypatch.setattr(display, "show_markdown", said.append)
    rows = wide_rows(60)
    for row in rows:
        row["solution_notion"] = "slope, midpoint"
    rows[3]["gpt_davinci2_fewshot_solution_notion_SCORE"] = ""
    rows[4]["gpt_davinci2_fewshot_solution_notion_SCORE"] = "very high"
    rows[5]["gpt_davinci3_fewshot_solution_notion_SCORE"] = "(0.91, [0.9, 0.92])"
    rows[6]["gpt_davinci3_fewshot_solution"] = ""
    rows[7]["gpt_davinci3_fewshot_solution_accurate"] = "maybe"
    rows[8]["solution"] = "It is large."
    for row in rows:
        row["human_solution"] = "We see it."
    file = write_wide(tmp_path / "scoring_output.csv", rows)
    assert main(["import", "concepts", str(file), "--name", "theirs"]) == 0
    told = capsys.readouterr().out
    for words in ("60 problems, 9 model(s) and prompts, 539 solutions", "1 x score blank: row 5", "1 x score no number", "1 x solution blank", "1 x accurate neither", "9 not graded", "left out: human_solution"):
        assert words in told, words
    study = open_study("theirs", stage="concepts", quiet=True)
    table = concepts.solutions(study)
    assert len(table) == 540 and table["correct"].isna().sum() == 9
    assert concepts_extraction.extractors_of(study.experiment, table) == [IMPORTED, IMPORTED_LISTS]
    run("theirs")
    assert any("0.79" in text and "0.17" in text for text in said) and not any("nan" in text.split() for text in said)
    scored = concepts.saved_scores(study.experiment)
    assert scored is not None
    main_rows = scored[scored["extractor"] == IMPORTED]
    assert main_rows["condition"].value_counts().to_dict() == {"scored": 537, "no score": 2, "no solution": 1}
    again = scored[scored["extractor"] == IMPORTED_LISTS]
    assert again["random"].notna().any() and set(again["golden_concepts"]) == {"slope; midpoint"}
    for name in ("stats.pdf", "stats.png", "concepts_violins.png", "concepts_right_and_wrong.png"):
        assert (study.figures / name).stat().st_size > 3000, name
    results = json.loads(json.dumps(collect_results(study.experiment, started="2026-01-01T00:00:00+00:00", seconds=1.0), allow_nan=False))
    schema = json.loads(files("geoutils").joinpath("templates", "results.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(results, schema)
    first = [record for record in results["concepts"] if record["extractor"] == IMPORTED]
    assert len(first) == 9 and {record["prompt"] for record in first} == {"zeroshot", "fewshot", "cot"}
    mine = pd.DataFrame(rows)["gpt_chatgpt_zeroshot_solution_notion_SCORE"].astype(float).mean()
    assert next(r["score"] for r in first if r["model"] == "imported/gpt_chatgpt" and r["prompt"] == "zeroshot") == pytest.approx(mine)
    levels = {record["level"]: record for record in results["concepts_correlation"] if record["extractor"] == IMPORTED}
    assert levels["groups"]["n"] == 9 and levels["items"]["n"] > 500
    assert levels["groups"]["r"] > 0.8 > 0.5 > levels["items"]["r"] > 0
    # and out again, with the same columns
    out = tmp_path / "out" / "scoring_output.csv"
    assert main(["export", "concepts", "theirs", str(out)]) == 0
    with out.open(encoding="utf-8", newline="") as stream:
        back = list(csv.DictReader(stream))
    assert len(back) == 60 and back[0]["problem"] == rows[0]["problem"]
    column = next(c for c in back[0] if "davinci3" in c and c.endswith("fewshot_solution_notion_SCORE"))
    assert float(back[5][column]) == pytest.approx(0.91)
    summary = import_concepts(out, name="again")
    assert (summary.problems, len(summary.groups)) == (60, 9)
    ours = {name for name in rows[0] if not name.startswith("human")} - {"solution_notion"}
    assert set(back[0]) == ours  # the very columns that came in


def test_missing_columns_are_all_named(home: Path, tmp_path: Path) -> None:
    rows = [{k: v for k, v in row.items() if k not in ("level", "gpt_chatgpt_fewshot_solution", "gpt_davinci2_zeroshot_solution_notion_SCORE")} for row in wide_rows(3)]
    with pytest.raises(UserError) as caught:
        import_concepts(write_wide(tmp_path / "a.csv", rows), name="x")
    for name in ("level", "gpt_chatgpt_fewshot_solution,", "gpt_davinci2_zeroshot_solution_notion_SCORE"):
        assert name in str(caught.value)
    bare = write_wide(tmp_path / "b.csv", [{"problem": "p", "level": "1", "type": "t", "solution": "s"}])
    with pytest.raises(UserError, match=r"<name>_solution, <name>_solution_notion_SCORE missing"):
        import_concepts(bare, name="x")
    for content, words in (("", "empty"), ("problem,problem\n", "two columns"), ("\0\n" * 3, "missing")):
        (tmp_path / "c.csv").write_text(content)
        with pytest.raises(UserError, match=words):
            import_concepts(tmp_path / "c.csv", name="x")
    with pytest.raises(UserError, match="no such file"):
        import_concepts(tmp_path / "none.csv", name="x")
    with pytest.raises(UserError, match="unknown kind"):
        import_concepts(tmp_path / "none.xlsx", name="x")


def test_hostile_text_in_a_table_is_escaped(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(display, "show_html", shown.append)
    monkeypatch.setattr(display, "show_markdown", shown.append)
    rows = wide_rows(12)
    for row in rows:
        row["gpt_chatgpt_fewshot_solution_notion"] = "<script>alert(1)</script>, $x$, slope"
        row["type"] = "<b>Algebra</b>"
    import_concepts(write_wide(tmp_path / "a.csv", rows), name="hostile")
    run("hostile")
    assert shown and not any("<script" in text or "<b>Alg" in text for text in shown)


def test_other_data_are_not_overwritten(home: Path, tmp_path: Path) -> None:
    (home / "data" / "mine" / "scores").mkdir(parents=True)
    with pytest.raises(UserError, match="holds other data"):
        import_concepts(write_wide(tmp_path / "a.csv", wide_rows(3)), name="mine")
    import_concepts(write_wide(tmp_path / "a.csv", wide_rows(3)), name="free")
    assert import_concepts(write_wide(tmp_path / "a.csv", wide_rows(4)), name="free").problems == 4


SET = [
    {"problem": f"What is {i} + {i}?", "level": f"Level {i % 2}", "type": "Algebra", "solution": f"Adding gives $\\boxed{{{2 * i}}}$, by the dot product."}
    for i in range(1, 7)
] + [{"problem": "Name it.", "level": "Level 1", "type": "Algebra", "solution": r"\boxed{x+1}"}]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", "sk-canary-concepts-1")
    monkeypatch.setattr(lanes, "FIRST_WAIT_S", 0.02)


def test_a_set_of_problems_is_solved_extracted_and_scored(home: Path, tmp_path: Path, quick: None) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in SET) + "\n", encoding="utf-8")
    summary = import_concepts(file, name="sums")
    assert (summary.problems, summary.left_out) == (6, 1) and "line 7" in summary.text()
    default = load_experiment("sums")
    assert default.strategies == ("zeroshot", "fewshot", "cot") and default.imported["stages"][0] == "inference"
    problems = read_table(default.data_dir / "problems.csv")
    assert set(problems["answer"]) == {str(2 * i) for i in range(1, 7)} and set(problems["difficulty"]) == {"Level 0", "Level 1"}
    with FaultServer() as server:
        text = served(server.url, more="strategies: [zeroshot, fewshot]\nrepresentations: [euclid]\nconcepts: {extractors: [lab/m, baseline/lexicon]}\n")
        experiment = experiment_file(tmp_path, text, name="sums")
        from geoutils.inference import load_responses, run_inference
        from geoutils.parsing import parse_responses
        from geoutils.scoring import score
        from geoutils.study import write_table

        run_inference(experiment, problems, progress="none")
        sent = [json.loads(body)["messages"][-1]["content"] for body in server.bodies]
        shown = [text for text in sent if "Adding gives" in text]
        assert len(shown) == 6  # each few-shot prompt has a worked example, of another problem of its level
        for text in shown:
            asked, example = (int(part.split(" +")[0]) for part in (text.rsplit("What is ", 1)[1], text.split("What is ", 1)[1]))
            assert asked != example and asked % 2 == example % 2
        parsed = parse_responses(load_responses(experiment, problems=problems))
        for strategy, part in score(parsed, problems).groupby("strategy"):
            write_table(part, experiment.data_dir / "scores" / f"exp1_lab--m__{strategy}.csv")
        before = len(server.bodies)
        run(tmp_path / "sums.yaml")
        asked_now = len(server.bodies) - before
        assert 0 < asked_now <= 6 + 1 + 1 + 1  # each distinct text once: six golden solutions, the one reply, a probe
        run(tmp_path / "sums.yaml")
        assert len(server.bodies) == before + asked_now
    scored = concepts.saved_scores(experiment)
    assert scored is not None and len(scored) == 24 and set(scored["extractor"]) == {"lab/m", LEXICON}
    lexicon = scored[scored["extractor"] == LEXICON]
    assert set(lexicon["golden_concepts"]) == {"dot product"} and set(lexicon["condition"]) == {"no concepts"}


def test_a_set_with_missing_fields_is_refused(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    for content, words in (('{"problem": "p", "solution": "s"}', "level, type missing"), ("[1]", "no JSON object"), ("{", "not JSON"), ("", "empty")):
        file.write_text(content)
        with pytest.raises(UserError, match=words):
            import_concepts(file, name="x")
    file.write_text(json.dumps(SET[-1]))
    with pytest.raises(UserError, match="nothing could be graded"):
        import_concepts(file, name="x")


def test_a_failed_extraction_is_counted_and_asked_again(home: Path, tmp_path: Path, quick: None) -> None:
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url))
        study = open_study(experiment, stage="concepts", quiet=True)
        texts = ["plain", "fault:bad-request", "fault:empty", "fault:truncated", ""]
        found = concepts_extraction.extract(study, "lab/m", texts)
        assert set(found) == set(texts) - {""}
        assert found["fault:bad-request"].outcome == "api_error" and not found["fault:bad-request"].concepts.phrases
        table = concepts_extraction.extraction_table({"lab/m": found}).iloc[0]
        assert table["texts"] == 4 and table["failed"] >= 1
        asked = len(server.bodies)
        assert concepts_extraction.extract(study, "lab/m", texts, ask=False) == found and len(server.bodies) == asked
        assert concepts_extraction.extract(study, "lab/m", ["new"], ask=False)["new"].outcome == "not_run"


def test_a_cut_list_loses_its_last_phrase() -> None:
    row = {"outcome": "truncated", "content": "slope, midpoint, distance for"}
    assert concepts_extraction._read(row).concepts.phrases == ("slope", "midpoint")
    assert concepts_extraction._read({"outcome": "content_filter", "content": ""}).concepts == Concepts((), "refusal")


def test_a_text_judge_is_asked_where_the_experiment_names_one(home: Path, tmp_path: Path, quick: None) -> None:
    table = pd.DataFrame({"problem": ["p", "p", "q", "q"], "text": ["fault:judge-true", "fault:judge-false", "the reply is 42", " "]})
    golden = pd.DataFrame({"problem": ["p", "q"], "solution": ["It is 1.", "It is 2."]})
    with FaultServer() as server:
        experiment = experiment_file(tmp_path, served(server.url, more="concepts: {judge: lab/m}\n"))
        study = open_study(experiment, stage="concepts", quiet=True)
        replies = {"fault:judge-true": "True", "fault:judge-false": "(False)"}
        from geoutils import asking

        real = asking.ask

        def ask(*given: object, **options: object) -> list[dict[str, object]]:
            rows = real(*given, **options)  # type: ignore[arg-type]
            questions = given[2]
            words = [next((word for text, word in replies.items() if text in str(q.content)), None) for q in questions]  # type: ignore[attr-defined]
            return [{**row, "content": word or row["content"]} for row, word in zip(rows, words, strict=True)]

        asking.ask = ask  # type: ignore[assignment]
        try:
            judged = concepts_extraction.judge_answers(study, table, golden)["judged"]
        finally:
            asking.ask = real
        assert judged.iloc[:2].tolist() == [1.0, 0.0] and judged.iloc[2:].isna().all()
        sent = [json.loads(body)["messages"][-1]["content"] for body in server.bodies if b"It is 2." in body]
        assert len(sent) == 1 and "| the reply is 42" in sent[0]
        plain = experiment_file(tmp_path, served(server.url), name="plain")
        assert concepts_extraction.judge_answers(open_study(plain, stage="concepts", quiet=True), table, golden) is table


def test_a_missing_key_or_endpoint_stops_a_run_at_once(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from geoutils.concepts_extraction import check_extractors

    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    check_extractors(experiment_file(tmp_path, "concepts: {extractors: [baseline/lexicon, local/smollm2-135m-instruct]}\n"))
    for section, words in (
        ("{extractors: [openrouter/a/b]}", "OPENROUTER_API_KEY"), ("{judge: openrouter/a/b}", "OPENROUTER_API_KEY"),
        ("{embeddings: openrouter/a/b}", "OPENROUTER_API_KEY"), ("{extractors: [nobody/x]}", "no endpoint"), ("{extractors: [baseline/gold]}", "cannot extract"),
    ):  # fmt: skip
        with pytest.raises(UserError, match=words):
            check_extractors(experiment_file(tmp_path, f"concepts: {section}\n"))


def test_an_experiment_without_written_solutions_says_what_to_run(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(display, "show_markdown", said.append)
    experiment = experiment_file(tmp_path, "models: [baseline/gold]\n", name="bare")
    experiment.data_dir.mkdir(parents=True)
    solution = "The law of cosines gives the side, and the altitude the area."
    problems_table(["one", "two", "three", "four", "five"]).assign(solution=solution, concepts="law of cosines").to_csv(
        experiment.data_dir / "problems.csv", index=False
    )
    run(tmp_path / "bare.yaml")
    assert any("no written solutions" in text and "concepts.yaml" in text for text in said)
    assert not any("nan" in text.split() for text in said)
    scored = concepts.saved_scores(load_experiment(tmp_path / "bare.yaml"))
    assert scored is not None and scored.empty
