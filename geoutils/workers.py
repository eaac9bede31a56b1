"""Work spread over processes: in order, each with one numerical thread, started anew so that nothing is shared."""

from __future__ import annotations

import contextlib
import copyreg
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import MappingProxyType
from typing import Any

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_shared: Any = None


def _mapping(given: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(given)


copyreg.pickle(MappingProxyType, lambda mapping: (_mapping, (dict(mapping),)))  # so that an experiment can be sent


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(items: Sequence[Any], work: Callable[..., Any], jobs: int, *, shared: Any = None) -> Iterator[Any]:
    """`work(item)` (`work(item, shared)` where `shared` is given) of each item, in order, in `jobs` processes.

    `shared` is sent to each process once. With one job, or one item, the work is done here.
    """
    if jobs <= 1 or len(items) < 2:
        yield from ((work(item) if shared is None else work(item, shared)) for item in items)
        return
    task = work if shared is None else _Shared(work)
    with one_thread_each(), ProcessPoolExecutor(
        min(jobs, len(items)), mp_context=get_context("spawn"), initializer=_begin, initargs=(shared,)
    ) as pool:
        with without_main():
            results = pool.map(task, items, chunksize=1)
        try:
            yield from results
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


class _Shared:
    """A function called with what all items share."""

    def __init__(self, work: Callable[..., Any]) -> None:
        self.work = work

    def __call__(self, item: Any) -> Any:
        return self.work(item, _shared)


def _begin(shared: Any) -> None:
    global _shared
    _shared = shared


@contextlib.contextmanager
def without_main() -> Iterator[None]:
    """Workers started here do not import the caller's script again, so it needs no `__main__` guard."""
    main_module = sys.modules["__main__"]
    kept = {name: getattr(main_module, name) for name in ("__file__", "__spec__") if hasattr(main_module, name)}
    main_module.__dict__.pop("__file__", None)
    main_module.__spec__ = None
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(main_module, name, value)


@contextlib.contextmanager
def one_thread_each() -> Iterator[None]:
    """Workers inherit one numerical thread each; the parent's environment is put back."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
