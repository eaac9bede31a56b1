"""The notebooks and their widgets in JupyterLab, in Chromium, without a request that leaves the machine."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_tools import browser
from browsing import choice, field, jupyterlab, notebook, run_all, shown
from playwright.sync_api import Browser, Page, expect

from geoutils.experiment import project_root
from geoutils.overrides import load_overrides

__all__ = ["browser"]  # a fixture
FIXTURES = Path(__file__).parent / "data" / "notebooks"
NOTEBOOKS = ("01_dataset", "03_parsing", "04_scoring", "06_flips")
pytestmark = pytest.mark.browser


def prepared(home: Path) -> Path:
    """A study of four problems below `home`, answered by programs, with the notebooks that explore it; their folder."""
    from geoutils.pipeline import run_experiment

    problems = home / "problems"
    problems.mkdir()
    for category in ("length", "area", "angle", "ratio"):
        shutil.copy(project_root() / "data" / "problems" / f"{category}.yaml", problems)
    path = home / "small.yaml"
    path.write_text(
        f"name: small\nproblems: {{source: {problems}}}\nmodels: [simulated/mumbling, simulated/weak, baseline/last-number]\n"
        "strategies: [direct]\n",
        encoding="utf-8",
    )
    run_experiment(path, only=["dataset", "inference", "parsing", "scoring"])
    folder = home / "notebooks"
    folder.mkdir()
    for stem in NOTEBOOKS:
        content = json.loads((project_root() / "notebooks" / f"{stem}.ipynb").read_text(encoding="utf-8"))
        for cell in content["cells"]:
            if "parameters" in cell["metadata"].get("tags", []):
                source = "".join(cell["source"]).replace("data/experiments/quickstart.yaml", str(path))
                cell["source"] = source.replace("proved_variants: int = 11", "proved_variants: int = 3")
        (folder / f"{stem}.ipynb").write_text(json.dumps(content), encoding="utf-8")
    shutil.copy(FIXTURES / "01_dataset.ipynb", folder / "hostile.ipynb")
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("lab")
    patch = pytest.MonkeyPatch()
    patch.setenv("GEOUTILS_HOME", str(made))
    yield made
    patch.undo()


@pytest.fixture(scope="module")
def lab(home: Path) -> Iterator[str]:
    with jupyterlab(prepared(home), home) as address:
        yield address


@contextlib.contextmanager
def opened(browser: Browser, address: str, name: str) -> Iterator[Page]:
    """A notebook in JupyterLab after Run All Cells; no request may leave the machine, no cell may fail."""
    with notebook(browser, address, name) as (page, outside):
        yield page
        assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
        assert "broken" not in page.title()
        assert outside == []


def test_a_notebook_with_hostile_text_runs_and_its_widget_answers(browser: Browser, lab: str) -> None:
    with opened(browser, lab, "hostile") as page:
        slider = page.locator(".jp-OutputArea .widget-slider [role=slider]").first
        document = page.locator(".jp-Notebook")
        expect(document).to_contain_text("area 9")
        slider.focus()
        page.keyboard.press("ArrowRight")
        expect(document).to_contain_text("area 16")
        expect(page.locator(".jp-OutputArea table.sortable")).to_contain_text("<script>")


def test_problems_and_variants_are_browsed(browser: Browser, lab: str) -> None:
    with opened(browser, lab, "01_dataset") as page:
        view = shown(page, "problem(s) fit")
        expect(view).to_contain_text("4 problem(s) fit")
        assert view.locator("img").first.evaluate("image => image.naturalWidth") > 100
        choice(page, "Category").select_option("area")
        expect(view).to_contain_text("1 problem(s) fit")
        expect(view).to_contain_text("area_")
        first = view.inner_text()
        page.locator(".jp-OutputArea .widget-slider [role=slider]").first.focus()
        page.keyboard.press("ArrowRight")
        expect(view).not_to_have_text(first, use_inner_text=True)
        field(page, "Holds").fill("no statement holds this")
        expect(view).to_contain_text("No problem fits")


def test_a_pasted_answer_is_graded(browser: Browser, lab: str) -> None:
    with opened(browser, lab, "03_parsing") as page:
        answer = page.locator(".jp-OutputArea .widget-textarea textarea")
        verdict = shown(page, "Verdict")
        expect(verdict).to_contain_text("correct")
        answer.fill("<script>document.title='broken'</script> The answer is 0.85.")
        expect(verdict).to_contain_text("wrong")
        field(page, "Gold").fill("0.85")
        expect(verdict).to_contain_text("correct")
        answer.fill("<img src=x onerror=\"document.title='broken'\"> $$\\frac{1}{0}$$ \u202e" + "x" * 100_000)
        expect(verdict).to_contain_text("only its ends were read")
        expect(verdict).to_contain_text("<img src=x onerror=")
        expect(verdict).to_contain_text("[U+202E]xxx")
        assert verdict.locator("img, script").count() == 0


def test_models_are_compared_and_a_verdict_is_overridden_for_good(browser: Browser, lab: str, home: Path) -> None:
    with opened(browser, lab, "04_scoring") as page:
        answers = shown(page, "Answers to")
        other = "length_easy_04"
        problem = field(page, "Problem")
        problem.fill(other)
        problem.press("Enter")
        expect(answers).to_contain_text(f"Answers to {other}")
        assert answers.locator("tbody tr").count() == 9

        row = shown(page, "Why here")
        expect(row).to_contain_text("1 of ")
        page.get_by_role("button", name="It is correct", exact=True).click()
        expect(shown(page, "an override needs it")).to_be_visible()
        assert load_overrides(experiment="small").empty, "nothing is written without a name and a reason"
        field(page, "Your name").fill("Ada")
        field(page, "Reason").fill("the answer stands in the last line")
        page.get_by_role("button", name="It is correct", exact=True).click()
        expect(shown(page, "score again")).to_contain_text("overridden: 1")
        expect(row).to_contain_text("2 of ")
        written = load_overrides(experiment="small")
        assert written[["who", "why"]].to_numpy().tolist() == [["Ada", "the answer stands in the last line"]]
        run_all(page)
        expect(page.locator(".jp-OutputArea table", has_text="1 overrides of this experiment")).to_contain_text("Ada")


def test_flips_are_explored(browser: Browser, lab: str) -> None:
    with opened(browser, lab, "06_flips") as page:
        flips = shown(page, "combinations of model")
        choice(page, "Pattern").select_option("any")
        expect(flips).to_contain_text("12 of 12 combinations")
        choice(page, "Model").select_option("baseline/last-number")
        expect(flips).to_contain_text("4 of 12 combinations")
        choice(page, "Category").select_option("ratio")
        expect(flips).to_contain_text("1 of 12 combinations")
