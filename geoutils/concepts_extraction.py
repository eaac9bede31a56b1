"""Which concepts a text uses, by an extractor: a model that is asked once for each text, or our words sought in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from geoutils.concepts_lists import MAX_CONCEPTS, Concepts, find_concepts, normal, read_concepts, tag_of
from geoutils.concepts_scores import Vectors, score_lists
from geoutils.concepts_settings import DEFAULTS, IMPORTED, IMPORTED_LISTS, LEXICON
from geoutils.errors import UserError
from geoutils.experiment import Experiment

if TYPE_CHECKING:
    from geoutils.study import Study

PROMPT, PLACE = "concepts", "{solution}"
JUDGING = "answer-judge"  # purpose of the judge's requests, as sampling.per_strategy may name it
FOLDER = "concepts"
OURS = (LEXICON, IMPORTED, IMPORTED_LISTS)  # extractors that ask no model
TEXT_OUTCOMES = ("ok", "truncated")


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an extractor gave for one text: its phrases, how they were read, and the outcome of asking."""

    concepts: Concepts
    outcome: str = "ok"


def split_tags(tags: str) -> tuple[str, ...]:
    """Tags of a problem, separated by semicolons, as phrases."""
    return tuple(dict.fromkeys(name for part in tags.split(";") if (name := normal(part))))


def check_extractors(experiment: Experiment) -> None:
    """UserError for an extractor, judge or embeddings without an endpoint, and for a missing key of one that was never asked."""
    from geoutils.asking import answers_path
    from geoutils.concepts_settings import EMBEDDED
    from geoutils.embeddings import cache_path
    from geoutils.responses import endpoint_of

    settings = experiment.concepts
    asked = [(model, answers_path(experiment, model, purpose=PROMPT, folder=FOLDER)) for model in settings.extractors if model not in OURS]
    if settings.judge:
        asked.append((settings.judge, answers_path(experiment, settings.judge, purpose=JUDGING, folder=FOLDER)))
    if settings.embeddings != EMBEDDED:
        asked.append((settings.embeddings, cache_path(experiment, settings.embeddings)))
    for model, path in asked:
        if model.startswith(("baseline/", "simulated/")):
            raise UserError(f"concepts: {model} cannot extract or judge; known are {LEXICON} and models with an endpoint")
        endpoint = endpoint_of(model, experiment)
        if not path.is_file():
            endpoint.key()


def extractors_of(experiment: Experiment, table: pd.DataFrame, given: Sequence[str] = ()) -> list[str]:
    """What extracts: `given`, else what the experiment names, else imported scores (and lists, where golden ones came too), else the lexicon."""
    named = list(given) or list(experiment.concepts.extractors)
    if named or "imported_score" not in table:
        return named or [LEXICON]
    return [IMPORTED, IMPORTED_LISTS] if experiment.imported.get("golden_concepts") else [IMPORTED]


def extract_all(study: Study, table: pd.DataFrame, golden: pd.DataFrame, extractors: Sequence[str], **options: Any) -> dict[str, dict[str, Extracted]]:
    """The concepts of all solutions and golden solutions, by extractor and text; options as in `extract`."""
    texts = [*golden["solution"], *table["text"]]
    return {
        name: _imported_lists(table, golden) if name == IMPORTED_LISTS else extract(study, name, texts, **options) for name in extractors
    }  # fmt: skip


def _imported_lists(table: pd.DataFrame, golden: pd.DataFrame) -> dict[str, Extracted]:
    """The lists that came with imported solutions, by text; those of golden solutions came as their tags."""
    if "imported_concepts" not in table:
        raise UserError(f"extractor {IMPORTED_LISTS}: this experiment has no imported lists of concepts")
    lists = dict(zip(table["text"], table["imported_concepts"], strict=True)) | dict(zip(golden["solution"], golden["tags"], strict=True))
    return {text: Extracted(read_concepts(words)) for text, words in lists.items() if text.strip()}


def extract(study: Study, extractor: str, texts: Iterable[str], *, ask: bool = True, retry: Sequence[str] = ()) -> dict[str, Extracted]:
    """The concepts of each distinct text by one extractor: a model is asked once for a text, and never again.

    `ask=False` only reads what was answered before. A model's reply that the token limit cut loses its last phrase.
    """
    distinct = list(dict.fromkeys(text for text in texts if text.strip()))
    if extractor == LEXICON:
        return {text: Extracted(find_concepts(text)) for text in distinct}
    if extractor == IMPORTED:
        return {}
    if extractor.startswith(("baseline/", "simulated/")):
        raise UserError(f"concepts: {extractor} cannot extract; known are {LEXICON} and models with an endpoint")
    from geoutils import asking
    from geoutils.prompts import load_text

    experiment = study.experiment
    prompt, longest = load_text(PROMPT, (PLACE,)), experiment.concepts.max_chars
    questions = [asking.Question(prompt.replace(PLACE, text[:longest])) for text in distinct]
    options: dict[str, Any] = {
        "purpose": PROMPT, "folder": FOLDER, "parameters": asking.parameters_for(experiment, extractor, PROMPT, DEFAULTS),
    }  # fmt: skip
    rows = asking.ask(experiment, extractor, questions, retry=retry, **options) if ask else asking.answers(experiment, extractor, questions, **options)
    return {text: _read(row) for text, row in zip(distinct, rows, strict=True)}


def _read(row: Mapping[str, Any]) -> Extracted:
    outcome = str(row["outcome"])
    if outcome not in TEXT_OUTCOMES:
        reading = "refusal" if outcome in ("refused", "content_filter") else "none"
        return Extracted(Concepts((), reading), outcome)
    found = read_concepts(row["content"])
    if outcome == "truncated" and 1 < len(found.phrases) < MAX_CONCEPTS:
        found = dataclasses.replace(found, phrases=found.phrases[:-1], dropped=found.dropped + 1)
    return Extracted(found, outcome)


def judge_answers(study: Study, table: pd.DataFrame, golden: pd.DataFrame, *, ask: bool = True) -> pd.DataFrame:
    """The solutions with `judged`: 1 or 0 where the experiment's text judge says True or False of the answer.

    Where the experiment names no judge the table stays as it is. A reply that is neither word, and a solution without a
    text, have no verdict (nan). Each pair of golden and candidate solution is asked once.
    """
    model = study.experiment.concepts.judge
    if not model or table.empty:
        return table
    from geoutils import asking, judge_questions
    from geoutils.judge_reading import read_truth

    experiment, prompt = study.experiment, judge_questions.answer_prompt()
    longest, truths = experiment.concepts.max_chars, dict(zip(golden["problem"], golden["solution"], strict=True))
    written = table["text"].str.strip() != ""
    questions = [
        asking.Question(judge_questions.filled(prompt, {
            judge_questions.TRUTH: truths[problem][:longest], judge_questions.CANDIDATE: judge_questions.quoted(text[:longest]),
        }))
        for problem, text in zip(table.loc[written, "problem"], table.loc[written, "text"], strict=True)
    ]  # fmt: skip
    options: dict[str, Any] = {
        "purpose": JUDGING, "folder": FOLDER, "parameters": asking.parameters_for(experiment, model, JUDGING, {**DEFAULTS, "max_tokens": 8}),
    }  # fmt: skip
    rows = asking.ask(experiment, model, questions, **options) if ask else asking.answers(experiment, model, questions, **options)
    verdicts = [read_truth(row["content"]).final_correct if row["outcome"] in TEXT_OUTCOMES else None for row in rows]
    judged = pd.Series(np.nan, index=table.index)
    judged[written] = [np.nan if verdict is None else float(verdict) for verdict in verdicts]
    return table.assign(judged=judged)


def extraction_table(extracted: Mapping[str, Mapping[str, Extracted]]) -> pd.DataFrame:
    """One row an extractor: distinct texts, how they were read, failed (never answered), cut, phrases a text, dropped pieces."""
    rows = []
    for extractor, found in extracted.items():
        each = list(found.values())
        usable = [item for item in each if item.outcome in TEXT_OUTCOMES]
        lengths = [len(item.concepts.phrases) for item in usable if item.concepts.phrases]
        rows.append({
            "extractor": extractor, "texts": len(each), "answered": len(lengths),
            "none": sum(item.concepts.reading == "none" for item in usable),
            "refusal": sum(item.concepts.reading == "refusal" for item in each),
            "failed": sum(item.outcome not in TEXT_OUTCOMES and item.concepts.reading != "refusal" for item in each),
            "cut": sum(item.outcome == "truncated" for item in each),
            "concepts_mean": float(np.mean(lengths)) if lengths else np.nan, "concepts_most": max(lengths, default=0),
            "distinct": len({p for item in usable for p in item.concepts.phrases}),
            "repeated": sum(item.concepts.repeated for item in usable), "dropped": sum(item.concepts.dropped for item in usable),
        })  # fmt: skip
    columns = ["extractor", "texts", "answered", "none", "refusal", "failed", "cut", "concepts_mean", "concepts_most", "distinct", "repeated", "dropped"]
    return pd.DataFrame(rows, columns=columns)


def tag_agreement(golden: pd.DataFrame, extracted: Mapping[str, Mapping[str, Extracted]], vectors: Vectors, *, threshold: float) -> pd.DataFrame:
    """Concepts extracted from the golden solutions against the dataset's tags: precision, recall and F1 by extractor.

    `exact` counts a phrase that is a tag or one of its other names; `by meaning` one whose cosine with some tag reaches
    the threshold. Pooled over problems (micro), and as means over problems with both lists (`mean_`). Problems where an
    extractor found nothing count with all their tags as missed, and are in `empty`.
    """
    tagged = golden[golden["tags"].str.strip() != ""]
    rows = []
    for extractor, found in extracted.items():
        if extractor in (IMPORTED, IMPORTED_LISTS) or tagged.empty:
            continue
        tags = [split_tags(text) for text in tagged["tags"]]
        phrases = [phrases_of(found, text) for text in tagged["solution"]]
        names = [tuple(dict.fromkeys(tag_of(p) for p in each)) for each in phrases]
        hits = np.array([len(set(a) & set(b)) for a, b in zip(names, tags, strict=True)])
        rows.append((extractor, "exact", *_prf(hits, hits, np.array([len(a) for a in names]), np.array([len(b) for b in tags]))))
        scored = score_lists(phrases, tags, vectors, threshold=threshold)
        m, n = scored["generated"].to_numpy(), scored["golden"].to_numpy()
        near_a = np.nan_to_num(scored["precision"].to_numpy()) * m
        near_b = np.nan_to_num(scored["recall"].to_numpy()) * n
        rows.append((extractor, f"by meaning ({threshold:g})", *_prf(near_a, near_b, m, n)))
    names_ = ["extractor", "match", "problems", "empty", "concepts", "tags", "precision", "recall", "f1", "mean_precision", "mean_recall", "mean_f1"]
    return pd.DataFrame(rows, columns=names_)


def _prf(hit_a: np.ndarray, hit_b: np.ndarray, m: np.ndarray, n: np.ndarray) -> tuple[float, ...]:
    """Counts, pooled precision, recall, F1, and their means over problems with both lists."""
    def f(p: float, r: float) -> float:
        return 2 * p * r / (p + r) if p + r > 0 else 0.0

    p = float(hit_a.sum() / m.sum()) if m.sum() else np.nan
    r = float(hit_b.sum() / n.sum()) if n.sum() else np.nan
    both = (m > 0) & (n > 0)
    each_p, each_r = hit_a[both] / m[both], hit_b[both] / n[both]
    means = (float(each_p.mean()), float(each_r.mean()), float(np.mean([f(*x) for x in zip(each_p, each_r, strict=True)]))) if both.any() else (np.nan,) * 3
    return len(m), int((m == 0).sum()), int(m.sum()), int(n.sum()), p, r, f(p, r) if p == p and r == r else np.nan, *means


def phrases_of(found: Mapping[str, Extracted], text: str) -> tuple[str, ...]:
    """The concepts of a text, none where it was not extracted."""
    item = found.get(text)
    return item.concepts.phrases if item else ()
