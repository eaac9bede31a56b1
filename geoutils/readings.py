"""Tables about what was read: readings, rules, warnings, examples, and the sentences that tell them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from geoutils.parsing import read_answer

if TYPE_CHECKING:
    import pandas as pd


READINGS = ("answered", "none", "refusal", "cut")
RULES = {
    "think": "an open think block: nothing was answered",
    "json": "the answer key of a JSON object",
    "box": "the last box",
    "tag": "answer tags",
    "marker": "a marker such as “Answer:” or “答案”",
    "lead": "a first line that is nothing but a value",
    "bold": "a value in bold",
    "last sentence": "what the last sentence claims",
    "line": "a line that is the letter of a multiple choice",
    "whole text": "the response is one sentence or one value",
    "empty": "nothing there",
    "bounds": "given up: too many steps",
}


def units_of(problems: pd.DataFrame) -> dict[str, str]:
    """The unit of each problem's answer, for the warning that a degree sign is missing."""
    once = problems.drop_duplicates("problem")
    return dict(zip(once["problem"].astype(str), once["unit"].fillna("").astype(str), strict=True))


def _cells(parsed: pd.DataFrame) -> pd.Series:
    """How many cells each row stands for: the column `cells` of a tally, else one."""
    import pandas as pd

    return parsed["cells"] if "cells" in parsed else pd.Series(1, index=parsed.index)


def outcome_counts(parsed: pd.DataFrame) -> pd.DataFrame:
    """Cells by outcome: `model, strategy, outcome, cells`.

    Here and below `parsed` are rows of parsed answers, or a tally of them (`geoutils.parsed_files.Parsed`).
    """
    table = parsed.assign(cells=_cells(parsed))
    return table.groupby(["model", "strategy", "outcome"], sort=False)["cells"].sum().reset_index()


def reading_counts(parsed: pd.DataFrame) -> pd.DataFrame:
    """How the responses of each model and strategy were read: `planned`, `responses` (outcome ok), one column a reading."""
    import pandas as pd

    rows = []
    for (model, strategy), group in parsed.groupby(["model", "strategy"], sort=False):
        ok = group[group["outcome"] == "ok"]
        counts = {name: int(_cells(ok[ok["reading"] == name]).sum()) for name in READINGS}
        rows.append({"model": model, "strategy": strategy, "planned": int(_cells(group).sum()), "responses": int(_cells(ok).sum()), **counts})
    return pd.DataFrame(rows, columns=["model", "strategy", "planned", "responses", *READINGS])


def rule_counts(parsed: pd.DataFrame) -> pd.DataFrame:
    """Which rule read how many answers: `rule, meaning`, then one column a model and strategy."""
    read = parsed[(parsed["outcome"] == "ok") & (parsed["reading"] == "answered")]
    wide = read.assign(who=read["model"] + " " + read["strategy"], cells=_cells(read)).pivot_table(
        index="rule", columns="who", values="cells", aggfunc="sum", fill_value=0, sort=False
    )
    wide = wide.reindex([name for name in RULES if name in wide.index])
    wide.insert(0, "answers", wide.sum(axis=1))
    wide.insert(0, "meaning", [RULES[name] for name in wide.index])
    return wide.reset_index()


def warning_counts(parsed: pd.DataFrame) -> pd.DataFrame:
    """How often each warning was given: `model, strategy, warning, answers`."""
    said = parsed[parsed["warnings"] != ""]
    split = said.assign(warning=said["warnings"].str.split("; "), cells=_cells(said)).explode("warning")
    table = split.groupby(["model", "strategy", "warning"], sort=False)["cells"].sum().rename("answers").reset_index()
    return table.sort_values(["answers"], ascending=False, kind="stable", ignore_index=True)


def examples(parsed: pd.DataFrame, *, per_rule: int = 2, only: tuple[str, ...] = ("answered",)) -> pd.DataFrame:
    """Some responses for each rule: the rule, the end of the response, the span that was read, the value.

    The same rows on every run: the first of each model in the order of the plan.
    """
    rows = parsed[(parsed["outcome"] == "ok") & parsed["reading"].isin(only) & ~parsed["model"].str.startswith("baseline/")]
    rows = rows if len(rows) else parsed[(parsed["outcome"] == "ok") & parsed["reading"].isin(only)]
    order = {name: place for place, name in enumerate(RULES)}
    chosen = rows.groupby("rule", sort=False).head(per_rule).sort_values("rule", key=lambda c: c.map(order), kind="stable")
    table = chosen[["rule", "model", "strategy", "problem", "representation", "span", "predicted", "warnings"]].copy()
    if "content" in chosen:
        table.insert(5, "response (end)", chosen["content"].astype(str).str.strip().str[-160:])
    return table.reset_index(drop=True)


def convert_keys(parsed: pd.DataFrame) -> pd.DataFrame:
    """For strategy convert: how many responses had each of the three JSON fields."""
    import pandas as pd

    names = ("euclidean_conversion", "reasoning", "numeric_answer")
    rows = []
    asked = parsed[(parsed["strategy"] == "convert") & parsed["outcome"].isin(("ok", "truncated"))]
    asked = asked[~asked["model"].str.startswith("baseline/")]
    for model, group in asked.groupby("model", sort=False):
        keys, cells = group["json_keys"].astype(str), _cells(group)
        counts = {name: int(cells[keys.str.contains(name)].sum()) for name in names}
        rows.append({"model": model, "responses": int(cells.sum()), **counts, "all three": int(cells[keys == ";".join(names)].sum())})
    return pd.DataFrame(rows, columns=["model", "responses", *names, "all three"])


def speed(parsed: pd.DataFrame, *, most: int = 2000) -> dict[str, float]:
    """How fast this machine reads the responses: `answers`, `per_second`, `worst_ms`, over at most `most` of them."""
    contents = parsed.loc[parsed["outcome"] == "ok", "content"].astype(str).head(most) if "content" in parsed else []
    worst, start = 0.0, time.perf_counter()
    for content in contents:
        before = time.perf_counter()
        read_answer(content)
        worst = max(worst, time.perf_counter() - before)
    total = time.perf_counter() - start
    return {"answers": len(contents), "per_second": len(contents) / total if total else 0.0, "worst_ms": 1000 * worst}


def said_counts(counts: pd.DataFrame) -> str:
    """The sentence under the table of readings."""
    total, answered = int(counts["responses"].sum()), int(counts["answered"].sum())
    if not total:
        return "No response to read: nothing was asked yet, or the results were imported already parsed."
    return (
        f"Of {total:,} responses, {answered:,} ({100 * answered / total:.1f} %) commit to one answer; "
        f"{int(counts['refusal'].sum()):,} refuse in words, {int(counts['cut'].sum()):,} stop before an answer, "
        f"{int(counts['none'].sum()):,} hold none. Planned were {int(counts['planned'].sum()):,} cells."
    )


def said_rules(rules: pd.DataFrame) -> str:
    """The sentence under the table of rules."""
    if rules.empty:
        return "No answer was read."
    top = rules.sort_values("answers", ascending=False).iloc[0]
    return f"Most answers ({int(top['answers']):,} of {int(rules['answers'].sum()):,}) were read by one rule: {top['meaning']}."


def said_speed(measured: dict[str, Any]) -> str:
    """The sentence about speed."""
    if not measured["answers"]:
        return "Nothing to time."
    return (
        f"{measured['answers']:,} responses were read at {measured['per_second']:,.0f} a second on one core; "
        f"the slowest took {measured['worst_ms']:.1f} ms."
    )
