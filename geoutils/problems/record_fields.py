"""Typed access to the raw data of a record; faults are collected, reading goes on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sentence:
    """One sentence of a statement; `means` and `reviewed` only where the grammar cannot read it."""

    say: str
    means: tuple[str, ...] = ()
    reviewed: str = ""


def one_minus(text: str) -> str:
    """One minus sign in all printed statements, that of the printed values: `-`, not U+2212."""
    return text.replace("\u2212", "-")


class Bad(Exception):
    """A fault inside one record: the field and the reason."""

    def __init__(self, where: str, reason: str, kind: str = "record") -> None:
        super().__init__(reason)
        self.where, self.reason, self.kind = where, reason, kind


@dataclass
class Fields:
    """Typed access to a record's raw data; faults are collected, a neutral value is returned."""

    data: dict[str, Any]
    bad: list[Bad]

    def text(self, key: str) -> str:
        value = self.data.get(key, "")
        if not isinstance(value, str) or (key in self.data and not value.strip()):
            self.bad.append(Bad(key, f"must be a text, not {kind_of(value)}; quote it if it holds ': '"))
            return ""
        return value.strip()

    def word(self, key: str, pattern: re.Pattern[str], need: str) -> str:
        value = self.text(key)
        if value and not pattern.fullmatch(value):
            self.bad.append(Bad(key, f"{value!r} {need}"))
        return value

    def choice(self, key: str, options: tuple[str, ...]) -> str:
        value = self.text(key)
        if value and value not in options:
            self.bad.append(Bad(key, f"{value!r}; one of {', '.join(options)}"))
        return value

    def mapping(self, key: str) -> dict[str, Any]:
        value = self.data.get(key, {})
        if isinstance(value, dict):
            return value
        if value != "":
            self.bad.append(Bad(key, f"must be a mapping (name: value), not {kind_of(value)}"))
        return {}

    def strings(self, key: str, value: Any = None) -> tuple[str, ...]:
        value = self.data.get(key, []) if value is None else value
        if isinstance(value, str):
            value = [value] if value else []
        if not isinstance(value, list):
            self.bad.append(Bad(key, f"must be a list of texts, not {kind_of(value)}"))
            return ()
        for i, item in enumerate(value):
            if not isinstance(item, str) or not item.strip():
                self.bad.append(Bad(f"{key}[{i}]", f"must be a text, not {kind_of(item)}; quote it if it holds ': '"))
        return tuple(item.strip() for item in value if isinstance(item, str))

    def integer(self, key: str, value: Any) -> int:
        if isinstance(value, str) and re.fullmatch(r"-?\d{1,6}", value):
            return int(value)
        self.bad.append(Bad(key, f"{value!r} is not a whole number of at most 6 digits"))
        return 0

    def integers(self, key: str, value: Any) -> tuple[int, ...]:
        if not isinstance(value, list) or not value:
            self.bad.append(Bad(key, "must be a list of whole numbers, like [2, 3, 5]"))
            return (1,)
        numbers = tuple(self.integer(key, item) for item in value)
        if len(set(numbers)) != len(numbers):
            self.bad.append(Bad(key, f"a value is given twice in {list(numbers)}"))
        return numbers

    def expressions(self, key: str, pattern: re.Pattern[str], need: str) -> dict[str, str]:
        result = {}
        for name, value in self.mapping(key).items():
            if not pattern.fullmatch(name):
                self.bad.append(Bad(f"{key}.{name}", f"{name!r}: {need}"))
            if not isinstance(value, str) or not value.strip():
                self.bad.append(Bad(f"{key}.{name}", f"must be an expression, not {kind_of(value)}"))
                continue
            result[name] = value.strip()
        return result

    def sentence(self, key: str, value: Any) -> Sentence:
        if isinstance(value, str):
            return Sentence(one_minus(value.strip()))
        if not isinstance(value, dict) or not isinstance(value.get("say"), str):
            self.bad.append(
                Bad(
                    key,
                    f"must be a text or {{say, means, reviewed}}, not {kind_of(value)}; quote a text that holds ': '",
                )
            )
            return Sentence("")
        for name in value:
            if name not in ("say", "means", "reviewed"):
                self.bad.append(Bad(f"{key}.{name}", "unknown; a sentence has say, means, reviewed"))
        means = self.strings(f"{key}.means", value.get("means", []))
        return Sentence(one_minus(value["say"].strip()), means, str(value.get("reviewed", "")))

    def sentences(self, key: str) -> tuple[Sentence, ...]:
        value = self.data.get(key, [])
        if not isinstance(value, list) or (key in self.data and not value):
            self.bad.append(Bad(key, f"must be a list of sentences, not {kind_of(value)}"))
            return ()
        return tuple(self.sentence(f"{key}[{i}]", item) for i, item in enumerate(value))


def kind_of(value: Any) -> str:
    if isinstance(value, dict):
        return f"a mapping ({', '.join(list(value)[:2])}: ...)"
    if isinstance(value, list):
        return "a list"
    return "an empty text" if value == "" else f"{str(value)[:40]!r}"
