"""Kernels forked from a process that has imported: they behave as kernels that were started."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from papermill import execute_notebook
from papermill.exceptions import PapermillExecutionError

from geoutils.kernels import TrackedKernelManager, end_all
from geoutils.warm import Nursery, imported_by

pytestmark = pytest.mark.skipif(not hasattr(os, "fork") or sys.platform == "darwin", reason="kernels are not forked here")


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    folder = tmp_path_factory.mktemp("nursery")
    made = Nursery(["pandas", "no_such_module_at_all"], cwd=folder)
    assert made._ready.wait(60)
    TrackedKernelManager.nursery = made
    yield made
    TrackedKernelManager.nursery = None
    made.close()


def run(folder: Path, *cells: str) -> list[str]:
    """What the cells of a notebook print, run in a kernel as the pipeline runs it."""
    source, out = folder / "in.ipynb", folder / "out.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, source)
    execute_notebook(
        str(source), str(out), kernel_name="python3", kernel_manager_class=TrackedKernelManager, progress_bar=False,
        shutdown_kernel="immediate", cwd=str(folder),
    )  # fmt: skip
    done = nbformat.read(out, as_version=4)
    return ["".join(o.get("text", "") for o in cell.outputs) for cell in done.cells]


def test_a_forked_kernel_has_its_own_world(nursery: Nursery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONLY_HERE", "now")
    look = (
        "import os, sys, subprocess\n"
        "print(os.getppid(), 'pandas' in sys.modules, os.environ['ONLY_HERE'], os.getcwd(), os.getpgrp() == os.getpid(),\n"
        "      subprocess.run([sys.executable, '-c', 'raise SystemExit(3)']).returncode, '_serve' in globals())"
    )
    draw = "import numpy, random, uuid\nprint(numpy.random.random(), random.random(), uuid.uuid4())"
    first, drawn = run(tmp_path, look, draw)
    assert nursery._process is not None
    assert first.split() == [str(nursery._process.pid), "True", "now", str(tmp_path), "True", "3", "False"]
    again = run(tmp_path, "import builtins\nbuiltins.left_behind = 1\nprint(1)", draw)[1]
    assert set(drawn.split()).isdisjoint(again.split())
    assert run(tmp_path, "import builtins\nprint(hasattr(builtins, 'left_behind'))") == ["False\n"]


def test_errors_and_deaths_are_told(nursery: Nursery, tmp_path: Path) -> None:
    with pytest.raises(PapermillExecutionError, match="by zero"):
        run(tmp_path, "1 / 0")
    with pytest.raises(Exception, match=r"(?i)kernel died|dead"):
        run(tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    assert run(tmp_path, "print('next')") == ["next\n"]
    end_all()
    assert not TrackedKernelManager.running


def test_kernels_start_as_usual_where_the_process_is_gone(nursery: Nursery, tmp_path: Path) -> None:
    gone = Nursery(["json"], cwd=tmp_path)
    assert gone._ready.wait(60)
    assert gone._process is not None
    os.kill(gone._process.pid, signal.SIGKILL)
    time.sleep(0.2)
    before, TrackedKernelManager.nursery = TrackedKernelManager.nursery, gone
    try:
        parent, path = run(tmp_path, "import os\nprint(os.getppid())", "import sys\nprint(sys.path)")
    finally:
        TrackedKernelManager.nursery = before
        gone.close()
    assert parent == f"{os.getpid()}\n"
    assert [path] == run(tmp_path, "import sys\nprint(sys.path)")  # forked again, with the same path


def test_what_notebooks_import_is_read_from_their_cells(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import json as j\nfrom geoutils import flips, panel"), nbformat.v4.new_code_cell("def (")])
    nbformat.write(notebook, tmp_path / "a.ipynb")
    (tmp_path / "b.ipynb").write_text("no notebook", encoding="utf-8")
    assert imported_by([tmp_path / "b.ipynb", tmp_path / "gone.ipynb"]) == []
    assert imported_by([tmp_path / "a.ipynb"])[:1] == ["json"]


def test_a_forked_kernel_spreads_work_over_processes(nursery: Nursery, tmp_path: Path) -> None:
    work = "from geoutils.workers import spread\nprint(list(spread([-3, 1, -2], abs, 2)), sum(spread([1.5, 2.5], round, 2, shared=0)))"
    assert run(tmp_path, work, "print(__name__)") == ["[3, 1, 2] 4.0\n", "__main__\n"]
