"""Reading score files: of a large experiment only the rows that a stage needs, one file at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.experiment import Experiment, safe_name
from geoutils.workers import cores, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pandas as pd

    from geoutils.study import Study

ROWS = 50_000  # read at a time
ALONE = 60_000_000  # bytes of files that are read sooner here than processes start
COUNTED = (
    "model", "strategy", "problem", "category", "variant", "representation", "repeat", "predicted", "correct", "outcome", "verdict",
)  # fmt: skip


def scores_path(experiment: Experiment, model: str, strategy: str) -> Path:
    """The scores of a model and strategy."""
    return experiment.data_dir / "scores" / f"exp1_{safe_name(model)}__{strategy}.csv"


def read_scores(
    study: Study, model: str, strategy: str, *, variant: int | None = None, repeat: int | None = None, columns: Iterable[str] | None = None
) -> pd.DataFrame:
    """The scores of one model and strategy with `file` and `line` for messages, only one variant and repeat where given.

    Raises UserError when 04_scoring has not run, or the file is not readable.
    """
    import pandas as pd

    from geoutils.study import read_pieces

    path = scores_path(study.experiment, model, strategy)
    study.require(path, "scoring")
    pieces = []
    for piece in read_pieces(path, rows=ROWS, columns=columns):
        kept = piece
        for name, wanted in (("variant", variant), ("repeat", repeat)):
            if wanted is not None and name in kept:
                kept = kept[kept[name] == wanted]
        kept = kept.assign(file=path.name, line=kept.index + 2)
        pieces.append(kept)
    return pd.concat(pieces, ignore_index=True) if len(pieces) > 1 else pieces[0].reset_index(drop=True)


def plan_of(experiment: Experiment, problems: pd.DataFrame, model: str, strategy: str) -> pd.DataFrame:
    """The cells of one model and strategy: those rows of `experiment.plan(problems)`."""
    import pandas as pd

    from geoutils.experiment import KEY
    from geoutils.requests import cells_of

    known = problems[[c for c in ("problem", "category", "difficulty", "variant", "representation") if c in problems]]
    cells = cells_of(experiment, known, model, strategy)
    return pd.DataFrame([tuple(getattr(cell, name) for name in KEY) for cell in cells], columns=list(KEY))


def outcome_counts(study: Study, *, jobs: int = 0) -> pd.DataFrame:
    """Cells by outcome (`geoutils.tabulation.outcomes`) over all variants and repeats, counted file by file."""
    import pandas as pd

    return pd.concat(list(each_file(study, _outcomes, jobs=jobs)), ignore_index=True)


def _outcomes(pair: tuple[str, str], study: Study) -> pd.DataFrame:
    from geoutils.tabulation import outcomes

    return outcomes(read_scores(study, *pair, columns=COUNTED))


def each_file(study: Study, work: Callable[..., Any], *, jobs: int = 0) -> Iterator[Any]:
    """`work(pair, study)` for each model and strategy, in order; in processes where the files are large.

    UserError when 04_scoring has not run for one of them.
    """
    pairs = study.experiment.pairs()
    paths = [scores_path(study.experiment, *pair) for pair in pairs]
    for path in paths:
        study.require(path, "scoring")
    small = sum(path.stat().st_size for path in paths) < ALONE
    return spread(pairs, work, 1 if small else jobs or cores(), shared=study)
