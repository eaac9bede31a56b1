"""Pages: mathematics as MathML, nothing from outside, text that stays text, the index in words."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from geoutils import headline, index, report
from geoutils.errors import RunError
from geoutils.experiment import load_experiment
from geoutils.mathml import Formulas, mathml
from geoutils.stages import Stage

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 20).decode()


@pytest.fixture
def exported(tmp_path: Path):
    """A function that exports cells as a page and returns its text."""

    def export(*cells: nbformat.NotebookNode) -> str:
        source = tmp_path / "notebooks" / "05_tabulation.ipynb"
        source.parent.mkdir(exist_ok=True)
        notebook = new_notebook(cells=[new_markdown_cell("# Is it *so*?\n\nA paragraph."), *cells])
        nbformat.write(notebook, source)
        stage = Stage("tabulation", source, ())
        return report.export_notebook(source, tmp_path / "page.html", stage=stage).read_text(encoding="utf-8")

    return export


def shown(page: str) -> str:
    return page[page.index("<main") : page.index("</main>")]


def test_formulas_become_mathml(exported) -> None:
    page = exported(
        new_markdown_cell(
            "The area $\\frac{3\\sqrt{2}}{5}$ and\n\n$$S = \\tfrac12 ab\\sin\\gamma$$\n\nfor \\$5, `$HOME` and $5 or $6."
        )
    )
    main = shown(page)
    assert main.count("<math") == 2
    assert "<mfrac>" in main
    assert "<msqrt>" in main
    assert 'display="block"' in main
    assert "<code>$HOME</code>" in main
    assert "$5" in main
    assert "$6" in main
    assert "\ue000" not in page


def test_fenced_code_keeps_its_dollars(exported) -> None:
    main = shown(exported(new_markdown_cell("```\necho $HOME $PATH\n```")))
    assert "<math" not in main
    assert "HOME" in main


def test_latex_outputs_become_mathml(exported) -> None:
    output = new_output("display_data", {"text/latex": "$\\displaystyle x^2$", "text/plain": "<Math>"})
    assert "<msup>" in shown(exported(new_code_cell("Math()", outputs=[output])))


def test_a_formula_that_cannot_be_read_is_shown_as_its_source() -> None:
    assert mathml("\\frac{1", block=False).startswith(("<code>", "<math"))
    assert mathml("<b>" * 3000, block=True).startswith("<code>&lt;b&gt;")


@given(st.text(alphabet="$`\\ab \n{}_^1<&", max_size=40))
def test_taking_formulas_out_and_in_never_fails(text: str) -> None:
    formulas = Formulas()
    page = formulas.put_in(formulas.take_out(text))
    assert "\ue000" not in page
    if "$" not in text:
        assert page == text


def test_nothing_is_loaded_from_outside(exported) -> None:
    page = exported(
        new_code_cell("1 + 1", outputs=[new_output("stream", name="stdout", text="see https://example.org\n")])
    )
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)
    assert "require" not in page.lower()
    assert "mathjax" not in page.lower()
    assert "see https://example.org" in page
    with pytest.raises(RunError, match="would load"):
        exported(
            new_code_cell(
                "HTML()", outputs=[new_output("display_data", {"text/html": "<img src=//cdn.example/x.png>"})]
            )
        )


def test_scripts_of_outputs_are_not_allowed_to_run(exported) -> None:
    page = exported(new_code_cell("x", outputs=[new_output("display_data", {"application/javascript": "alert(1)"})]))
    assert "alert(1)" not in page
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert "default-src 'none'" in policy[1]
    assert "unsafe-inline" not in policy[1].split("script-src")[1]


def test_widgets_and_explore_cells_are_left_out(exported) -> None:
    widget = new_output(
        "display_data", {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/plain": "IntSlider()"}
    )
    explore = new_code_cell("explore()", outputs=[new_output("stream", name="stdout", text="only live")])
    explore.metadata["tags"] = ["explore"]
    main = shown(exported(new_code_cell("slider()", outputs=[widget]), explore))
    assert "IntSlider" not in main
    assert "only live" not in main
    assert "explore" not in main


def test_figures_keep_their_alt_text(exported) -> None:
    output = new_output("display_data", {"image/png": PIXEL}, metadata={"image/png": {"alt": 'A "line" & more'}})
    image = re.search(r"<img[^>]*>", shown(exported(new_code_cell("plot()", outputs=[output]))))
    assert image
    assert "alt='A \"line\" &amp; more'" in image[0].replace(
        'alt="A &quot;line&quot; &amp; more"', "alt='A \"line\" &amp; more'"
    )


def test_a_large_page_has_its_images_as_files(exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "LARGE", 1000)
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "known.png").write_bytes(base64.b64decode(PIXEL))
    other = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"1" * 20).decode()
    outputs = [new_output("display_data", {"image/png": image}, metadata={"image/png": {"alt": "A"}}) for image in (PIXEL, other, other)]
    main = shown(exported(new_code_cell("plot()", outputs=outputs)))
    assert main.count('<img alt="A" src="figures/known.png"/>') == 1
    (name,) = set(re.findall(r'<img alt="A" src="(media/page_\d+\.png)"/>', main))
    assert (tmp_path / name).read_bytes() == base64.b64decode(other)
    assert "base64" not in main


def test_printed_text_is_escaped(exported) -> None:
    output = new_output("stream", name="stdout", text="<script>alert(1)</script>\n")
    assert "<script>" not in shown(exported(new_code_cell("print()", outputs=[output])))


def test_links_lead_to_pages_and_out_of_the_report(exported) -> None:
    main = shown(
        exported(new_markdown_cell("[next](06_flips.ipynb#x), [guide](../docs/guide.md), [table](tables/t.csv)"))
    )
    assert 'href="06_flips.html#x"' in main
    assert 'href="../../docs/guide.md"' in main
    assert 'href="tables/t.csv"' in main


def test_code_is_folded_and_hidden_input_left_out(exported) -> None:
    hidden = new_code_cell("secret = 1")
    hidden.metadata["tags"] = ["hide-input"]
    main = shown(exported(new_code_cell("total = 1 + 1"), hidden))
    assert "<summary>Code</summary>" in main
    assert "total" in main
    assert "secret" not in main


def test_title_language_and_way_back(exported) -> None:
    page = exported()
    assert "<title>Is it so?</title>" in page
    assert '<html lang="en">' in page
    assert 'href="index.html"' in page
    assert 'name="viewport"' in page


RESULTS: dict[str, Any] = {
    "name": "quickstart",
    "dataset": {"problems": 40, "statements": 120, "sha256": "ab" * 32},
    "plan": 360,
    "outcomes": [
        {"model": model, "strategy": "direct", "representation": name, "outcome": outcome, "count": count}
        for model in ("local/tiny", "lab/<b>m</b>", "baseline/last-number", "baseline/gold")
        for name in ("coord", "euclid", "vector")
        for outcome, count in (("ok", 36), ("timeout", 4))
    ],
    "accuracy": [
        {"model": model, "strategy": "direct", "representation": name, "correct": correct, "n": 40,
         "low": max(0.0, correct / 40 - 0.1), "high": min(1.0, correct / 40 + 0.1), "bound_low": 0, "bound_high": 1}
        for model, correct in (("local/tiny", 2), ("lab/<b>m</b>", 20), ("baseline/last-number", 4), ("baseline/gold", 40))
        for name in ("coord", "euclid", "vector")
    ],
    "invariance": [
        {"model": "local/tiny", "strategy": "direct", "k": 3, "invariance": 0.0, "any": 0.1, "consistency": 0.05, "gap": 0.0, "n": 40},
        {"model": "lab/<b>m</b>", "strategy": "direct", "k": 2, "invariance": None, "any": None, "consistency": None, "gap": None, "n": 40},
    ],
    "cost": [{"model": "local/tiny", "usd": 0.0}, {"model": "lab/<b>m</b>", "usd": None}],
    "versions": {"python": "3.11.7", "geoutils": "0.1.0"},
    "started": "2026-01-02T03:04:05+00:00",
    "seconds": 130.2,
}  # fmt: skip


def words(page: str) -> str:
    return page.replace("\N{NO-BREAK SPACE}", " ")


def test_the_index_says_the_result_in_words_with_uncertainty(tmp_path: Path) -> None:
    page = report.write_index(load_experiment("quickstart"), RESULTS, [], tmp_path).read_text(encoding="utf-8")
    main = words(shown(page))
    assert "The best of 2 combinations of model and strategy, lab/&lt;b&gt;m&lt;/b&gt; (strategy direct), solves of 40 problems" in main
    assert "50.0 % (40.0 to 60.0) in coordinates, 50.0 % (40.0 to 60.0) in Euclidean text and" in main
    assert "the best heuristic (baseline/last-number) is right on 10.0 % of 40 problems, on average over the representations (95 % intervals within 0.0 to 20.0)" in main
    assert "<b>m</b>" not in main
    assert '<span class="badge">baseline</span>' in main
    assert "10.0 %<span class=\"interval\">12 of 120</span>" in main, "the share that was not measured, and of what"
    assert ">unknown<" in main
    assert "2 min 10 s" in page
    assert "make report EXPERIMENT=data/experiments/quickstart.yaml" in main
    assert "135 million parameters" in main
    assert "geoutils compare" in main


def test_the_headline_names_what_the_representation_costs() -> None:
    accuracy = [{**RESULTS["accuracy"][3 + place], "model": "lab/m", "correct": 20 + place} for place in range(3)]
    joint = {"model": "lab/m", "strategy": "direct", "k": 3, "invariance": 0.25, "any": 0.75, "consistency": 0.3, "gap": 0.05, "n": 40}
    four = {**joint, "k": 4, "invariance": 0.1}
    results = {**RESULTS, "accuracy": accuracy, "invariance": [joint, four]}
    effects = {("lab/m", "direct"): {"gap_low": 0.01, "gap_high": 0.2, "p_holm": 0.0004}}
    (row,) = index.model_rows(results, effects)
    assert (row["invariance"]["share"], row["invariance"]["k"], row["n"], row["k"]) == (0.25, 10, 40, 3)
    assert row["invariance"]["low"] == pytest.approx(0.1419, abs=1e-4)  # Wilson's limits of 10 of 40
    assert row["invariance"]["high"] == pytest.approx(0.4019, abs=1e-4)
    told = words(" ".join(headline.headline([row])))
    assert "lab/m (strategy direct) solves 25.0 % (14.2 to 40.2) of 40 problems in all three representations, and 75.0 % (59.8 to 85.8) in at least one" in told
    assert "for 20 of them it depends on how the problem is written down" in told
    assert "differ by more than chance explains (adjusted p < 0.001)" in told
    row["effect"]["p_holm"] = 0.3
    assert "is not shown (adjusted p = 0.300); that is no proof" in " ".join(headline.headline([row]))


def test_the_headline_of_several_models_and_of_simulated_ones() -> None:
    rows = index.model_rows(RESULTS)
    for row, p, gap in zip(rows, (0.01, 0.2), (0.2, 0.1), strict=False):
        row.update(effect={"p_holm": p}, gap={"share": gap, "low": 0.1, "high": 0.3})
    told = words(" ".join(headline.headline(rows)))
    assert "For 1 of 2 combinations of model and strategy, accuracy depends on the representation" in told
    assert "with 20.0 points between its best and its worst representation (10.0 to 30.0)" in told
    assert "For the other 1 it is not shown" in told
    for row in rows:
        row["kind"] = "simulated" if row["kind"] == "model" else row["kind"]
    assert headline.caution(rows).startswith("SIMULATED: no language model was asked here.")
    assert "lab/<b>m</b>" in headline.headline(rows)[1]
    guesses = [row for row in rows if row["kind"] == "baseline"]
    assert headline.caution(guesses).startswith("No language model was asked here")
    assert headline.caution(index.model_rows(RESULTS)) == headline.caution([]) == ""


def test_a_model_that_solves_nothing_is_said_to_in_few_words() -> None:
    accuracy = [{**RESULTS["accuracy"][place], "correct": 0, "low": 0.0, "high": 0.088} for place in range(3)]
    joint = {**RESULTS["invariance"][0], "any": 0.0}
    (told,) = headline.headline(index.model_rows({**RESULTS, "accuracy": accuracy, "invariance": [joint]}))
    assert told == "local/tiny (strategy direct) solves none of 40 problems in any representation (95 % intervals up to 8.8 %)."


def test_a_row_with_few_problems_is_not_the_best() -> None:
    rows = index.model_rows(RESULTS)
    lucky = {**rows[0], "strategy": "reason", "n": 8, "accuracy": {n: {**c, "share": 1.0, "n": 8} for n, c in rows[0]["accuracy"].items()}}
    assert "lab/<b>m</b> (strategy direct)" in headline.headline([lucky, *rows])[0]


def test_the_index_warns_when_the_truth_is_marked_wrong() -> None:
    results = {
        **RESULTS,
        "accuracy": [{**record, "correct": min(record["correct"], 39)} for record in RESULTS["accuracy"]],
    }
    assert "grading is at fault" in " ".join(headline.headline(index.model_rows(results)))
    assert "grading is at fault" not in " ".join(headline.headline(index.model_rows(RESULTS)))


def test_the_index_tells_robustness_over_variants(tmp_path: Path) -> None:
    record = {
        "model": "lab/m", "strategy": "direct", "representation": "vector", "average": 0.6, "average_low": 0.5,
        "average_high": 0.7, "worst": 0.25, "worst_low": None, "worst_high": None, "rr": 0.4167, "rr_low": 0.1, "rr_high": 0.8,
        "seeds": 8, "variants": 4,
    }  # fmt: skip
    gold = {**record, "model": "baseline/gold", "average": 1.0}
    (told,) = headline.robust_headline([{**record, "average": 0.1}, record, gold])
    assert words(told) == (
        "Asked 4 variants each of 8 problems, lab/m (strategy direct), in vectors, is right on 60.0 % (50.0 to 70.0) of all "
        "variants, and on every variant of 25.0 % of the problems. Worst case by average case (RR) is 0.42 (0.10 to 0.80). "
        "In brackets are 95 % intervals."
    )
    two = headline.robust_headline([record, {**record, "model": "lab/n", "average": 0.1}])[0]
    assert "lab/m (strategy direct), the best of 2, in vectors, is right on" in two
    assert headline.robust_headline([]) == headline.robust_headline([gold]) == []
    only = {**RESULTS, "accuracy": [], "invariance": [], "robustness": [record, gold]}
    main = words(shown(report.write_index(load_experiment("quickstart"), only, [], tmp_path).read_text(encoding="utf-8")))
    assert "Asked 4 variants each of 8 problems, lab/m" in main
    assert "Robustness (RR)" in main
    assert '0.42<span class="interval">0.10 to 0.80 (8 × 4)' in main
    assert '60.0 %<span class="interval">50.0 to 70.0</span>' in main
    assert headline.VARIANTS_QUESTION in main
    assert "Invariance@3" not in main.partition('id="stages"')[0], "no column without a number"


def test_a_study_of_one_representation_names_no_other(tmp_path: Path) -> None:
    asked = {**RESULTS["accuracy"][0], "model": "lab/m", "representation": "euclid", "correct": 30}
    accuracy = [asked, *({**asked, "representation": name, "correct": 0, "n": 0, "low": None, "high": None} for name in ("coord", "vector"))]
    joint = {**RESULTS["invariance"][1], "model": "lab/m"}
    related = [
        {"level": level, "extractor": "own", "r": r, "low": r - 0.1, "high": r + 0.05, "n": n, "note": ""}
        for level, r, n in (("groups", 0.9, 9), ("items", 0.3, 1350))
    ]
    only = {**RESULTS, "accuracy": accuracy, "invariance": [joint], "concepts_correlation": related}
    main = words(shown(report.write_index(load_experiment("quickstart"), only, [], tmp_path).read_text(encoding="utf-8")))
    assert f"<h1>{headline.CONCEPTS_QUESTION}</h1>" in main
    assert "own: over 9 means of model and prompt r = 0.90 (0.80 to 0.95) and over 1,350 single solutions r = 0.30 (0.20 to 0.35)" in main
    assert "lab/m (strategy direct) solves of 40 problems 75.0 % (0.0 to 15.0) in Euclidean text (95 % intervals in brackets)." in main
    models = main.partition('id="models"')[2].partition('id="stages"')[0]
    assert "Euclidean text" in models
    for absent in ("Coordinates", "Vectors", "Invariance", "Gap"):
        assert absent not in models


def test_limits_of_the_gap_come_from_the_table(tmp_path: Path) -> None:
    assert index.effects_in(tmp_path) == {}
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "representation_effect.csv").write_text(
        "model,strategy,gap_low,gap_high,p_holm\nlab/m,direct,0.1,0.2,\nlab/n,direct,x,0.2,0.5\n", encoding="utf-8"
    )
    assert index.effects_in(tmp_path) == {
        ("lab/m", "direct"): {"gap_low": 0.1, "gap_high": 0.2, "p_holm": None},
        ("lab/n", "direct"): {"gap_low": None, "gap_high": 0.2, "p_holm": 0.5},
    }


def test_the_index_of_nothing(tmp_path: Path) -> None:
    empty = {**RESULTS, "outcomes": [], "accuracy": [], "invariance": [], "cost": []}
    page = report.write_index(load_experiment("quickstart"), empty, [], tmp_path).read_text(encoding="utf-8")
    assert "Nothing has been scored yet." in page


@pytest.mark.parametrize(("seconds", "words"), [(0.4, "0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (7300, "2 h 1 min")])
def test_durations(seconds: float, words: str) -> None:
    assert index.duration(seconds) == words
