"""Experiment files: what they may say, how errors read, and which cells they plan."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoutils.errors import UserError
from geoutils.experiment import (
    KEY,
    REPRESENTATIONS,
    experiment_from_dict,
    limit_problems,
    load_experiment,
    safe_name,
    shown,
    work_root,
)


def problems(per_difficulty: int = 4, variants: int = 1) -> pd.DataFrame:
    rows = [
        {"problem": f"{category}_{difficulty}_{number:02d}", "category": category, "difficulty": difficulty,
         "variant": variant, "representation": representation}
        for category in ("angle", "area")
        for difficulty in ("easy", "hard", "medium")
        for number in range(1, per_difficulty + 1)
        for variant in range(variants)
        for representation in ("vector", "coord", "euclid")
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_the_quickstart_is_read_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    by_path, by_name = load_experiment("data/experiments/quickstart.yaml"), load_experiment("quickstart")
    assert by_path == by_name
    assert by_path.name == "quickstart"
    assert by_path.data_dir == work_root() / "data" / "quickstart"
    assert by_path.source.is_dir()
    assert by_path.limit_per_category == 20
    assert ("local/smollm2-135m-instruct", "convert") in by_path.pairs()


def test_only_the_name_is_needed() -> None:
    experiment = experiment_from_dict({"name": "x"})
    assert experiment.representations == REPRESENTATIONS
    assert experiment.sampling_for("any/model", "direct") == {
        "temperature": 0.0,
        "top_p": 1.0,
        "max_tokens": 512,
        "seed": 1,
    }
    plan = experiment.plan(problems())
    assert list(plan.columns) == list(KEY)
    assert len(plan) == 72
    assert set(plan["repeat"]) == {0}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"nme": "x"}, "f.yaml: nme is unknown; known are name, problems"),
        ({}, "f.yaml: name is missing"),
        ([], "f.yaml: the file must be a mapping"),
        ({"name": 7}, "f.yaml: name must be text (put it in quotes); it is 7"),
        ({"name": "problems"}, "cannot be used as a folder name"),
        ({"name": "comparisons"}, "cannot be used as a folder name"),
        ({"name": "../x"}, "f.yaml: name must be letters"),
        ({"name": "x", "variants": True}, "f.yaml: variants must be a whole number; it is True"),
        ({"name": "x", "variants": 0}, "f.yaml: variants must be 1 or more"),
        ({"name": "x", "models": "a/b"}, "f.yaml: models must be a list"),
        ({"name": "x", "models": ["a"]}, "models item 1 ('a') must be of the form prefix/name"),
        ({"name": "x", "models": ["a/b", "a/b"]}, "models lists 'a/b' twice"),
        ({"name": "x", "representations": ["polar"]}, "representations names 'polar'; known are coord, euclid, vector"),
        ({"name": "x", "problems": {"limit": 3}}, "problems.limit is unknown"),
        ({"name": "x", "sampling": {"temperature": 3}}, "sampling.temperature must be between 0 and 2; it is 3"),
        ({"name": "x", "sampling": {"temperature": float("nan")}}, "sampling.temperature must be between"),
        ({"name": "x", "sampling": {"per_strategy": {"direct": {"top": 1}}}}, "sampling.per_strategy.direct.top is unknown"),
        ({"name": "x", "endpoints": {"lab": {}}}, "endpoints.lab.base_url is missing"),
        ({"name": "x", "endpoints": {"lab": {"base_url": "ftp://a"}}}, "endpoints.lab.base_url must be an http(s) address"),
        ({"name": "x", "endpoints": {"lab": {"base_url": "http://a", "price": {"prompt": -1, "completion": 0}}}},
         "endpoints.lab.price.prompt must be 0 or more"),
        ({"name": "x", "limits": {"max_usd": "5"}}, "limits.max_usd must be a number; it is '5'"),
        ({"name": "x", "parts": [{"variants": 0}]}, "parts[1].variants must be 1 or more"),
        ({"name": "x", "parts": [3]}, "parts[1] must be a mapping"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named(content: object, told: str) -> None:
    with pytest.raises(UserError) as caught:
        experiment_from_dict(content, where="f.yaml")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: [", "line 1: not valid YAML"),
        ("name: a\nname: b\n", "line 2: not valid YAML: key 'name' is given twice"),
        ("name: !!python/object/apply:os.system [echo]", "not valid YAML"),
        ("", "the file must be a mapping"),
    ],
)
def test_what_is_no_experiment_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "e.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match="e.yaml") as caught:
        load_experiment(path)
    assert told in str(caught.value)


def test_missing_and_binary_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such experiment file"):
        load_experiment("not-there")
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="cannot be read"):
        load_experiment(tmp_path / "b.yaml")


def test_the_plan_is_the_union_of_its_parts() -> None:
    experiment = experiment_from_dict(
        {
            "name": "x",
            "models": ["a/one", "a/two"],
            "parts": [
                {"strategies": ["direct"]},
                {"strategies": ["direct", "reason"], "models": ["a/two"], "limit_per_category": 2, "repeats": 2},
            ],
        }
    )
    plan = experiment.plan(problems())
    counts = plan.groupby(["model", "strategy"], sort=False).size().to_dict()
    assert counts == {("a/one", "direct"): 72, ("a/two", "direct"): 72 + 12, ("a/two", "reason"): 24}
    assert not plan.duplicated(list(KEY)).any()
    assert plan["representation"].head(3).tolist() == ["coord", "euclid", "vector"]
    assert experiment.limit_per_category == 0
    assert list(dict.fromkeys(plan["model"])) == ["a/one", "a/two"]


def test_variants_beyond_the_part_are_left_out() -> None:
    experiment = experiment_from_dict({"name": "x", "parts": [{"variants": 3, "limit_per_category": 1}, {}]})
    plan = experiment.plan(problems(variants=5))
    assert experiment.max_variants == 3
    assert len(plan) == 72 + 2 * 2 * 3
    assert plan["variant"].max() == 2


@given(st.integers(1, 12), st.integers(1, 12))
def test_a_smaller_limit_chooses_a_subset_spread_over_difficulties(first: int, second: int) -> None:
    small, large = sorted((first, second))
    table = problems()
    few, many = limit_problems(table, small), limit_problems(table, large)
    assert set(few["problem"]) <= set(many["problem"])
    per_category = few.drop_duplicates("problem").groupby("category").size()
    assert (per_category == min(small, 12)).all()
    by_difficulty = few.drop_duplicates("problem").groupby(["category", "difficulty"]).size()
    assert by_difficulty.max() - by_difficulty.min() <= 1


def test_sampling_goes_from_the_general_to_the_special() -> None:
    experiment = experiment_from_dict(
        {
            "name": "x",
            "sampling": {
                "max_tokens": 10,
                "per_strategy": {"reason": {"max_tokens": 900, "stop": ["END"]}},
                "per_model": {"a/b": {"temperature": None, "extra_body": {"k": [1]}}},
            },
        }
    )
    assert experiment.sampling_for("a/c", "direct")["max_tokens"] == 10
    asked = experiment.sampling_for("a/b", "reason")
    assert asked == {"top_p": 1.0, "max_tokens": 900, "seed": 1, "stop": ["END"], "extra_body": {"k": [1]}}


def test_the_hash_is_of_the_meaning_not_of_the_layout(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: x\nvariants: 2\n")
    (tmp_path / "b.yaml").write_text("# a comment\nvariants: 2\nname: 'x'\nrepeats: 1\n")
    (tmp_path / "c.yaml").write_text("name: x\nvariants: 3\n")
    first, second, third = (load_experiment(tmp_path / f"{name}.yaml").sha256 for name in "abc")
    assert first == second != third


def test_safe_names_read_well() -> None:
    assert safe_name("local/smollm2-135m-instruct") == "local--smollm2-135m-instruct"
    for hard in ("a/b:c", "a/B", "a/b_c", "ü/x", "a/" + "b" * 300):
        assert ":" not in safe_name(hard)
        assert len(safe_name(hard)) <= 100


@given(st.lists(st.text("aAbB/-_.:~9", min_size=1, max_size=8), min_size=2, max_size=2, unique=True))
def test_safe_names_never_meet(pair: list[str]) -> None:
    first, second = map(safe_name, pair)
    assert first.lower() != second.lower()


def test_paths_are_shown_without_the_machine(home: Path) -> None:
    assert shown(home / "data" / "x" / "problems.csv") == "data/x/problems.csv"
    assert shown(Path("/elsewhere/e.yaml")) == "/elsewhere/e.yaml"


def test_the_problems_may_lie_beside_the_experiment(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "e.yaml").write_text("name: x\nproblems: {source: mine}\n")
    assert load_experiment(tmp_path / "e.yaml").source == tmp_path / "mine"


def test_what_was_imported_is_the_default(home: Path, tmp_path: Path) -> None:
    folder = home / "data" / "theirs"
    folder.mkdir(parents=True)
    (folder / "imported.json").write_text('{"models": ["imported/a", "imported/b"], "strategies": ["convert"], "repeats": 2}')
    (tmp_path / "e.yaml").write_text("name: theirs\nmodels: [imported/b]\n")
    experiment = load_experiment(tmp_path / "e.yaml")
    assert experiment.pairs() == [("imported/b", "convert")]
    assert experiment.repeats == 2
    assert experiment.imported["models"] == ["imported/a", "imported/b"]
    (folder / "imported.json").write_text("{")
    with pytest.raises(UserError, match=r"data/theirs/imported.json: cannot be read"):
        load_experiment(tmp_path / "e.yaml")
