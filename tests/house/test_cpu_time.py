"""The processor time of a process that benches watch."""

import os
import subprocess
import sys
import time
from importlib import import_module

import pytest

BUSY = "import os, time\nif os.fork() == 0:\n    while time.process_time() < 0.3: pass\n    os._exit(0)\n"
WAITS = "os.wait(); print(flush=True); time.sleep(60)\n"


@pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="the system does not tell")
def test_children_count_while_they_run_and_when_they_have_ended():
    used_by = import_module("bench.parts.cpu_time").used_by
    process = subprocess.Popen([sys.executable, "-c", BUSY + WAITS], stdout=subprocess.PIPE)
    try:
        process.stdout.readline()
        assert used_by(process.pid) >= 0.28
    finally:
        process.kill()
        process.wait()
    assert used_by(process.pid) == 0.0
    before = used_by(os.getpid())
    start = time.process_time()
    while time.process_time() - start < 0.05:
        pass
    assert used_by(os.getpid()) - before >= 0.04
