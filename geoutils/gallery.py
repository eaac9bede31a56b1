"""The gallery of flips: problems that a model solves in one representation and not in another, to be looked at.

A flip is a problem with a pattern other than CCC and WWW (Euclid-Coord-Vector order, C correct, W not correct).
`flip_table` lists them, `telling` chooses those to show, `answers_to` says what was answered to one problem, and
`write_gallery` makes the page reports/NAME/gallery.html, with figures and long responses as files beside it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from geoutils.display import escape
from geoutils.errors import GeoutilsError
from geoutils.experiment import safe_name
from geoutils.files import write_bytes, write_text
from geoutils.flips import ORDER, PATTERNS, patterns
from geoutils.panel import Panel, all_same, check_scores, kind_of, panels
from geoutils.tabulation import Data, tidy

if TYPE_CHECKING:
    from geoutils.study import Study

FLIPS = PATTERNS[1:7]
WORDS = {"euclid": "Euclidean text", "coord": "coordinates", "vector": "vectors", "figure": "figure"}
SHOWN = 240  # characters of a response on the page; a longer one has a page of its own
LONGEST = 120_000  # characters of a response on its own page
ROOM = 1_600_000  # bytes of cards on the page
FLIP_COLUMNS = ["model", "strategy", "kind", "problem", "category", "pattern", "flips", "answered", "differs"]
TELLING_COLUMNS = ["problem", "category", "flips", "clear", "of", "patterns"]
ANSWER_COLUMNS = [
    "model", "strategy", "pattern", "representation", "verdict", "predicted", "gold", "unit", "rule", "outcome", "reading", "content",
]  # fmt: skip


def flip_table(data: Data) -> pd.DataFrame:
    """One row per model, strategy and problem of variant 0 and repeat 0.

    ``pattern`` in Euclid-Coord-Vector order; ``flips`` is 1 for a pattern other than CCC and WWW; ``answered`` counts
    the representations with a graded answer; ``differs`` is 1 where all three were read and are not the same answer.
    A model without all three representations has no rows.
    """
    rows = []
    for panel in (each.core for each in panels(data)):
        if panel.complete:
            rows += _rows(panel)
    return tidy(rows, FLIP_COLUMNS)


def _rows(panel: Panel) -> list[dict[str, Any]]:
    answered = panel.answered.sum(axis=1)
    same = np.ones(panel.n, dtype=int) if panel.same is None else all_same(panel)
    return [
        {**panel.labels, "problem": problem, "category": category, "pattern": pattern,
         "flips": int(pattern in FLIPS), "answered": int(read), "differs": int(read == panel.k and not equal)}
        for problem, category, pattern, read, equal in
        zip(panel.problems, panel.categories, patterns(panel), answered, same, strict=True)
    ]  # fmt: skip


def chosen_flips(table: pd.DataFrame, *, pattern: str = "", category: str = "", model: str = "") -> pd.DataFrame:
    """The rows of `flip_table` with a pattern ("flips": any but CCC and WWW), category and model; "" is any."""
    keep = pd.Series(True, index=table.index)
    if pattern:
        keep &= table["flips"].eq(1) if pattern == "flips" else table["pattern"].eq(pattern)
    for name, wanted in (("category", category), ("model", model)):
        if wanted:
            keep &= table[name].eq(wanted)
    return table[keep].reset_index(drop=True)


def telling(table: pd.DataFrame, *, limit: int = 24) -> pd.DataFrame:
    """The problems of `flip_table` that tell most, at most `limit`: problem, category, flips, clear, of, patterns.

    ``flips`` of ``of`` models and strategies flip, ``clear`` of them with a graded answer in all three
    representations, so that no silence passes for a failure. First comes, for each pattern that occurs, the problem
    with most clear flips; then the others by clear flips, flips, and flips of baselines. A baseline counts only where
    nothing else was asked, since its flips are luck. Where nothing flips at all, the problems are those on which the
    three answers differ although none, or each, is correct: ``flips`` is then 0.
    """
    if table.empty:
        return pd.DataFrame(columns=TELLING_COLUMNS)
    if not table["flips"].any():
        by = table.groupby(["problem", "category"], sort=True)
        out = by.agg(flips=("flips", "sum"), clear=("differs", "sum"), of=("flips", "size")).reset_index()
        out = out[out["clear"] > 0].sort_values(["clear", "problem"], ascending=[False, True]).head(limit)
        return out.assign(clear=0, patterns="")[TELLING_COLUMNS].reset_index(drop=True)
    guesses = table["kind"].eq("BASELINE")
    counted = table if guesses.all() else table[~guesses]
    clear = counted["flips"].eq(1) & counted["answered"].eq(3)
    by = counted.assign(clear=clear.astype(int)).groupby(["problem", "category"], sort=True)
    out = by.agg(flips=("flips", "sum"), clear=("clear", "sum"), of=("flips", "size")).reset_index()
    seen = table[table["flips"].eq(1)]
    every = seen.groupby("problem").size()
    out["luck"] = out["problem"].map(every).fillna(0)
    out["patterns"] = out["problem"].map(seen.groupby("problem")["pattern"].agg(lambda names: " ".join(sorted(set(names)))))
    out = out[out["luck"] > 0].sort_values(
        ["clear", "flips", "luck", "problem"], ascending=[False, False, False, True], ignore_index=True
    )
    first: list[int] = []
    for name in FLIPS:
        places = [place for place, found in enumerate(out["patterns"]) if name in found.split() and place not in first]
        first += places[:1]
    order = [*first, *(place for place in out.index if place not in first)][:limit]
    return out.loc[sorted(order), TELLING_COLUMNS].reset_index(drop=True)


def answers_to(problem: str, scores: pd.DataFrame, responses: pd.DataFrame | None = None, *, variant: int = 0) -> pd.DataFrame:
    """What each model and strategy answered to one problem (repeat 0): a row per representation, columns ANSWER_COLUMNS.

    ``verdict`` and ``predicted`` are what the grader said and read, ``content`` is the response ("" where `responses`
    do not have it). Raises UserError where the scores are not readable.
    """
    own = scores[scores["problem"].eq(problem)]
    if own.empty:
        return pd.DataFrame(columns=ANSWER_COLUMNS)
    rows, _ = check_scores(own)
    names = {
        (panel.model, panel.strategy): patterns(panel)[0]
        for panel in (each.core for each in panels(rows, variant=variant))
        if panel.complete
    }
    rows = rows[(rows["variant"] == variant) & (rows["repeat"] == 0)].copy()
    rows["pattern"] = [names.get(pair, "") for pair in zip(rows["model"], rows["strategy"], strict=True)]
    texts = _texts(responses)
    keys = ["model", "strategy", "problem", "variant", "representation"]
    rows["content"] = [texts.get(tuple(map(str, key)), "") for key in rows[keys].itertuples(index=False, name=None)]
    for name in ANSWER_COLUMNS:
        if name not in rows:
            rows[name] = ""
    judged = rows["verdict"].fillna("").astype(str)
    rows["verdict"] = judged.where(judged.ne(""), rows["correct"].map({1: "correct", 0: "wrong"}))
    place = {name: at for at, name in enumerate(ORDER)}
    rows["_turn"] = rows["representation"].map(place).fillna(len(place))
    kinds = {"model": 0, "SIMULATED": 1, "BASELINE": 2}
    rows["_kind"] = rows["kind"].map(kinds)
    rows = rows.sort_values(["_kind", "model", "strategy", "_turn"], kind="stable", ignore_index=True)
    return rows[ANSWER_COLUMNS].fillna("")


def _texts(responses: pd.DataFrame | None) -> dict[tuple[str, ...], str]:
    if responses is None or "content" not in responses:
        return {}
    first = responses[responses["repeat"].astype(int) == 0]
    keys = zip(*(first[c].astype(str) for c in ("model", "strategy", "problem", "variant", "representation")), strict=True)
    return dict(zip(keys, first["content"].fillna("").astype(str), strict=True))


def responses_to(study: Study, problems: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame | None:
    """The responses to some problems of variant 0, without reading all others; None where there are none."""
    from geoutils.baselines import with_most_common
    from geoutils.inference import load_responses

    wanted = problems["problem"].isin(list(names)) & problems["variant"].eq(0)
    try:
        return load_responses(study.experiment, problems=with_most_common(problems)[wanted])
    except (GeoutilsError, KeyError):  # imported scores come without responses, and imported problems without texts
        return None


# --- the page -----------------------------------------------------------------------------------


def _figures(names: Iterable[str], study: Study, folder: Path, problems: pd.DataFrame) -> dict[str, dict[str, str]]:
    """Draw the figures of problems into a folder: problem to file and alt text; one that cannot be drawn is left out.

    Where the models were sent a picture, it is this one that is shown.
    """
    from geoutils import dataset
    from geoutils.problems.records import load_records
    from geoutils.problems.variants import draw_variants

    try:
        records = {item.id: item for item in load_records(study.experiment.source)[0]}
    except (GeoutilsError, OSError, ValueError):
        return {}
    sent: dict[str, Path] = {}
    if "image" in problems:
        pictures = problems[problems["representation"].eq("figure") & problems["variant"].eq(0) & problems["image"].fillna("").ne("")]
        sent = {row.problem: study.data / row.image for row in pictures.itertuples()}
    made = {}
    for name in names:
        if name not in records:
            continue
        try:
            drawn = draw_variants(records[name], 1, seed=study.experiment.problems.seed).variants
            drawing = dataset.draw_variant(drawn[0])
        except (ValueError, IndexError):
            continue
        picture = sent.get(name)
        png = picture.read_bytes() if picture is not None and picture.is_file() else drawing.png(dpi=80)
        write_bytes(folder / f"{name}.png", png)
        made[name] = {"file": f"{folder.name}/{name}.png", "alt": drawing.alt}
    return made


def excerpt(text: str, *, limit: int = SHOWN) -> str:
    """A response as the page shows it: whole when short, else its start and its end, where answers stand."""
    return text if len(text) <= limit else f"{text[: limit // 3]} … {text[-2 * limit // 3 :]}"


def _card(
    row: Mapping[str, Any], answers: pd.DataFrame, statements: pd.DataFrame, figure: Mapping[str, str] | None
) -> dict[str, Any]:
    texts = dict(zip(statements["representation"], statements["statement"], strict=True)) if len(statements) else {}
    about = statements.iloc[0] if len(statements) else {}
    lines = []
    columns = [r for r in WORDS if r in ORDER or answers["representation"].eq(r).any()]
    for (model, strategy), part in answers.groupby(["model", "strategy"], sort=False):
        cells = {cell["representation"]: cell for cell in part.to_dict("records")}
        for cell in cells.values():
            cell["text"] = excerpt(cell["content"])
            cell["long"] = len(cell["content"]) > SHOWN
        long = any(cell["long"] for cell in cells.values())
        page = f"{row['problem']}__{safe_name(str(model))}__{strategy}.html" if long else ""
        lines.append(
            {"model": model, "strategy": strategy, "pattern": part["pattern"].iloc[0], "cells": [cells.get(r) for r in columns], "page": page}
        )
    lines.sort(key=lambda line: line["pattern"] not in FLIPS)  # stable: who flips comes first
    gold, unit = (str(answers[name].iloc[0]) for name in ("gold", "unit"))
    return {
        **row,
        "difficulty": str(about.get("difficulty", "")),
        "gold": gold + ("°" if unit == "degrees" and gold.replace("/", "").isdigit() else ""),
        "value": str(about.get("value", "")) + ("°" if unit == "degrees" and about.get("value", "") else ""),
        "statements": [(r, WORDS[r], texts[r]) for r in columns if r in texts],
        "figure": figure,
        "lines": lines,
        "columns": [WORDS[r] for r in columns],
    }


def _response_page(card: Mapping[str, Any], line: Mapping[str, Any]) -> str:
    """The three responses of one model to one problem, whole, as a page that runs nothing."""
    parts = []
    for words, cell in zip(card["columns"], line["cells"], strict=True):
        if cell is not None:
            read = cell["predicted"] or "nothing"
            parts.append(
                f"<h2>{escape(words[0].upper() + words[1:])}: {escape(cell['verdict'])}</h2><p>Read: <bdi>{escape(read)}</bdi></p>"
                f"<pre><bdi>{escape(cell['content'], limit=LONGEST)}</bdi></pre>"
            )
    title = f"{escape(card['problem'])}: {escape(line['model'])} ({escape(line['strategy'])})"
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f"<title>{title}</title><style>body{{color:CanvasText;background:Canvas;font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}}"
        "pre{white-space:pre-wrap;overflow-wrap:anywhere}</style></head>"
        f'<body><main><p><a href="../gallery.html#{escape(card["problem"])}">Back to the gallery</a></p><h1>{title}</h1>'
        f"<p>Gold: {escape(card['gold'])}</p>{''.join(parts)}</main></body></html>\n"
    )


def write_gallery(study: Study, scores: pd.DataFrame, *, limit: int = 24) -> tuple[Path, pd.DataFrame]:
    """Write gallery.html into the study's report; returns its path and the table of the problems shown.

    Cards that would take the page beyond `ROOM` bytes are left out and counted on it. Nothing of a model's text takes
    effect: it is escaped, and the page may run only its own two scripts.
    """
    from geoutils.headline import caution
    from geoutils.report import environment, page_head, page_script

    table = flip_table(scores)
    chosen = telling(table, limit=limit)
    if (study.data / "problems.csv").is_file():
        problems = study.problems()
    else:  # results of problems whose texts are not here
        problems = pd.DataFrame(columns=["problem", "variant", "representation", "statement", "category"])
    names = list(chosen["problem"])
    responses = responses_to(study, problems, names) if names and len(problems) else None
    folder = study.reports / "gallery"
    shutil.rmtree(folder, ignore_errors=True)
    figures = _figures(names, study, folder, problems)
    drawn = environment().get_template("gallery_card.html.j2").module
    cards: list[dict[str, Any]] = []
    shown: list[str] = []
    used = 0
    for row in chosen.to_dict("records"):
        own = problems[problems["problem"].eq(row["problem"]) & problems["variant"].eq(0)]
        card = _card(row, answers_to(row["problem"], scores, responses), own, figures.get(row["problem"]))
        markup = str(drawn.card(card))  # type: ignore[attr-defined]
        used += len(markup.encode("utf-8", errors="backslashreplace"))
        if used > ROOM and cards:
            break
        cards.append(card)
        shown.append(markup)
        for line in card["lines"]:
            if line["page"]:
                write_text(folder / line["page"], _response_page(card, line))
    lines = [line for card in cards for line in card["lines"]]
    page = environment().get_template("gallery.html.j2").render(
        head=page_head("page.js", "gallery.js"),
        script=page_script("page.js", "gallery.js"),
        experiment=study.experiment.name,
        caution=caution([{"kind": kind_of(model).lower()} for model in dict.fromkeys(table["model"])]),
        figure_asked="figure" in set(scores["representation"]),
        cards=shown,
        left_out=len(chosen) - len(cards),
        flipping=int(table.loc[table["flips"].eq(1), "problem"].nunique()),
        patterns=[name for name in PATTERNS if any(line["pattern"] == name for line in lines)],
        categories=list(dict.fromkeys(card["category"] for card in cards)),
        models=list(dict.fromkeys(line["model"] for line in lines)),
        with_responses=responses is not None,
    )
    path = write_text(study.reports / "gallery.html", page)
    return path, chosen.head(len(cards))
