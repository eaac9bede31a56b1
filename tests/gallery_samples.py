"""A finished study of eight problems with hostile responses, for the gallery and the widgets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from synthetic_scores import frame

from geoutils import dataset
from geoutils.study import Study, open_study, write_table

MODELS = ("lab/one", "lab/two", "baseline/last-number")
HOSTILE = {
    "script": "<script>document.title='broken'</script> so it is 5",
    "image": "<img src=x onerror=\"document.title='broken'\"> 5",
    "dollars": "$$\\frac{1}{0}$$ and `code` and [a](javascript:alert(1))",
    "line": "x" * 100_000,
    "turned": "12 \u202e 21 \u2066 \u0007 \ud800",
    "table": "</td></tr></table><h1>mine</h1>",
}
CELLS = {
    "lab/one": [[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "lab/two": [[1, 1, 0], [1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0], [-1, 0, 1], [1, 1, 1], [0, 0, 0]],
    "baseline/last-number": [[0, 0, 0]] * 8,
}


def scores(names: list[str]) -> pd.DataFrame:
    """Scores of three models on eight problems, in coord, euclid, vector order."""
    parts = [frame(np.array(CELLS[model]), model=model) for model in MODELS]
    table = pd.concat(parts, ignore_index=True)
    table["problem"] = [names[int(name.rpartition("_")[2])] for name in table["problem"]]
    table["category"] = table["problem"].str.partition("_")[0]
    return table.assign(unit="", rule="marker", warnings="", overridden=0, correct_before_cut="", response_sha256="0" * 64)


def responses(table: pd.DataFrame) -> pd.DataFrame:
    """The hostile texts in turn as the responses of these cells."""
    texts = list(HOSTILE.values())
    keys = ["model", "strategy", "problem", "category", "variant", "representation", "repeat"]
    return table[keys].assign(content=[texts[at % len(texts)] for at in range(len(table))], outcome="ok")


def finished(home: Path) -> tuple[Study, pd.DataFrame, pd.DataFrame]:
    """A study below `home` with problems of our own: the study, its scores and its responses."""
    path = home / "shown.yaml"
    path.write_text(f"name: shown\nproblems: {{limit_per_category: 2}}\nmodels: {list(MODELS)}\nstrategies: [direct]\n"
                    "endpoints: {lab: {base_url: 'http://127.0.0.1:9/v1'}}\n")  # fmt: skip
    study = open_study(path, stage="flips", quiet=True)
    problems = dataset.load_problems(study.experiment)
    write_table(problems, study.data / "problems.csv")
    table = scores(list(dict.fromkeys(problems["problem"])))
    return study, table, responses(table)
