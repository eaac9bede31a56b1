"""Asking: one lane for each model takes open cells, keeps the pace, retries, and saves each attempt."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import heapq
import itertools
import math
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from geoutils.errors import GeoutilsError, RunError
from geoutils.outcomes import Result, classify, disconnected, timed_out
from geoutils.pacing import Pace
from geoutils.requests import Request
from geoutils.store import Key, Store

if TYPE_CHECKING:
    import openai

    from geoutils.endpoints import Endpoint

CONNECT_LIMIT_S = 10.0
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
LOST_IN_A_ROW = 25  # connections refused one after another before an endpoint counts as unreachable
NO_CONNECTION = "no connection"
POOL = 64  # retries that may wait for each request in flight before fresh cells wait too


@dataclass(slots=True)
class Job:
    """One cell to ask: its key, place, request, and where its attempts are saved."""

    cell: bytes
    key: Key
    request: Request
    store: Store
    about: Any = None
    tried: int = 0
    first_sent: float = 0.0
    last: Result | None = None


@dataclass
class Budget:
    """What the run may spend: `spent` is the known cost of every attempt so far, of earlier runs too."""

    limit_usd: float
    spent: float = 0.0
    name: str = "the budget"

    def is_spent(self) -> bool:
        """Whether nothing that costs money may be asked any more."""
        return self.spent >= self.limit_usd


@dataclass
class Lane:
    """What one model is asked: an endless supply is fine, jobs are taken one at a time."""

    endpoint: Endpoint
    jobs: Iterator[Job]
    pace: Pace
    timeout_s: float
    max_attempts: int
    budget: Budget
    request_timeout_s: float = 0.0
    finished: Callable[[Job, Result], None] = lambda job, result: None
    answer: Callable[[Job], Result] | None = None  # answers here, without a server
    at_once: int = 500  # of these are saved in one transaction
    base_urls: Sequence[str] = ()  # where the server is, if not at the endpoint's own address
    revive: Callable[[], Sequence[str]] | None = None  # its addresses after starting what died, or RunError
    siblings: list[Lane] = field(default_factory=list)  # the lanes of the same endpoint, this one among them
    has_work: bool = True
    stopped: str = ""  # why nothing more is asked
    failure: GeoutilsError | None = None
    waiting: list[tuple[float, int, Job]] = field(default_factory=list)
    refusals: int = 0
    sent: int = 0
    _flying: int = 0
    _lost: int = 0
    _clients: list[openai.AsyncOpenAI] = field(default_factory=list)
    _loads: list[int] = field(default_factory=list)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _turn: Iterator[int] = field(default_factory=itertools.count)
    _key: str = ""
    _ending: bool = False

    def stop(self, reason: str, failure: GeoutilsError | None = None) -> None:
        """Send nothing more; what is in flight is still awaited and saved."""
        if not self.stopped:
            self.stopped, self.failure = reason, failure
        self._wake.set()

    async def run(self) -> None:
        """Ask every job, with retries, until none is left or the lane is stopped."""
        if self.answer is not None:
            await self._answer_here(self.answer)
            return
        tasks: set[asyncio.Task[None]] = set()
        try:
            async for job in self._due():
                if not self._clients:
                    self._connect()
                job.tried += 1
                job.first_sent = job.first_sent or time.monotonic()
                self.pace.sent(time.monotonic())
                self.sent += 1
                self._flying += 1
                task = asyncio.create_task(self._attempt(job))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            if tasks:
                await asyncio.wait(tasks)
            for _, _, job in self.waiting:  # stopped before their next attempt
                if job.last is not None:
                    self.finished(job, job.last)
        finally:
            for task in tasks:
                task.cancel()
            if self._clients:
                await self._clients[0].close()  # the connections are shared
                self._clients = []

    async def _due(self) -> AsyncIterator[Job]:
        """Jobs as the pace, the budget and the waits of retries allow."""
        fresh: Job | None = None
        taken = 0
        while not self.stopped:
            if not self.endpoint.is_free and self.budget.is_spent():
                self.stop(f"{self.budget.name} of {self.budget.limit_usd:g} USD is spent")
                break
            now = time.monotonic()
            due = self.waiting[0][0] - now if self.waiting else math.inf
            if due > 0 and fresh is None and len(self.waiting) < POOL * self.pace.cap and not self._ending:
                fresh = next(self.jobs, None)
                self._ending = fresh is None
                taken += 1
                if taken % 256 == 0:
                    await asyncio.sleep(0)
            wait = self.pace.wait(now)
            if wait <= 0 and due <= 0:
                yield heapq.heappop(self.waiting)[2]
            elif wait <= 0 and fresh is not None:
                job, fresh = fresh, None
                yield job
            elif not self._flying and not self.waiting and fresh is None and self._ending:
                break
            else:
                await self._sleep(wait if wait > 0 else due)

    async def _sleep(self, seconds: float) -> None:
        """Wait until something ends, but no longer than the given time."""
        self._wake.clear()
        if math.isinf(seconds) or seconds <= 0:
            await self._wake.wait()
            return
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            pass

    async def _attempt(self, job: Job) -> None:
        started = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        sent_at = time.monotonic()
        limit = self.timeout_s
        if self.request_timeout_s:
            limit = min(limit, max(job.first_sent + self.request_timeout_s - sent_at, 0.001))
        try:
            result = await self._ask(job.request, limit)
            self._take(job, result, sent_at, started)
        except GeoutilsError as error:
            self.stop(str(error), error)
        finally:
            self._flying -= 1
            self.pace.ended()
            self._wake.set()

    def _take(self, job: Job, result: Result, sent_at: float, started: str) -> None:
        now = time.monotonic()
        result = self._priced(result)
        job.store.append(job.cell, job.key, job.request, result, started=started, latency_s=round(now - sent_at, 4))
        self.budget.spent += result.cost_usd or 0.0
        if result.is_rate_limit:
            self.refusals += 1
            self.pace.refused(now, sent_at, result.retry_after_s)
        self._lost = self._lost + 1 if result.error.startswith(NO_CONNECTION) else 0
        if result.then == "stop":
            failure = self._refused(result)
            for lane in self.siblings or [self]:
                lane.stop(result.error, failure)
        elif result.http_code is None and self.revive is not None:
            self._reconnect()
        elif self._lost >= LOST_IN_A_ROW:
            self.stop(result.error, self.unreachable(result.error))
        following = now + self._backoff(job, result)
        if result.then == "again" and not self._is_last(job, following):
            job.last = result
            heapq.heappush(self.waiting, (following, next(self._turn), job))
        else:
            self.finished(job, result)

    def _is_last(self, job: Job, following: float) -> bool:
        """Whether a job has no attempt left, or not before the time limit of its request."""
        late = self.request_timeout_s and following - job.first_sent >= self.request_timeout_s
        return bool(late) or job.tried >= self.max_attempts

    def _backoff(self, job: Job, result: Result) -> float:
        """Exponential with full jitter above half, and never shorter than what the server asked for."""
        longest = min(FIRST_WAIT_S * 2 ** (job.tried - 1), LONGEST_WAIT_S)
        jittered = longest * random.uniform(0.5, 1.0)
        if result.retry_after_s is None:
            return jittered
        return result.retry_after_s + random.uniform(0.0, 0.1)

    def _priced(self, result: Result) -> Result:
        """The result with a cost where the provider reports none but the price is known."""
        if self.endpoint.kind == "embedded":
            return dataclasses.replace(result, cost_usd=0.0)
        price = self.endpoint.price
        if result.cost_usd is None and price is not None and result.prompt_tokens is not None:
            usd = (result.prompt_tokens * price[0] + (result.completion_tokens or 0) * price[1]) / 1e6
            return dataclasses.replace(result, cost_usd=usd)
        if result.cost_usd is None and result.http_code and result.http_code >= 400:
            return dataclasses.replace(result, cost_usd=0.0)  # refused before any work
        return result

    async def _ask(self, request: Request, limit: float) -> Result:
        import httpx2
        import openai

        place = self._loads.index(min(self._loads))
        self._loads[place] += 1
        try:
            async with asyncio.timeout(limit):
                response = await self._clients[place].post(
                    "/chat/completions", cast_to=httpx2.Response, content=request.body(),
                    options={"headers": {"Content-Type": "application/json"}},
                )
            code, headers, received = response.status_code, response.headers, response.content
        except TimeoutError:
            return timed_out(limit)
        except openai.APIStatusError as error:
            code, headers, received = error.response.status_code, error.response.headers, error.response.content
        except openai.APIConnectionError as error:  # a time-out of the client is one of these
            return self._disconnected(error, limit)
        except Exception as error:  # whatever a hostile server provokes in the client ends this attempt only
            return disconnected(self._clean(f"{type(error).__name__}: {error}"), cut=True)
        finally:
            self._loads[place] -= 1
        return classify(code, headers, self._clean_bytes(received))

    def _disconnected(self, error: openai.APIConnectionError, limit: float) -> Result:
        chain: list[BaseException] = [error]
        while chain[-1].__cause__ is not None:
            chain.append(chain[-1].__cause__)
        names = {kind.__name__ for link in chain for kind in type(link).__mro__}
        words = self._clean(f"{type(chain[-1]).__name__}: {chain[-1]}")
        if "ClientConnectorError" in names or "ConnectError" in names:  # the transport may call this a time-out
            return disconnected(f"{NO_CONNECTION}: {words}", cut=False)
        if names & {"ServerDisconnectedError", "ConnectionResetError", "ClientOSError"}:
            return disconnected(words, cut=False)
        if "APITimeoutError" in names:
            return timed_out(limit)
        return disconnected(words, cut=bool(names & {"ClientPayloadError", "RemoteProtocolError", "DecodingError"}))

    def _connect(self) -> None:
        import httpx2
        import openai

        self._key = self.endpoint.key()
        size = self.pace.cap + 8
        addresses = self.base_urls or [self.endpoint.url]
        client = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=addresses[0],
            max_retries=0,
            timeout=httpx2.Timeout(None, connect=min(CONNECT_LIMIT_S, self.timeout_s)),
            http_client=openai.DefaultAioHttpClient(
                limits=httpx2.Limits(max_connections=size, max_keepalive_connections=size),
                timeout=httpx2.Timeout(None, connect=min(CONNECT_LIMIT_S, self.timeout_s)),
            ),
        )
        self._clients = [client, *(client.with_options(base_url=address) for address in addresses[1:])]
        self._loads = [0] * len(addresses)

    def _reconnect(self) -> None:
        assert self.revive is not None
        addresses = self.revive()
        if list(addresses) != list(self.base_urls):
            self.base_urls = addresses
            self._clients = [self._clients[0].with_options(base_url=address) for address in addresses]

    def _clean(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key not in ("", "none") else text

    def _clean_bytes(self, received: bytes) -> bytes:
        return received.replace(self._key.encode(), b"[key]") if self._key not in ("", "none") else received

    def _refused(self, result: Result) -> RunError:
        where = f"{self.endpoint.name} ({self.endpoint.url})"
        if result.http_code == 401:
            key = f"the key in {self.endpoint.key_env} was refused" if self.endpoint.key_env else "it wants a key"
            return RunError(f"{where}: {key} ({result.error}); set a valid key and run again, what is saved stays")
        if result.http_code == 403:
            return RunError(f"{where}: access is forbidden ({result.error}); run again once it is granted")
        return RunError(f"{where}: credit or quota is exhausted ({result.error}); top it up and run again")

    def unreachable(self, error: str) -> RunError:
        """The error of an endpoint that cannot be reached."""
        where = f"{self.endpoint.name} ({self.endpoint.url})"
        return RunError(f"{where} cannot be reached ({error}); start it or correct its base_url, then run again")

    async def _answer_here(self, answer: Callable[[Job], Result]) -> None:
        """Answer without a server, saving many answers in one transaction."""
        while not self.stopped:
            jobs = list(itertools.islice(self.jobs, self.at_once))
            if not jobs:
                return
            started = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
            try:
                done = [(job, answer(job)) for job in jobs]
                for store, group in itertools.groupby(done, key=lambda pair: pair[0].store):
                    store.append_all(
                        [(job.cell, job.key, job.request, result, {"started": started, "latency_s": 0.0})
                         for job, result in group]
                    )
            except GeoutilsError as error:
                self.stop(str(error), error)
                return
            for job, result in done:
                self.finished(job, result)
            await asyncio.sleep(0)
