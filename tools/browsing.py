"""Chromium and JupyterLab for the browser tests and the screenshots: started, opened, and ended again."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 60_000  # ms that a slow machine may take; conditions are waited for, never times
TOKEN = "geometry"
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window."""
    with sync_playwright() as playwright:
        options: dict[str, Any] = {"executable_path": CHROMIUM, "args": ["--no-sandbox", "--disable-gpu"]}
        started = playwright.chromium.launch(timeout=3 * PATIENCE, **options)
        yield started
        started.close()


@contextlib.contextmanager
def jupyterlab(notebooks: Path, home: Path, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address of a JupyterLab of its own on a free port; its settings and log are in `home`.

    Every cell of a notebook is in its page, seen or not, so that widgets below the window can be waited for. Raises
    RuntimeError with the end of the log where it does not start.
    """
    for name, value in SETTINGS.items():
        settings = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(json.dumps(value), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "share"),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_PREFER_ENV_PATH": "1",
    }
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={TOKEN}", "--allow-root", f"--notebook-dir={notebooks}",
        f"--LabApp.user_settings_dir={home / 'settings'}", f"--LabApp.workspaces_dir={home / 'workspaces'}",
        "--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    address, log = f"http://127.0.0.1:{port}", home / "lab.log"
    with log.open("w") as output:
        server = subprocess.Popen(command, env={**os.environ, **own, **(environment or {})}, stdout=output, stderr=subprocess.STDOUT)
        try:
            _wait_for(f"{address}/api?token={TOKEN}", server, log)
            yield address
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 3 * PATIENCE / 1000
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.25)
    raise RuntimeError(f"JupyterLab did not start: {log.read_text(errors='replace')[-2000:]}")


def run_all(page: Page) -> None:
    """Run All Cells, and wait until the kernel has done the last one."""
    last = page.locator(".jp-Notebook .jp-CodeCell").last.locator(".jp-InputPrompt")
    before = last.inner_text()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    expect(last).not_to_have_text(before, timeout=PATIENCE)
    expect(last).to_have_text(re.compile(r"\[\d+\]:"), timeout=3 * PATIENCE)


@contextlib.contextmanager
def notebook(browser: Browser, address: str, name: str, *, width: int = 1400, height: int = 1000) -> Iterator[tuple[Page, list[str]]]:
    """A notebook in JupyterLab after Run All Cells, and the list of requests that would have left the machine."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    outside: list[str] = []

    def local_only(route: Any) -> None:
        if route.request.url.startswith((address, "data:", "blob:")):
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    page.route("**/*", local_only)
    page.goto(f"{address}/lab/tree/{name}.ipynb?token={TOKEN}&reset")
    page.locator(".jp-Notebook").wait_for(timeout=3 * PATIENCE)
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=3 * PATIENCE)
    run_all(page)
    yield page, outside
    context.close()


def choice(page: Page, label: str) -> Locator:
    """The list of a dropdown widget with this description."""
    return page.locator(".jp-OutputArea .widget-dropdown", has_text=label).locator("select").first


def field(page: Page, label: str) -> Locator:
    """The input of a text widget with this description."""
    return page.locator(".jp-OutputArea .widget-inline-hbox", has_text=label).locator("input").first


def shown(page: Page, text: str) -> Locator:
    """The HTML widget that holds a text."""
    return page.locator(".jp-OutputArea .widget-html", has_text=text)
