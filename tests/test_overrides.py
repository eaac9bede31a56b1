"""Overrides: checked, applied to their response only, listed when stale, kept over re-scoring."""

from __future__ import annotations

from pathlib import Path

import pytest
from scored_samples import parsed, problems, responses

from geoutils.errors import UserError
from geoutils.overrides import COLUMNS, add_override, load_overrides, override_states, remove_override
from geoutils.scoring import score


def cell(at: int, **more: object) -> dict[str, object]:
    row = responses().iloc[at]
    names = ["model", "strategy", "problem", "variant", "representation", "repeat", "response_sha256"]
    return {name: row[name] for name in names} | {"experiment": "e", "correct": 1, "who": "Ada", "why": "the span was misread"} | more


def test_an_override_is_applied_and_survives_scoring_again(tmp_path: Path) -> None:
    path = add_override(tmp_path / "overrides.csv", **cell(2))
    human = load_overrides(path, experiment="e")
    for _ in range(2):
        scores = score(parsed(), problems(), overrides=human)
        assert (scores["correct"][2], scores["verdict"][2], scores["overridden"][2]) == (1, "correct", 1)
        assert scores["overridden"].sum() == 1
    assert load_overrides(path, experiment="other").empty


def test_an_override_of_another_response_is_stale(tmp_path: Path) -> None:
    add_override(tmp_path / "o.csv", **cell(2, response_sha256="f" * 64))
    add_override(tmp_path / "o.csv", **cell(3, problem="gone"))
    human = load_overrides(tmp_path / "o.csv")
    graded = score(parsed(), problems())
    assert list(override_states(graded, human)["state"]) == ["stale", "no such cell"]
    assert score(parsed(), problems(), overrides=human)["correct"].equals(graded["correct"])


def test_states_say_what_changes(tmp_path: Path) -> None:
    add_override(tmp_path / "o.csv", **cell(2))
    add_override(tmp_path / "o.csv", **cell(0))
    states = override_states(score(parsed(), problems()), load_overrides(tmp_path / "o.csv"))
    assert list(states["state"]) == ["applied", "applied"]
    assert list(states["changes"]) == [1, 0]
    assert list(states["graded"]) == [0, 1]


def test_a_second_override_of_a_response_replaces_the_first_and_can_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    add_override(path, **cell(2))
    add_override(path, **cell(2, correct=0))
    assert list(load_overrides(path)["correct"]) == [0]
    remove_override(path, **{k: v for k, v in cell(2).items() if k in COLUMNS and k not in ("correct", "who", "why")})
    assert load_overrides(path).empty


@pytest.mark.parametrize(
    ("change", "message"),
    [({"correct": "maybe"}, "correct"), ({"who": ""}, "who"), ({"why": " "}, "why"), ({"response_sha256": "abc"}, "64"), ({"variant": "x"}, "variant")],
)
def test_a_bad_row_is_refused_with_its_place(tmp_path: Path, change: dict, message: str) -> None:
    path = add_override(tmp_path / "o.csv", **cell(2))
    lines = path.read_text(encoding="utf-8").splitlines()
    good = dict(zip(lines[0].split(","), lines[1].split(","), strict=True)) | change
    path.write_text("\n".join([lines[0], ",".join(good[name] for name in lines[0].split(","))]) + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=rf"row 2.*{message}"):
        load_overrides(path)
    with pytest.raises(UserError, match=message):
        add_override(tmp_path / "new.csv", **cell(2, **change))


def test_a_missing_column_and_a_repeated_row_are_refused(tmp_path: Path) -> None:
    path = add_override(tmp_path / "o.csv", **cell(2))
    text = path.read_text(encoding="utf-8")
    path.write_text(text + text.splitlines()[1] + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"row 3.*second override"):
        load_overrides(path)
    path.write_text(text.replace("why", "reason", 1), encoding="utf-8")
    with pytest.raises(UserError, match="column why is missing"):
        load_overrides(path)
    assert load_overrides(tmp_path / "none.csv").empty
