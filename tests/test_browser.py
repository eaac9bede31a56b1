"""The pages of a report as people meet them, in Chromium without a network; skipped where there is none."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from browser_tools import PHONE, Watched, barriers, browser, contrast, headings_go_down_by_one, watched
from gallery_samples import finished
from playwright.sync_api import Browser, expect
from synthetic_scores import irt_cells
from test_compare import report as finished_run
from test_compare import run
from test_report import RESULTS

from geoutils import compare, gallery, report, stages
from geoutils.experiment import load_experiment

__all__ = ["browser", "watched"]  # fixtures
FIXTURES = Path(__file__).parent / "data" / "notebooks"
pytestmark = pytest.mark.browser


PAGES = ["index.html", "01_dataset.html", "gallery.html", "gallery/*.html", "comparison/index.html"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of an executed fixture notebook with hostile text, and an index of made-up results."""
    from papermill import execute_notebook

    home = tmp_path_factory.mktemp("home")
    patch = pytest.MonkeyPatch()
    patch.setenv("GEOUTILS_HOME", str(home))
    patch.setattr(stages, "project_root", lambda: FIXTURES.parent)
    made = home / "reports" / "quickstart"
    execute_notebook(
        str(FIXTURES / "01_dataset.ipynb"), str(home / "01.ipynb"), kernel_name="python3", progress_bar=False,
        shutdown_kernel="immediate",
    )  # fmt: skip
    found = stages.find_stages()
    report.export_notebook(home / "01.ipynb", made / "01_dataset.html", stage=found[0])
    study, scores, responses = finished(home)
    patch.setattr(gallery, "responses_to", lambda *_: responses)
    shown, _ = gallery.write_gallery(study, scores)
    shutil.copy(shown, made)
    shutil.copytree(shown.parent / "gallery", made / "gallery")
    finished_run(home, "before", run(old := irt_cells(np.random.default_rng(1), 40)).assign(predicted="<script>document.title='broken'</script>"))
    finished_run(home, "after", run(1 - old, answer="b").assign(predicted="\u202e$$" + "x" * 5000))
    compare.write_comparison("before", "after", out=made / "comparison")
    report.write_index(load_experiment("quickstart"), RESULTS, found, made)
    patch.undo()
    return made


def one(folder: Path, name: str) -> Path:
    """The first page of a name or pattern."""
    return sorted(folder.glob(name))[0]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_offline_without_a_complaint(watched: Watched, folder: Path, name: str) -> None:
    page = watched.open(one(folder, name))
    expect(page.locator("h1")).to_be_visible()
    assert watched.outside(folder) == []
    assert watched.complaints == []
    assert one(folder, name).stat().st_size < 2_000_000


def test_hostile_text_is_shown_and_does_nothing(watched: Watched, folder: Path) -> None:
    page = watched.open(folder / "01_dataset.html")
    assert page.title() == "Does a page keep what it was given?"
    text = page.locator("main").inner_text()
    assert "<script>document.title='broken'</script>" in text
    assert "[U+202E]" in text
    assert "more characters)" in text
    assert page.locator("img[src='x']").count() == 0


def test_mathematics_and_figures_are_there(watched: Watched, folder: Path) -> None:
    page = watched.open(folder / "01_dataset.html")
    formulas = page.locator("math")
    assert formulas.count() == 3
    for place in range(3):
        box = formulas.nth(place).bounding_box()
        assert box
        assert box["width"] > 5
        assert box["height"] > 5
    image = page.get_by_role("img", name=re.compile('A line that rises from 1 to 2 & "quotes"'))
    assert image.evaluate("image => image.naturalWidth") > 300
    assert page.locator("text=area 9").count() == 0, "widgets are left out"


def test_tables_sort_by_click_and_by_key(watched: Watched, folder: Path) -> None:
    page = watched.open(folder / "index.html")
    table = page.locator("table.sortable").first
    first_model = table.locator("tbody tr").first.locator("th")
    heading = table.get_by_role("button", name="Coordinates")
    heading.click()
    expect(first_model).to_contain_text("local/tiny")
    heading.focus()
    page.keyboard.press("Enter")
    expect(first_model).to_contain_text("baseline/gold")
    assert table.locator("th[aria-sort=descending]").count() == 1
    assert watched.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_a_phone_and_text_can_be_read(browser: Browser, folder: Path, scheme: str, name: str) -> None:
    phone = Watched(browser, viewport=PHONE, color_scheme=scheme)
    page = phone.open(one(folder, name))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert contrast(page) > 7
    phone.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_barrier(browser: Browser, folder: Path, scheme: str, name: str) -> None:
    assert barriers(browser, one(folder, name), scheme) == []
    assert barriers(browser, one(folder, name), scheme, viewport=PHONE) == []


def test_every_image_has_a_text_and_headings_go_down_by_one(watched: Watched, folder: Path) -> None:
    for name in PAGES:
        page = watched.open(one(folder, name))
        assert page.locator("img:not([alt]), img[alt='']").count() == 0
        assert headings_go_down_by_one(page)


def test_the_gallery_filters_and_shows_hostile_text_as_text(watched: Watched, folder: Path) -> None:
    page = watched.open(folder / "gallery.html")
    count, cards = page.locator("output"), page.locator("article.flip:visible")
    total = cards.count()
    assert total >= 6
    expect(count).to_have_text(f"{total} of {total} problems shown")
    page.get_by_label("Pattern").select_option("CCW")
    page.get_by_label("Model").select_option("lab/one")
    assert 0 < cards.count() < total
    rows = page.locator("tbody tr:visible")
    assert rows.count() == cards.count()
    assert set(rows.locator("code").all_inner_texts()) == {"CCW"}
    page.get_by_role("button", name="Show all").click()
    expect(count).to_have_text(f"{total} of {total} problems shown")
    page.get_by_label("Category").select_option("area")
    assert all(name.startswith("area") for name in cards.locator("h3").all_inner_texts())
    for text in ("<script>document.title='broken'</script>", "[U+202E]", "$$\\frac{1}{0}$$"):
        expect(page.locator("main")).to_contain_text(text)
    assert "broken" not in page.title()
    page.get_by_role("button", name="Show all").click()
    page.get_by_role("link", name=re.compile("all .* characters")).first.click()
    expect(page.locator("h1")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert watched.complaints == []
    assert watched.outside(folder) == []


def test_a_comparison_shows_its_figure_and_hostile_answers_as_text(watched: Watched, folder: Path) -> None:
    page = watched.open(folder / "comparison" / "index.html")
    assert page.locator("figure img").evaluate("image => image.naturalWidth") > 300
    expect(page.locator("main")).to_contain_text("<script>document.title='broken'</script>")
    expect(page.locator("main")).to_contain_text("[U+202E]$$")
    assert "broken" not in page.title()
    page.locator("figure a").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.table-scroll') !== null"), "tables scroll by keyboard"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_prints_whole(browser: Browser, folder: Path, name: str) -> None:
    paper = Watched(browser)
    page = paper.open(one(folder, name))
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="print")
    for box in page.locator(".table-scroll.tall").all():
        assert box.evaluate("e => e.scrollHeight <= e.clientHeight + 1"), "nothing hides in a box that scrolls"
    assert contrast(page) > 12
    paper.context.close()
