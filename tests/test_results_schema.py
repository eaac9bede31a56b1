"""results.json follows its schema, with and without scores."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pandas as pd
import pytest
from gallery_samples import finished
from test_report import RESULTS

from geoutils.experiment import safe_name
from geoutils.results import collect_results, definitions


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(files("geoutils").joinpath("templates", "results.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def faults(validator: jsonschema.Draft202012Validator, results: object) -> list[str]:
    plain = json.loads(json.dumps(results, allow_nan=False))
    return [f"{list(error.path)}: {error.message}" for error in validator.iter_errors(plain)]


def test_a_study_without_scores_follows_it(home: Path, validator: jsonschema.Draft202012Validator) -> None:
    study, _, _ = finished(home)
    results = collect_results(study.experiment, started="2026-01-01T00:00:00+00:00", seconds=1.0)
    assert faults(validator, results) == []
    assert results["accuracy"] == []


def test_a_scored_study_follows_it(home: Path, validator: jsonschema.Draft202012Validator) -> None:
    study, scores, _ = finished(home)
    folder = study.data / "scores"
    folder.mkdir()
    for (model, strategy), part in scores.groupby(["model", "strategy"]):
        pd.DataFrame(part).to_csv(folder / f"exp1_{safe_name(str(model))}__{strategy}.csv", index=False)
    results = collect_results(study.experiment, started="2026-01-01T00:00:00+00:00", seconds=1.0)
    assert faults(validator, results) == []
    assert len(results["accuracy"]) == 9
    assert len(results["invariance"]) == 3


def test_what_is_wrong_is_found(validator: jsonschema.Draft202012Validator) -> None:
    broken = {**RESULTS, "accuracy": [{**RESULTS["accuracy"][0], "low": 1.5}], "plan": -1}
    told = faults(validator, broken)
    assert any("1.5" in text for text in told)
    assert any("-1" in text for text in told)


def test_every_field_is_explained(validator: jsonschema.Draft202012Validator) -> None:
    for name, field in validator.schema["properties"].items():
        inner = field.get("items", field).get("properties", {})
        for column, about in {name: field, **inner}.items():
            assert about.get("description") or about.get("properties") or column == "seconds", f"{name}.{column}"


def test_every_list_and_column_is_defined(home: Path, validator: jsonschema.Draft202012Validator) -> None:
    study, _, _ = finished(home)
    results = collect_results(study.experiment, started="2026-01-01T00:00:00+00:00", seconds=1.0)
    assert results["definitions"] == definitions()
    lists = {name for name, value in results.items() if isinstance(value, list)}
    assert lists <= set(definitions())
    for name, definition in definitions().items():
        assert definition["about"], name
        for column, about in definition["columns"].items():
            kind = validator.schema["properties"][name]["items"]["properties"][column].get("type")
            number = bool({"number", "integer"} & set([kind] if isinstance(kind, str) else kind or []))
            assert bool(about["formula"]) == number, f"{name}.{column}: a number needs a formula, a key has none"


def test_records_and_definitions_have_the_same_columns() -> None:
    for name in ("outcomes", "accuracy", "invariance", "cost"):
        for record in RESULTS[name]:
            assert set(record) <= set(definitions()[name]["columns"]), name
