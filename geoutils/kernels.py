"""Kernels that can be ended from outside: with all processes that they started, at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import Any, ClassVar

from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner

from geoutils.warm import Nursery


class TrackedKernelManager(AsyncKernelManager):
    """A kernel manager that remembers which kernels run; papermill makes one for each notebook."""

    running: ClassVar[set[int]] = set()
    nursery: ClassVar[Nursery | None] = None  # where kernels are forked from, if anywhere

    async def _async_launch_kernel(self, kernel_cmd: list[str], **options: Any) -> None:
        if not await self._forked(kernel_cmd, options):
            await super()._async_launch_kernel(kernel_cmd, **options)
        self._pid = getattr(self.provisioner, "pid", None)
        if self._pid:
            self.running.add(self._pid)

    async def _forked(self, command: list[str], options: dict[str, Any]) -> bool:
        """Fork the kernel instead of starting it, where that can be."""
        provisioner = self.provisioner
        if self.nursery is None or not isinstance(provisioner, LocalProvisioner):
            return False
        env, cwd = options.get("env") or os.environ, str(options.get("cwd") or Path.cwd())
        process = await asyncio.to_thread(self.nursery.fork, command, env, cwd)
        if process is None:
            return False
        provisioner.process, provisioner.pid, provisioner.pgid, provisioner.cwd = process, process.pid, process.pid, cwd
        self._reconcile_connection_info(provisioner.connection_info)
        return True

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
