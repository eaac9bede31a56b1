"""What the browser tests share: Chromium, a page that notes its requests and complaints, what a page must be."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from browsing import CHROMIUM, PATIENCE, chromium

if CHROMIUM is None:
    pytest.skip("Chromium is not installed: the browser tests are left out", allow_module_level=True)

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

expect.set_options(timeout=PATIENCE)
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


class Watched:
    """A page without a network that notes what it asked for and complained about."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(offline=True, **options)
        self.context.set_default_timeout(PATIENCE)
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


def barriers(browser: Browser, path: Path, scheme: str, *, viewport: dict[str, int] | None = None) -> list[tuple[str, str, str]]:
    """What axe-core finds on a page with everything unfolded: impact, rule, and the first element."""
    options: dict[str, Any] = {"viewport": viewport} if viewport else {}
    context = browser.new_context(offline=True, color_scheme=scheme, bypass_csp=True, **options)  # axe is a script of its own
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    found = Axe().run(page).response["violations"]
    context.close()
    return [(item["impact"], item["id"], item["nodes"][0]["html"][:200]) for item in found]


def contrast(page: Page) -> float:
    """The contrast of a page's text and paper."""
    colours = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    light, dark = sorted(map(_luminance, colours))[::-1]
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def headings_go_down_by_one(page: Page) -> bool:
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(e => +e.tagName[1])")
    return levels.count(1) == 1 and all(after - before <= 1 for before, after in pairwise(levels))
