"""Shards: parts of a plan that processes ask side by side, each into a response file of its own.

A cell belongs to the shard that the hash of its key names, so a plan that grows moves no cell. A shard
writes `<model>__<strategy>.shard-2-of-4.sqlite`, which no other process writes or reads meanwhile;
`geoutils merge` unites such files. The limits of the experiment file hold for all shards together.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

from geoutils.errors import UserError
from geoutils.experiment import Experiment, shown

Shard = tuple[int, int]
NAME = re.compile(r"(?P<pair>.+)\.shard-(?P<index>[0-9]+)-of-(?P<total>[0-9]+)\.sqlite")
SPENT = "GEOUTILS_SPENT"  # US dollars spent before the jobs of a graph began
MICRO = 1_000_000  # a budget is split in millionths of a dollar


def read_shard(text: str) -> Shard:
    """The shard that `2/4` names; UserError for anything else."""
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UserError(f"shard {text!r:.40} is not a part such as 2/4; the first of four is 1/4")
    return int(match[1]), int(match[2])


def shard_of(key: bytes, total: int) -> int:
    """The shard (from 1) of a cell key among `total`."""
    return int.from_bytes(key[:8], "big") % total + 1


def is_mine(key: bytes, shard: Shard | None) -> bool:
    """Whether a shard asks the cell with this key; no shard asks all."""
    return shard is None or shard_of(key, shard[1]) == shard[0]


def shard_path(main: Path, shard: Shard | None) -> Path:
    """The response file of a shard beside the main one, or the main one where there are no shards."""
    return main if shard is None else main.with_name(f"{main.stem}.shard-{shard[0]}-of-{shard[1]}.sqlite")


def shard_in(path: Path) -> Shard | None:
    """The shard that a file's name says, None for a main response file."""
    match = NAME.fullmatch(path.name)
    return (int(match["index"]), int(match["total"])) if match else None


def shard_files(main: Path) -> list[Path]:
    """The response files of shards beside a main one, in order."""
    found = [path for path in main.parent.glob("*.sqlite") if (match := NAME.fullmatch(path.name)) and match["pair"] == main.stem]
    return sorted(found, key=lambda path: (shard_in(path) or (0, 0))[::-1])


def share(total: int, place: int, parts: int) -> int:
    """The share at `place` (from 0) of a whole number split into parts that differ by one at most and add up to it."""
    return total * (place + 1) // parts - total * place // parts


def restricted(
    experiment: Experiment, *, models: Sequence[str] = (), strategies: Sequence[str] = (), shard: str | Shard | None = None
) -> Experiment:
    """The experiment as one job sees it: only some models and strategies (empty: all), only one shard of their cells.

    It keeps its name, and so its folders. UserError where nothing of the plan is left.
    """
    place = read_shard(shard) if isinstance(shard, str) and shard else shard or None
    made = dataclasses.replace(experiment, shard=place)
    if not models and not strategies:
        return made
    parts = []
    for part in experiment.resolved_parts:
        kept = tuple(name for name in part.models or () if not models or name in models)
        asked = tuple(name for name in part.strategies or () if not strategies or name in strategies)
        if kept and asked:
            parts.append(dataclasses.replace(part, models=kept, strategies=asked))
    if not parts:
        wanted = ", ".join([*models, *strategies])
        raise UserError(f"experiment {experiment.name}: nothing of its plan is left with {wanted}; see its models and strategies")
    names = {name for part in parts for name in part.models or ()}
    return dataclasses.replace(
        made, parts=tuple(parts), models=tuple(name for name in experiment.models if name in names) or tuple(sorted(names)),
        strategies=tuple(dict.fromkeys(name for part in parts for name in part.strategies or ())),
    )  # fmt: skip


def usd_share(experiment: Experiment, mine: Iterable[tuple[str, str]], paid: Sequence[tuple[str, str]], usd: float) -> float:
    """What this process may spend of `usd`: the shares of its pairs in its shard.

    The budget is split evenly over all pairs of model and strategy that cost money and all shards, to a
    millionth of a dollar, so that the shares add up to it exactly. `mine` are the pairs asked here.
    """
    if experiment.shard is None:
        return usd
    index, total = experiment.shard
    micro = max(int(Fraction(str(usd)) * MICRO), 0)
    parts = len(paid) * total
    places = [paid.index(pair) * total + index - 1 for pair in mine if pair in paid]
    return sum(share(micro, place, parts) for place in places) / MICRO


def pace_share(experiment: Experiment, mine: int, all_pairs: int) -> Fraction:
    """The part of an endpoint's limits that is this process's, asking `mine` of the endpoint's pairs in its shard."""
    return Fraction(1) if experiment.shard is None else Fraction(mine, max(all_pairs, 1) * experiment.shard[1])


def spent_before(experiment: Experiment) -> float:
    """US dollars spent before the shards began: what is merged, or what the graph that runs them noted at its start."""
    noted = os.environ.get(SPENT, "")
    if noted:
        return float(noted)
    from geoutils.accounts import cost_table

    return float(cost_table(experiment)["usd"].fillna(0.0).sum())


def other_shards(main: Path, shard: Shard) -> list[Path]:
    """Response files of another number of shards beside a main one."""
    return [path for path in shard_files(main) if (shard_in(path) or shard)[1] != shard[1]]


def refuse_others(main: Path, shard: Shard) -> None:
    """UserError where answers of another split wait to be merged: this one would ask them again."""
    from geoutils.merge import is_merged

    for path in other_shards(main, shard):
        if not is_merged(path, main):
            total = (shard_in(path) or shard)[1]
            raise UserError(f"{shown(path)} holds answers of a split into {total}; run geoutils merge before one into {shard[1]}")
