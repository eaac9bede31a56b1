"""A small view in which a person accepts or overrides verdicts, row by row; what is decided goes into overrides.csv."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.display import escape
from geoutils.errors import GeoutilsError
from geoutils.overrides import add_override, overrides_path, remove_override

if TYPE_CHECKING:
    import pandas as pd

Responses = "pd.DataFrame | Callable[[str], pd.DataFrame] | None"  # a table, or how to get that of one problem
CELL = ["model", "strategy", "problem", "variant", "representation", "repeat"]


class ReviewView:
    """The view's parts and its state; `widget` is what is displayed. Nothing is written before a button is pressed."""

    def __init__(self, table: pd.DataFrame, responses: Responses, *, experiment: str, path: Path | None = None) -> None:
        import ipywidgets as widgets

        self.table = table.reset_index(drop=True)
        self.responses = responses
        self.texts = {} if callable(responses) else _texts(responses)
        self.read: set[str] = set()
        self.experiment, self.path = experiment, path or overrides_path()
        self.at = 0
        self.decided: dict[int, str] = {}
        self.text = widgets.HTML()
        self.message = widgets.HTML(layout=widgets.Layout(min_height="1.5em"))
        self.row = widgets.BoundedIntText(value=1, min=1, max=max(1, len(table)), description="Row")
        self.who = widgets.Text(description="Your name", placeholder="needed")
        self.why = widgets.Text(description="Reason", placeholder="needed for an override")
        self.accept = widgets.Button(description="Accept verdict", tooltip="The grader is right here")
        self.right = widgets.Button(description="It is correct", button_style="success")
        self.wrong = widgets.Button(description="It is not correct", button_style="danger")
        self.back, self.next = widgets.Button(description="Previous"), widgets.Button(description="Next")
        self.row.observe(lambda change: self.show(change["new"] - 1), "value")
        self.back.on_click(lambda _: self.go(-1))
        self.next.on_click(lambda _: self.go(1))
        self.accept.on_click(lambda _: self.decide(None))
        self.right.on_click(lambda _: self.decide(1))
        self.wrong.on_click(lambda _: self.decide(0))
        buttons = widgets.HBox([self.back, self.row, self.next])
        verdicts = widgets.HBox([self.accept, self.right, self.wrong])
        self.widget = widgets.VBox([buttons, self.text, widgets.HBox([self.who, self.why]), verdicts, self.message])
        self.show(0)

    def go(self, step: int) -> None:
        """Move by `step` rows, within the table."""
        self.row.value = min(max(1, self.row.value + step), max(1, len(self.table)))

    def show(self, at: int) -> None:
        """Show one row: reasons, gold, what was read, and the response, escaped."""
        self.at = at
        if not len(self.table):
            self.text.value = "<p>Nothing to review.</p>"
            return
        row = self.table.iloc[at]
        if callable(self.responses) and row["problem"] not in self.read:  # of a large experiment: one problem at a time
            self.read.add(row["problem"])
            self.texts |= _texts(self.responses(row["problem"]))
        content = self.texts.get(tuple(str(row[c]) for c in CELL), "")
        shown = [("Cell", " · ".join(str(row[c]) for c in CELL)), ("Why here", row["reasons"]), ("Gold", f"{row['gold']} {row['unit']}"),
                 ("Read", f"{row['predicted'] or '(nothing)'} by rule {row['rule']}"), ("Verdict", row["verdict"]),
                 ("Decided", self.decided.get(at, "not yet"))]  # fmt: skip
        lines = "".join(f"<tr><th style='text-align:left'>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in shown)
        box = f"<pre style='white-space:pre-wrap;max-height:20em;overflow:auto'>{escape(content, limit=6000)}</pre>" if content else ""
        self.text.value = f"<p>{at + 1} of {len(self.table)}</p><table>{lines}</table>{box}"

    def decide(self, correct: int | None) -> None:
        """Write an override (1 or 0), or take one back (None), and go on to the next row."""
        if not len(self.table):
            return
        row = self.table.iloc[self.at]
        cell = {name: str(row[name]) for name in CELL} | {"experiment": self.experiment, "response_sha256": str(row["response_sha256"])}
        try:
            if correct is None:
                if self.path.is_file():
                    remove_override(self.path, **cell)
                self.decided[self.at] = "verdict accepted"
            else:
                add_override(self.path, **cell, correct=correct, who=self.who.value, why=self.why.value)
                self.decided[self.at] = f"overridden: {correct}"
        except GeoutilsError as error:
            self.message.value = f"<b>{escape(error)}</b>"
            return
        self.message.value = f"{escape(self.decided[self.at])}; score again (run this notebook, or geoutils run) to apply it"
        self.show(self.at)
        self.go(1)


def _texts(responses: pd.DataFrame | None) -> dict[tuple[str, ...], str]:
    if responses is None or "content" not in responses:
        return {}
    keys = zip(*(responses[c].astype(str) for c in CELL), strict=True)
    return dict(zip(keys, responses["content"].astype(str), strict=True))


def review_view(table: pd.DataFrame, responses: Responses = None, *, experiment: str, path: Path | None = None) -> Any:
    """The widget that reviews `table` (of `geoutils.review.review_table`) and writes `path` (default data/overrides.csv)."""
    return ReviewView(table, responses, experiment=experiment, path=path).widget
