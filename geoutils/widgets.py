"""Views to explore a study in JupyterLab: problems, answers, flips, and the grader itself.

Each view has a function that returns the HTML of what is chosen, from the same functions as the static tables, and a
class around it with the controls; `.widget` is what a cell displays. Nothing here writes a file; the view that reviews
verdicts and writes overrides is `geoutils.review_view`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from geoutils.display import escape, table_html
from geoutils.errors import GeoutilsError

if TYPE_CHECKING:
    import pandas as pd

    from geoutils.study import Study

ANY = "any"
LONGEST_SPAN = 400
EXAMPLES = (
    ("So the length is 3√2/5.", "3*sqrt(2)/5", ""),
    ("Answer: 0.849", "3*sqrt(2)/5", ""),
    ("Answer: 0.85", "3*sqrt(2)/5", ""),
    ('{"answer": "60°"}', "60", "degrees"),
    ("It could be 5 or 7.", "5", ""),
    ("I cannot tell.", "5", ""),
)


STYLE = """<style>
.geoutils-view .table-scroll { max-height: 26rem; overflow: auto; }
.geoutils-view table { border-collapse: collapse; line-height: 1.4; }
.geoutils-view :is(th, td) { text-align: left; vertical-align: top; padding: .2rem .6rem; border-bottom: 1px solid var(--jp-border-color2, #ccc); }
.geoutils-view thead th { position: sticky; top: 0; background: var(--jp-layout-color2, #eee); }
.geoutils-view caption { text-align: left; padding: .3rem .6rem; color: var(--jp-ui-font-color2, #555); }
.geoutils-view .number { text-align: right; }
.geoutils-view td.long { max-width: 34rem; overflow-wrap: anywhere; }
.geoutils-view .badge { font-size: .75em; font-weight: 600; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .4rem; white-space: nowrap; }
</style>"""


class _View:
    """Controls above an HTML view that follows them; a fault of the input is shown in its place."""

    def __init__(self, controls: Sequence[Any], show: Callable[[], str], *, wide: Sequence[Any] = ()) -> None:
        import ipywidgets as widgets

        self._show = show
        self.html = widgets.HTML()
        self.html.add_class("geoutils-view")
        for control in (*controls, *wide):
            control.style.description_width = "initial"
            control.observe(lambda _change: self.refresh(), "value")
        row = widgets.HBox(list(controls), layout=widgets.Layout(flex_flow="row wrap"))
        self.widget = widgets.VBox([*wide, row, self.html])
        self.refresh()

    def refresh(self) -> None:
        """Show what the controls ask for."""
        try:
            self.html.value = STYLE + self._show()
        except (GeoutilsError, ValueError) as error:
            self.html.value = f"{STYLE}<p><b>{escape(error)}</b></p>"


def _options(values: Any) -> list[str]:
    return [ANY, *dict.fromkeys(map(str, values))]


def _chosen(control: Any) -> str:
    return "" if control.value in (ANY, None) else str(control.value)


# --- problems -----------------------------------------------------------------------------------


def found_problems(problems: pd.DataFrame, *, category: str = "", text: str = "") -> list[str]:
    """Ids of the problems of a category ("" is any) whose id, family, concepts or statements hold a text, in any case."""
    kept = problems[problems["category"].eq(category)] if category else problems
    if text.strip():
        wanted = text.strip().lower()
        hit = kept["problem"].str.lower().str.contains(wanted, regex=False)
        for name in ("family", "concepts", "statement"):
            if name in kept:
                hit |= kept[name].fillna("").astype(str).str.lower().str.contains(wanted, regex=False)
        kept = kept[hit]
    return list(dict.fromkeys(kept["problem"]))


def problem_card(problems: pd.DataFrame, name: str | None, variant: int, *, source: Any, seed: int = 0) -> str:
    """One variant as notebook 01 shows it (`geoutils.problems.overview.card`), with its figure."""
    from geoutils import dataset
    from geoutils.problems.overview import card

    if not name:
        return "<p>No problem fits.</p>"
    rows = problems[problems["problem"].eq(name) & problems["variant"].eq(variant)]
    if rows.empty:
        return f"<p>{escape(name)} has no variant {variant} here.</p>"
    return card(rows, dataset.figure_or_none(name, variant=variant, seed=seed, source=source))


class ProblemView:
    """Browse problems and variants: by category, by a text that they hold, and by number of the variant."""

    def __init__(self, problems: pd.DataFrame, *, source: Any, seed: int = 0) -> None:
        import ipywidgets as widgets

        self.problems, self.source, self.seed = problems, source, seed
        self.category = widgets.Dropdown(options=_options(problems["category"]), description="Category")
        self.text = widgets.Text(description="Holds", placeholder="circle, bisector …")
        self.problem = widgets.Dropdown(options=found_problems(problems), description="Problem")
        most = int(problems["variant"].max()) if len(problems) else 0
        self.variant = widgets.IntSlider(value=0, min=0, max=most, description="Variant", disabled=most == 0)
        for control in (self.category, self.text):
            control.observe(self._narrow, "value")
        self.view = _View([self.category, self.text, self.problem, self.variant], self.show)
        self.widget = self.view.widget

    def _narrow(self, _change: Any) -> None:
        names = found_problems(self.problems, category=_chosen(self.category), text=self.text.value)
        if list(self.problem.options) != names:
            self.problem.options = names

    def show(self) -> str:
        """The HTML of the chosen variant."""
        fitting = len(self.problem.options)
        shown = problem_card(self.problems, self.problem.value, self.variant.value, source=self.source, seed=self.seed)
        return f"<p>{fitting} problem(s) fit.</p>{shown}"


# --- answers ------------------------------------------------------------------------------------


Responses = "pd.DataFrame | Callable[[str], pd.DataFrame] | None"  # a table, or how to get that of one problem


def answers_html(problem: str | None, scores: pd.DataFrame, responses: Responses, *, strategy: str = "") -> str:
    """What each model answered to a problem and what the grader read (`geoutils.gallery.answers_to`), as a table."""
    from geoutils.gallery import answers_to, excerpt

    if not problem:
        return "<p>No problem is chosen.</p>"
    table = answers_to(problem, scores, responses(problem) if callable(responses) else responses)
    if strategy:
        table = table[table["strategy"].eq(strategy)]
    if table.empty:
        return f"<p>No answers to {escape(problem)}.</p>"
    gold = f"{table['gold'].iloc[0]} {table['unit'].iloc[0]}".strip()
    table = table.assign(content=table["content"].map(excerpt)).rename(columns={"content": "response"})
    columns = ["model", "strategy", "pattern", "representation", "verdict", "predicted", "rule", "response"]
    return table_html(table, f"Answers to {problem}; the gold is {gold}", columns=columns, max_rows=None)


class AnswersView:
    """Compare models on one problem: what each answered in each representation, and what was read."""

    def __init__(self, scores: pd.DataFrame, responses: Responses = None) -> None:
        import ipywidgets as widgets

        self.scores, self.responses = scores, responses
        self.problem = widgets.Combobox(
            value=str(scores["problem"].iloc[0]) if len(scores) else "",
            options=list(dict.fromkeys(map(str, scores["problem"]))), ensure_option=True, continuous_update=False,
            description="Problem",
        )  # fmt: skip
        self.strategy = widgets.Dropdown(options=_options(scores["strategy"]), description="Strategy")
        self.view = _View([self.problem, self.strategy], self.show)
        self.widget = self.view.widget

    def show(self) -> str:
        """The HTML of the chosen problem's answers."""
        return answers_html(self.problem.value, self.scores, self.responses, strategy=_chosen(self.strategy))


# --- flips --------------------------------------------------------------------------------------


def flips_html(table: pd.DataFrame, *, pattern: str = "", category: str = "", model: str = "") -> str:
    """The rows of `geoutils.gallery.flip_table` that are asked for, as a table."""
    from geoutils.gallery import chosen_flips

    chosen = chosen_flips(table, pattern=pattern, category=category, model=model)
    caption = f"{len(chosen):,} of {len(table):,} combinations of model, strategy and problem"
    columns = ["problem", "category", "model", "strategy", "pattern", "answered"]
    return table_html(chosen, caption, columns=columns, max_rows=100)


class FlipView:
    """Explore the patterns: which problems flip, for whom and how."""

    def __init__(self, table: pd.DataFrame) -> None:
        import ipywidgets as widgets

        from geoutils.flips import PATTERNS

        self.table = table
        self.pattern = widgets.Dropdown(
            options=[("any flip", "flips"), (ANY, ANY), *((name, name) for name in PATTERNS)], description="Pattern"
        )
        self.category = widgets.Dropdown(options=_options(table["category"]), description="Category")
        self.model = widgets.Dropdown(options=_options(table["model"]), description="Model")
        self.view = _View([self.pattern, self.category, self.model], self.show)
        self.widget = self.view.widget

    def show(self) -> str:
        """The HTML of the chosen rows."""
        return flips_html(
            self.table, pattern=_chosen(self.pattern), category=_chosen(self.category), model=_chosen(self.model)
        )


# --- the grader ---------------------------------------------------------------------------------


def graded(answers: Sequence[tuple[str, str, str]] = EXAMPLES, *, min_significant: int = 3) -> pd.DataFrame:
    """Answers with gold and unit, as `geoutils.grade` reads them: output, gold, verdict, value, rule, span, warnings.

    Raises ValueError where a gold cannot be read.
    """
    import pandas as pd

    from geoutils.grading import grade

    rows = []
    for output, gold, unit in answers:
        done = grade(output, gold, unit or None, min_significant=min_significant)
        rows.append(
            {"output": output, "gold": gold, "verdict": done.verdict, "value": done.value, "rule": done.rule,
             "reading": done.reading, "span": done.span[:LONGEST_SPAN], "warnings": "; ".join(done.warnings)}
        )  # fmt: skip
    return pd.DataFrame(rows)


class GraderView:
    """Try the grader: paste a response and a gold, and see what is read and what the verdict is."""

    def __init__(self, output: str = "So the length is 0.849.", gold: str = "3*sqrt(2)/5") -> None:
        import ipywidgets as widgets

        wide = widgets.Layout(width="95%", height="6em")
        self.output = widgets.Textarea(value=output, description="Response", layout=wide)
        self.gold = widgets.Text(value=gold, description="Gold")
        self.unit = widgets.Dropdown(options=[("none", ""), "degrees", "radians"], description="Unit")
        self.figures = widgets.BoundedIntText(value=3, min=1, max=10, description="Figures a decimal must show")
        self.view = _View([self.gold, self.unit, self.figures], self.show, wide=[self.output])
        self.widget = self.view.widget

    def show(self) -> str:
        """The HTML of the verdict."""
        if not self.gold.value.strip():
            return "<p>A gold is needed, such as 3*sqrt(2)/5, 46.36 or 7/12.</p>"
        answer = (self.output.value, self.gold.value, self.unit.value)
        row = graded([answer], min_significant=self.figures.value).iloc[0]
        facts = [("Verdict", row["verdict"]), ("Value read", row["value"] or "(none)"), ("By the rule", row["rule"]),
                 ("Reading", row["reading"]), ("From the words", row["span"] or "(none)"), ("Warnings", row["warnings"] or "(none)")]  # fmt: skip
        lines = "".join(f"<tr><th style='text-align:left'>{escape(k)}</th><td><bdi>{escape(v)}</bdi></td></tr>" for k, v in facts)
        return f"<table>{lines}</table>"


# --- what notebooks call ------------------------------------------------------------------------


def browse_problems(study: Study, problems: pd.DataFrame) -> Any:
    """The widget that browses the problems and variants of a table."""
    return ProblemView(problems, source=study.experiment.source, seed=study.experiment.problems.seed).widget


def compare_models(scores: pd.DataFrame, responses: Responses = None) -> Any:
    """The widget that compares models on one problem; `responses` may be a function that reads those of a problem."""
    return AnswersView(scores, responses).widget


def explore_flips(table: pd.DataFrame) -> Any:
    """The widget that explores the table of flips."""
    return FlipView(table).widget


def try_grader() -> Any:
    """The widget in which an answer is pasted and graded."""
    return GraderView().widget
