"""Experiments assert nothing, so somebody must notice when they no longer measure what they say."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from argparse import Namespace
from collections import Counter
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from imports import ROOT

EXPERIMENTS = ROOT / "experiments"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("folder", ["bench", "experiments"])
def test_results_have_an_index_that_is_current(folder):
    results = import_module("bench.parts.results")
    place = ROOT / folder / "results"
    assert (place / "README.md").read_text(encoding="utf-8") == results.index(place)


def test_the_index_has_what_a_page_says_in_short(tmp_path: Path):
    (tmp_path / "2026-01-02-a.md").write_text(
        "# Title, 2026-01-02\n\n## In short\n\nIt is met.\n\n## Details\n\nMore.\n"
    )
    (tmp_path / "2026-01-02-b.md").write_text("# Other, 2026-01-02\n\nText.\n")
    said = import_module("bench.parts.results").index(tmp_path)
    assert said.endswith("\n\n## Title, 2026-01-02\n\nIt is met.\n")


# -- tables, curves, plots


def test_tables():
    tables = import_module("bench.parts.tables")
    assert list(tables.markdown(["a", "b"], [["x", "1"]])) == ["| a | b |", "| --- | --: |", "| x | 1 |"]
    assert tables.as_csv([{"a": 1}, {"a": "x,y", "b": 2}]) == 'a,b\n1,\n"x,y",2\n'
    assert (tables.saved(200, 50), tables.saved(50, 100), tables.saved(0, 1)) == ("75.0 %", "-100.0 %", "-")
    assert (tables.share(9999, 10000), tables.share(5, 5), tables.share(1, 0)) == ("99.9 %", "100.0 %", "-")
    assert (tables.number(1234), tables.number(2.5), tables.ratio(1, 4)) == ("1,234", "2.5", "0.25")


def test_curves_and_the_area_under_them():
    curves = import_module("experiments.curves")
    one = curves.curve_of([1, 1, 3, 9], 4)  # the last one came too late
    assert one == (2, 2, 3, 3)
    assert curves.area(one) == 10
    assert curves.mean_of([one, (0, 0, 1, 1)]) == (1, 1, 2, 2)
    assert curves.sum_of([one, one]) == (4, 4, 6, 6)


def test_a_plot_is_well_formed_and_within_its_frame():
    plot = import_module("bench.parts.plot")
    series = (plot.line_series("a < b & c", (1.0, 5.0, 7.5)), plot.line_series("other", (0.0, 0.0, 1.0)))
    root = ET.fromstring(plot.draw(plot.Chart("title", "across", "up", series)))
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert {"title", "across", "up", "a < b & c", "other", "0", "8"} <= set(texts)
    lines = [each.get("points").split() for each in root.iter(f"{SVG}polyline")]
    assert [len(line) for line in lines] == [3, 3]
    places = [tuple(map(float, place.split(","))) for line in lines for place in line]
    assert all(plot.LEFT <= x <= plot.WIDTH - plot.RIGHT for x, _ in places)
    assert all(plot.TOP <= y <= plot.HEIGHT - plot.BOTTOM for _, y in places)
    assert places[2][1] < places[1][1] < places[0][1]  # what is larger is higher


def test_a_page_names_command_commit_and_processor(monkeypatch: pytest.MonkeyPatch):
    results = import_module("bench.parts.results")
    monkeypatch.setattr(
        results.sys, "argv", ["e2", "--folder", "/elsewhere/x", "--note", "Long.", "--store=/y", "--only", "a b"]
    )
    assert results.command().endswith("--folder DIR --store=DIR --only 'a b'")
    assert results.command().startswith("python -m ")
    assert results.commit().startswith("commit ")
    text = "\n".join(results.head("title"))
    assert results.command() in text and results.commit() in text and results.processor() in text


def test_a_logarithmic_axis_has_equal_steps_for_equal_factors():
    plot = import_module("bench.parts.plot")
    series = (plot.Series("one", ((0.1, 0.0), (1.0, 1.0), (10.0, 2.0), (30.0, 2.0))),)
    root = ET.fromstring(plot.draw(plot.Chart("title", "across", "up", series, is_logarithmic=True)))
    assert {"0.1", "0.3", "1", "3", "10", "30"} <= {each.text for each in root.iter(f"{SVG}text")}
    (line,) = [each.get("points").split() for each in root.iter(f"{SVG}polyline")]
    xs = [float(place.split(",")[0]) for place in line]
    assert xs[0] == plot.LEFT and xs[3] == plot.WIDTH - plot.RIGHT
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2)


@pytest.mark.parametrize(("low", "high"), [(0, 100), (0, 7.5), (0, 0), (3, 3), (0, 12345), (0.2, 0.9)])
def test_ticks_are_few_and_enclose(low, high):
    ticks = import_module("bench.parts.plot").ticks_between(low, high)
    assert ticks[0] <= low and ticks[-1] >= high
    assert 2 <= len(ticks) <= 9


def test_a_page_is_kept_with_its_files(tmp_path: Path):
    results = import_module("bench.parts.results")
    results.keep("e9", ["# page"], {".csv": "a\n", "-x.svg": "<svg/>"}, Namespace(no_file=False), tmp_path / "results")
    names = [file.name[10:] for file in sorted((tmp_path / "results").glob("2*"))]
    assert names == ["-e9-x.svg", "-e9.csv", "-e9.md"]
    results.keep("e9", ["# page"], {}, Namespace(no_file=True), tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


# -- the functions


def test_the_list_is_long_enough_and_names_nothing_twice():
    units = import_module("bench.parts.real_units")
    listed = units.listed_units()
    assert Counter(each.package for each in listed).keys() == set(units.PROJECTS)
    assert len(listed) >= 60
    assert len({each.name for each in listed}) == len(listed)
    assert all(each.file.endswith(".c") and each.why for each in listed)
    assert [each.function for each in units.listed_units(["misc.c:chomp"])] == ["chomp"]


# -- explorations


PROGRAM = """
int f(int a, int b, const char *text)
{
    if (a > 3 && b < 7)
        return text[0] == 'x' ? 1 : 2;
    while (a < 0)
        a += 100;
    return b;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "f.c"
    file.write_text(PROGRAM)
    return file


def test_an_exploration_says_which_run_covered_what(program: Path):
    explore_unit = import_module("bench.parts.explore_unit")
    ready = explore_unit.prepare(program, "f", ("mcdc",))
    way = explore_unit.Way("bfs", "bfs", seeds=(0, 1, 1), random_start=True, max_runs=50)
    found = list(explore_unit.explore_all(ready, way))
    assert ready.decisions == 3 and ready.objectives >= 6
    for each in found:
        assert list(each.covered_at) == sorted(each.covered_at)
        assert each.covered == ready.objectives and each.stop_reason == "DONE"
        assert each.runs == each.covered_at[-1]  # it stops when all is covered, and looks for nothing else
        assert len(each.decisions_at) == 3 and each.decisions_at[-1] == each.runs
        assert each.queries_at[-1] <= each.queries
    _, one, again = (explore_unit.as_data([each])[0] | {"seconds": 0} for each in found)
    assert one == again  # though the worker has run others before
    assert explore_unit.from_data(explore_unit.as_data(found)) == tuple(found)


def test_a_random_first_input_depends_on_the_seed_and_is_small(program: Path):
    unit = import_module("bench.parts.explore_unit").prepare(program, "f", ("branch",)).unit
    random_input, first = import_module("bench.parts.random_input").random_input, (0,) * len(unit.driver.slots)
    inputs = [random_input(unit.shape, first, seed) for seed in range(20)]
    assert len(set(inputs)) > 10
    assert inputs[0] == random_input(unit.shape, first, 0)
    for values in inputs:
        assert all(raw <= slot.scalar.mask for raw, slot in zip(values, unit.driver.slots, strict=True))
        assert all(min(raw, 2**32 - raw) <= 10 for raw in values[:2])  # a and b


def test_a_study_is_kept_and_a_refused_unit_is_named(program: Path, tmp_path: Path, monkeypatch):
    studies, units, way = (
        import_module("experiments.studies"),
        import_module("bench.parts.real_units"),
        import_module("bench.parts.explore_unit").Way,
    )
    monkeypatch.setattr(studies, "CORES", [])
    ways = (way("dfs", "dfs", max_runs=20), way("filtered dfs", "dfs", is_filtered=True, max_runs=20))
    good, bad = (
        studies.Study(units.RealUnit(f"p/f.c:{name}", "p", program, name, None), "branch", ways, tmp_path / "kept")
        for name in ("f", "missing")
    )
    studies.work(good, 0)
    assert not studies.missing_ways(good, False)
    found = studies.load(good)
    assert found.objectives == 8 and [len(each) for each in found.explored.values()] == [1, 1]
    monkeypatch.setattr(studies, "code_digest", lambda: "another state of the code")
    assert len(studies.missing_ways(good, False)) == 2 and not studies.missing_ways(good, True)
    studies.work(bad, 0)
    assert "missing" in "\n".join(studies.problem_lines([found, studies.load(bad)]))


# -- the scripts, on explorations that nobody made


def _found(name: str, criterion: str, **ways: tuple[int, ...]):
    """By way, the runs that covered something."""
    explored = import_module("bench.parts.explore_unit").Explored

    def explore(covered_at: tuple[int, ...]):
        asked = {"queries_at": covered_at, "solver_queries_at": covered_at, "decisions_at": (1,)}
        counts = {"infeasible": 0, "runs": covered_at[-1], "queries": 9, "solver_queries": 5, "candidates": 7}
        none = {"filtered": 0, "divergences": 0}
        return (explored(0, covered_at, **asked, **counts, **none, seconds=0.5, stop_reason="DONE"),)

    made = {way.replace("_", " "): explore(covered_at) for way, covered_at in ways.items()}
    return import_module("experiments.studies").Found(name, name.split("/")[0], criterion, 4, 2, made)


def test_e2_reports_what_was_saved():
    e2 = import_module("experiments.e2_filtering")
    wanted = e2.read_arguments(["--criterion", "mcdc", "--no-file"])
    found = [_found(f"{project}/a.c:f", "mcdc", dfs=(1, 4, 20), filtered_dfs=(1, 2, 5)) for project in ("flex", "bash")]
    found.append(
        import_module("experiments.studies").Found("make/b.c:g", "make", "mcdc", problem="it cannot be compiled")
    )
    page = "\n".join(e2.report(found, {"flex": "1.0"}, wanted))
    assert "| flex | 1 | 20 | 5 | 75.0 % |" in page
    assert "| all | 2 | 40 | 10 | 75.0 % |" in page
    assert "| all | 8 | 75.0 % | 75.0 % |" in page
    assert "less in 0." in page and "make/b.c:g, mcdc: it cannot be compiled" in page
    assert "| mcdc | dfs | 2 | 75.0 % | met |" in page
    assert len(list(e2.csv_rows(found))) == 5


def test_e2_leaves_out_what_the_clock_ended():
    e2 = import_module("experiments.e2_filtering")
    found = _found("flex/a.c:f", "branch", dfs=(1, 4, 20), filtered_dfs=(1, 2, 5))
    late = replace(found.explored["dfs"][0], stop_reason="TIME_LIMIT")
    found = replace(found, explored=found.explored | {"dfs": (late,)})
    page = "\n".join(e2.report([found], {"flex": "1.0"}, e2.read_arguments(["--no-file"])))
    assert "| all | 0 | 0 | 0 |" in page and "flex/a.c:f, branch: out of time: dfs" in page


def test_e3_reports_areas_and_plots():
    e3 = import_module("experiments.e3_strategies")
    wanted = e3.read_arguments("--criterion branch --no-file --iterations 10 --strategies pps,dfs".split())
    found = [_found(f"{project}/a.c:f", "branch", pps=(1, 1, 2), dfs=(1, 6)) for project in ("flex", "make")]
    page = "\n".join(e3.report(found, {"flex": "1.0"}, wanted))
    assert "| pps | 58 | 1.00 | 4 | 6 | 6 | 75.0 % | 1.00 |" in page
    assert "| dfs | 30 | 0.52 | 2 | 2 | 4 | 50.0 % | 0.67 |" in page
    plots = e3.plots(found, wanted)
    assert set(plots) == {"-branch-flex.svg", "-branch-make.svg", "-branch-all.svg"}
    assert all(ET.fromstring(text).tag == f"{SVG}svg" for text in plots.values())
    assert len(list(e3.csv_rows(found, wanted))) == 4


@pytest.mark.parametrize("script", ["e2_filtering", "e3_strategies", "choose_functions"])
def test_scripts_say_how_they_are_used(script):
    command = [sys.executable, "-m", f"experiments.{script}", "--help"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env={"PYTHONPATH": str(ROOT / "src")}
    )
    assert done.returncode == 0, done.stderr
    assert "--folder" in done.stdout
