"""Make the pictures of docs/images from a finished report: its first page, a stage, the gallery, a notebook's widgets.

    python tools/screenshots.py [EXPERIMENT] [--out docs/images]

EXPERIMENT is a path or a name (default: simulated); run it first with `geoutils run`. Chromium is needed.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import tempfile
from pathlib import Path

from browsing import CHROMIUM, choice, chromium, jupyterlab, notebook, shown
from PIL import Image
from playwright.sync_api import Browser, Page

from geoutils.experiment import Experiment, load_experiment, project_root
from geoutils.files import write_bytes

WIDTH, HEIGHT = 1280, 900
LARGEST = 300_000  # bytes of a picture
PAGES = {  # picture, page, the part that is to be at the top ("" the page's own), height of the window
    "report-index": ("index.html", "", 1340),
    "report-models": ("index.html", "#models", HEIGHT),
    "report-stage": ("08_plots.html", "h2:has-text('Which differences')", HEIGHT),
    "report-gallery": ("gallery.html", "article.flip", HEIGHT),
}
STAGE_OF_WIDGETS = "06_flips"


def small(png: bytes) -> bytes:
    """The same picture in fewer bytes."""
    with Image.open(io.BytesIO(png)) as image:
        out = io.BytesIO()
        image.convert("RGB").save(out, format="PNG", optimize=True)
    return out.getvalue()


def keep(page: Page, path: Path) -> Path:
    """Save what a page shows now; RuntimeError where the picture is too large."""
    picture = small(page.screenshot(animations="disabled"))
    if len(picture) > LARGEST:
        raise RuntimeError(f"{path.name} would have {len(picture):,} bytes, more than {LARGEST:,}")
    return write_bytes(path, picture)


def pages(browser: Browser, report: Path, out: Path) -> list[Path]:
    """The pictures of a report's pages."""
    made = []
    for name, (file, part, height) in PAGES.items():
        context = browser.new_context(offline=True, viewport={"width": WIDTH, "height": height}, color_scheme="light")
        page = context.new_page()
        page.goto((report / file).as_uri())
        if part:
            page.locator(part).first.evaluate("one => one.scrollIntoView({block: 'start'})")
        made.append(keep(page, out / f"{name}.png"))
        context.close()
    return made


def widgets(browser: Browser, experiment: Experiment, out: Path) -> Path:
    """A picture of a notebook in JupyterLab after a list was clicked."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        content = json.loads((project_root() / "notebooks" / f"{STAGE_OF_WIDGETS}.ipynb").read_text(encoding="utf-8"))
        for cell in content["cells"]:
            if "parameters" in cell["metadata"].get("tags", []):
                cell["source"] = f'experiment: str = "{experiment.path}"\nstrong: float = 0.6\n'
        (home / "notebooks").mkdir()
        (home / "notebooks" / f"{STAGE_OF_WIDGETS}.ipynb").write_text(json.dumps(content), encoding="utf-8")
        made = home / "made"  # the notebook must not write into the report that is shown
        shutil.copytree(experiment.data_dir, made / "data" / experiment.name, ignore=shutil.ignore_patterns("*.lock", "failed"))
        with (
            jupyterlab(home / "notebooks", home, {"GEOUTILS_HOME": str(made)}) as address,
            notebook(browser, address, STAGE_OF_WIDGETS, width=WIDTH, height=HEIGHT) as (page, _),
        ):
            choice(page, "Pattern").select_option("CCW")
            view = shown(page, "combinations of model")
            view.wait_for()
            page.keyboard.press("Control+b")  # folds the list of files away
            choice(page, "Pattern").evaluate("one => one.closest('.jp-Cell').scrollIntoView({block: 'start'})")
            return keep(page, out / "notebook-widget.png")


def main() -> None:
    """Make all pictures and print their paths and sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", nargs="?", default="simulated")
    parser.add_argument("--out", type=Path, default=project_root() / "docs" / "images")
    options = parser.parse_args()
    experiment = load_experiment(options.experiment)
    if not (experiment.report_dir / "index.html").is_file():
        raise SystemExit(f"{experiment.report_dir}: no report there; make it with: geoutils run {options.experiment}")
    if CHROMIUM is None:
        raise SystemExit("Chromium is not installed")
    with chromium() as browser:
        for path in [*pages(browser, experiment.report_dir, options.out), widgets(browser, experiment, options.out)]:
            print(f"{path} ({path.stat().st_size:,} bytes)")


if __name__ == "__main__":
    main()
