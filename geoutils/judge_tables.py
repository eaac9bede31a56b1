"""Tables of verdicts: what was judged, the accuracy that a judge reports, how often it errs, and what is left after correction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from geoutils.judge import BAD_INPUT, JUDGE_ERROR, KNOWN, Judging
from geoutils.judge_manifest import CALIBRATION, MANIFEST
from geoutils.judge_solutions import COMBINATIONS, LABELS
from geoutils.outcomes import OUTCOMES
from geoutils.stats.agreement import cohen_kappa
from geoutils.stats.misclassified import agreement_of_repeats, kappa_interval, rogan_gladen
from geoutils.stats.paired import Table
from geoutils.stats.proportions import share

if TYPE_CHECKING:
    import pandas as pd

FINAL = "final_correct"
WHO = ("set", "model")
SETS = (MANIFEST, CALIBRATION)


def _frame(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(columns))


def _groups(table: pd.DataFrame, by: Sequence[str]) -> Any:
    """Groups in the order of their first row."""
    return table.groupby(list(by), sort=False, dropna=False)


def calibrated(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The verdicts on the calibration set."""
    return verdicts[verdicts["set"] == CALIBRATION]


def first_repeat(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The verdicts that count: repeat 0."""
    return verdicts[verdicts["repeat"] == 0]


# --- what was judged -----------------------------------------------------------------------------------


def items(judging: Judging) -> pd.DataFrame:
    """How many solutions there are: the manifest by subtask, the calibration set by rendering."""
    import pandas as pd

    pieces = [
        part.groupby(["set", key], sort=False).size().reset_index(name="solutions").rename(columns={key: "what"})
        for which, key in ((MANIFEST, "subtask"), (CALIBRATION, "rendering"))
        if len(part := judging.items[judging.items["set"] == which])
    ]
    return pd.concat(pieces, ignore_index=True) if pieces else _frame([], ["set", "what", "solutions"])


def outcomes(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Rows by set, model, medium and how it was sent: planned, then one count for each outcome."""
    keys = [*WHO, "medium", "sent_as"]
    names = ["ok", JUDGE_ERROR, BAD_INPUT, *OUTCOMES[1:]]
    rows = []
    for place, part in _groups(verdicts, keys):
        counts = part["outcome"].value_counts()
        rows.append({**dict(zip(keys, place, strict=True)), "planned": len(part), **{n: int(counts.get(n, 0)) for n in names}})
    return _frame(rows, [*keys, "planned", *names])


def occurring(table: pd.DataFrame) -> list[str]:
    """The columns of `outcomes` without the outcomes that no row has."""
    return [name for name in table.columns if name not in (JUDGE_ERROR, BAD_INPUT, *OUTCOMES[1:]) or table[name].sum()]


def unjudged(verdicts: pd.DataFrame, *, longest: int = 400) -> pd.DataFrame:
    """Every row without a verdict on the final answer: who, which, outcome, why, and the beginning of the reply."""
    rows = verdicts[verdicts[FINAL].isna()]
    table = rows[["set", "model", "id", "repeat", "medium", "outcome", "explanation"]].rename(columns={"explanation": "why"})
    return table.assign(reply=rows["reply"].fillna("").astype(str).str.slice(0, longest)).reset_index(drop=True)


# --- what the judge says -------------------------------------------------------------------------------

ACCURACY = (
    "n", "judged", "correct", "accuracy", "low", "high", "bound_low", "bound_high", "share_of_judged", "judged_low", "judged_high",
)  # fmt: skip


def accuracy_of(part: pd.DataFrame) -> dict[str, Any]:
    """Accuracy of some outputs: FINAL_CORRECT = 1 over all of them, the share among the judged, limits and bounds.

    `low` and `high` are 95 % limits (Wilson, or Clopper-Pearson where few or at an edge); `bound_low` and
    `bound_high` take all outputs without a verdict as wrong and as right.
    """
    n, judged, correct = len(part), int(part[FINAL].notna().sum()), int((part[FINAL] == 1).sum())
    whole, among = share(correct, n), share(correct, judged)
    bound = (correct + n - judged) / n if n else np.nan
    values = (
        n, judged, correct, whole.value, whole.low, whole.high, whole.value, bound, among.value, among.low, among.high,
    )  # fmt: skip
    return dict(zip(ACCURACY, values, strict=True))


def accuracy(verdicts: pd.DataFrame, *, by: Sequence[str] = ()) -> pd.DataFrame:
    """The headline for each set, judge and group (`by` may name subtask, medium, rendering): repeat 0, columns of `ACCURACY`."""
    keys = [*WHO, *by]
    rows = [
        {**dict(zip(keys, place, strict=True)), **accuracy_of(part)} for place, part in _groups(first_repeat(verdicts), keys)
    ]
    return _frame(rows, [*keys, *ACCURACY])


def metrics(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The three verdicts for each set and judge: n, judged, count of 1, their share over all and limits; blank where it abstains."""
    rows = []
    for place, part in _groups(first_repeat(verdicts), WHO):
        for name in LABELS:
            judged, yes = int(part[name].notna().sum()), int((part[name] == 1).sum())
            found = share(yes, len(part)) if judged else share(0, 0)
            rows.append({
                **dict(zip(WHO, place, strict=True)), "metric": name, "n": len(part), "judged": judged, "count": yes,
                "share": found.value, "low": found.low, "high": found.high,
            })  # fmt: skip
    return _frame(rows, [*WHO, "metric", "n", "judged", "count", "share", "low", "high"])


def combinations(verdicts: pd.DataFrame) -> pd.DataFrame:
    """How often each of the eight combinations of the three verdicts was given: count, share of n (all outputs), limits.

    Judges that abstain have no combinations and are left out.
    """
    rows = []
    for place, part in _groups(first_repeat(verdicts), WHO):
        whole = part[part[list(LABELS)].notna().all(axis=1)]
        if whole.empty:
            continue
        for labels in COMBINATIONS:
            count = int((whole[list(LABELS)] == list(labels)).all(axis=1).sum())
            found = share(count, len(part))
            rows.append({
                **dict(zip(WHO, place, strict=True)), **dict(zip(LABELS, labels, strict=True)), "n": len(part),
                "count": count, "share": found.value, "low": found.low, "high": found.high,
            })  # fmt: skip
    return _frame(rows, [*WHO, *LABELS, "n", "count", "share", "low", "high"])


# --- how far to believe it -----------------------------------------------------------------------------

QUALITY = (
    "known", "judged", "right", "sensitivity", "sensitivity_low", "sensitivity_high", "wrong", "specificity",
    "specificity_low", "specificity_high", "agreement", "kappa", "kappa_low", "kappa_high",
)  # fmt: skip


def quality_of(part: pd.DataFrame, metric: str) -> dict[str, Any]:
    """A judge against known labels: `right` and `wrong` are the judged ones with label 1 and 0.

    Sensitivity: the share of right ones judged right; specificity: of wrong ones judged wrong; both
    with 95 % limits; Cohen's kappa with limits of the bootstrap over items. Unscored ones are not in
    them: `judged` of `known`.
    """
    known = part[part[f"known_{metric}"].notna()]
    judged = known[known[metric].notna()]
    truth, said = judged[f"known_{metric}"].astype(int).to_numpy(), judged[metric].astype(int).to_numpy()
    table = Table(*(int(((truth == t) & (said == s)).sum()) for t, s in ((1, 1), (1, 0), (0, 1), (0, 0))))
    sensitivity, specificity = share(table.a, table.a + table.b), share(table.d, table.c + table.d)
    observed, _, kappa = cohen_kappa(table)
    values = (
        len(known), len(judged), sensitivity.n, sensitivity.value, sensitivity.low, sensitivity.high, specificity.n,
        specificity.value, specificity.low, specificity.high, observed, kappa, *kappa_interval(table),
    )  # fmt: skip
    return dict(zip(QUALITY, values, strict=True))


def quality(verdicts: pd.DataFrame, *, by: Sequence[str] = (), metric: str = "") -> pd.DataFrame:
    """`quality_of` for each set, judge, group and verdict that it gives, over all rows with known labels, repeat 0.

    `by` may name medium, rendering or fault; `metric` restricts to one of the three verdicts.
    """
    keys = [*WHO, *by]
    rows = []
    for place, part in _groups(first_repeat(verdicts), keys):
        for name in [metric] if metric else LABELS:
            if part[name].notna().any() and part[f"known_{name}"].notna().any():
                rows.append({**dict(zip(keys, place, strict=True)), "metric": name, **quality_of(part, name)})
    return _frame(rows, [*keys, "metric", *QUALITY])


def by_known(verdicts: pd.DataFrame) -> pd.DataFrame:
    """For each known combination of labels, the share of solutions whose final answer the judge calls right."""
    rows = []
    told = first_repeat(verdicts)
    told = told[told[list(KNOWN)].notna().all(axis=1)]
    for (which, model, *labels), part in _groups(told, [*WHO, *KNOWN]):
        judged = part[part[FINAL].notna()]
        found = share(int((judged[FINAL] == 1).sum()), len(judged))
        rows.append({
            "set": which, "model": model, **dict(zip(KNOWN, map(int, labels), strict=True)), "n": len(part), "judged": len(judged),
            "called_right": found.k, "share": found.value, "low": found.low, "high": found.high,
        })  # fmt: skip
    columns = [*WHO, *KNOWN, "n", "judged", "called_right", "share", "low", "high"]
    return _frame(rows, columns).sort_values([*WHO, *KNOWN], ascending=[True, True, False, False, False], ignore_index=True)


def consistency(verdicts: pd.DataFrame) -> pd.DataFrame:
    """How often two judgements of the same item by the same judge agree: share of pairs, limits over items, n items.

    Empty where every item was judged once.
    """
    rows = []
    for place, part in _groups(verdicts, WHO):
        if part["repeat"].nunique() < 2:
            continue
        for name in LABELS:
            wide = part.pivot_table(index="row", columns="repeat", values=name, aggfunc="first", dropna=False)
            value, low, high, n = agreement_of_repeats(wide.astype("Float64").to_numpy(dtype=float, na_value=np.nan))
            if n:
                rows.append({
                    **dict(zip(WHO, place, strict=True)), "metric": name, "items": n, "repeats": part["repeat"].nunique(),
                    "agreement": value, "low": low, "high": high,
                })  # fmt: skip
    return _frame(rows, [*WHO, "metric", "items", "repeats", "agreement", "low", "high"])


CORRECTED = (
    "n", "raw", "raw_low", "raw_high", "sensitivity", "specificity", "corrected", "corrected_low", "corrected_high", "note",
)  # fmt: skip


def correction(sample: pd.DataFrame, reference: pd.DataFrame) -> dict[str, Any]:
    """The accuracy among the judged of a sample, raw and corrected by the judge's errors on reference items.

    Rogan and Gladen's estimate with Lang and Reiczigel's limits: see `geoutils.stats.misclassified`. The
    two must not share items.
    """
    judged = sample[sample[FINAL].notna()]
    positive = int((judged[FINAL] == 1).sum())
    known = reference[reference["known_final_correct"].notna() & reference[FINAL].notna()]
    right, wrong = known[known["known_final_correct"] == 1], known[known["known_final_correct"] == 0]
    hits, rejections = int((right[FINAL] == 1).sum()), int((wrong[FINAL] == 0).sum())
    raw, found = share(positive, len(judged)), rogan_gladen(positive, len(judged), hits, len(right), rejections, len(wrong))
    values = (
        len(judged), raw.value, raw.low, raw.high, share(hits, len(right)).value, share(rejections, len(wrong)).value,
        found.value, found.low, found.high, found.note,
    )  # fmt: skip
    return dict(zip(CORRECTED, values, strict=True))


def corrected(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The manifest's accuracy corrected for each judge's errors on the calibration set, in all and by medium.

    A medium is corrected by the errors on calibration items of the same medium. No row where there is no
    manifest or no calibration item.
    """
    told = first_repeat(verdicts)
    rows = []
    for model, part in _groups(told, ["model"]):
        sample, reference = part[part["set"] == MANIFEST], part[part["set"] == CALIBRATION]
        if sample.empty or reference.empty:
            continue
        rows.append({"model": model[0], "medium": "all", **correction(sample, reference)})
        media = [name for name in dict.fromkeys(sample["medium"]) if name]
        for medium in media if len(media) > 1 else []:
            rows.append({
                "model": model[0], "medium": medium,
                **correction(sample[sample["medium"] == medium], reference[reference["medium"] == medium]),
            })  # fmt: skip
    return _frame(rows, ["model", "medium", *CORRECTED])


def tried_correction(verdicts: pd.DataFrame) -> pd.DataFrame:
    """The correction tried on items whose truth is known: the errors on one half of the calibration set correct the other.

    `truth` is the true share among the judged of the corrected half. Halves are the even and the odd
    rounds of eight, so that each has every combination of labels.
    """
    told = first_repeat(verdicts)
    rows = []
    for model, part in _groups(told[told["set"] == CALIBRATION], ["model"]):
        odd = (part["row"] - 1) // len(COMBINATIONS) % 2 == 1
        for name, sample, reference in (("even rounds", part[~odd], part[odd]), ("odd rounds", part[odd], part[~odd])):
            if sample.empty or reference.empty:
                continue
            judged = sample[sample[FINAL].notna()]
            truth = float(judged["known_final_correct"].astype(float).mean()) if len(judged) else np.nan
            rows.append({"model": model[0], "corrected_half": name, **correction(sample, reference), "truth": truth})
    return _frame(rows, ["model", "corrected_half", *CORRECTED, "truth"])


# --- for machines --------------------------------------------------------------------------------------


def records(verdicts: pd.DataFrame) -> list[dict[str, Any]]:
    """The `judge` records of results.json: one for each set, judge and medium (`all` first), numbers or null."""
    told = first_repeat(verdicts)
    fixed = {(row["model"], row["medium"]): row for row in corrected(verdicts).to_dict("records")}
    out = []
    for (which, model), whole in _groups(told, WHO):
        media = [name for name in dict.fromkeys(whole["medium"]) if name]
        for medium, part in [("all", whole), *((name, whole[whole["medium"] == name]) for name in media)]:
            known = quality_of(part, FINAL) if part["known_final_correct"].notna().any() else {}
            mended = fixed.get((model, medium), {}) if which == MANIFEST else {}
            steps, looks = (
                share(int((part[name] == 1).sum()), len(part)).value if part[name].notna().any() else None for name in LABELS[::2]
            )  # fmt: skip
            record = {
                "set": which, "model": model, "protocol": part["protocol"].iloc[0], "medium": medium,
                **{name: value for name, value in accuracy_of(part).items() if name not in ("judged_low", "judged_high")},
                LABELS[0]: steps, LABELS[2]: looks,
                **{name: known.get(name) for name in QUALITY[3:] if name not in ("wrong",)},
                "corrected": mended.get("corrected"), "corrected_low": mended.get("corrected_low"),
                "corrected_high": mended.get("corrected_high"),
            }  # fmt: skip
            out.append({name: _plain(value) for name, value in record.items()})
    return out


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and np.isnan(value) else value
