"""Examples for the eye: the solution as the judge saw it, beside what the judge said and what is known."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.display import escape
from geoutils.judge import KNOWN, first_judge
from geoutils.judge_manifest import CALIBRATION
from geoutils.judge_solutions import LABELS
from geoutils.media import MediaError, filmstrip, frames_of, media_type, read_file, thumbnail

if TYPE_CHECKING:
    import pandas as pd

FRAMES_SHOWN = 4
LONGEST_TEXT = 1200
NAMES = {"intermediate_correct": "steps", "final_correct": "final answer", "action_reflection": "reflection"}


def chosen(verdicts: pd.DataFrame, *, count: int = 6) -> pd.DataFrame:
    """Examples of the first judge: errors of the final answer first, then one of each rendering and outcome; the manifest's before ours."""
    rows = first_judge(verdicts)
    rows = rows.loc[rows["set"].eq(CALIBRATION).sort_values(kind="stable").index]
    wrong = rows["final_correct"].notna() & rows["known_final_correct"].notna() & (rows["final_correct"] != rows["known_final_correct"])
    kinds = rows.assign(kind=wrong.map({True: "error", False: "agreed"}), look=rows["rendering"].where(rows["rendering"] != "", rows["medium"]))
    errors = kinds[kinds["kind"] == "error"].drop_duplicates("look").head(count // 2)
    others = kinds[kinds["kind"] != "error"].drop_duplicates(["look", "outcome", "final_correct"])
    others = others[~others["look"].isin(errors["look"]) | (others["outcome"] != "ok") | (others["set"] != CALIBRATION)]
    picked = rows.loc[[*errors.index, *others.index][:count]]
    if len(picked) < count:
        picked = rows.loc[[*picked.index, *rows.index.difference(picked.index, sort=False)][:count]]
    return picked


def examples_html(verdicts: pd.DataFrame, *, count: int = 6) -> str:
    """The chosen examples as an HTML table: picture or text at the left, verdicts and the judge's words at the right."""
    rows = [_row(row) for row in chosen(verdicts, count=count).to_dict("records")]
    head = "<tr><th scope=col>solution as sent</th><th scope=col>verdicts and what the judge says</th></tr>"
    return (
        '<div class="table-scroll" tabindex="0" role="region" aria-label="examples">'
        '<table class="tex2jax_ignore mathjax_ignore judge-examples"><caption>Examples: the solution beside its verdict</caption>'
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(row: Mapping[str, Any]) -> str:
    said = []
    for name, known in zip(LABELS, KNOWN, strict=True):
        verdict = "no verdict" if _none(row[name]) else str(int(row[name]))
        truth = "" if _none(row[known]) else f", known {int(row[known])}"
        mark = " &#10007;" if truth and verdict in "01" and int(row[known]) != int(verdict) else ""
        said.append(f"<li>{NAMES[name]}: <b>{verdict}</b>{truth}{mark}</li>")
    about = " &middot; ".join(escape(part) for part in (row["id"], row["subtask"], row["rendering"], row["sent_as"] or row["medium"]) if part)
    why = f"<p><bdi>{escape(row['explanation'], limit=600)}</bdi></p>" if row["explanation"] else ""
    truth = str(row["solution_text"]).strip().splitlines()[-1:] or [""]
    return (
        f'<tr><td style="text-align:left;vertical-align:top;max-width:580px">{_picture(row)}</td>'
        f'<td class="long" style="text-align:left;vertical-align:top"><p>{about}</p><p>outcome: {escape(row["outcome"])}</p>'
        f"<ul>{''.join(said)}</ul>{why}<p>ground truth ends: <bdi>{escape(truth[0], limit=200)}</bdi></p></td></tr>"
    )


def _none(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ == "NAType"


def _picture(row: Mapping[str, Any]) -> str:
    """The solution as HTML: a small image, frames of a video, or its text."""
    if not row["media"]:
        text = escape(row["solution"] or "(nothing)", limit=LONGEST_TEXT)
        return f'<pre style="white-space:pre-wrap;max-width:560px;text-align:left">{text}</pre>'
    try:
        content, kind = read_file(Path(row["media"]))
        if media_type(content).startswith("video/"):
            small, what = filmstrip(frames_of(content, kind, count=FRAMES_SHOWN, longest=640), width=280), f"{FRAMES_SHOWN} frames of the video"
        else:
            small, what = thumbnail(content), "the image"
    except MediaError as error:
        return f"<p>({escape(error)})</p>"
    alt = escape(f"{what} of solution {row['id']}, a generated solution of a problem of {row['subtask'] or 'no subtask'}", limit=300)
    return f'<img src="data:image/jpeg;base64,{base64.b64encode(small).decode()}" alt="{alt}" style="max-width:100%;height:auto">'
