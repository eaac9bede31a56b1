"""What changed between two runs of the same plan: a new model, prompt or grader; paired by cell, with intervals.

`read_run` opens a report folder, `pair` lays its cells beside those of the other, `differences` tests what changed,
`causes` says whether responses changed or only how they were read, and `write_comparison` makes a page of it all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from geoutils.errors import UserError
from geoutils.experiment import REPRESENTATIONS, shown
from geoutils.files import write_text
from geoutils.panel import check_scores, kind_of, load_scores
from geoutils.stats.paired import Interval, bonett_price, holm, mcnemar_midp, mean_difference, paired_table
from geoutils.stats.proportions import FEW

ALPHA = 0.05
KIND_ORDER = {"model": 0, "SIMULATED": 1, "BASELINE": 2}
ROWS = 200  # of a table on the page; the file has all
CELL = ["model", "strategy", "problem", "variant", "representation", "repeat"]
KEPT = [*CELL, "category", "correct", "predicted", "gold", "unit", "verdict", "outcome", "response_sha256"]
DIFFERENCE_COLUMNS = [
    "model", "strategy", "measure", "n", "before", "after", "difference", "low", "high", "gained", "lost", "p", "p_holm", "note",
]  # fmt: skip
CAUSE_COLUMNS = ["model", "strategy", "cells", "same_response", "regraded", "other_response", "gained", "lost"]
CHANGED_COLUMNS = [*CELL, "cause", "before", "after", "predicted_before", "predicted_after", "gold"]


@dataclass(frozen=True)
class RunFiles:
    """A finished run: its report folder, results.json, the fields of its experiment file, and its scores."""

    folder: Path
    results: Mapping[str, Any]
    fields: Mapping[str, str]
    scores: pd.DataFrame

    @property
    def name(self) -> str:
        return self.folder.name


def read_run(report: str | Path) -> RunFiles:
    """Open a report, by its folder or by the name of its experiment.

    The scores are those in the report's own folder `scores`, else those of data/NAME beside it. Raises UserError where
    there is no report or no score.
    """
    from geoutils.paths import work_root

    folder = Path(report)
    if not folder.is_dir() and len(folder.parts) == 1:
        folder = work_root() / "reports" / report
    folder = folder.resolve()
    path = folder / "results.json"
    if not path.is_file():
        raise UserError(f"{shown(folder)}: no report there (results.json is missing); give a folder such as reports/quickstart")
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
        name = str(results["name"])
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{shown(path)}: not the results of a run; run the experiment again") from None
    scores = folder / "scores"
    if not scores.is_dir():
        scores = folder.parent.parent / "data" / name / "scores"
    table, _ = check_scores(load_scores(scores))
    for column in KEPT:
        if column not in table:
            table[column] = ""
    table[["predicted", "gold", "unit", "response_sha256"]] = table[["predicted", "gold", "unit", "response_sha256"]].fillna("")
    return RunFiles(folder, results, _fields(folder / "experiment.yaml"), table[KEPT])


def _fields(path: Path) -> dict[str, str]:
    """The experiment file as flat names and values; the name of the experiment is left out."""
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError):
        return {}
    flat: dict[str, str] = {}

    def add(name: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                add(f"{name}.{key}" if name else str(key), inner)
        else:
            flat[name] = json.dumps(value, ensure_ascii=False, default=str)

    add("", content if isinstance(content, dict) else {})
    flat.pop("name", None)
    return flat


def settings(before: RunFiles, after: RunFiles) -> pd.DataFrame:
    """What the two runs were made with, where it differs: setting, before, after ("" where one does not have it)."""

    def all_of(run: RunFiles) -> dict[str, str]:
        versions = {str(k): str(v) for k, v in dict(run.results.get("versions", {})).items()}
        data = {"dataset sha256": str(dict(run.results.get("dataset", {})).get("sha256", ""))}
        return {**{f"experiment: {name}": value for name, value in run.fields.items()}, **data, **versions}

    old, new = all_of(before), all_of(after)
    rows = [(name, old.get(name, ""), new.get(name, "")) for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
    return pd.DataFrame(rows, columns=["setting", "before", "after"])


def matched(before: pd.DataFrame, after: pd.DataFrame, match: Mapping[str, str] | None = None) -> dict[str, str]:
    """Which model of the first run stands beside which of the second: equal names, and what `match` says (old to new).

    When each run has exactly one real model that the other lacks, these two are matched as well: a model update. Raises
    UserError for a name in `match` that its run does not have.
    """
    old, new = (list(dict.fromkeys(table["model"])) for table in (before, after))
    pairs = {name: name for name in old if name in new}
    for first, second in (match or {}).items():
        for name, known in ((first, old), (second, new)):
            if name not in known:
                raise UserError(f"no model {name!r} in that run; it has {', '.join(known)}")
        pairs = {a: b for a, b in pairs.items() if b != second} | {first: second}
    lone = [[n for n in names if n not in used and kind_of(n) == "model"] for names, used in ((old, pairs), (new, pairs.values()))]
    if not match and len(lone[0]) == len(lone[1]) == 1:
        pairs[lone[0][0]] = lone[1][0]
    return pairs


def pair(before: pd.DataFrame, after: pd.DataFrame, match: Mapping[str, str] | None = None) -> tuple[pd.DataFrame, dict[str, int]]:
    """The cells that both runs have, side by side (columns of the second end in `_after`), and how many were left out.

    A model keeps the name of the first run. Left out, and counted, are cells of one run only, and those whose gold or
    unit differs: another problem under the same name.
    """
    pairs = matched(before, after, match)
    back = {new: old for old, new in pairs.items()}
    old = before[before["model"].isin(list(pairs))]
    new = after[after["model"].isin(list(back))].assign(model=lambda table: table["model"].map(back))
    both = old.merge(new.drop(columns="category"), on=CELL, suffixes=("", "_after"), how="inner", validate="one_to_one")
    other = both["gold"].ne(both["gold_after"]) | both["unit"].ne(both["unit_after"])
    counts = {
        "compared": int((~other).sum()), "other gold": int(other.sum()),
        "only before": len(before) - len(both), "only after": len(after) - len(both),
    }  # fmt: skip
    return both[~other].reset_index(drop=True), counts


def differences(cells: pd.DataFrame) -> pd.DataFrame:
    """After minus before, for each model and strategy; `cells` are of `pair`. Columns DIFFERENCE_COLUMNS.

    Accuracy in each representation, and Invariance@3 over the problems that have all three, use variant 0 and repeat 0:
    limits of Bonett and Price, mid-p McNemar. ``mean of all cells`` averages every common variant, repeat and
    representation of a problem first: Student's t over problems. ``gained`` and ``lost`` count changed cells (problems
    for Invariance@3); ``p_holm`` is adjusted over all rows but those of baselines, which come last and only show that
    nothing else changed. Fewer than ten problems are not tested.
    """
    rows = []
    for (model, strategy), part in cells.groupby(["model", "strategy"], sort=False):
        start = {"model": model, "strategy": strategy}
        first = part[part["variant"].eq(0) & part["repeat"].eq(0)]
        for name in dict.fromkeys(first["representation"]):
            own = first[first["representation"].eq(name)]
            rows.append(start | {"measure": f"accuracy, {name}"} | _tested(own["correct"], own["correct_after"]))
        core = first[first["representation"].isin(REPRESENTATIONS)]
        by = core.groupby("problem")[["correct", "correct_after"]]
        whole = by.min()[by.size() == len(REPRESENTATIONS)]
        if len(whole):
            rows.append(start | {"measure": "Invariance@3"} | _tested(whole["correct"], whole["correct_after"]))
        means = part.groupby("problem")[["correct", "correct_after"]].mean()
        change, p = mean_difference(means["correct_after"], means["correct"])
        rows.append(
            start
            | {
                "measure": "mean of all cells", "n": len(means), "before": means["correct"].mean(), "after": means["correct_after"].mean(),
                "difference": change.value, "low": change.low, "high": change.high, "p": p if len(means) >= FEW else np.nan,
                "gained": int((part["correct"] < part["correct_after"]).sum()),
                "lost": int((part["correct"] > part["correct_after"]).sum()),
            }
        )  # fmt: skip
    table = pd.DataFrame(rows)
    if table.empty:
        return pd.DataFrame(columns=DIFFERENCE_COLUMNS)
    kinds = table["model"].map(kind_of)
    table = table.loc[kinds.map(KIND_ORDER).sort_values(kind="stable").index].reset_index(drop=True)
    judged = table["model"].map(kind_of).ne("BASELINE")
    table["p_holm"] = np.nan
    table.loc[judged, "p_holm"] = holm(table.loc[judged, "p"].to_numpy(dtype=float))
    table["note"] = np.where(table["n"] < FEW, "too few for tests", np.where(table["gained"] + table["lost"] == 0, "nothing changed", ""))
    return table[DIFFERENCE_COLUMNS]


def _tested(before: pd.Series, after: pd.Series) -> dict[str, Any]:
    t = paired_table(after.to_numpy(), before.to_numpy())  # b: only after, c: only before
    limits = bonett_price(t) if t.n >= FEW else Interval(t.difference, np.nan, np.nan)
    return {
        "n": t.n, "before": (t.a + t.c) / t.n, "after": (t.a + t.b) / t.n, "difference": limits.value, "low": limits.low,
        "high": limits.high, "gained": t.b, "lost": t.c, "p": mcnemar_midp(t.b, t.c) if t.n >= FEW else np.nan,
    }  # fmt: skip


def _cause(cells: pd.DataFrame) -> pd.Series:
    """same response, other response, or unknown where no response is stored."""
    stored = cells["response_sha256"].ne("") | cells["response_sha256_after"].ne("")
    same = cells["response_sha256"].eq(cells["response_sha256_after"])
    return pd.Series(np.where(~stored, "response not stored", np.where(same, "same response", "other response")), index=cells.index)


def causes(cells: pd.DataFrame) -> pd.DataFrame:
    """Why verdicts changed: cells, same_response, regraded (same response, other `correct`), other_response, gained, lost."""
    table = cells.assign(cause=_cause(cells), changed=cells["correct"].ne(cells["correct_after"]))
    rows = []
    for (model, strategy), part in table.groupby(["model", "strategy"], sort=False):
        same = part["cause"].eq("same response")
        rows.append(
            (model, strategy, len(part), int(same.sum()), int((same & part["changed"]).sum()), int(part["cause"].eq("other response").sum()),
             int((part["correct"] < part["correct_after"]).sum()), int((part["correct"] > part["correct_after"]).sum()))
        )  # fmt: skip
    table = pd.DataFrame(rows, columns=CAUSE_COLUMNS)
    return table.loc[table["model"].map(kind_of).map(KIND_ORDER).sort_values(kind="stable").index].reset_index(drop=True)


def changed(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells whose verdict or `correct` changed, in plan order: CHANGED_COLUMNS."""
    moved = cells["verdict"].fillna("").ne(cells["verdict_after"].fillna("")) | cells["correct"].ne(cells["correct_after"])
    table = cells.assign(cause=_cause(cells))[moved].rename(columns={"predicted": "predicted_before", "predicted_after": "predicted_after"})
    words = {1: "correct", 0: "wrong"}
    for name, verdict, right in (("before", "verdict", "correct"), ("after", "verdict_after", "correct_after")):
        said = table[verdict].fillna("").astype(str)
        table[name] = said.where(said.ne(""), table[right].map(words))
    return table[CHANGED_COLUMNS].reset_index(drop=True)


def sentences(table: pd.DataFrame, counts: Mapping[str, int], why: pd.DataFrame, *, most: int = 4) -> list[str]:
    """The result in words: the change of each model, then why verdicts changed, then what was compared.

    Real models are spoken of where there are any, else simulated ones, else baselines; `geoutils.headline.caution` says so.
    """
    out = []
    kinds = table["model"].map(kind_of) if len(table) else pd.Series(dtype=str)
    kind = next((name for name in ("model", "SIMULATED", "BASELINE") if (kinds == name).any()), "")
    own = table[kinds == kind]
    mean = own[own["measure"].eq("mean of all cells")]
    mean = mean.loc[mean["difference"].abs().sort_values(ascending=False, kind="stable").index]
    whole = {(row["model"], row["strategy"]): row for row in own[own["measure"].eq("Invariance@3")].to_dict("records")}
    moved = mean["gained"].gt(0) | mean["lost"].gt(0)
    if len(mean) > 1:
        sure = own[own["p_holm"].le(ALPHA)].drop_duplicates(["model", "strategy"])
        out.append(
            f"Of {len(mean)} combinations of model and strategy {int(moved.sum())} changed in some answer, and {len(sure)} by more than chance "
            f"explains (adjusted p at most {ALPHA})."
        )
    for row in mean[moved if len(mean) > 1 else slice(None)].head(most).to_dict("records"):
        said = f"{row['model']} (strategy {row['strategy']}) " + _moved(row)
        joint = whole.get((row["model"], row["strategy"]))
        if joint is not None and (joint["gained"] or joint["lost"]):
            said += f" In all three representations it is right on {_change(joint)}."
        out.append(said)
    if moved.sum() > most:
        rest = mean[moved].iloc[most:]["difference"]
        out.append(f"The other {len(rest)} that changed did so by {100 * rest.min():+.1f} to {100 * rest.max():+.1f} points; the table below has all.")
    if len(why) and (turned := int(why["gained"].sum() + why["lost"].sum())):
        same = int(why["regraded"].sum())
        out.append(
            f"{turned:,} cells turned from correct to not or back; in {f'{same:,}' if same else 'none'} of them the response is the same, so that "
            "only reading, grading or an override can have done it."
        )
    left_out = [f"{count:,} {LEFT_OUT[name]}" for name, count in counts.items() if name in LEFT_OUT and count]
    out.append(f"{counts['compared']:,} cells are in both runs" + (f"; left out are {', '.join(left_out)}." if left_out else "."))
    return out


LEFT_OUT = {"other gold": "with another gold", "only before": "only in the first run", "only after": "only in the second run"}


def _change(row: Mapping[str, Any], *, what: str = "") -> str:
    from geoutils.display import percent

    limits = f", 95 % limits {100 * row['low']:+.1f} to {100 * row['high']:+.1f}" if row["low"] == row["low"] else ""
    return (
        f"{percent(row['before'])} of {what}{row['n']} problems before and {percent(row['after'])} after "
        f"({100 * row['difference']:+.1f} points{limits})"
    )


def _moved(row: Mapping[str, Any]) -> str:
    """The change of the mean over all common cells, and whether it is more than chance explains."""
    if not row["gained"] and not row["lost"]:
        return f"did not change: each answer in both runs is as right as it was, over {row['n']} problems."
    p = row["p_holm"] if row["p_holm"] == row["p_holm"] else row["p"]
    verdict = ""
    if p == p:
        told = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
        verdict = f" That is more than chance explains ({told})." if p <= ALPHA else f" More than chance is not shown ({told})."
    return f"is right on {_change(row, what='the answers to ')}, of all that both runs have; {row['gained']} gained, {row['lost']} lost.{verdict}"


def write_comparison(
    before: str | Path, after: str | Path, *, out: str | Path | None = None, match: Mapping[str, str] | None = None
) -> tuple[Path, list[str]]:
    """Compare two reports; writes index.html and tables below `out` and returns the page and its sentences.

    `out` is by default the folder comparisons/BEFORE__AFTER beside the second report. Raises UserError where a report
    cannot be read or the two have no cell in common.
    """
    from geoutils.display import table_html
    from geoutils.headline import caution
    from geoutils.report import environment, link_comparisons, page_head, page_script
    from geoutils.table_text import save_table_files

    first, second = read_run(before), read_run(after)
    cells, counts = pair(first.scores, second.scores, match)
    if cells.empty:
        raise UserError(
            f"{first.name} and {second.name} have no cell in common (model, strategy, problem, gold); name a changed model with --match OLD=NEW"
        )
    folder = Path(out) if out else second.folder.parent / "comparisons" / f"{first.name}__{second.name}"
    made = differences(cells)
    tables = {
        "differences": (made, "After minus before, paired; limits are 95 %"),
        "causes": (causes(cells), "Whether responses changed, or only how they were read and graded"),
        "settings": (settings(first, second), "What the runs were made with, where it differs"),
        "changed": (changed(cells), "Cells whose verdict changed"),
    }
    for name, (table, caption) in tables.items():
        save_table_files(table, folder / "tables" / f"{name}.csv", caption=caption)
    said = sentences(made, counts, tables["causes"][0])
    names = {old: new for old, new in matched(first.scores, second.scores, match).items() if old != new}
    page = environment().get_template("compare.html.j2").render(
        head=page_head(), script=page_script(), caution=caution([{"kind": kind_of(m).lower()} for m in cells["model"].unique()]), before=first, after=second, sentences=said, names=names,
        figure=_figure(made, folder), links=[_link(run.folder, folder) for run in (first, second)],
        tables={
            name: table_html(table, caption, max_rows=ROWS, source=f"tables/{name}.csv") if len(table) else ""
            for name, (table, caption) in tables.items()
        },
    )  # fmt: skip
    record = {"before": first.name, "after": second.name, "said": said[0]}
    write_text(folder / "comparison.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    page_path = write_text(folder / "index.html", page)
    for run in (first, second):
        link_comparisons(run.folder)
    return page_path, said


def _figure(table: pd.DataFrame, folder: Path) -> dict[str, str]:
    """Save the figure of a comparison as PNG and SVG below its folder; its file and alternative text."""
    from geoutils.compare_plots import change_forest
    from geoutils.study import write_figure

    made = change_forest(table)
    path = folder / "figures" / "what_changed.png"
    write_figure(made.figure, path, alt=made.alt)
    return {"file": f"figures/{path.name}", "alt": made.alt}


def _link(report: Path, folder: Path) -> str:
    """The way from a comparison's page to a report's, "" where they are not on one drive."""
    try:
        return (Path(os.path.relpath(report, folder)) / "index.html").as_posix()
    except ValueError:
        return ""
