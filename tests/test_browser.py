"""Reports and notebooks as people meet them, in Chromium without a network; skipped where there is none."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("Chromium is not installed: the browser tests are left out", allow_module_level=True)

from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from gallery_samples import finished  # noqa: E402
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402
from test_report import RESULTS  # noqa: E402

from geoutils import gallery, report, stages  # noqa: E402
from geoutils.experiment import load_experiment  # noqa: E402

FIXTURES = Path(__file__).parent / "data" / "notebooks"
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


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
    report.write_index(load_experiment("quickstart"), RESULTS, found, made)
    patch.undo()
    return made


class Watched:
    """A page that notes what it asked for and complained about."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(offline=True, **options)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, path: Path) -> Page:
        self.page.goto(path.as_uri())
        return self.page

    def outside(self, folder: Path) -> list[str]:
        return [url for url in self.requests if not url.startswith(("data:", folder.as_uri()))]


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    one = Watched(browser)
    yield one
    one.context.close()


@pytest.mark.parametrize("name", ["index.html", "01_dataset.html", "gallery.html"])
def test_a_page_opens_offline_without_a_complaint(watched: Watched, folder: Path, name: str) -> None:
    page = watched.open(folder / name)
    expect(page.locator("h1")).to_be_visible()
    assert watched.outside(folder) == []
    assert watched.complaints == []
    assert (folder / name).stat().st_size < 2_000_000


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
@pytest.mark.parametrize("name", ["index.html", "01_dataset.html", "gallery.html"])
def test_pages_fit_a_phone_and_text_can_be_read(browser: Browser, folder: Path, scheme: str, name: str) -> None:
    one = Watched(browser, viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page = one.open(folder / name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    colours = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    light, dark = sorted(luminance(colour) for colour in colours)[::-1]
    assert (light + 0.05) / (dark + 0.05) > 7
    one.context.close()


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "01_dataset.html", "gallery.html"])
def test_axe_finds_no_barrier(browser: Browser, folder: Path, scheme: str, name: str) -> None:
    context = browser.new_context(offline=True, color_scheme=scheme, bypass_csp=True)  # axe is a script of its own
    page = context.new_page()
    page.goto((folder / name).as_uri())
    for details in page.locator("details").all():
        details.evaluate("element => { element.open = true }")
    found = Axe().run(page).response["violations"]
    assert [(item["impact"], item["id"], item["nodes"][0]["html"][:200]) for item in found] == []
    context.close()


def test_every_image_has_a_text_and_headings_go_down_by_one(watched: Watched, folder: Path) -> None:
    for name in ("index.html", "01_dataset.html", "gallery.html"):
        page = watched.open(folder / name)
        assert page.locator("img:not([alt]), img[alt='']").count() == 0
        levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(e => +e.tagName[1])")
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))


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


def test_a_page_prints(browser: Browser, folder: Path) -> None:
    one = Watched(browser)
    page = one.open(folder / "index.html")
    assert page.pdf(format="A4").startswith(b"%PDF")
    one.context.close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A JupyterLab of its own on a free port, without the network: its address and token."""
    home = tmp_path_factory.mktemp("lab")
    notebooks = home / "notebooks"
    notebooks.mkdir()
    for name in ("01_dataset.ipynb", "explore.ipynb"):
        shutil.copy(FIXTURES / name, notebooks)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "GEOUTILS_HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_PREFER_ENV_PATH": "1",
    }
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
        "--IdentityProvider.token=geometry", "--allow-root", f"--notebook-dir={notebooks}",
        f"--LabApp.user_settings_dir={home / 'settings'}", f"--LabApp.workspaces_dir={home / 'workspaces'}",
        "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    log = (home / "lab.log").open("w")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{address}/api?token=geometry", timeout=2).close()
                break
            except OSError:
                assert server.poll() is None, (home / "lab.log").read_text()[-2000:]
                time.sleep(0.25)
        yield address, "geometry"
    finally:
        server.terminate()
        server.wait(20)
        log.close()


@contextlib.contextmanager
def opened(browser: Browser, lab: tuple[str, str], name: str) -> Iterator[tuple[Page, list[str]]]:
    """A notebook in JupyterLab after Run All Cells, and the list of requests that would have left the machine."""
    address, token = lab
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    outside: list[str] = []

    def local_only(route: Any) -> None:
        if route.request.url.startswith((address, "data:", "blob:")):
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    page.route("**/*", local_only)
    page.goto(f"{address}/lab/tree/{name}?token={token}&reset")
    page.locator(".jp-Notebook").wait_for(timeout=60_000)
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    yield page, outside
    context.close()


def test_a_notebook_runs_in_jupyterlab_and_its_widget_answers(browser: Browser, lab: tuple[str, str]) -> None:
    with opened(browser, lab, "01_dataset.ipynb") as (page, outside):
        slider = page.locator(".jp-OutputArea .widget-slider [role=slider]").first
        slider.wait_for(timeout=90_000)
        notebook = page.locator(".jp-Notebook")
        expect(notebook).to_contain_text("area 9", timeout=30_000)
        slider.focus()
        page.keyboard.press("ArrowRight")
        expect(notebook).to_contain_text("area 16", timeout=30_000)
        expect(page.locator(".jp-OutputArea table.sortable")).to_contain_text("<script>")
        assert page.title() != "broken"
        assert outside == []


def test_in_jupyterlab_a_pasted_answer_is_graded_and_flips_are_chosen(browser: Browser, lab: tuple[str, str]) -> None:
    with opened(browser, lab, "explore.ipynb") as (page, outside):
        answer = page.locator(".jp-OutputArea .widget-textarea textarea")
        answer.wait_for(timeout=90_000)
        verdict = page.locator(".jp-OutputArea .widget-html", has_text="Verdict")
        expect(verdict).to_contain_text("correct", timeout=30_000)
        answer.click()
        answer.fill("<script>document.title='broken'</script> The answer is 0.85.")
        expect(verdict).to_contain_text("wrong", timeout=30_000)
        flips = page.locator(".jp-OutputArea .widget-html", has_text="combinations")
        expect(flips).to_contain_text("2 of 4 combinations", timeout=30_000)
        page.locator(".jp-OutputArea .widget-dropdown", has_text="Pattern").locator("select").select_option("CCW")
        expect(flips).to_contain_text("1 of 4 combinations", timeout=30_000)
        assert page.title() != "broken"
        assert outside == []
