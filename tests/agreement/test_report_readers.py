"""Reports for other programs, read by these programs. One suite is generated; each reader is asked what it sees."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from tightrope import cli
from tightrope.report.as_json import report_from_json
from tightrope.report.formats import FORMATS, render

DOOR = """
#include <stdbool.h>
enum state { OPEN, CLOSED };
int door(enum state state, bool obstacle, bool locked, int n)
{
    int result = 0;
    if (obstacle && !locked)
        result = n > 3 ? 1 : 2;
    switch (state) {
    case OPEN:
        result += 1;
        break;
    case CLOSED:
        result += 2;
        break;
    default:
        result = 9;
    }
    if (result > 100 || n < -5)
        result = 7;
    while (n > 100)
        n /= 2;
    return result;
}
int quotient(int a)
{
    if (a < 3)
        return 10 / a;
    return 3;
}
"""
FIRST, LAST = 5, 23  # lines of `door`


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the source, the tests and the reports."""
    place = tmp_path_factory.mktemp("readers")
    (place / "door.c").write_text(DOOR)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        reports = [word for name in FORMATS for word in ("--report", f"{name}=report.{name}")]
        assert cli.main(["generate", "door.c", "-q", "-c", "mcdc,branch,line", "-o", "tests", *reports]) == 0
    return place


@pytest.fixture(scope="module")
def report(place):
    return report_from_json(json.loads((place / "report.json").read_text()))


def scores(report, name):
    """What is covered, and what is feasible: infeasible objectives are counted nowhere."""
    found = report.score(name)
    return found.covered, found.feasible


def conditions(report):
    rows = [each for unit in report.units for each in unit.objectives if each.criterion == "mcdc" and ":c" in each.id]
    feasible = [each for each in rows if each.verdict != "infeasible"]
    assert len(feasible) < len(rows)  # or the question is not asked
    return sum(each.verdict == "covered" for each in feasible), len(feasible)


def executed(report):
    lines = {(row.line, row.tests) for unit in report.units for each in unit.executed for row in each.lines}
    return sum(tests > 0 for _, tests in lines)


def run(place, *words):
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def lcov_version():
    if not shutil.which("genhtml") or not shutil.which("lcov"):
        pytest.skip("needs lcov and genhtml")
    found = re.search(r"version (\d+)\.(\d+)", run(None, "lcov", "--version"))
    return int(found[1]), int(found[2])


def test_lcov(place, report):
    """lcov 1 leaves out what it does not know: MC/DC, and the sides that are marked as unreachable."""
    version = lcov_version()
    options = ["--rc", "branch_coverage=1"] if version >= (2, 0) else ["--rc", "lcov_branch_coverage=1"]
    options += ["--mcdc-coverage"] if version >= (2, 4) else []
    found = run(place, "lcov", "--summary", "report.lcov", *options)
    assert "({} of {} branches)".format(*scores(report, "branch")) in found
    assert f"({executed(report)} of {executed(report)} lines)" in found  # -c line shows which lines nothing executes
    assert "(2 of 2 functions)" in found
    if version >= (2, 4):
        assert "({} of {} conditions)".format(*conditions(report)) in found
    run(place, "genhtml", "report.lcov", "-o", "pages", "--branch-coverage")
    assert "door.c" in (place / "pages" / "index.html").read_text() or list((place / "pages").rglob("door.c.gcov.html"))


RECORDS = (  # geninfo(1) of lcov 2
    r"#.*|TN:\w+|SF:.+|FN:\d+,\w+|FNDA:\d+,\w+|(FN|BR|MC|L)[FH]:\d+|DA:\d+,\d+|end_of_record"
    r"|BRDA:\d+,U?\d+,\d+,(\d+|-)|MCDC:\d+,U?\d+,[tf],\d+,\d+,.+"
)


def test_lcov_by_its_grammar(place, report):
    """What lcov 1 does not read: records of MC/DC, numbered without gaps, and the number of those that are counted."""
    lines = (place / "report.lcov").read_text().splitlines()
    assert all(re.fullmatch(RECORDS, line) for line in lines)
    found = [line.removeprefix("MCDC:").split(",", 5) for line in lines if line.startswith("MCDC:")]
    for line in {row[0] for row in found}:
        for size in {row[1].lstrip("U") for row in found if row[0] == line}:
            numbers = [int(row[4]) for row in found if row[0] == line and row[1].lstrip("U") == size]
            assert sorted(numbers) == sorted(2 * list(range(int(size))))
    counted = [row for row in found if not row[1].startswith("U")]
    assert (sum(row[3] != "0" for row in counted), len(counted)) == conditions(report)
    assert "MCF:{1}\nMCH:{0}".format(*conditions(report)) in "\n".join(lines)


def test_gcovr(place, report):
    pytest.importorskip("gcovr", reason="needs gcovr")
    words = (sys.executable, "-m", "gcovr", "-a", "report.gcovr", "--json-summary", "-", "--html-details", "page.html")
    found = json.loads(run(place, *words))
    assert (found["branch_covered"], found["branch_total"]) == scores(report, "branch")
    assert (found["condition_covered"], found["condition_total"]) == conditions(report)
    assert (found["line_covered"], found["line_total"]) == (executed(report), executed(report))
    assert found["function_covered"] == found["function_total"] == 2
    assert "quotient" in "".join(each.read_text() for each in place.glob("page*.html"))


def test_cobertura(place, report):
    """By its document type: names of elements, and attributes that must be there. gcovr reads it too."""
    root = ET.parse(place / "report.cobertura").getroot()
    assert (int(root.get("branches-covered")), int(root.get("branches-valid"))) == scores(report, "branch")
    assert int(root.get("lines-covered")) == int(root.get("lines-valid")) == executed(report)
    assert [each.tag for each in root] == ["sources", "packages"]
    wanted = {
        "package": {"name", "line-rate", "branch-rate", "complexity"},
        "class": {"name", "filename", "line-rate", "branch-rate", "complexity"},
        "method": {"name", "signature", "line-rate", "branch-rate"},
        "line": {"number", "hits"},
    }
    for name, attributes in wanted.items():
        assert list(root.iter(name)) and all(attributes <= each.attrib.keys() for each in root.iter(name))
    assert [each.get("name") for each in root.iter("method")] == ["door", "quotient"]
    pytest.importorskip("gcovr", reason="needs gcovr, which reads Cobertura too")
    text = (place / "report.cobertura").read_text()  # gcovr wants an absolute folder: ours is that of the command
    (place / "absolute.xml").write_text(text.replace("<source>.<", f"<source>{place}<"))
    words = (sys.executable, "-m", "gcovr", "--cobertura-add-tracefile", "absolute.xml")
    found = json.loads(run(place, *words, "--json-summary", "-"))
    assert found["line_covered"] == executed(report)


def test_junit(place, report):
    junitparser = pytest.importorskip("junitparser", reason="needs junitparser")
    found = junitparser.JUnitXml.fromfile(str(place / "report.junit"))
    names = [case.name for suite in found for case in suite]
    assert names == [test.id for unit in report.units for test in unit.tests]
    assert found.tests == len(names) and found.errors == found.failures == found.skipped == 0


def test_sarif_with_its_code_flow(place):
    root = json.loads((place / "report.sarif").read_text())
    (run_,) = root["runs"]
    (crash,) = run_["results"]
    assert (root["version"], crash["ruleId"], crash["level"]) == ("2.1.0", "crashed", "error")
    assert run_["tool"]["driver"]["rules"][crash["ruleIndex"]]["id"] == crash["ruleId"]
    assert "division by zero in quotient, with a = 0" in crash["message"]["text"]
    steps = [each["location"] for each in crash["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert [each["message"]["text"] for each in steps][:1] == ["a < 3 is true"]
    lines = [each["physicalLocation"]["region"]["startLine"] for each in steps]
    assert [DOOR.splitlines()[line - 1].strip() for line in lines] == ["if (a < 3)", "return 10 / a;"]
    assert {each["physicalLocation"]["artifactLocation"]["uri"] for each in steps} == {"door.c"}


def test_sarif_tools(place):
    pytest.importorskip("sarif", reason="needs sarif-tools")
    found = run(place, sys.executable, "-m", "sarif", "summary", "report.sarif")
    assert re.search(r"error: 1\n - crashed division by zero in quotient", found)


def test_annotations(place):
    (row,) = json.loads((place / "report.gitlab").read_text())
    line = DOOR.splitlines().index("        return 10 / a;") + 1
    assert (row["location"], row["severity"]) == ({"path": "door.c", "lines": {"begin": line}}, "critical")
    _, command = (place / "report.github").read_text().splitlines()
    assert command.startswith(f"::error file=door.c,line={line},col=19,title=Tightrope%3A crashed::division by zero")


def test_csv(place, report):
    rows = list(csv.DictReader(io.StringIO((place / "report.csv").read_text())))
    objectives = [each for unit in report.units for each in unit.objectives]
    assert [row["objective"] for row in rows] == [each.id for each in objectives]
    assert [row["verdict"] for row in rows] == [each.verdict for each in objectives]


def test_markdown(place):
    markdown = pytest.importorskip("markdown_it", reason="needs markdown-it-py")
    page = markdown.MarkdownIt("commonmark").enable("table").render((place / "report.markdown").read_text())
    assert "<code>quotient</code> door.c</td>" in page
    assert "division by zero, with <code>a = 0</code></li>" in page


@pytest.mark.parametrize("name", ["lcov", "cobertura", "gcovr", "csv"])
def test_measuring_the_tests_shows_the_same(name, place, report, monkeypatch):
    """The written tests, measured: the same numbers of tests for lines, branches and conditions; nothing is proved."""
    monkeypatch.chdir(place)
    file = place / f"measured.{name}"
    words = ["measure", "door.c", "--suite", "tests", "-c", "mcdc,branch,line", "-q", "--json", "measured.json"]
    if not (place / "measured.json").exists():
        assert cli.main(words) == 0
    measured = report_from_json(json.loads((place / "measured.json").read_text()))
    assert [unit.executed for unit in measured.units] == [unit.executed for unit in report.units]
    file.write_text(render(measured, name))
    if name == "lcov":
        ours, theirs = (place / "report.lcov").read_text(), file.read_text()
        assert re.sub(r"(BRDA|MCDC):(\d+),U", r"\1:\2,", records(ours, "BRDA", "MCDC")) == records(
            theirs, "BRDA", "MCDC"
        )


def records(text, *words):
    return "\n".join(line for line in text.splitlines() if line.partition(":")[0] in words)


def test_lines_are_those_that_gcov_counts(place, report, tmp_path):
    """Where both have code on a line, it is executed in both builds, or in neither."""
    if not shutil.which("gcc") or not shutil.which("gcov"):
        pytest.skip("needs gcc with gcov, which did not come from us")
    run(tmp_path, "gcc", "--coverage", "-O0", "-w", str(place / "tests" / "test_door.c"), "-o", "program", "-lm")
    run(tmp_path, "./program")
    (data,) = tmp_path.glob("*.gcda")
    found = json.loads(run(tmp_path, "gcov", "--json-format", "--stdout", str(data)))
    (file,) = (each for each in found["files"] if each["file"].endswith("door.c") and "test_door" not in each["file"])
    theirs = {row["line_number"]: row["count"] > 0 for row in file["lines"] if row.get("function_name") == "door"}
    (unit,) = (unit for unit in report.units if unit.function == "door")
    ours = {row.line: row.tests > 0 for row in unit.executed[0].lines}
    both = ours.keys() & theirs.keys()
    assert len(both) >= 14 and False in ours.values()
    assert {line: ours[line] for line in both} == {line: theirs[line] for line in both}


PROGRAM = """
#include <stdio.h>
static int twice(int x) { if (x > 2) return 2 * x; return x; }
int main(void)
{
    int c = getchar();
    if (c == 'a')
        return twice(5);
    return twice(1);
}
"""


def test_whole_programs_have_all_functions_of_the_file(tmp_path, monkeypatch):
    """Generated, and measured from C and from inputs: the same functions, lines and sides, and nothing of ours."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text(PROGRAM)
    words = ["program.c:main", "--whole-program", "-c", "branch", "-q"]
    assert cli.main(["generate", *words, "--format", "plain,json", "-o", "tests", "--report", "lcov=generated"]) == 0
    for suite in ("tests/test_program_main.c", "tests/test_program_main.json"):
        assert cli.main(["measure", *words, "--suite", suite, "--report", "lcov=measured"]) == 0
        assert (tmp_path / "measured").read_text() == (tmp_path / "generated").read_text()
    assert records((tmp_path / "generated").read_text(), "FN") == "FN:3,twice\nFN:4,main"


def test_hand_written_tests_that_are_kept_count_too(place, tmp_path, monkeypatch):
    """They cover what nothing is searched for: the lines that they execute are counted with those of added tests."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "door.c").write_text(DOOR)
    (tmp_path / "mine.c").write_text('#include "door.c"\nint main(void) { return quotient(5) != 3; }\n')
    words = ["door.c:quotient", "-q", "-c", "branch", "--suite", "mine.c"]
    assert cli.main(["generate", *words, "-o", "tests", "--report", "lcov=report"]) == 0
    text = (tmp_path / "report").read_text()
    lines = [
        DOOR.splitlines().index(line) + 1 for line in ("    if (a < 3)", "        return 10 / a;", "    return 3;")
    ]
    wanted = [f"DA:{line},{tests}" for line, tests in zip(lines, (2, 1, 1), strict=True)]
    assert [line for line in records(text, "DA").splitlines() if line in wanted] == wanted
    assert records(text, "FNDA") == "FNDA:2,quotient"
