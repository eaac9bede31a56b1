"""The regression corpus: stored responses read by old and new code."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoutils.errors import UserError
from geoutils.imports import import_raw
from geoutils.regrade import corpus, regrade

OLD = """
class Found:
    reading, rule = "answered", "old"
    def __init__(self, text): self.predicted = text.split()[-1].strip(".")
def read_answer(text, *, strategy=None, unit=None, truncated=False): return Found(text)
"""


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path))
    raw, golds = tmp_path / "raw", tmp_path / "golds"
    raw.mkdir()
    golds.mkdir()
    (golds / "length_hard_91_answer.txt").write_text("5", encoding="utf-8")
    (raw / "length_hard_91_coord.txt").write_text("The length is 5.", encoding="utf-8")
    (raw / "length_hard_91_euclid.txt").write_text("The length is 5, since the legs are 3 and 4.", encoding="utf-8")
    import_raw(raw, name="corpus", model="a/b", problems=golds)
    return tmp_path


def test_the_corpus_holds_every_stored_text_once(stored: Path) -> None:
    items = list(corpus())
    assert [item["strategy"] for item in items] == ["direct", "direct"]
    assert "length_hard_91 coord" in items[0]["where"]


def test_changed_readings_are_listed(stored: Path) -> None:
    package = stored / "old" / "geoutils"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "parsing.py").write_text(OLD, encoding="utf-8")
    found = regrade(old=stored / "old")
    assert found.responses == 2
    assert list(found.changed["before_predicted"]) == ["4"]
    assert list(found.changed["after_predicted"]) == ["5"]
    assert "4 -> 5" in found.text()


def test_saved_readings_compare_equal_to_themselves(stored: Path) -> None:
    saved = stored / "readings.jsonl"
    assert regrade(["corpus"], save=saved).changed.empty
    assert regrade(["corpus"], against=saved).changed.empty


def test_mistakes_are_told(stored: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="neither a folder nor a git revision"):
        regrade(old="no-such-revision")
    with pytest.raises(UserError, match="no such file"):
        regrade(against=stored / "none.jsonl")
    (tmp_path / "bare").mkdir()
    monkeypatch.setenv("GEOUTILS_HOME", str(tmp_path / "bare"))
    with pytest.raises(UserError, match="no stored responses"):
        regrade()
