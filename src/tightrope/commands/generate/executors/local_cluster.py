"""A Dask cluster on this machine: a scheduler in a thread of this process, and workers that are processes of their own.

    us, with the scheduler ──▶ nursery of jobs ──forks──▶ worker ──forks──▶ nursery of jobs ──forks──▶ process for jobs

Dask would start Python anew for each worker. Here, whatever is imported is imported once, while we import Dask. Each
end of an arrow ends with its begin.
"""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from tightrope.commands.generate.executors.cluster_worker import use_nursery
from tightrope.running.job_nursery import JobNursery, JobProcess

IMPORTED = ("distributed", __name__)  # by the nursery of the workers
# Nobody looks at statistics. Dask would spend 3 % of a processor on them in each process.
SETTINGS: Mapping[str, Any] = {
    "distributed.scheduler.allowed-failures": 0,  # we try again ourselves
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.memory.terminate": False,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "1h",
    "distributed.admin.system-monitor.interval": "10s",
}


class LocalWorkers:
    """They are started when the scheduler is there."""

    def __init__(self, number: int, imports: Sequence[str] = ()) -> None:
        self.number = number
        self._imports = tuple(imports)
        self._nursery = JobNursery((*IMPORTED, *imports))
        self._nursery.open()
        self._processes: list[tuple[JobProcess, Connection]] = []
        self._cluster: Any = None

    def open(self) -> str:
        """The address of the scheduler."""
        import dask
        from distributed import LocalCluster

        dask.config.set(SETTINGS)
        self._cluster = LocalCluster(
            n_workers=0, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL, host="127.0.0.1"
        )
        self.ensure()
        return str(self._cluster.scheduler_address)

    def ensure(self) -> None:
        """Start what is not there, for the first time or again."""
        self._processes = [each for each in self._processes if each[0].is_alive()]
        while len(self._processes) < self.number:
            address, folder = self._cluster.scheduler_address, tempfile.gettempdir()
            started = self._nursery.start(_be_worker, address, folder, temporary=folder)
            self._processes.append(started)

    def kill(self) -> None:
        """At once: they have no work any more, or nobody wants it."""
        self._nursery.close()
        for process, connection in self._processes:
            connection.close()
            process.join(1.0)
        self._processes = []

    def close(self, is_in_a_hurry: bool = False) -> None:
        if self._cluster is None:
            return
        if is_in_a_hurry:
            self._cluster.shutdown_on_close = False  # Dask would wait for it at the end of the program
        with suppress(Exception):
            self._cluster.close(timeout=1)


# -- in a worker


def _be_worker(connection: Connection, address: str, folder: str) -> None:
    """Never returns: it is ended."""
    import dask

    use_nursery(JobNursery.forked())  # before there is another thread
    logging.disable(logging.CRITICAL)
    dask.config.set(SETTINGS)
    asyncio.run(_work(address, folder))
    os._exit(0)


async def _work(address: str, folder: str) -> None:
    from distributed import Worker

    async with Worker(address, nthreads=1, memory_limit=0, local_directory=folder, host="127.0.0.1") as worker:
        await worker.finished()
