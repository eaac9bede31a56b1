"""The notebooks as sources: clean, in one style, without logic of their own."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest
from papermill import inspect_notebook

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
TAGS = {"parameters", "hide-input", "explore"}
MAY_CALL_MODELS = {"02_inference", "10_judge", "11_concepts"}

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=nbformat.NO_CONVERT)


def code_cells(path: Path) -> list[nbformat.NotebookNode]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def lines(cell: nbformat.NotebookNode) -> list[str]:
    return [line for line in cell.source.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS, "notebooks/ is empty"
    for path in NOTEBOOKS:
        assert re.fullmatch(r"\d\d_[a-z]+", path.stem), path.name


@each
def test_a_notebook_is_valid_and_clean(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    assert set(notebook.metadata) <= {"kernelspec", "language_info"}
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    for cell in notebook.cells:
        assert re.fullmatch(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", cell.id), cell.id
        assert not re.fullmatch(r"[0-9a-f]{8}", cell.id), f"{cell.id} is not readable"
        assert set(cell.metadata.get("tags", [])) <= TAGS
        assert set(cell.metadata) <= {"tags", "jupyter"}
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None


@each
def test_it_opens_with_its_question(path: Path) -> None:
    cells = read(path).cells
    assert cells[0].cell_type == "markdown"
    heading = cells[0].source.splitlines()[0]
    assert heading.startswith("# ")
    assert heading.rstrip().endswith("?") or path.stem == "00_overview"
    opening = "\n".join(cell.source for cell in cells[:3] if cell.cell_type == "markdown")
    for word in ("Reads", "Writes", "Run time"):
        assert word in opening, f"{word} is not said at the top"


@each
def test_its_parameters_are_annotated_literals(path: Path) -> None:
    tagged = [cell for cell in code_cells(path) if "parameters" in cell.metadata.get("tags", [])]
    assert len(tagged) == 1
    names = []
    for line in tagged[0].source.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"([a-z_]+): (?:str|int|float|bool|list|dict)(?:\[.*\])? = (.+?)  # \S.*", line)
        assert match, f"not `name: type = literal  # what it is`: {line}"
        ast.literal_eval(match[2])
        names.append(match[1])
    assert names[0] == "experiment"
    assert '"data/experiments/quickstart.yaml"' in tagged[0].source
    assert set(inspect_notebook(str(path))) == set(names)


@each
def test_it_is_short(path: Path) -> None:
    cells = code_cells(path)
    total = sum(len(lines(cell)) for cell in cells)
    assert total < 100, f"{total} code lines"
    longest = max(cells, key=lambda cell: len(lines(cell)))
    assert len(lines(longest)) <= 15, f"cell {longest.id} has {len(lines(longest))} lines"
    count = len(read(path).cells)
    assert 10 <= count <= 45, f"{count} cells"


@each
def test_it_holds_no_logic_and_no_place(path: Path) -> None:
    for cell in code_cells(path):
        assert not re.search(r"^\s*[%!]", cell.source, re.MULTILINE), f"{cell.id}: a magic"
        tree = ast.parse(cell.source)
        for node in ast.walk(tree):
            assert not isinstance(node, (ast.ClassDef, ast.AsyncFunctionDef)), f"{cell.id}: a class or coroutine"
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno is not None
                assert node.end_lineno - node.lineno <= 3, f"{cell.id}: {node.name} belongs in a module"
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.match(r"(/|[A-Z]:\\|~)", node.value), f"{cell.id}: an absolute path {node.value!r}"
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("chdir", "system"), f"{cell.id}: {node.attr}"
        if path.stem not in MAY_CALL_MODELS:
            assert "run_inference" not in cell.source


@each
def test_it_opens_a_study_and_closes_with_versions(path: Path) -> None:
    cells = code_cells(path)
    stage = path.stem.partition("_")[2]
    assert any(re.search(rf'open_study\(experiment, stage="{stage}"[,)]', cell.source) for cell in cells)
    assert "study.finish()" in cells[-1].source


@each
def test_each_part_of_the_notebook_is_explained(path: Path) -> None:
    cells = read(path).cells
    run = 0
    for cell in cells:
        run = run + 1 if cell.cell_type == "code" else 0
        assert run <= 3, f"{cell.id}: more than three code cells without a sentence between"
