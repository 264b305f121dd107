"""The parts of bench/real that need neither apt nor a network."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from imports import ROOT

BENCH = ROOT / "bench" / "real"


def test_the_list_is_long_enough_and_says_why():
    listed = import_module("bench.real.listed").read_list()
    per_package = Counter(each.package for each in listed)
    assert len(listed) >= 60 and min(per_package.values()) >= 10
    assert all(len(each.why) > 10 for each in listed)
    assert len({each.name for each in listed}) == len(listed)


def test_the_second_list_is_long_enough_and_has_no_file_of_the_first():
    listed = import_module("bench.real.listed")
    first, second = (listed.read_list(listed.LISTS[name].file) for name in ("functions", "embedded"))
    assert len({each.name for each in second}) == len(second) >= 100
    assert not {(each.package, each.file) for each in first} & {(each.package, each.file) for each in second}
    assert all(int(each.why.removesuffix(" decisions")) >= 3 for each in second)
    assert {each.package for each in (*first, *second)} == set(import_module("bench.real.packages").PACKAGES)


def test_two_results_in_one_table():
    result = import_module("bench.real.one_function").Result
    old = result("p/a.c:f", "tested", objectives=10, covered=7, unknown={"shape": 3})
    new = result("p/a.c:f", "tested", objectives=10, covered=8, infeasible=2)
    gone = result("p/b.c:g", "refused")
    text = "\n".join(import_module("bench.real.compare").compare({old.name: old, gone.name: gone}, {new.name: new}))
    assert "| decided | 70.0 % | 100.0 % |" in text
    assert "| unknown: shape | 3 | 0 |" in text
    assert "| p/a.c:f | 7+0/10 | 8+2/10 |" in text
    assert "p/b.c:g" not in text


def test_a_result_does_not_say_where_the_sources_are(tmp_path: Path):
    one = import_module("bench.real.one_function")
    file = tmp_path / "packages" / "p" / "source" / "src" / "a.c"
    file.parent.mkdir(parents=True)
    file.write_text("int f(int a) { return a }\n")
    result = one.run_job(one.Job("p/src/a.c:f", file, "f", tmp_path / "result", 5.0, ()))
    assert result.status == "refused" and "src/a.c" in result.message
    assert str(tmp_path) not in (tmp_path / "result" / "result.json").read_text()


def test_entries_of_the_system_become_entries_for_sources(tmp_path: Path):
    (tmp_path / "sources.list.d").mkdir()
    old = "# deb http://old x main\ndeb [signed-by=/k.gpg arch=amd64] http://a/debian stable main contrib\ndeb-src http://a x y\n"
    new = "Types: deb deb-src\nURIs: http://b/debian\nSuites: stable\nComponents: main\n\nTypes: deb-src\nURIs: http://c\n"
    (tmp_path / "sources.list").write_text(old)
    (tmp_path / "sources.list.d" / "new.sources").write_text(new)
    found = list(import_module("bench.real.debian").source_entries(tmp_path))
    assert found == [
        "Types: deb-src\nURIs: http://b/debian\nSuites: stable\nComponents: main\n",
        "Types: deb-src\nURIs: http://a/debian\nSuites: stable\nComponents: main contrib\nSigned-By: /k.gpg\n",
    ]


def test_without_apt_it_says_so(tmp_path: Path, monkeypatch):
    debian = import_module("bench.real.debian")
    monkeypatch.setattr(debian.shutil, "which", lambda name: None)
    with pytest.raises(debian.NotHere, match="apt-get is not on this machine"):
        debian.Archive(tmp_path).fetch("flex", "2.6", tmp_path / "x")


def test_the_recorder_notes_compiles_and_lets_them_happen(tmp_path: Path):
    notes = tmp_path / "notes.jsonl"
    for words in (["-c", "-DX=a b", "x.c", "-o", "x.o"], ["x.o", "-o", "x"]):
        command = [sys.executable, str(BENCH / "recorder.py"), str(notes), "true", *words]
        assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
    (line,) = notes.read_text().splitlines()
    assert json.loads(line)["arguments"] == ["true", "-c", "-DX=a b", "x.c", "-o", "x.o"]
    assert json.loads(line)["directory"] == str(tmp_path)


def _list():
    return import_module("bench.real.listed").LISTS["functions"]


def test_a_summary_of_good_and_bad():
    result = import_module("bench.real.one_function").Result
    good = result("p/a.c:f", "tested", objectives=10, covered=7, infeasible=2, unknown={"time_limit": 1}, tests=3,
                  compiled=True, confirmed=True, concretised={"x at a.c:3 (pinned)": 2})  # fmt: skip
    bad = result("p/b.c:g", "failed", "it broke\nat length")
    text = import_module("bench.real.summary").write_markdown([good, bad], {"p": "1.0"}, 60, _list())
    assert "| functions that fail to start | 0 | 1 of 2 |" in text
    assert "90.0 % (9 of 10)" in text
    assert "p/b.c:g: failed; it broke" in text
    assert "| time_limit | 1 | 10.0 % | f 1 |" in text
    json.loads(import_module("bench.real.summary").write_json([good, bad], {"p": "1.0"}))
