"""Score solutions by the concepts they use: what is scored, what extracts the concepts, and the scores with their nulls.

The study behind this compares the concepts of a solution with those of a golden one. Here every step is a table:
`solutions` (what was written, and whether its answer is right), `extract` (concepts by text, each text once),
`score` (one row a solution, with the score against other golden lists beside it). What has no score is counted.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from geoutils.concepts_extraction import (
    TEXT_OUTCOMES,
    Extracted,
    extract,
    extract_all,
    extraction_table,
    extractors_of,
    judge_answers,
    phrases_of,
    split_tags,
    tag_agreement,
)
from geoutils.concepts_lists import paraphrased, read_concepts
from geoutils.concepts_scores import MEASURES, NO_GENERATED, SCORED, Vectors, score_lists
from geoutils.concepts_settings import IMPORTED, SOLVING, WRITTEN
from geoutils.errors import UserError
from geoutils.experiment import Experiment, limit_problems, shown

if TYPE_CHECKING:
    from geoutils.study import Study

__all__ = ["extract", "extract_all", "extraction_table", "extractors_of", "golden_reference", "golden_solutions", "judge_answers", "score", "solutions", "tag_agreement"]
NO_SOLUTION, FAILED, NO_SCORE = "no solution", "extraction failed", "no score"
CONDITIONS = (SCORED, NO_GENERATED, "no golden concepts", "neither", NO_SOLUTION, FAILED, NO_SCORE)
OTHERS = 5  # other problems of the category whose golden concepts make the random null
NULLS = ("random", "paraphrase", "truncated_gold")
KEYS = ["model", "strategy", "problem", "category", "variant", "representation", "repeat"]
SOLUTION_COLUMNS = [*KEYS, "difficulty", "outcome", "verdict", "predicted", "gold", "correct", "text"]
SCORED_COLUMNS = [
    *KEYS, "difficulty", "outcome", "verdict", "correct", "judged", "extractor", "golden_source", "condition", "score", "generated", "golden",
    *MEASURES, *NULLS, "concepts", "golden_concepts", "parts",
]  # fmt: skip


# ---------------------------------------------------------------- what is scored


def chosen_strategies(experiment: Experiment) -> list[str]:
    """The strategies whose responses are solutions: those the experiment names, else zeroshot, fewshot and cot, else reason and convert."""
    asked = list(dict.fromkeys(strategy for _, strategy in experiment.pairs()))
    wanted = experiment.concepts.strategies
    if wanted:
        missing = [name for name in wanted if name not in asked]
        if missing:
            raise UserError(f"concepts.strategies names {missing[0]!r}, which the experiment does not ask; it asks {', '.join(asked)}")
        return list(wanted)
    return [name for name in asked if name in SOLVING] or [name for name in asked if name in WRITTEN]


def solutions(study: Study) -> pd.DataFrame:
    """The solutions to score, one row each with the columns `SOLUTION_COLUMNS`.

    Own runs: the responses of `chosen_strategies`, variant 0 and repeat 0, of models that write solutions (no
    baselines), with the grader's verdict. Imported ones: what `geoutils import concepts` left, which also has
    `imported_score`, `imported_concepts` and `judged` (the judge's True or False). Raises UserError where scoring has
    not run. An experiment without written solutions gives no row.
    """
    path = study.data / "concepts" / "solutions.csv"
    if path.is_file() and study.experiment.imported.get("concepts"):
        from geoutils.study import read_table

        return _numbers(read_table(path))
    experiment, strategies = study.experiment, chosen_strategies(study.experiment)
    reduced = _reduced(experiment, strategies)
    if reduced is None:
        return pd.DataFrame(columns=[*SOLUTION_COLUMNS, "judged"])
    from geoutils.responses import load_responses
    from geoutils.score_files import read_scores

    problems = study.problems()
    pairs = reduced.pairs()
    first = pd.concat([read_scores(study, *pair, variant=0, repeat=0) for pair in pairs], ignore_index=True)
    texts = load_responses(reduced, problems=problems[problems["variant"].astype(int) == 0])[[*KEYS, "content"]]
    table = first.merge(texts, on=KEYS, how="left", validate="one_to_one")
    kept = limit_problems(table.drop_duplicates("problem"), experiment.concepts.limit_per_category)["problem"]
    table = table[table["problem"].isin(kept)].reset_index(drop=True)
    table["text"] = [solution_text(text, strategy) for text, strategy in zip(table["content"].fillna(""), table["strategy"], strict=True)]
    table["judged"] = np.nan
    return table[[*SOLUTION_COLUMNS, "judged"]]


def _reduced(experiment: Experiment, strategies: Sequence[str]) -> Experiment | None:
    """The experiment with only the parts that ask these strategies of models, canonical statements once."""
    parts = []
    for part in experiment.resolved_parts:
        own = tuple(name for name in part.strategies or () if name in strategies)
        models = tuple(model for model in part.models or () if not model.startswith("baseline/"))
        if own and models:
            parts.append(dataclasses.replace(part, strategies=own, models=models, variants=1, repeats=1))
    return dataclasses.replace(experiment, parts=tuple(parts)) if parts else None


def _numbers(table: pd.DataFrame) -> pd.DataFrame:
    for name in ("correct", "judged", "imported_score"):
        if name in table:
            table[name] = pd.to_numeric(table[name].astype(object).replace("", np.nan), errors="coerce")
    return table


def solution_text(content: str, strategy: str) -> str:
    """The solution in a response: its text, of a JSON reply to `convert` the reasoning."""
    if strategy == "convert" and "reasoning" in content:
        from geoutils.json_answers import convert_fields
        from geoutils.normalise import fold

        return convert_fields(fold(content)).get("reasoning") or content
    return content


def golden_solutions(problems: pd.DataFrame) -> pd.DataFrame:
    """One row a problem: problem, category, difficulty, solution (the golden one), tags (the dataset's concepts)."""
    first = problems[problems["variant"].astype(int) == 0].drop_duplicates("problem")
    table = first[["problem", "category", "difficulty", "solution", "concepts"]].fillna("")
    return table.rename(columns={"concepts": "tags"}).reset_index(drop=True)


# ---------------------------------------------------------------- scores


def score(
    table: pd.DataFrame, golden: pd.DataFrame, extracted: Mapping[str, Mapping[str, Extracted]], vectors: Vectors, *,
    source: str = "extracted", threshold: float = 0.9,
) -> pd.DataFrame:
    """One row for each solution and extractor, with the columns `SCORED_COLUMNS`; nothing is dropped.

    `score` is the MSU score against the problem's golden concepts (`source`: `extracted` by the same extractor from the
    golden solution, or `tags`), or the imported one. `condition` is `scored`, or why there is none. Beside it the same
    list against other golden lists: `random` (mean over up to five other problems of the category), `paraphrase` (the
    golden concepts in other words), `truncated_gold` (their first half).
    """
    pieces = [
        _imported(table) if extractor == IMPORTED else _scored(table, golden, extractor, found, vectors, source, threshold)
        for extractor, found in extracted.items()
    ]
    out = pd.concat(pieces, ignore_index=True) if pieces else pd.DataFrame(columns=SCORED_COLUMNS)
    return out[SCORED_COLUMNS]


def golden_lists(golden: pd.DataFrame, found: Mapping[str, Extracted], source: str) -> dict[str, tuple[str, ...]]:
    """The golden concepts of each problem."""
    tags = source == "tags"
    return {row.problem: split_tags(row.tags) if tags else phrases_of(found, row.solution) for row in golden.itertuples()}


def _scored(
    table: pd.DataFrame, golden: pd.DataFrame, extractor: str, found: Mapping[str, Extracted], vectors: Vectors, source: str, threshold: float
) -> pd.DataFrame:
    lists = golden_lists(golden, found, source)
    out = table.drop(columns=["text", "predicted", "gold"], errors="ignore").copy()
    phrases = [phrases_of(found, text) for text in table["text"]]
    own = [lists.get(problem, ()) for problem in table["problem"]]
    made = score_lists(phrases, own, vectors, threshold=threshold)
    for name in ("generated", "golden", *MEASURES):
        out[name] = made[name].to_numpy()
    out["condition"] = [
        NO_SOLUTION if outcome not in TEXT_OUTCOMES or not text.strip() else FAILED if _failed(found, text) else condition
        for outcome, text, condition in zip(table["outcome"], table["text"], made["condition"], strict=True)
    ]
    out["score"] = out["msu"].where(out["condition"] == SCORED)
    others = random_others(golden, lists)
    nulls = {"paraphrase": [[paraphrased(x)] for x in own], "truncated_gold": [[x[: (len(x) + 1) // 2]] for x in own]}
    nulls["random"] = [[lists[name] for name in others.get(problem, ())] for problem in table["problem"]]
    for name, golds in nulls.items():
        out[name] = _mean_scores(phrases, golds, vectors)
        out[name] = out[name].where(out["condition"] == SCORED)
    out["extractor"], out["golden_source"] = extractor, source
    out["concepts"], out["golden_concepts"] = ["; ".join(x) for x in phrases], ["; ".join(x) for x in own]
    out["parts"] = [json.dumps([round(x, 4) for x in parts]) if parts else "" for parts in made["parts"]]
    return out


def _failed(found: Mapping[str, Extracted], text: str) -> bool:
    item = found.get(text)
    return item is None or (item.outcome not in TEXT_OUTCOMES and item.concepts.reading != "refusal")


def _mean_scores(phrases: Sequence[Sequence[str]], golds: Sequence[Sequence[Sequence[str]]], vectors: Vectors) -> np.ndarray:
    """The mean MSU of each list over several golden lists; nan where none has a score."""
    where = [i for i, several in enumerate(golds) for _ in several]
    flat = score_lists([phrases[i] for i in where], [gold for several in golds for gold in several], vectors)["msu"].to_numpy(float)
    known = ~np.isnan(flat)
    places = np.array(where, dtype=int)[known]
    sums, counts = np.bincount(places, flat[known], len(phrases)), np.bincount(places, minlength=len(phrases))
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def random_others(golden: pd.DataFrame, lists: Mapping[str, Sequence[str]], count: int = OTHERS) -> dict[str, list[str]]:
    """For each problem up to `count` others of its category with golden concepts, in an order that only names fix."""
    full = golden[[bool(lists.get(name)) for name in golden["problem"]]]
    out: dict[str, list[str]] = {}
    for category, part in golden.groupby("category", sort=False):
        names = full.loc[full["category"] == category, "problem"].tolist()
        for problem in part["problem"]:
            out[problem] = sorted((name for name in names if name != problem), key=lambda name: _place(problem, name))[:count]
    return out


def _place(problem: str, other: str) -> bytes:
    return hashlib.blake2b(f"random|{problem}|{other}".encode(), digest_size=8).digest()


def _imported(table: pd.DataFrame) -> pd.DataFrame:
    """Scores as they came: there are no parts and no nulls, since the lists did not all come along."""
    out = table.drop(columns=["text", "predicted", "gold"], errors="ignore").copy()
    blank = table["text"].str.strip() == ""  # whatever score it came with
    out["score"] = out["imported_score"].astype(float).where(~blank)
    out["condition"] = np.where(blank, NO_SOLUTION, np.where(out["score"].notna(), SCORED, NO_SCORE))
    out["extractor"], out["golden_source"] = IMPORTED, "imported"
    lists = [read_concepts(text).phrases for text in out["imported_concepts"]] if "imported_concepts" in out else [()] * len(out)
    out["concepts"], out["golden_concepts"], out["parts"] = ["; ".join(x) for x in lists], "", ""
    out["generated"] = [len(x) if x else np.nan for x in lists]
    for name in ("golden", *MEASURES, *NULLS):
        out[name] = np.nan
    out["msu"] = out["score"]
    return out


def scores_path(experiment: Experiment) -> Path:
    """Where the scored solutions of an experiment are kept."""
    return experiment.data_dir / "concepts" / "scored.csv"


def save_scores(study: Study, scored: pd.DataFrame) -> Path:
    """Keep the scored solutions as data/NAME/concepts/scored.csv, for results.json and exports."""
    from geoutils.study import Saved, write_table

    path = write_table(scored, scores_path(study.experiment))
    study.wrote(path, f"{len(scored):,} rows: one for each solution and extractor")
    return Saved(path)


def saved_scores(experiment: Experiment) -> pd.DataFrame | None:
    """The scored solutions that notebook 11 left, None where it has not run."""
    path = scores_path(experiment)
    if not path.is_file():
        return None
    text = dict.fromkeys([*KEYS[:4], "representation", "difficulty", "outcome", "verdict", "extractor", "condition", "concepts", "golden_concepts", "parts"], str)
    try:
        return pd.read_csv(path, dtype=text, keep_default_na=True, na_values=[""]).fillna(dict.fromkeys(text, ""))
    except (ValueError, UnicodeDecodeError) as error:
        raise UserError(f"{shown(path)}: not a readable table ({error}); delete it and run the stage concepts again") from None


def golden_reference(golden: pd.DataFrame, extracted: Mapping[str, Mapping[str, Extracted]], vectors: Vectors, *, source: str = "extracted") -> pd.DataFrame:
    """What the golden solutions themselves reach against each golden list: the ceiling, and what the subject alone gives."""
    rows = []
    for extractor, found in extracted.items():
        if extractor == IMPORTED:
            continue
        lists = golden_lists(golden, found, source)
        kept = [(row.problem, lists[row.problem]) for row in golden.itertuples() if lists[row.problem]]
        others = random_others(golden, lists)
        phrases = [own for _, own in kept]
        tags = dict(zip(golden["problem"], map(split_tags, golden["tags"]), strict=True))
        versions: dict[str, list[list[Sequence[str]]]] = {
            "its own concepts": [[own] for own in phrases],
            "the dataset's tags": [[tags[name]] for name, _ in kept],
            "its own in other words": [[paraphrased(own)] for own in phrases],
            "the first half of its own": [[own[: (len(own) + 1) // 2]] for own in phrases],
            "another problem of the category": [[lists[other] for other in others[name]] for name, _ in kept],
        }
        for words, golds in versions.items():
            found_scores = _mean_scores(phrases, golds, vectors)
            known = found_scores[~np.isnan(found_scores)]
            rows.append((extractor, words, len(golden), len(known), float(known.mean()) if len(known) else np.nan))
    return pd.DataFrame(rows, columns=["extractor", "against", "problems", "scored", "score"])
