"""Notebooks 05 and 06 run on rich and on poor scores, and write every table of the seed."""

from __future__ import annotations

from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from synthetic_scores import frame, panel_frame

from geoutils import display
from geoutils.experiment import safe_name

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
SEED_TABLES = {
    "05_tabulation": [
        "geometry_invariance_summary",
        "geometry_invariance_summary_with_CIs",
        "geometry_invariance_summary_with_CIs_and_mcnemar",
        "invariance_consistency_summary",
        "invariance_by_category",
    ],
    "06_flips": [
        "rep_flip_counts_per_model",
        "rep_flip_percentages_per_model",
        "rep_flip_pairwise_metrics_per_model",
    ],
}
CASES = {
    "rich": panel_frame(
        models={"simulated/a": 0.3, "baseline/last-number": -2.0}, n=24, strategies=["direct", "reason"]
    ),
    "repeats": panel_frame(models={"baseline/gold": 1.0}, n=12, repeats=2),
    "few": panel_frame(models={"baseline/gold": 0.0}, n=4),
    "nothing right": frame(np.zeros((12, 3), dtype=int), model="baseline/gold"),
    "two": frame(np.array([[1, 0]] * 6 + [[1, 1]] * 9), model="baseline/gold", representations=("coord", "vector")),
}


def run(notebook: str, experiment: Path) -> None:
    """Run the code cells in order, as a kernel would."""
    shell = InteractiveShell()
    for cell in nbformat.read(NOTEBOOKS / f"{notebook}.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            source = cell.source.replace("data/experiments/quickstart.yaml", experiment.as_posix())
            shell.run_cell(source, silent=True).raise_error()


@pytest.mark.parametrize("case", CASES)
def test_the_notebooks_run(case: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(display, "show_markdown", said.append)
    scores = CASES[case]
    models, strategies = (list(dict.fromkeys(scores[c])) for c in ("model", "strategy"))
    file = home / "case.yaml"
    file.write_text(f"name: case\nmodels: {models}\nstrategies: {strategies}\n")
    folder = home / "data" / "case" / "scores"
    folder.mkdir(parents=True)
    for (model, strategy), part in scores.groupby(["model", "strategy"]):
        part.to_csv(folder / f"exp1_{safe_name(str(model))}__{strategy}.csv", index=False)
    for notebook, tables in SEED_TABLES.items():
        said.clear()
        run(notebook, file)
        assert len(said) >= 11 and not any("nan" in text.split() for text in said)
        for name in tables:
            table = pd.read_csv(home / "reports" / "case" / "tables" / f"{name}.csv")
            assert set(table["model"]) == set(models), name
    if case == "rich":
        assert any("**SIMULATED** models:" in text for text in said)
