"""An experiment: one YAML file that says which problems are asked of which models, and how.

`load_experiment` reads and checks the file; `Experiment.plan` lists the cells, one for each
question that a model is to be asked. Nothing here needs pandas until a plan is made.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import yaml

from geoutils.concepts_settings import ConceptSettings
from geoutils.errors import UserError
from geoutils.fields import (
    FieldError,
    checked,
    integer,
    listed,
    mapped,
    mapping,
    matching,
    nested,
    number,
    optional,
    read_fields,
    reads,
    text,
)
from geoutils.judge_settings import JudgeSettings
from geoutils.paths import (
    STAGED,
    imported_record,
    project_root,
    safe_name,
    shown,
    staging_dir,
    work_root,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "KEY",
    "KNOWN_REPRESENTATIONS",
    "REPRESENTATIONS",
    "Experiment",
    "experiment_from_dict",
    "find_experiment",
    "limit_problems",
    "load_experiment",
    "project_root",
    "safe_name",
    "shown",
    "work_root",
]

REPRESENTATIONS = ("coord", "euclid", "vector")  # what is asked unless the file says more or less
KNOWN_REPRESENTATIONS = (*REPRESENTATIONS, "figure")
KEY = ("model", "strategy", "problem", "category", "variant", "representation", "repeat")
DEFAULT_MODEL = "local/smollm2-135m-instruct"
NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}"
RESERVED_NAMES = frozenset({"problems", "prompts", "experiments", "comparisons", "con", "nul", "prn", "aux"})
MAX_FILE_BYTES = 1_000_000


def _name(value: Any) -> str:
    what = "letters, digits, dots, hyphens and underscores, at most 80, starting with a letter or digit"
    name = matching(NAME, what)(value)
    if name.lower() in RESERVED_NAMES or name.endswith("."):
        raise ValueError("cannot be used as a folder name here; choose another")
    return name


def _representations(value: Any) -> tuple[str, ...]:
    given = listed(text)(value)
    unknown = [item for item in given if item not in KNOWN_REPRESENTATIONS]
    if unknown:
        raise ValueError(f"names {unknown[0]!r}; known are {', '.join(KNOWN_REPRESENTATIONS)}")
    return tuple(item for item in KNOWN_REPRESENTATIONS if item in given)


_word = matching(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", "a lower-case word")
_model = matching(r"[^\s/]+(?:/[^\s/]+)+", "of the form prefix/name, without spaces")
_strategies = listed(_word)
_models = listed(_model)


_SAMPLED: dict[str, Callable[[Any], Any]] = {
    "temperature": optional(number(0.0, 2.0)),
    "top_p": optional(number(0.0, 1.0)),
    "max_tokens": optional(integer(1)),
    "seed": optional(integer(0)),
}


_OVERRIDES: dict[str, Callable[[Any], Any]] = {
    **_SAMPLED,
    "max_completion_tokens": optional(integer(1)),
    "stop": optional(listed(text)),
    "reasoning_effort": optional(text),
    "reasoning": optional(mapping),
    "provider": optional(mapping),
    "extra_body": optional(mapping),
}


def _override(value: Any) -> Mapping[str, Any]:
    for key in mapping(value):
        if key not in _OVERRIDES:
            raise FieldError(f"{key} is unknown; known are {', '.join(_OVERRIDES)}")
    return MappingProxyType({key: checked(key, _OVERRIDES[key], item) for key, item in value.items()})


_sampling_overrides = mapped(text, _override)


def _empty() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Problems:
    """Which problems: a folder or file, some categories, so many of each (0 = all), a seed of variants."""

    source: str = reads(text, "data/problems")
    categories: tuple[str, ...] = reads(listed(_word, empty=True), ())
    limit_per_category: int = reads(integer(0), 0)
    seed: int = reads(integer(0), 0)


@dataclass(frozen=True)
class Price:
    """What a server charges, in US dollars per million tokens."""

    prompt: float = reads(number(0.0))
    completion: float = reads(number(0.0))


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible server, and the environment variable that holds its key (null = none)."""

    base_url: str = reads(matching(r"https?://\S+", "an http(s) address"))
    api_key_env: str = reads(optional(matching(r"[A-Za-z_][A-Za-z0-9_]*", "an environment variable's name")), None)
    max_in_flight: int | None = reads(optional(integer(1)), None)
    price: Price | None = reads(optional(nested(Price)), None)


@dataclass(frozen=True)
class Sampling:
    """How a model is asked; None leaves a parameter out of the request.

    The overrides may also hold what only some servers know: max_completion_tokens, stop,
    reasoning_effort, reasoning, provider, and extra_body (sent as it is).
    """

    temperature: float | None = reads(_SAMPLED["temperature"], 0.0)
    top_p: float | None = reads(_SAMPLED["top_p"], 1.0)
    max_tokens: int | None = reads(_SAMPLED["max_tokens"], 512)
    seed: int | None = reads(_SAMPLED["seed"], 1)
    per_strategy: Mapping[str, Mapping[str, Any]] = reads(_sampling_overrides, factory=_empty)
    per_model: Mapping[str, Mapping[str, Any]] = reads(_sampling_overrides, factory=_empty)


@dataclass(frozen=True)
class Limits:
    """What a run may spend (US dollars) and how fast it may ask.

    `timeout_s` limits one attempt from when it is sent, `request_timeout_s` all attempts of one
    request together (0 = no limit).
    """

    max_usd: float = reads(number(0.0), 5.0)
    max_in_flight: int = reads(integer(1), 64)
    requests_per_minute: int = reads(integer(0), 0)
    timeout_s: float = reads(number(0.001), 120.0)
    request_timeout_s: float = reads(number(0.0), 0.0)
    max_attempts: int = reads(integer(1), 5)


@dataclass(frozen=True)
class Grading:
    """The fewest significant figures a rounded decimal needs to count as correct."""

    min_significant: int = reads(integer(1), 3)


@dataclass(frozen=True)
class Part:
    """Overrides of the experiment's own fields for one part of the plan; None keeps them."""

    strategies: tuple[str, ...] | None = reads(_strategies, None)
    models: tuple[str, ...] | None = reads(_models, None)
    limit_per_category: int | None = reads(integer(0), None)
    variants: int | None = reads(integer(1), None)
    repeats: int | None = reads(integer(1), None)
    representations: tuple[str, ...] | None = reads(_representations, None)


def _parts(value: Any) -> tuple[Part, ...]:
    if not isinstance(value, list):
        raise ValueError("must be a list of mappings")
    return tuple(checked(f"[{position}]", nested(Part), item) for position, item in enumerate(value, start=1))


@dataclass(frozen=True)
class Experiment:
    """One experiment, as its YAML file describes it; every field but `name` has a default."""

    name: str = reads(_name)
    problems: Problems = reads(nested(Problems), Problems())
    representations: tuple[str, ...] = reads(_representations, REPRESENTATIONS)
    strategies: tuple[str, ...] = reads(_strategies, ("direct",))
    variants: int = reads(integer(1), 1)
    repeats: int = reads(integer(1), 1)
    models: tuple[str, ...] = reads(_models, (DEFAULT_MODEL,))
    endpoints: Mapping[str, Endpoint] = reads(mapped(_word, nested(Endpoint)), factory=_empty)
    sampling: Sampling = reads(nested(Sampling), Sampling())
    limits: Limits = reads(nested(Limits), Limits())
    grading: Grading = reads(nested(Grading), Grading())
    judge: JudgeSettings = reads(nested(JudgeSettings), JudgeSettings())
    concepts: ConceptSettings = reads(nested(ConceptSettings), ConceptSettings())
    parts: tuple[Part, ...] = reads(_parts, ())
    path: Path | None = field(default=None, compare=False)
    shard: tuple[int, int] | None = field(default=None, compare=False)  # the only part that this process asks and reads

    @property
    def data_dir(self) -> Path:
        """Where responses, parsed answers and scores of this experiment are kept."""
        return work_root() / "data" / self.name

    @property
    def report_dir(self) -> Path:
        """Where this experiment's report is made; during a run that is a folder beside the earlier one."""
        if os.environ.get(STAGED) == self.name:
            return staging_dir(self.name)
        return work_root() / "reports" / self.name

    @property
    def imported(self) -> Mapping[str, Any]:
        """What was imported under this name (data/NAME/imported.json), empty if nothing was."""
        return imported_record(self.name)

    @property
    def source(self) -> Path:
        """The problem folder or file, absolute: sought in the project, then beside the experiment file."""
        given = Path(self.problems.source)
        inside = project_root() / given
        if given.is_absolute() or inside.exists() or self.path is None:
            return inside  # joining an absolute path yields that path
        beside = self.path.parent / given
        return beside if beside.exists() else inside

    @property
    def resolved_parts(self) -> tuple[Part, ...]:
        """The parts with nothing left open; an experiment without parts is one part."""
        limit = self.problems.limit_per_category
        own = Part(self.strategies, self.models, limit, self.variants, self.repeats, self.representations)
        return tuple(
            dataclasses.replace(own, **{key: item for key, item in vars(part).items() if item is not None})
            for part in self.parts
        ) or (own,)

    @property
    def limit_per_category(self) -> int:
        """The largest number of problems that any part takes from a category; 0 = all of them."""
        limits = [part.limit_per_category or 0 for part in self.resolved_parts]
        return 0 if 0 in limits else max(limits)

    @property
    def max_variants(self) -> int:
        """How many variants of a problem the plan needs: 0 .. max_variants - 1."""
        return max(part.variants or 1 for part in self.resolved_parts)

    def pairs(self) -> list[tuple[str, str]]:
        """Each (model, strategy) of the plan once, in the order of the file."""
        asked = [(m, s) for part in self.resolved_parts for m in part.models or () for s in part.strategies or ()]
        models = list(dict.fromkeys([*self.models, *(model for model, _ in asked)]))
        strategies = list(dict.fromkeys(strategy for _, strategy in asked))
        return sorted(set(asked), key=lambda pair: (models.index(pair[0]), strategies.index(pair[1])))

    def sampling_for(self, model: str, strategy: str) -> dict[str, Any]:
        """The parameters of a request: sampling, then per_strategy, then per_model; nulls are left out."""
        merged = {name: getattr(self.sampling, name) for name in _SAMPLED}
        merged.update(self.sampling.per_strategy.get(strategy, {}))
        merged.update(self.sampling.per_model.get(model, {}))
        return {name: _plain(value) for name, value in merged.items() if value is not None}

    def plan(self, problems: pd.DataFrame) -> pd.DataFrame:
        """All cells of the experiment: the union over its parts, each cell once.

        Parameters: `problems` has at least problem, category, variant, representation.
        Returns the key columns, ordered by model, strategy, problem, variant, representation, repeat.
        """
        import pandas as pd

        columns = ["problem", "category", "variant", "representation"]
        cells = problems[[*columns, *(["difficulty"] if "difficulty" in problems else [])]]
        cells = cells[cells["representation"].isin(self.representations)]
        pieces = []
        for part in self.resolved_parts:
            chosen = limit_problems(cells, part.limit_per_category or 0)
            wanted = (chosen["variant"] < part.variants) & chosen["representation"].isin(part.representations or ())
            chosen = chosen.loc[wanted, columns]
            asked = pd.MultiIndex.from_product(
                [part.models, part.strategies, range(part.repeats or 1)], names=["model", "strategy", "repeat"]
            ).to_frame(index=False)
            pieces.append(asked.merge(chosen, how="cross"))
        plan = pd.concat(pieces, ignore_index=True)[list(KEY)].drop_duplicates(ignore_index=True)
        pairs = self.pairs()
        ranks = {
            "model": list(dict.fromkeys(model for model, _ in pairs)),
            "strategy": list(dict.fromkeys(strategy for _, strategy in pairs)),
            "problem": list(dict.fromkeys(cells["problem"])),
            "representation": list(KNOWN_REPRESENTATIONS),
        }

        def rank(column: pd.Series) -> pd.Series:
            order = ranks.get(str(column.name))
            return column.map({item: place for place, item in enumerate(order)}) if order else column

        by = ["model", "strategy", "problem", "variant", "representation", "repeat"]
        return plan.sort_values(by, key=rank, kind="stable", ignore_index=True)

    def as_dict(self) -> dict[str, Any]:
        """The experiment as plain data, all defaults filled in; what `sha256` is computed from."""
        return _plain({item.name: getattr(self, item.name) for item in dataclasses.fields(self) if item.name not in ("path", "shard")})

    @property
    def sha256(self) -> str:
        """The hash of all that the experiment fixes, whatever the layout of its file."""
        return hashlib.sha256(json.dumps(self.as_dict(), sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def limit_problems(problems: pd.DataFrame, limit: int) -> pd.DataFrame:
    """The rows of at most `limit` problems of each category (0 = all), spread over the difficulties.

    Problems are taken in turn from each difficulty, in table order, so a smaller limit always
    chooses a subset of what a larger one does.
    """
    if not limit or problems.empty:
        return problems
    keys = ["category", "difficulty"] if "difficulty" in problems else ["category"]
    first = problems.drop_duplicates("problem")[["problem", *keys]]
    turn = first.groupby(keys, sort=False).cumcount()
    chosen = first.assign(turn=turn).sort_values("turn", kind="stable").groupby("category", sort=False).head(limit)
    return problems[problems["problem"].isin(chosen["problem"])]


class _Loader(yaml.SafeLoader):
    """Safe YAML that also refuses a key given twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen = set()
        for key_node, _ in node.value:
            key = key_node.value
            if key in seen and key_node.tag != "tag:yaml.org,2002:merge":
                raise yaml.constructor.ConstructorError(None, None, f"key {key!r} is given twice", key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


def find_experiment(path_or_name: str | Path) -> Path:
    """The experiment's file: a path (from here or from the project), or a name under data/experiments."""
    given = Path(path_or_name)
    candidates = [given, work_root() / given, project_root() / given]
    if given.name == str(given) and given.suffix not in (".yaml", ".yml"):
        candidates += [root / "data" / "experiments" / f"{given}.yaml" for root in (work_root(), project_root())]
    for candidate in candidates:
        if candidate.is_file():
            return candidate.resolve()
    raise UserError(f"{path_or_name}: no such experiment file; give a path or a name from data/experiments")


def load_experiment(path_or_name: str | Path) -> Experiment:
    """Read and check an experiment file.

    Raises UserError naming the file and the field when the file is missing, is not YAML, has an
    unknown key or a value of the wrong type.
    """
    path = find_experiment(path_or_name)
    where = shown(path)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise UserError(f"{where}: larger than {MAX_FILE_BYTES} bytes; this is no experiment file")
        given = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise UserError(f"{where}{line}: not valid YAML: {getattr(error, 'problem', None) or error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{where}: cannot be read: {error}") from None
    return experiment_from_dict(_with_imported_defaults(given), where=where, path=path)


def _with_imported_defaults(given: Any) -> Any:
    """The fields of an experiment file, and what was imported for those that it leaves out."""
    if not isinstance(given, dict) or not re.fullmatch(NAME, str(given.get("name", ""))):
        return given
    record = imported_record(given["name"]) if isinstance(given["name"], str) else {}
    fields = ("models", "strategies", "representations", "variants", "repeats")
    return {**{key: record[key] for key in fields if key in record}, **given}


def experiment_from_dict(given: Any, *, where: str = "experiment", path: Path | None = None) -> Experiment:
    """The experiment that plain data describe; UserError names `where` and the field otherwise."""
    try:
        experiment = read_fields(Experiment, given)
    except FieldError as error:
        raise UserError(f"{where}: {error}") from None
    except ValueError as error:
        raise UserError(f"{where}: the file {error}") from None
    for place, part in enumerate(experiment.parts, start=1):
        for name in part.representations or ():
            if name not in experiment.representations:
                raise UserError(f"{where}: parts[{place}].representations names {name}, which the experiment's own list lacks")
    return dataclasses.replace(experiment, path=path)
