"""Kernels that can be ended from outside: with all processes that they started, at once."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any, ClassVar

from jupyter_client.manager import AsyncKernelManager


class TrackedKernelManager(AsyncKernelManager):
    """A kernel manager that remembers which kernels run; papermill makes one for each notebook."""

    running: ClassVar[set[int]] = set()

    async def _async_launch_kernel(self, kernel_cmd: list[str], **options: Any) -> None:
        await super()._async_launch_kernel(kernel_cmd, **options)
        self._pid = getattr(self.provisioner, "pid", None)
        if self._pid:
            self.running.add(self._pid)

    async def _async_cleanup_resources(self, restart: bool = False) -> None:
        await super()._async_cleanup_resources(restart=restart)
        self.running.discard(getattr(self, "_pid", None) or 0)


def end_all() -> None:
    """End every running kernel and its children: each kernel leads a process group of its own."""
    for pid in list(TrackedKernelManager.running):
        TrackedKernelManager.running.discard(pid)
        with contextlib.suppress(OSError):
            if os.name == "nt":
                os.kill(pid, signal.SIGTERM)
            else:
                os.killpg(pid, signal.SIGKILL)
