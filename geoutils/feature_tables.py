"""Scores beside the surface features of their statements, and what the two have in common."""

from __future__ import annotations

import pandas as pd

from geoutils.errors import UserError
from geoutils.features import FEATURES, statement_features
from geoutils.panel import KNOWN, check_scores


def merge_features(scores: pd.DataFrame, problems: pd.DataFrame, *, variant: int = 0, repeat: int = 0) -> pd.DataFrame:
    """Scores of one variant and repeat beside the features of their statements, one row a cell.

    Columns: model, strategy, kind, problem, category, representation, correct, outcome, then the features.
    A figure has no surface text, so its cells are left out; ``attrs["without_text"]`` counts them.
    Raises :class:`UserError` naming the first statement that the problems table does not have.
    """
    checked, _ = check_scores(scores)
    checked = checked[(checked["variant"] == variant) & (checked["repeat"] == repeat)]
    pictures = checked["representation"] == "figure"
    checked = checked[~pictures]
    problems = problems[problems["representation"] != "figure"]
    columns = ["model", "strategy", "kind", "problem", "category", "representation", "correct", "outcome"]
    features = statement_features(
        problems[problems["variant"].astype(int) == variant] if "variant" in problems else problems
    )
    twice = features.duplicated(["problem", "representation"])
    if twice.any():
        row = features[twice].iloc[0]
        raise UserError(f"problems table: {row['problem']}, {row['representation']} is there twice; keep one row")
    merged = checked[columns].merge(
        features.drop(columns="variant"), on=["problem", "representation"], how="left", validate="many_to_one"
    )
    lost = merged["tokens"].isna()
    if lost.any():
        row = merged[lost].iloc[0]
        raise UserError(
            f"problems table: no statement of {row['problem']} in {row['representation']} ({int(lost.sum())} scored cells "
            "have none); run notebook 01_dataset with the problems that were scored"
        )
    merged.attrs["without_text"] = int(pictures.sum())
    return merged


def describe_features(merged: pd.DataFrame) -> pd.DataFrame:
    """Mean and range of each feature by representation, one row a feature and representation, over statements."""
    statements = merged.drop_duplicates(["problem", "representation"])
    rows = []
    for name, words in FEATURES.items():
        for r in [r for r in KNOWN if r in set(statements["representation"])]:
            values = statements.loc[statements["representation"] == r, name].astype(float)
            rows.append(
                {
                    "feature": name,
                    "representation": r,
                    "n": int(values.notna().sum()),
                    "mean": values.mean(),
                    "sd": values.std(),
                    "low": values.min(),
                    "high": values.max(),
                    "what": words,
                }
            )
    return pd.DataFrame(rows, columns=["feature", "representation", "n", "mean", "sd", "low", "high", "what"])


def correlations(merged: pd.DataFrame) -> pd.DataFrame:
    """Pearson correlation of the features over statements, and of each with the mean accuracy of a statement.

    ``accuracy`` averages over models and strategies (no baselines where there is anything else);
    ``within_problem`` correlates after subtracting each problem's mean over its representations, so that hard
    problems with long texts do not pose as an effect of length. A feature that does not vary is ``nan``.
    """
    names = list(FEATURES)
    answerers = merged[merged["kind"] != "BASELINE"]
    answerers = answerers if len(answerers) else merged
    keys = ["problem", "representation"]
    statements = answerers.groupby(keys, as_index=False).agg(
        **{n: (n, "first") for n in names}, accuracy=("correct", "mean")
    )
    numbers = statements[[*names, "accuracy"]].astype(float)
    centred = numbers - numbers.groupby(statements["problem"]).transform("mean")
    matrix = _correlation(numbers)
    out = matrix.loc[names, names].copy()
    out.insert(0, "accuracy", matrix.loc[names, "accuracy"])
    out.insert(1, "within_problem", _correlation(centred).loc[names, "accuracy"])
    out.insert(2, "statements", len(statements))
    return out.rename_axis("feature").reset_index()


def _correlation(frame: pd.DataFrame) -> pd.DataFrame:
    varies = frame.std() > 1e-9
    return frame.loc[:, varies].corr().reindex(index=frame.columns, columns=frame.columns)
