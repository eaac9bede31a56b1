"""Reading checked dataclasses from plain data: one small reader per kind of value.

A reader takes a value as YAML gives it and returns it in its final form, or raises ValueError with
the words that follow the field's name. `reads` attaches a reader to a dataclass field.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any


def text(value: Any) -> str:
    """Text that is not blank, without spaces around it."""
    if not isinstance(value, str):
        raise ValueError("must be text (put it in quotes)")
    if not value.strip():
        raise ValueError("must not be empty")
    return value.strip()


def integer(low: int) -> Callable[[Any], int]:
    """A reader of whole numbers from `low` up (True is none)."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError("must be a whole number")
        if value < low:
            raise ValueError(f"must be {low} or more")
        return value

    return read


def number(low: float, high: float = math.inf) -> Callable[[Any], float]:
    """A reader of finite numbers between `low` and `high`."""

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError("must be a number")
        if not (math.isfinite(value) and low <= value <= high):
            limit = f"between {low:g} and {high:g}" if math.isfinite(high) else f"{low:g} or more"
            raise ValueError(f"must be {limit}")
        return float(value)

    return read


def optional(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A reader that also takes null."""
    return lambda value: None if value is None else read(value)


def listed(read: Callable[[Any], Any], *, empty: bool = False) -> Callable[[Any], tuple]:
    """A reader of lists without repetition, returned as tuples."""

    def read_list(value: Any) -> tuple:
        if not isinstance(value, list):
            raise ValueError("must be a list, such as [a, b]")
        if not value and not empty:
            raise ValueError("must not be an empty list")
        items = []
        for position, item in enumerate(value, start=1):
            try:
                items.append(read(item))
            except ValueError as error:
                raise ValueError(f"item {position} ({item!r}) {error}") from None
        if len(set(items)) != len(items):
            twice = next(item for item in items if items.count(item) > 1)
            raise ValueError(f"lists {twice!r} twice")
        return tuple(items)

    return read_list


def matching(pattern: str, what: str) -> Callable[[Any], str]:
    """A reader of text that matches a pattern wholly; `what` says it in words."""

    def read(value: Any) -> str:
        given = text(value)
        if not re.fullmatch(pattern, given):
            raise ValueError(f"must be {what}")
        return given

    return read


def reads(read: Callable[[Any], Any], default: Any = dataclasses.MISSING, *, factory: Any = dataclasses.MISSING) -> Any:
    """A dataclass field that `read_fields` fills with what `read` makes of the given value."""
    if factory is not dataclasses.MISSING:
        return dataclasses.field(default_factory=factory, metadata={"read": read})
    return dataclasses.field(default=default, metadata={"read": read})


def mapping(value: Any) -> Mapping[str, Any]:
    """A mapping, unchanged."""
    if not isinstance(value, dict):
        raise ValueError("must be a mapping, such as {key: value}")
    return value


class FieldError(ValueError):
    """A wrong field; the message begins with its name, which enclosing readers lengthen on the left."""

    def below(self, name: str) -> FieldError:
        """The same error, seen from the mapping that holds `name`."""
        joint = "" if str(self).startswith("[") else "."
        return FieldError(f"{name}{joint}{self}")


def checked(name: str, read: Callable[[Any], Any], value: Any) -> Any:
    """What `read` makes of the value of field `name`; FieldError otherwise."""
    try:
        return read(value)
    except FieldError as error:
        raise error.below(name) from None
    except ValueError as error:
        raise FieldError(f"{name} {error}; it is {value!r:.80}") from None


def read_fields(cls: type, value: Any) -> Any:
    """An instance of `cls` from a mapping of its fields; FieldError names the field that is wrong."""
    fields = {item.name: item for item in dataclasses.fields(cls) if "read" in item.metadata}
    for key in mapping(value):
        if key not in fields:
            raise FieldError(f"{key} is unknown; known are {', '.join(fields)}")
    for name, item in fields.items():
        if name not in value and item.default is item.default_factory is dataclasses.MISSING:
            raise FieldError(f"{name} is missing")
    return cls(**{name: checked(name, fields[name].metadata["read"], given) for name, given in value.items()})


def nested(cls: type) -> Callable[[Any], Any]:
    """A reader of mappings that become instances of `cls`."""
    return lambda value: read_fields(cls, value)


def mapped(read_key: Callable[[Any], Any], read: Callable[[Any], Any]) -> Callable[[Any], Mapping[str, Any]]:
    """A reader of mappings with free keys and values of one kind."""

    def read_mapping(value: Any) -> Mapping[str, Any]:
        items = mapping(value).items()
        return MappingProxyType(
            {checked(str(key), read_key, key): checked(str(key), read, item) for key, item in items}
        )

    return read_mapping
