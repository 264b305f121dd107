import os
import sys
import time
from pathlib import Path

import pytest

from tightrope.source.process import run_command


def python(code: str, **rest):
    return run_command([sys.executable, "-c", code], **{"time_limit": 20.0, **rest})


def test_what_it_wrote_and_how_it_ended(tmp_path: Path):
    done = python("import os, sys; print(os.getcwd()); sys.stderr.write('oh'); sys.exit(3)", folder=tmp_path)
    assert (done.output.strip(), done.messages, done.status, done.was_stopped) == (str(tmp_path), "oh", 3, False)


def test_bytes_that_are_no_text():
    assert python(r"import sys; sys.stdout.buffer.write(b'a\xff')").output == "a�"


def test_it_cannot_read_our_input():
    assert python("import sys; print(repr(sys.stdin.read()))").output.strip() == "''"


def test_a_signal():
    assert python("import os; os.abort()").status == -6


def test_the_time_limit_ends_it_and_what_it_started():
    """The child keeps the pipes open: without ending the whole group we would wait for it."""
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    start = time.monotonic()
    done = python(code, time_limit=0.5)
    assert done.was_stopped
    assert time.monotonic() - start < 20


def test_what_it_wrote_within_a_limit():
    done = python("import sys; print('x' * 100_000); sys.stderr.write('oh'); sys.exit(3)", output_limit=200_000)
    assert (len(done.output), done.messages, done.status, done.wrote_too_much) == (100_001, "oh", 3, False)


def test_the_limit_of_what_it_may_write_ends_it():
    done = python("while True: print('x' * 100_000)", output_limit=1_000_000)
    assert done.wrote_too_much and done.was_stopped
    assert done.output == ""


def test_the_time_limit_holds_also_within_a_limit_of_output():
    done = python("import time; print('x', flush=True); time.sleep(60)", time_limit=0.5, output_limit=1000)
    assert done.was_stopped and not done.wrote_too_much


def test_a_command_that_does_not_exist():
    with pytest.raises(OSError, match="no-such-command"):
        run_command(["no-such-command"], time_limit=1.0)


def test_the_environment_is_only_what_is_given():
    done = python("import os; print(os.environ.get('HOME'), os.environ['A'])", environment={"A": "b", **_needed()})
    assert done.output.strip() == "None b"


def _needed() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
