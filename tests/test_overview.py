"""The map of the study is read from the notebooks themselves."""

from __future__ import annotations

from pathlib import Path

from geoutils import overview
from geoutils.experiment import experiment_from_dict
from geoutils.files import write_text
from geoutils.study import open_study


def test_every_notebook_says_what_it_reads_writes_and_takes() -> None:
    table = overview.stage_map()
    assert table["notebook"].is_monotonic_increasing
    assert (table[["question", "reads", "writes", "run time"]] != "").all(axis=None)
    assert "exp1_*.csv" in table.set_index("notebook").loc["04_scoring", "writes"]
    listed = overview.links(table)
    assert listed.count("](") == len(table)
    assert "[05_tabulation](05_tabulation.ipynb): " in listed


def test_progress_counts_what_is_there(home: Path) -> None:
    experiment = experiment_from_dict({"name": "x", "models": ["baseline/gold", "baseline/last-number"]})
    study = open_study(experiment, stage="overview", quiet=True)
    rows = [f"p{n},angle,0,{name}\n" for n in (1, 2) for name in ("coord", "euclid", "vector")]
    write_text(study.data / "problems.csv", "problem,category,variant,representation\n" + "".join(rows))
    write_text(study.data / "scores" / "exp1_baseline--gold__direct.csv", "problem\n")
    table = overview.progress(study)
    assert table["planned"].tolist() == [6, 6]
    assert table["scored"].tolist() == [True, False]
    assert overview.what_to_do(table, study) == (
        "1 of 2 combinations of model and strategy are scored; `geoutils run x` does the rest."
    )
    assert overview.answer_so_far(study) == []
