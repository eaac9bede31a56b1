"""How fast an endpoint is asked: a window of requests in flight that grows and shrinks.

The window doubles every quarter of a second until the first refusal, then grows by a fixed amount
a second (additive increase) and shrinks by a factor once for each episode of refusals
(multiplicative decrease). During an episode nothing is sent until the wait that the server asked
for is over. An optional number of requests per minute spaces the requests evenly.
"""

from __future__ import annotations

import math
from collections.abc import Callable

START = 8.0
DOUBLE_EVERY_S = 0.25
GROW_EVERY_S = 0.1
SHRINK = 0.7  # after an episode that came alone
SHRINK_AGAIN = 0.5  # after one that followed another closely
CLOSE_S = 2.0
EPISODE_S = 1.0
GROWTH = 0.1  # of the window at the last episode, each second; at least 1


class Gate:
    """What the models of one endpoint share: a cap on requests in flight and requests per minute."""

    def __init__(self, cap: int, per_minute: float = 0) -> None:
        self.cap = max(cap, 1)
        self.in_flight = 0
        self.wake: list[Callable[[], None]] = []  # called when a request ends, if several models share
        self._spacing = 60.0 / per_minute if per_minute else 0.0
        self._next_at = -math.inf

    def wait(self, now: float) -> float:
        """Seconds until the endpoint may be sent a request; infinity = after one in flight has ended."""
        return math.inf if self.in_flight >= self.cap else max(self._next_at - now, 0.0)

    def sent(self, now: float) -> None:
        """A request was sent."""
        self.in_flight += 1
        if self._spacing:
            self._next_at = max(self._next_at, now) + self._spacing

    def ended(self) -> None:
        """A request ended."""
        self.in_flight -= 1
        if len(self.wake) > 1:
            for wake in self.wake:
                wake()


class Pace:
    """The pace of one model. Times are seconds of one monotonic clock, given by the caller."""

    def __init__(self, gate: Gate, *, adaptive: bool = True) -> None:
        self.gate = gate
        self.cap = gate.cap
        self.window = min(START, float(self.cap)) if adaptive else float(self.cap)
        self.in_flight = 0
        self.episodes = 0
        self.resume_at = -math.inf
        self._episode_ends = -math.inf
        self._adaptive = adaptive
        self._growth = 0.0  # 0 while doubling
        self._full = False
        self._grown_at: float | None = None

    def wait(self, now: float) -> float:
        """Seconds until a request may be sent: 0 = now, infinity = after one in flight has ended."""
        self._grow(now)
        if now < self.resume_at:
            return self.resume_at - now
        if self.in_flight >= max(int(self.window), 1):
            return math.inf
        return self.gate.wait(now)

    def sent(self, now: float) -> None:
        """A request was sent."""
        self.in_flight += 1
        self.gate.sent(now)

    def ended(self) -> None:
        """A request ended, in whatever way."""
        self.in_flight -= 1
        self.gate.ended()

    def refused(self, now: float, sent_at: float, retry_after_s: float | None) -> None:
        """A request sent at `sent_at` was refused as too fast.

        Only the first refusal of an episode shrinks the window. An episode lasts for the wait that
        the server asked for, and for a second at least; later refusals may only prolong the wait.
        """
        pause = now + (1.0 if retry_after_s is None else retry_after_s)
        if sent_at < self._episode_ends:
            if now < self._episode_ends:
                self.resume_at = max(self.resume_at, pause)
            return
        close = now - self._episode_ends < CLOSE_S
        used = min(self.window, float(max(self.in_flight, 1)))
        self.episodes += 1
        self.resume_at = pause
        self._episode_ends = max(pause, now + EPISODE_S)
        if self._adaptive:
            self.window = max(used * (SHRINK_AGAIN if close or not self._growth else SHRINK), 1.0)
            self._growth = max(1.0, GROWTH * self.window)
            self._grown_at = pause

    def _grow(self, now: float) -> None:
        if not self._adaptive:
            return
        if self._grown_at is None:
            self._grown_at = now
        self._full = self._full or self.in_flight >= int(self.window)
        passed = now - self._grown_at
        if passed < (GROW_EVERY_S if self._growth else DOUBLE_EVERY_S):
            return
        if self._full:  # a window that is not used tells nothing
            larger = self.window + self._growth * passed if self._growth else self.window * 2
            self.window = min(larger, float(self.cap))
        self._full = False
        self._grown_at = now
