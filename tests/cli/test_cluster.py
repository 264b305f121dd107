"""`generate --cluster`: the same results as here, whatever happens to workers."""

from __future__ import annotations

import json
import operator
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tightrope import cli
from tightrope.commands.generate import elsewhere, generate
from tightrope.commands.generate.executors import cluster_worker, dask_cluster
from tightrope.commands.generate.executors.cluster_worker import Answer, Reply, do_on_worker, end_command, identity
from tightrope.commands.generate.executors.dask_cluster import DaskCluster
from tightrope.commands.generate.executors.executor import JobDone, Shared, ThisProcess
from tightrope.commands.generate.executors.local_processes import LocalProcesses
from tightrope.commands.generate.executors.orders import JobOrder, pack
from tightrope.errors import UsageError
from tightrope.source.toolchain import find_gcc

HEADER = "#define LOW 3\nint clamp(int v);\n"
UNIT = """\
#include "low.h"
#include <string.h>
int grade(int a, int b) { if (a > LOW && b) return clamp(a); return 0; }
int place(int n) { const char *f = __FILE__; if (f[n & 7] == 'p') return 1; return 0; }
"""
OTHER = '#include "low.h"\nint clamp(int v) { if (v > 100) return 100; return v; }\n'
LONG = """\
int quick(int a) { if (a) return 1; return 0; }
int walk(unsigned a, unsigned b, unsigned c)
{
    unsigned n = 0;
    for (int i = 0; i < 16; i++) {
        if (a >> i & 1) n += b;
        if (c >> i & 1) n ^= a;
    }
    return (int)n;
}
"""
WORDS = ("--max-runs", "100", "--build", "cmake", "--json", "report.json", "-o", "tests")


def needs_dask() -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: pip install 'tightrope[cluster]'")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Flags and paths are absolute, as CMake writes them; the other file of the program is linked."""
    folder = tmp_path / "proj"
    for name in ("src", "include", "build"):
        (folder / name).mkdir(parents=True)
    (folder / "include" / "low.h").write_text(HEADER)
    (folder / "src" / "unit.c").write_text(UNIT)
    (folder / "src" / "other.c").write_text(OTHER)
    files = [folder / "src" / name for name in ("unit.c", "other.c")]
    entries = [
        {"directory": f"{folder}/build", "file": f"{each}", "command": f"gcc -I{folder}/include -c {each}"}
        for each in files
    ]
    (folder / "build" / "compile_commands.json").write_text(json.dumps(entries))
    return folder


def results(folder: Path) -> tuple[Any, dict[str, bytes]]:
    """The report without times, and the written files."""
    report = json.loads((folder / "report.json").read_text())
    return _without_seconds(report), {each.name: each.read_bytes() for each in (folder / "tests").iterdir()}


def _without_seconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_seconds(each) for key, each in value.items() if not key.endswith("seconds")}
    return [_without_seconds(each) for each in value] if isinstance(value, list) else value


def agree(found: tuple[Any, dict[str, bytes]], expected: tuple[Any, dict[str, bytes]]) -> None:
    """Line by line, so that a difference can be read."""
    shown = [json.dumps(report, indent=1).splitlines() for report, _ in (found, expected)]
    assert [pair for pair in zip(*shown, strict=False) if pair[0] != pair[1]] == []
    assert found == expected


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "tightrope", "generate", *words]


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(Path(cli.__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, **more}


def test_a_worker_needs_none_of_the_files(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are gone when the work begins, and the results are those of a run with them."""
    monkeypatch.chdir(project)
    monkeypatch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", find_gcc)  # as in other processes
    assert cli.main(["generate", "src", *WORDS]) == 0
    expected = results(project)
    assert b'#include "../src/unit.c"' in expected[1]["test_unit_grade.c"]
    monkeypatch.setattr(generate, "_choose_executor", lambda options, jobs: elsewhere.Elsewhere(AfterHiding(), options))
    for each in (project / "tests").iterdir():
        each.unlink()
    assert cli.main(["generate", "src", *WORDS]) == 0
    agree(results(project), expected)


class AfterHiding:
    """An executor that hides the files of the project while it works."""

    def opened(self) -> AbstractContextManager[int]:
        return nullcontext(1)

    rounds = 0

    def run(self, work: Any, jobs: Any, groups: Any = ()) -> Iterator[JobDone[Any]]:
        AfterHiding.rounds += 1
        packed = list(jobs)
        hidden = Path("src").absolute(), Path("include").absolute(), Path("build").absolute()
        for each in hidden:
            each.rename(f"{each}-hidden")
        try:
            done = list(LocalProcesses(1).run(work, packed))
        finally:
            for each in hidden:
                Path(f"{each}-hidden").rename(each)
        yield from done


def test_results_of_a_local_cluster_are_those_of_this_process(project: Path) -> None:
    needs_dask()
    scratch = project.parent / "tmp"
    scratch.mkdir()
    shared = {"cwd": project, "env": environment(TMPDIR=str(scratch)), "capture_output": True, "text": True}
    alone = subprocess.run(command("src", *WORDS), check=True, **shared)
    expected = results(project)
    for each in (project / "tests").iterdir():
        each.unlink()
    done = subprocess.run(command("src", *WORDS, "--cluster", "local:2"), check=True, **shared)
    agree(results(project), expected)
    assert "Traceback" not in done.stderr
    assert done.stdout.count("covered (100%)") == alone.stdout.count("covered (100%)")
    assert not [each for each in scratch.iterdir() if "session" in each.name or "dask" in each.name]
    assert not processes_with(str(scratch))


def processes_with(text: str) -> list[str]:
    """Processes whose environment has this text."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (each / "environ").read_bytes():
                found.append((each / "cmdline").read_text())
        except OSError:
            continue
    return found


def test_an_error_in_the_only_function_is_an_error(project: Path) -> None:
    needs_dask()
    words = command("src/unit.c:grade", "--cluster", "local:1", "--assume", "a > +")
    done = subprocess.run(words, cwd=project, env=environment(), capture_output=True, text=True)
    assert done.returncode == 2
    assert "--assume: `a > +` does not compile" in done.stderr and "Traceback" not in done.stderr


def test_interrupt_keeps_what_is_finished_and_leaves_no_process(tmp_path: Path) -> None:
    needs_dask()
    (tmp_path / "long.c").write_text(LONG)
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    process = subprocess.Popen(
        command("long.c", "--exhaustive", "-o", "tests", "--json", "report.json", "--cluster", "local:1"),
        cwd=tmp_path,
        env=environment(TMPDIR=str(scratch)),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (tmp_path / "tests" / "test_long_quick.c").exists():
        assert process.poll() is None
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    units = {unit["function"]: unit for unit in json.loads((tmp_path / "report.json").read_text())["units"]}
    assert all(objective["verdict"] == "covered" for objective in units["quick"]["objectives"])
    assert "interrupted" in units["walk"]["stop_reason"]
    assert not processes_with(str(scratch))
    assert not [each for each in scratch.iterdir() if "session" in each.name]


# Its parent is the nursery of the worker.
KILLS_ITS_WORKER = """
import os, signal, time
stat = open(f"/proc/{os.getppid()}/stat").read()
os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)
time.sleep(60)
"""
KILLS_ITS_NURSERY = "import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); time.sleep(60)"


def test_jobs_that_kill_do_not_stop_the_others() -> None:
    """One kills the process that works on it, another one the Dask worker, and one what starts its processes."""
    needs_dask()
    jobs = [(os._exit, 3), (abs, -1), (exec, KILLS_ITS_WORKER), (abs, -2), (abs, -3), (exec, KILLS_ITS_NURSERY)]
    found = {done.number: done for done in DaskCluster("local:2").run(operator.call, jobs)}
    assert found[0].lost == "the process that worked on it ended 2 times: exit status 3"
    assert found[2].lost == "the worker of the cluster that worked on it ended 2 times"
    assert found[5].lost == "the process that worked on it ended 2 times: signal 9"
    assert [found[number].result for number in (1, 3, 4)] == [1, 2, 3]


def test_a_job_whose_result_is_lost_with_its_worker_is_done_again() -> None:
    """The worker ends after the job, and before anybody has the result: the scheduler is still there."""
    connection = SimpleNamespace(cluster=None)
    submission = dask_cluster._Submission(connection, abs, [(-1,), (-2,)])  # type: ignore[arg-type]
    number, cancelled = submission.waiting.take(), list[str]()
    future = SimpleNamespace(status="lost", cancel=lambda: cancelled.append("the first one"))
    assert submission._take(number, future) is None
    assert list(submission.waiting) == [number, 1] and cancelled


def test_an_existing_scheduler(tmp_path: Path) -> None:
    """The processes of the command are gone from its workers, which are still there for the next one."""
    needs_dask()
    address_file = tmp_path / "scheduler.json"
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "2", "--no-dashboard"]
    named = ["--scheduler-file", str(address_file)]
    place = {"cwd": tmp_path, "env": environment(TMPDIR=str(tmp_path)), "stderr": subprocess.DEVNULL}
    started = [subprocess.Popen([*words, *named], **place) for words in (scheduler, worker)]
    try:
        while not address_file.exists():
            assert started[0].poll() is None
            time.sleep(0.1)
        address = json.loads(address_file.read_text())["address"]
        jobs: list[tuple[Any, ...]] = [(abs, -1), (os._exit, 3), (os.getpid,)]
        for _ in range(2):
            found = {done.number: done for done in DaskCluster(address).run(operator.call, jobs)}
            assert found[0].result == 1 and found[1].lost
            assert not Path(f"/proc/{found[2].result}").exists()
        assert not [each for each in tmp_path.iterdir() if "session" in each.name]
        last = {}
        for done in DaskCluster(address).run(operator.call, [(abs, -1), (time.sleep, 600), (time.sleep, 600)]):
            last[done.number] = done
            started[0].kill()  # the scheduler, once something is finished
        assert last[0].result == 1
        assert last[1].lost == last[2].lost == "the connection to the scheduler of the cluster was lost"
    finally:
        for each in reversed(started):
            each.terminate()
            each.wait()


def test_a_scheduler_needs_no_tightrope() -> None:
    """It reads what is submitted, so nothing there may be imported from us."""
    needs_dask()
    import cloudpickle

    sent = cloudpickle.dumps(dask_cluster._do_there)
    script = f"import sys; sys.modules['tightrope'] = None; import pickle; print(pickle.loads({sent!r}).__name__)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "_do_there\n", done.stderr


def test_a_worker_without_tightrope_is_told() -> None:
    needs_dask()

    class Failed:
        status = "error"

        def exception(self) -> Exception:
            return ModuleNotFoundError("No module named 'tightrope'")

    with pytest.raises(UsageError, match="a worker of the cluster cannot import Tightrope"):
        dask_cluster._Submission(None, abs, [])._take(0, Failed())


def test_a_worker_with_another_version() -> None:
    """The worker says what differs, and the command what to do."""
    wanted = {**identity(), "tightrope": "9.9", "bitwuzla": "8.8"}
    reply = do_on_worker("command", wanted, JobOrder(b"", ()), {}, (), "tcp://there:1")
    assert reply.answer is Answer.MISMATCH
    assert "instead of 9.9, bitwuzla" in reply.text and "files" not in reply.text
    submission = dask_cluster._Submission(None, abs, [])
    with pytest.raises(UsageError, match=r"tcp://there:1 of the cluster has tightrope .* instead of 9\.9") as raised:
        submission._read(0, reply)
    assert "pip install 'tightrope[cluster]==" in raised.value.hint


def test_a_process_of_a_worker_that_is_not_used_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_worker, "PATIENCE", 0.0)
    order, _ = pack((operator.call, (abs, -2)))
    assert do_on_worker("mine", identity(), order, {}, (), "here") == Reply(Answer.DONE, pickle.dumps(2), worker="here")
    (keeper,) = cluster_worker._idle["mine"]
    end_command("mine")
    assert not keeper.process.is_alive() and not keeper.folder.exists()
    assert "mine" not in cluster_worker._idle


def test_an_interrupted_command_gets_no_further_process() -> None:
    end_command("over", is_interrupted=True)
    assert do_on_worker("over", identity(), JobOrder(b"", ()), {}, (), "here") == Reply(Answer.STOPPED)


def test_dask_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match="--cluster needs Dask") as raised:
        list(DaskCluster("local:2").run(abs, [(1,)]))
    assert raised.value.hint == "pip install 'tightrope[cluster]'"


def test_nobody_is_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_dask()
    monkeypatch.setattr(dask_cluster, "TO_CONNECT", 0.2)
    with pytest.raises(UsageError, match=r"there is no Dask scheduler at 127\.0\.0\.1:9"):
        list(DaskCluster("127.0.0.1:9").run(abs, [(1,)]))


@pytest.mark.parametrize("address", ["local", "local:0", "local:x", "host", "tcp://host"])
def test_what_is_no_cluster_is_refused(address: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["generate", str(project / "src" / "unit.c"), "--cluster", address]) == 2
    assert f"`{address}` is neither local:N nor the address of a Dask scheduler" in capsys.readouterr().err


def test_a_folder_that_the_code_may_change_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(project / "src" / "unit.c:place"), "--cluster", "local:1", "--allow-files", "."]
    assert cli.main(["generate", *words, "-o", str(project / "tests")]) == 2
    assert "--allow-files and --cluster cannot be combined: what the code changes" in capsys.readouterr().err


@pytest.fixture
def elsewhere_hidden(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """With --cluster, the files of the project are gone while functions are tested. How many were each time."""
    asked: list[int] = []

    def choose(options: Any, jobs: int) -> Any:
        asked.append(jobs)
        return elsewhere.Elsewhere(AfterHiding(), options) if options.cluster and jobs else ThisProcess()

    monkeypatch.setattr(generate, "_choose_executor", choose)
    monkeypatch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", find_gcc)  # as in other processes
    return asked


EARLIER = ["src/unit.c:grade", "src/unit.c:place", "--quiet", *WORDS]


@pytest.mark.parametrize("more", [[], ["--replace"], ["--suite", "given.json"], ["--format", "json,plain"]])
def test_earlier_tests_travel(
    more: list[str], project: Path, monkeypatch: pytest.MonkeyPatch, elsewhere_hidden: list[int]
) -> None:
    """What is kept, added and replaced is the same as without a cluster."""
    monkeypatch.chdir(project)
    (project / "given.json").write_text('[{"inputs": {"a": 77, "b": 5}}]')
    assert cli.main(["generate", "src/unit.c:grade", "--quiet", *WORDS, "-c", "decision"]) == 0
    before = {each.name: each.read_bytes() for each in (project / "tests").iterdir()}
    before["test_unit_grade"] = b"\xff\x00 a program that somebody has built"
    found = []
    for place in ([], ["--cluster", "local:1"]):
        for each in (project / "tests").iterdir():
            each.unlink()
        for name, content in before.items():
            (project / "tests" / name).write_bytes(content)
        assert cli.main(["generate", *EARLIER, *more, *place]) == 0
        found.append(results(project))
    agree(found[1], found[0])
    text = (project / "tests" / "test_unit_grade.c").read_text()
    kept = re.findall(r"^static void test_.*?^}$", before["test_unit_grade.c"].decode(), re.MULTILINE | re.DOTALL)
    assert all(each in text for each in kept) == ("--replace" not in more)
    assert elsewhere_hidden[-1] == 2


def test_tests_that_may_need_other_files_are_run_here(
    project: Path, monkeypatch: pytest.MonkeyPatch, elsewhere_hidden: list[int]
) -> None:
    """Of tests that somebody has edited, nobody knows what they include."""
    monkeypatch.chdir(project)
    assert cli.main(["generate", *EARLIER]) == 0
    file = project / "tests" / "test_unit_grade.c"
    file.write_text(file.read_text() + "/* mine */\n")
    edited = file.read_text()
    elsewhere_hidden.clear()
    assert cli.main(["generate", *EARLIER, "--suite", str(file), "--cluster", "local:1"]) == 0
    assert elsewhere_hidden == [0]
    assert file.read_text() == edited


def test_tests_of_another_file_of_the_same_name_are_left_alone(
    project: Path, monkeypatch: pytest.MonkeyPatch, elsewhere_hidden: list[int]
) -> None:
    """Only what they include tells, which a worker has to get."""
    monkeypatch.chdir(project)
    (project / "lib").mkdir()
    (project / "lib" / "unit.c").write_text("int grade(int a) { return a == 3; }\n")
    words = ["--max-runs", "50", "-o", "tests", "--quiet"]
    assert cli.main(["generate", "lib/unit.c", *words]) == 0
    of_other = (project / "tests" / "test_unit_grade.c").read_text()
    assert cli.main(["generate", "src/unit.c:grade", *words, "--cluster", "local:1"]) == 0
    assert elsewhere_hidden[-1] == 1
    assert (project / "tests" / "test_unit_grade.c").read_text() == of_other
    assert any('#include "../src/unit.c"' in each.read_text() for each in (project / "tests").iterdir())


def test_rounds_of_all_functions_go_on_elsewhere(
    project: Path, monkeypatch: pytest.MonkeyPatch, elsewhere_hidden: list[int]
) -> None:
    """--total-time: each round has the tests of the one before, also where the folder has an absolute path."""
    monkeypatch.chdir(project)
    (project / "src" / "unit.c").write_text(HARD)
    words = ["src/unit.c", "--quiet", "-o", str(project / "tests"), "--json", "report.json"]
    words += ["--total-time", "120", "--time-limit", "2"]
    assert cli.main(["generate", *words, "--cluster", "local:1"]) == 0
    assert len(elsewhere_hidden) == 1  # the cluster is started once
    units = {unit["function"]: unit for unit in json.loads((project / "report.json").read_text())["units"]}
    assert {each["verdict"] for each in units["easy"]["objectives"]} == {"covered"}
    assert "unknown" in {each["verdict"] for each in units["hard"]["objectives"]}
    written = {each["id"] for each in units["hard"]["tests"]}
    text = (project / "tests" / "test_unit_hard.c").read_text()
    assert written and all(f"static void test_{each}(" in text for each in written)
    assert AfterHiding.rounds > 1


HARD = """\
int easy(int a) { return a > 3 ? 1 : 2; }
int hard(unsigned long long a, unsigned long long b)
{
    unsigned long long n = 1;
    for (int i = 0; i < 64; i++) {
        if (n >> (i & 31) & 1)
            n += b;
        n = n * (a | 1) + (b ^ n >> 29);
        n ^= n >> 17;
    }
    return n == 0x123456789abcdef1;
}
"""


def test_a_local_cluster_with_a_total_time(project: Path) -> None:
    needs_dask()
    words = command("src", "--total-time", "60", *WORDS, "--cluster", "local:1")
    done = subprocess.run(words, cwd=project, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    report, files = results(project)
    assert {"test_unit_grade.c", "test_unit_place.c", "test_other_clamp.c"} <= {*files}
    assert {each["verdict"] for unit in report["units"] for each in unit["objectives"]} == {"covered"}


class _Client:
    """Keeps what is submitted."""

    def __init__(self, *workers: str) -> None:
        self.threads = dict.fromkeys(workers, 1)
        self.sent: list[tuple[list[str], Mapping[str, bytes]]] = []

    def nthreads(self) -> dict[str, int]:
        return self.threads

    def submit(self, work: Any, *words: Any, workers: list[str], **more: Any) -> Future[Reply]:
        self.sent.append((workers, words[4]))
        return Future()


def test_files_travel_once_to_each_worker_and_functions_follow_them() -> None:
    files = ["a", "a", "b", "b", "a"]
    jobs = [(Shared(name, f"text of {name}"),) for name in files]
    client = _Client("one", "two")
    submission = dask_cluster._Submission(dask_cluster._Connection(client), len, jobs, files)
    submission._submit()
    assert [(places, sorted(contents)) for places, contents in client.sent] == [
        (["one"], ["a"]),
        (["two"], ["b"]),
        (["one"], []),
        (["two"], []),
        (["one"], []),
    ]
    del submission.submitted[1]
    submission._read(1, Reply(Answer.LACKS, worker="two"))  # it was given to another one, which has no "a"
    submission._submit()
    assert [*client.sent[-1][1]] == ["a"]
    assert not submission.deaths
