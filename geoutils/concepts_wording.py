"""The sentences of notebook 11, computed from its tables."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from geoutils.concepts import SCORED
from geoutils.concepts_settings import IMPORTED, IMPORTED_LISTS, LEXICON
from geoutils.concepts_stats import Correlation
from geoutils.display import markdown, percent
from geoutils.experiment import Experiment

PUBLISHED_GROUPS, PUBLISHED_ITEMS = 0.79, 0.17
MISSING_WORDS = "nothing here can be told from this experiment"


def _r(value: float, low: float = float("nan"), high: float = float("nan")) -> str:
    if value != value:
        return "not defined"
    return f"{value:.2f}" if low != low else f"{value:.2f} [{low:.2f}, {high:.2f}]"


def published() -> str:
    """What the study reported, and what its public data say of single solutions."""
    return (
        f"**Published context.** The study reports a correlation of {PUBLISHED_GROUPS} between score and accuracy. It is over *nine group means* "
        "(three models, three prompts), where a better model raises both. Over the 4,050 single solutions of the same public data it is "
        f"{PUBLISHED_ITEMS}. The first says that better models name concepts that are more like the golden ones; the second, that the score "
        "of one solution tells little of whether its answer is right. Below both are computed for this experiment."
    )


def coverage(table: pd.DataFrame, experiment: Experiment) -> str:
    """What is scored, or why nothing is and what to run."""
    if table.empty:
        return (
            "**This experiment has no written solutions:** its models were asked for answers only, or are baselines, which write none. "
            "Ask the strategies `zeroshot`, `fewshot` or `cot` (or `reason`) of a model to have them scored; "
            "`geoutils run data/experiments/concepts.yaml` does so with the embedded model. Below, only the golden solutions can be looked at."
        )
    groups = table.drop_duplicates(["model", "strategy"])
    known = table["correct"].notna()
    cut = int((table["outcome"] == "truncated").sum())
    words = (
        f"{len(table):,} solutions of {table['problem'].nunique():,} problems by {table['model'].nunique()} model(s) under "
        f"{', '.join(f'`{s}`' for s in dict.fromkeys(table['strategy']))} ({len(groups)} groups). {int(table['correct'].sum()):,} of the "
        f"{int(known.sum()):,} graded answers are right ({percent(float(table['correct'].mean()))}); {cut:,} solutions were cut by the token limit "
        "and are scored as far as they go."
    )
    if len(groups) < 3:
        words += (
            f" **With {len(groups)} group(s) there is no correlation over groups**; more models, or `data/experiments/concepts.yaml` "
            "for three prompts, are needed for it."
        )
    ungraded = int((~known).sum())
    return words + (f" {ungraded:,} could not be graded, since their golden solution has no answer." if ungraded else "")


def extraction(table: pd.DataFrame, extractors: Sequence[str]) -> str:
    """How the concepts were found."""
    parts = []
    if IMPORTED in extractors:
        parts.append("The scores came with the imported solutions; nothing was extracted for them.")
    if IMPORTED_LISTS in extractors:
        parts.append("`imported/concepts` are the imported lists, scored anew with our embeddings.")
    if LEXICON in extractors:
        parts.append(
            "`baseline/lexicon` is a **baseline without a model**: it seeks our own concept words in the text, so it takes a mention for a use."
        )
    for row in table.itertuples():
        if row.extractor not in (IMPORTED, IMPORTED_LISTS, LEXICON):
            parts.append(
                f"{markdown(row.extractor)} named concepts in {row.answered:,} of {row.texts:,} texts ({row.concepts_mean:.1f} on average); "
                f"{row.none:,} named none, {row.refusal:,} declined, {row.failed:,} got no answer, {row.cut:,} were cut."
            )
    return " ".join(parts)


def agreement(table: pd.DataFrame) -> str:
    """How far extracted concepts are the tagged ones."""
    if table.empty:
        return "These problems carry no tags, so extracted concepts cannot be held against any."
    parts = []
    for row in table[table["match"] == "exact"].itertuples():
        parts.append(
            f"{markdown(row.extractor)}: of {row.concepts:,} concepts extracted from {row.problems} golden solutions {percent(row.precision, 0)} are tags "
            f"of the problem, and {percent(row.recall, 0)} of the {row.tags:,} tags were found (F1 {row.f1:.2f}); nothing was found in {row.empty}."
        )
    return " ".join(parts) + " A score of solutions cannot be more exact than this step."


def conditions(table: pd.DataFrame) -> str:
    """How many solutions have a score."""
    if table.empty:
        return "There is nothing to score."
    total, scored, cut = int(table["n"].sum()), int(table["scored"].sum()), int(table["truncated"].sum())
    others = {name: int(table[name].sum()) for name in table.columns[5:] if name != "scored"}
    words = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in others.items() if count)
    return f"{scored:,} of {total:,} rows have a score; the others are counted, not scored: {words or 'none'}. {cut:,} are of truncated solutions."


def parts(scored: pd.DataFrame) -> str:
    """One score taken apart."""
    import json

    known = scored[(scored["condition"] == SCORED) & (scored["parts"] != "")]
    if known.empty:
        return "No score has parts to show."
    row = known.loc[known["generated"].idxmax()]
    each = ", ".join(f"{markdown(name)} {value:.2f}" for name, value in zip(row["concepts"].split("; "), json.loads(row["parts"]), strict=False))
    return (
        f"For example `{row['problem']}` by {markdown(row['model'])} ({row['strategy']}): the largest cosine of each of its concepts with one of "
        f"*{markdown(row['golden_concepts'])}* is: {each}. Their mean is the score, {row['score']:.3f}; the coverage is {row['coverage']:.3f}."
    )


def groups(table: pd.DataFrame) -> str:
    """The highest and lowest group."""
    known = table.dropna(subset=["score"])
    if known.empty:
        return "No group has a mean score."
    top, low = known.loc[known["score"].idxmax()], known.loc[known["score"].idxmin()]
    least, most = float(known["accuracy"].min()), float(known["accuracy"].max())
    accuracies = f"accuracies between {percent(least)} and {percent(most)}" if least < most else f"every accuracy is {percent(most)}"
    return (
        f"The mean scores of {len(known)} groups lie between {low['score']:.3f} ({markdown(low['model'])}, {low['strategy']}) and {top['score']:.3f} "
        f"({markdown(top['model'])}, {top['strategy']}); {accuracies}."
    )


def figure_note(table: pd.DataFrame) -> str:
    """The title of the scatter."""
    row = _row(table, "groups", "Pearson")
    return f"r = {_r(row['r'], row['low'], row['high'])} over {int(row['n'])} groups" if row["r"] == row["r"] else str(row["note"])


def _row(table: pd.DataFrame, level: str, method: str) -> pd.Series:
    return table[(table["level"] == level) & (table["method"] == method)].iloc[0]


def correlations(table: pd.DataFrame, between: float) -> str:
    """Groups against items."""
    over, items, area = _row(table, "groups", "Pearson"), _row(table, "items", "Pearson"), _row(table, "items", "AUC")
    within = _row(table, "items within group", "Pearson")
    first = (
        f"Over {int(over['n'])} group means r = {_r(over['r'], over['low'], over['high'])}"
        if over["r"] == over["r"] else f"Over group means nothing can be told ({over['note']})"
    )  # fmt: skip
    if items["r"] != items["r"]:
        return f"{first}; over items neither: {items['note'] or 'the scores do not differ'}. A correlation needs right and wrong answers."
    verdict = "tells little" if abs(items["r"]) < 0.3 else "tells something" if abs(items["r"]) < 0.5 else "tells much"
    return (
        f"{first}; over {int(items['n']):,} single solutions r = {_r(items['r'], items['low'], items['high'])}, and within groups "
        f"{_r(within['r'], within['low'], within['high'])}. A right answer has the higher score than a wrong one in "
        f"{percent(area['r'], 0)} of pairs ({_r(area['r'], area['low'], area['high'])}; 50 % would be chance). "
        f"So the score of one solution {verdict} of its answer here"
        + (f"; {percent(between, 0)} of the variance of scores lies between groups." if between == between else ".")
        + (f" Note: {items['note']}." if items["note"] else "")
    )


def nulls(table: pd.DataFrame, reference: pd.DataFrame) -> str:
    """How much of the score is the subject."""
    parts = []
    for extractor, part in reference.dropna(subset=["score"]).groupby("extractor", sort=False):
        found = dict(zip(part["against"], part["score"], strict=True))
        other, words = found.get("another problem of the category"), found.get("its own in other words")
        if other is not None:
            more = f"; the same concepts in other words give {words:.2f}, though nothing is missing" if words is not None else ""
            parts.append(f"With {markdown(extractor)} a *golden* solution scores {other:.2f} against another problem's golden concepts of its category{more}.")
    known = table.dropna(subset=["random"])
    if len(known):
        weight = known["n"] / known["n"].sum()
        own, random = float((known["own"] * weight).sum()), float((known["random"] * weight).sum())
        parts.append(
            f"The solutions score {own:.2f} against their own golden concepts and {random:.2f} against those of a random other problem of the category: "
            + (f"{percent(random / own, 0)} of the score is there without any knowledge of the problem." if own > random else "the score tells nothing of the problem here.")
        )
    if not parts and len(reference):
        return "No other problem of a category has golden concepts here, so there is no random null; take more problems of each category."
    return " ".join(parts) or "There are no lists of concepts to compare, only imported scores: no null can be made."


def length(found: dict[str, object]) -> str:
    """How the score moves with the length of the list."""
    score, cover = found["score"], found["coverage"]
    if not isinstance(score, Correlation) or score.r != score.r:
        return "With so few lists of different length nothing can be said of length."
    more = f", and of coverage {_r(*cover)}" if isinstance(cover, Correlation) and cover.r == cover.r else ""
    turn = "The interval holds 0: length settles nothing here"
    if score.high < 0:
        turn = "Longer lists score lower: one more concept is one more that may miss"
    elif score.low > 0:
        turn = "Longer lists score higher here"
    return f"Spearman's rho of the score with the number of named concepts is {_r(*score)}{more} (n = {found['n']:,}). {turn}."


def pairs(table: pd.DataFrame) -> str:
    """How many pairs of models differ."""
    if table.empty:
        return "There is only one model under each prompt: no pair to compare."
    first, second = (table["p_mann_whitney_holm"] < 0.05).sum(), (table["p_wilcoxon_holm"] < 0.05).sum()
    return (
        f"Of {len(table)} pairs {int(first)} differ by Mann-Whitney and {int(second)} by the signed-rank test on the same problems "
        "(5 %, Holm's correction). The second is the right one where both solved the same problems."
    )


def judge(table: pd.DataFrame, grader: pd.DataFrame, judged: pd.DataFrame) -> str:
    """Grader and judge."""
    if table.empty:
        return (
            "No True/False judge was asked of these solutions, so accuracy is our grader's alone. Name a model under `concepts.judge` of the "
            "experiment file to ask one; imported solutions bring theirs in the columns ending in `_accurate`."
        )
    row = table.iloc[-1]
    a, b = _row(grader, "items", "Pearson"), _row(judged, "items", "Pearson")
    return (
        f"Grader and judge agree on {percent(row['agreement'])} of {int(row['n']):,} solutions (kappa {_r(row['kappa'])}); only the grader calls "
        f"{int(row['only_grader']):,} right, only the judge {int(row['only_judge']):,}. With the judge's verdicts r over items is "
        f"{_r(b['r'], b['low'], b['high'])} in place of {_r(a['r'], a['low'], a['high'])}."
    )


def cases(low: pd.DataFrame, high: pd.DataFrame) -> str:
    """What the two lists are for."""
    return (
        f"{len(low)} right answers with the lowest scores and {len(high)} wrong ones with the highest. The first show ways of solving that the golden "
        "solution does not take, or lists that were badly extracted; the second, that the right words do not make a right solution."
    )
