"""Labels of the user: in the source, with and without a header, and partitions of the inputs."""

import json

import pytest

from tightrope.cli import main

LABELLED = 'int f(int x, int y) { pc_label(x > y, 3, "ORDER"); if (x > 3) return 1; return 0; }\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verdicts(folder, text: str, *words: str) -> dict[str, str]:
    (folder / "unit.c").write_text(text)
    assert main(["generate", "unit.c:f", "--json", "report.json", "--no-confirm", "-q", *words]) == 0
    objectives = json.loads((folder / "report.json").read_text())["units"][0]["objectives"]
    return {each["id"]: each["verdict"] for each in objectives}


@pytest.mark.parametrize(
    "before",
    ["", '#include "tightrope.h"\n', "#ifndef pc_label\n#define pc_label(...) do { } while (0)\n#endif\n"],
    ids=("no header", "our header", "a header that asks first"),
)
def test_a_label_in_the_source_is_an_objective(folder, before):
    found = verdicts(folder, before + LABELLED, "-c", "label")
    assert found == {"f:label:+0.23:ORDER:3": "covered"}


def test_a_definition_of_the_source_wins(folder):
    assert verdicts(folder, "#define pc_label(e, i, t) do { } while (0)\n" + LABELLED, "-c", "label") == {}


def test_a_label_that_cannot_be_satisfied_is_infeasible(folder):
    text = "#include <tightrope.h>\nint f(int x) { if (x > 3) TIGHTROPE_LABEL(x < 2); return x; }\n"
    assert list(verdicts(folder, text, "-c", "label").values()) == ["infeasible"]


@pytest.mark.parametrize("where", ["command line", "spec file"])
def test_each_block_of_a_partition_gets_a_test(folder, where):
    words = ["--partition", "sign=x < 0; x == 0; x > 0 && x < 0"]
    if where == "spec file":
        (folder / "tightrope.toml").write_text('[function.f.partition]\nsign = ["x < 0", "x == 0", "x > 0 && x < 0"]\n')
        words = []
    found = verdicts(folder, "int f(int x) { return x; }\n", "-c", "idp", *words)
    assert found == {
        "f:idp:+0.1:sign:1": "covered",
        "f:idp:+0.1:sign:2": "covered",
        "f:idp:+0.1:sign:3": "infeasible",
    }


@pytest.mark.parametrize(
    ("partition", "message"),
    [
        ("x < 0", "`x < 0` is not NAME=EXPRESSION; EXPRESSION"),
        ("a=x = 3", "`x = 3` modifies data"),
        ("a=x < 0; unheard < 3", "`unheard < 3` of a cannot be evaluated when f starts"),
        ("a=;", "is not NAME=EXPRESSION; EXPRESSION"),
    ],
)
def test_a_mistake_in_a_partition_is_said(folder, capfd, partition, message):
    (folder / "unit.c").write_text("int f(int x) { return x; }\n")
    assert main(["generate", "unit.c:f", "-c", "idp", "--partition", partition]) == 2
    assert message in capfd.readouterr().err


def test_a_mistake_in_a_partition_of_the_spec_file_has_its_place(folder, capfd):
    (folder / "unit.c").write_text("int f(int x) { return x; }\n")
    (folder / "tightrope.toml").write_text("[function.f.partition]\nsign = [1, 2]\n")
    assert main(["generate", "unit.c:f", "-c", "idp"]) == 2
    assert "tightrope.toml:2: sign is not a list of strings" in capfd.readouterr().err


@pytest.mark.parametrize("criterion", ["decision", "condition", "mcdc", "mcc", "ncc", "gacc", "wm", "limit"])
def test_direct_and_tight_instrumentation_give_the_same_verdicts(folder, criterion):
    text = "int f(int a, int b, int c) { if (a > 3 && (b < 2 || c == a)) return 1; return b > 3 && b < 3; }\n"
    tight = verdicts(folder, text, "-c", criterion)
    assert tight
    assert verdicts(folder, text, "-c", criterion, "--instrumentation", "direct") == tight


HYPERLABELLED = """\
#include <tightrope.h>
int f(int n, int k)
{
    TIGHTROPE_HYPERLABEL("1 then 2 without 3");
    TIGHTROPE_HYPERLABEL("2 then 1");
    TIGHTROPE_HYPERLABEL("1 and 2 where x == 5");
    int r = 0;
    pc_label_bindings(n > 2, 1, "MANY", 0, 1, "x", n + k);
    while (r++ < n && r < 4) {
        if (k++ > 8)
            pc_label(k == 10, 3, "TEN");
    }
    pc_label(k > 3, 2, "OVER");
    return r;
}
"""


@pytest.mark.parametrize("how", ["tight", "direct"])
def test_what_is_kept_is_measured_as_it_was_generated(folder, how):
    """Hyperlabels, loops, paths and labels behind side effects: the light instrumentation counts the same."""
    criteria = ("-c", "label,loop,k-path,wm,limit,label-mcc")
    found = verdicts(folder, HYPERLABELLED, *criteria, "--instrumentation", how, "--time-limit", "20")
    words = ["measure", "unit.c:f", *criteria, "--suite", "tightrope-tests", "--json", "measured.json", "-q"]
    assert main(words) == 0
    objectives = json.loads((folder / "measured.json").read_text())["units"][0]["objectives"]
    measured = {each["id"] for each in objectives if each["verdict"] == "covered"}
    assert {each for each, verdict in found.items() if verdict == "covered"} == measured
    assert [found[f"f:label:+{line}.5:hyperlabel"] for line in (2, 3, 4)] == ["covered", "infeasible", "covered"]
