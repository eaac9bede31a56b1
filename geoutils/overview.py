"""The map of a study: its notebooks as they describe themselves, and how far an experiment has got."""

from __future__ import annotations

import glob
import re
from typing import TYPE_CHECKING

from geoutils.experiment import safe_name, shown
from geoutils.report import question_of, read_notebook
from geoutils.stages import Stage, find_stages
from geoutils.study import Study

if TYPE_CHECKING:
    import pandas as pd

_PARTS = ("Reads", "Writes", "Run time")


def _described(stage: Stage) -> dict[str, str]:
    notebook = read_notebook(stage.notebook)
    question, _ = question_of(notebook)
    opening = next((cell.source for cell in notebook.cells if cell.cell_type == "markdown"), "")
    row = {"notebook": stage.stem, "question": question}
    marks = "|".join(_PARTS)
    for part in _PARTS:
        found = re.search(
            rf"[*_]+{part}:?[*_]*:?\s*(.*?)(?=\s*(?:-\s+)?[*_]+(?:{marks})|\n\s*\n|\Z)", opening, re.DOTALL
        )
        row[part.lower()] = _plain(found[1]) if found else ""
    return row


def _plain(markdown: str) -> str:
    """Markdown without its emphasis and code marks; an asterisk inside code stays."""
    words = [part if place % 2 else part.replace("*", "") for place, part in enumerate(markdown.split("`"))]
    return " ".join("".join(words).split()).rstrip(".")


def stage_map() -> pd.DataFrame:
    """One row per notebook, in order: notebook, question, reads, writes, run time, as the notebook says at its top."""
    import pandas as pd

    stages = sorted((stage for stage in find_stages() if stage.name != "overview"), key=lambda stage: stage.stem)
    return pd.DataFrame([_described(stage) for stage in stages])


def links(table: pd.DataFrame) -> str:
    """The notebooks of `stage_map` as a Markdown list of links."""
    return "\n".join(f"1. [{row.notebook}]({row.notebook}.ipynb): {row.question}" for row in table.itertuples())


def progress(study: Study) -> pd.DataFrame:
    """One row per model and strategy: planned cells, and whether responses, parsed answers and scores are there."""
    import pandas as pd

    from geoutils.responses import planned_cells

    problems = study.problems()
    rows = []
    for model, strategy in study.experiment.pairs():
        name = f"{safe_name(model)}__{strategy}"
        rows.append(
            {
                "model": model,
                "strategy": strategy,
                "planned": planned_cells(study.experiment, problems, model, strategy),
                "asked": any((study.data / "responses").glob(f"{glob.escape(name)}.*sqlite")),  # also by a shard
                "parsed": (study.data / "parsed" / f"{name}.csv").is_file(),
                "scored": (study.data / "scores" / f"exp1_{name}.csv").is_file(),
            }
        )
    return pd.DataFrame(rows)


def what_to_do(table: pd.DataFrame, study: Study) -> str:
    """A sentence on the next step, from the table of `progress`."""
    done = int(table["scored"].sum())
    if done == len(table):
        return f"All {done} combinations of model and strategy are scored."
    path = shown(study.experiment.path) if study.experiment.path else study.experiment.name
    return f"{done} of {len(table)} combinations of model and strategy are scored; `geoutils run {path}` does the rest."


def answer_so_far(study: Study) -> list[str]:
    """The result in sentences with intervals, as the report's first page says it; empty before any scoring."""
    from geoutils.headline import caution, headline
    from geoutils.index import effects_in, model_rows
    from geoutils.results import collect_results

    results = collect_results(study.experiment, started="", seconds=0.0)
    rows = model_rows(results, effects_in(study.reports))
    return [sentence for sentence in (caution(rows), *headline(rows)) if sentence]
