"""Processes for jobs that have become large are replaced, and no job notices."""

from __future__ import annotations

import os
import pickle
from collections import Counter

import pytest

from tightrope.commands.generate.executors import executor
from tightrope.commands.generate.executors.cluster_worker import Answer, do_on_worker, end_command, identity
from tightrope.commands.generate.executors.executor import ServiceLife
from tightrope.commands.generate.executors.local_processes import LocalProcesses
from tightrope.commands.generate.executors.orders import pack


def _in_a_large_process(job: int) -> tuple[int, int]:
    executor.MOST_MEMORY, executor.LEAST_JOBS = 0, 2  # in that process
    return job, os.getpid()


def test_only_a_large_process_leaves_and_not_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    used = [100]
    monkeypatch.setattr(executor, "resident_bytes", lambda: used[0])
    monkeypatch.setattr(executor, "MOST_MEMORY", 1000)
    monkeypatch.setattr(executor, "LEAST_JOBS", 3)
    life = ServiceLife()
    assert [life.is_over() for _ in range(4)] == [False] * 4
    used[0] = 2000
    assert life.is_over()
    assert [ServiceLife().is_over()] == [False]


def test_processes_of_this_machine_are_replaced() -> None:
    done = list(LocalProcesses(1).run(_in_a_large_process, [(job,) for job in range(6)]))
    assert [(each.number, each.result[0], each.lost) for each in done if each.result] == [(n, n, "") for n in range(6)]
    assert sorted(Counter(each.result[1] for each in done if each.result).values()) == [2, 2, 2]


def test_processes_of_a_worker_of_the_cluster_are_replaced() -> None:
    processes = []
    try:
        for job in range(4):
            order, shared = pack((_in_a_large_process, (job,)))
            contents = {name: pickle.dumps(value) for name, value in shared.items()}
            reply = do_on_worker("large", identity(), order, contents, worker="w")
            assert reply.answer is Answer.DONE
            number, process = pickle.loads(reply.content)
            assert number == job
            processes.append(process)
    finally:
        end_command("large")
    assert sorted(Counter(processes).values()) == [2, 2]
