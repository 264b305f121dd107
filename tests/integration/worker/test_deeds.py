"""Whatever the C does to its process is an outcome of that run; the next run starts in a clean state."""

from __future__ import annotations

import pytest
from deeds import CHANGES, CRASHES, EXITS, HANGS, KEEPER, switch

from tightrope.running import runner

ALL = [*CRASHES, *EXITS, *HANGS, *CHANGES, *KEEPER]

# What a run can see of its predecessors. `handlers` .. `folder` are about the process, the others about memory.
OBSERVE_MEMORY = """\
    static int calls;
    char *heap = malloc(64);
    int used = 0;
    if (what == 0) { /* where a deed has its memory */
        char *more = calloc(4096, 1);
        for (int i = 0; i < 4096; i++)
            used |= more[i];
    }
    for (int i = 64; i < 200; i++)
        used |= numbers[i];
    int seen = ++calls + 10 * errno + 10000 * used + 100000 * (int)((unsigned long)heap >> 4 & 0xfff);
"""
OBSERVE_PROCESS = """\
    int handlers = 0, descriptors = 0;
    char folder[4096] = "";
    sigset_t blocked;
    for (int i = 1; i < 64; i++) {
        struct sigaction now;
        handlers += sigaction(i, 0, &now) == 0 && now.sa_handler != SIG_DFL ? i : 0;
    }
    sigprocmask(SIG_BLOCK, 0, &blocked);
    for (int i = 0; i < 256; i++)
        descriptors += fcntl(i, F_GETFD) != -1;
    mode_t mask = umask(0);
    umask(mask);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    if (!getcwd(folder, sizeof folder))
        return -1;
    int seen = handlers + 100 * descriptors + 7 * rand() + 3 * (int)mask + 11 * sigismember(&blocked, SIGTERM)
             + 5 * (int)strlen(folder) + (int)files.rlim_cur;
"""


@pytest.mark.parametrize("observe", [OBSERVE_MEMORY, OBSERVE_PROCESS], ids=["memory", "process"])
def test_every_run_is_as_the_first(observe, start_unit, monkeypatch) -> None:
    monkeypatch.setattr(runner, "GRACE", 1.0)
    unit = start_unit(switch(ALL, observe, "seen"), "act", "--run-time-limit", "1")
    first = unit.run(0)
    assert first.ending.outcome.value == "returned"
    for number, deed in enumerate(ALL, 1):
        run = unit.run(number)
        assert (deed.name, run.ending.outcome.value) == (deed.name, deed.outcome)
        assert deed.reason in run.ending.reason, deed.name
        for _ in range(2):
            assert unit.run(0) == first, f"after: {deed.name}"


def test_the_reason_of_one_run_is_not_left_to_the_next(start_unit) -> None:
    unit = start_unit(switch(CRASHES), "act")
    names = [deed.name for deed in CRASHES]
    null, raised = names.index("write to NULL") + 1, names.index("raise") + 1
    unit.run(null)
    assert unit.run(raised).ending.reason == "SIGSEGV in the call of `raise`"  # nobody touched an address
    assert unit.run(0).ending.reason == ""
