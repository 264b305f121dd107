"""`tightrope inputs`: the tree as people see it, and lines that can be pasted."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from tightrope import cli

PROGRAMS = Path(__file__).parents[1] / "programs"
PARSE = """\
#include <stddef.h>
enum mode { OFF, ON };
struct row { char *name; int value; };
struct config { enum mode mode; struct row table[4]; unsigned flag : 3; union { int i; char c; } u; };
int parse(const struct config *cfg, const int *values, size_t count, const char *text)
{
    if (!cfg || cfg->mode == ON || cfg->flag || cfg->u.i || text[1] == 'x')
        return 1;
    for (size_t i = 0; i < count; i++)
        if (values[i] > cfg->table[2].value)
            return 2;
    return cfg->table[1].name ? cfg->table[1].name[3] == 'y' && cfg->table[1].name[0] : 3;
}
"""
PARSED = """\
parse  parse.c:5   63 slots
  cfg                      const struct config *  one object, or NULL
    cfg->mode              enum mode              one of OFF, ON
    cfg->table             struct row [4]         4 elements
      cfg->table[_].name   char *                 string of up to 8 characters, or NULL
      cfg->table[_].value  int                    any value
    cfg->flag              unsigned int : 3       any value
    cfg->u                 union { ... }          a union; its input is `i`
      cfg->u.i             int                    any value
  values                   const int *            array of 8, or NULL; count tells how many
  count                    size_t                 any value; at most 8 is tried first
  text                     const char *           string of up to 8 characters, or NULL
  larger if runs need it: arrays and strings to 256 elements

# To change this, copy lines into tightrope.toml and remove the # before them:
[function.parse]
# depth = 3
# string-length = 8
# array-length = 8
# max-elements = 64
# enum = "members"
[function.parse.input]
# cfg = "nullable, one"
# "cfg->mode" = "members"
# "cfg->table[_].name" = "nullable, string 8"
# "cfg->u" = "member i"
# values = "nullable, array 8, length count"
# text = "nullable, string 8"
# pointer: null|not-null|nullable, one|array N|string N|bytes N|into PATH|same-as PATH, terminated, length PATH, depth N
# enum: members|any
# union: member NAME
"""
LIST = """\
struct node { int value; struct node *next; };
/* tightrope: list = not-null, depth 2 */
int sum(struct node *list)
{
    int total = 0;
    for (; list; list = list->next)
        total += list->value;
    return total;
}
"""
LISTED = """\
sum  list.c:3   3 slots
  list           struct node *  one object; as asked
    list->value  int            any value
    list->next   struct node *  one object, or NULL; and so on: 1 pointer deep
"""
DEVICE = """\
int sensor(int channel);
static int level;
static int on_high(int x) { return x + 1; }
static int on_low(int x) { return x - 1; }
int poll_device(int (*handler)(int), void *raw)
{
    if (sensor(1) > level)
        return handler(3);
    return raw != 0;
}
int log_text(double _Complex level) { return level != 0; }
int nothing(void) { return 3; }
"""
POLLED = """\
poll_device  device.c:5   ... slots
  handler    int (*)(int)  on_high, on_low, or a stub, or NULL
  raw        void *        buffer of 8 bytes, or NULL
  level      int           global: any value
  sensor#_   int           the first 4 answers of the stub sensor(): any value
  handler#_  int           the first 4 answers of the stub handler(): any value
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()  # the search for tightrope.toml ends here
    for name, text in (("parse.c", PARSE), ("list.c", LIST), ("device.c", DEVICE)):
        (tmp_path / name).write_text(text)
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    code = cli.main(["inputs", *words])
    out, err = capsys.readouterr()
    assert code == 0, err
    assert all(len(line) <= 120 for line in out.splitlines())
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = cli.main(["inputs", *words])
    out, err = capsys.readouterr()
    assert not out
    return code, err


def test_a_function_with_pointers(folder, capsys):
    assert shown(capsys, "parse.c:parse") == PARSED


def test_a_linked_structure_is_shown_once(folder, capsys):
    assert shown(capsys, "list.c:sum").startswith(LISTED)


def test_functions_globals_and_answers_of_stubs(folder, capsys):
    out = re.sub(r"\d+ slots", "... slots", shown(capsys, "device.c:poll_device"))
    assert out.startswith(POLLED)
    assert "  assuming sensor(): no definition found" in out


def test_all_functions_of_a_file(folder, capsys):
    out = shown(capsys, "device.c")
    assert re.findall(r"^(\w+)  device\.c", out, re.MULTILINE) == [
        "on_high", "on_low", "poll_device", "log_text", "nothing",
    ]  # fmt: skip
    assert "nothing  device.c:12   no inputs\n" in out
    assert "log_text  device.c\n  cannot be tested: parameter `level` is _Complex" in out
    assert out.count("# pointer: ") == 1


def test_the_lines_can_be_pasted_and_ask_for_what_was_chosen(folder, capsys):
    before = shown(capsys, "parse.c:parse")
    block = before[before.index("[function.parse]") :]
    assert tomllib.loads(block) == {"function": {"parse": {"input": {}}}}
    asked = re.sub(r"^# (?=.* = )", "", block, flags=re.MULTILINE)
    (folder / "tightrope.toml").write_text(asked)
    after = shown(capsys, "parse.c:parse")
    assert after.count("; as asked") == 6
    fixed = re.sub(r"  larger if .*\n", "", before)
    assert after.replace("; as asked", "") == fixed.replace("any value; at most 8 is tried first", "at most 8")


@pytest.mark.parametrize("name", ["callback", "pointer_matrix", "string_array", "stub_struct", "union_punning", "text"])
def test_every_wish_that_is_shown_is_fulfilled(name, folder, capsys):
    """What is asked for at every path at once comes out as it was."""
    file = str(PROGRAMS / f"{name}.c")
    for one in shown_functions(capsys, file):
        wishes = [f"{row['path']} = {row['wish']}" for row in one["inputs"] if row["wish"]]
        words = [word for wish in wishes for word in ("--input", wish)]
        (again,) = shown_functions(capsys, f"{file}:{one['function']}", *words)
        assert [plain(row) for row in again["inputs"]] == [plain(row) for row in one["inputs"]]


def shown_functions(capsys, *words: str) -> list[dict]:
    assert cli.main(["inputs", *words, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)["functions"]


def plain(row: dict) -> tuple[str, str, str]:
    """Without what asking changes: a count that was asked for limits its length."""
    what = row["what"].replace("; as asked", "").replace(" is tried first", "").replace("any value; at most", "at most")
    return row["path"], what, row["wish"]


def test_machines_get_json(folder, capsys):
    assert cli.main(["inputs", "list.c", "--json", "-"]) == 0
    (function,) = json.loads(capsys.readouterr().out)["functions"]
    assert function["function"] == "sum"
    assert function["inputs"][0] == {
        "depth": 0, "path": "list", "type": "struct node *", "what": "one object; as asked", "wish": "not-null, one",
    }  # fmt: skip


def test_command_line_over_spec_file_over_source(folder, capsys):
    (folder / "f.c").write_text(
        "// tightrope: a = array 2; b = array 2; c = array 2\nint f(int *a, int *b, int *c) { return *a + *b + *c; }\n"
    )
    (folder / "tightrope.toml").write_text('[input]\nb = 5\nelsewhere = "null"\n[function.f.input]\na = 3\n')
    out = shown(capsys, "f.c:f", "--input", "a = array 4")
    assert re.findall(r"array of (\d)", out) == ["4", "5", "2"]


@pytest.mark.parametrize("said", ['TIGHTROPE_INPUT("p = array 3");', "/* tightrope: p = 3 */", "// tightrope: p = 3"])
@pytest.mark.parametrize("is_inside", [True, False])
def test_source_says_it(said, is_inside, folder, capsys):
    above, inside = ("", said) if is_inside else (said, "")
    (folder / "f.c").write_text(f"#include <tightrope.h>\n{above}\nint f(int *p) {{\n{inside}\nreturn *p; }}\n")
    assert "array of 3" in shown(capsys, "f.c:f")


def test_source_states_assumptions(folder, capsys):
    (folder / "f.c").write_text("// tightrope: assume n > 3\nint f(int n) { return n; }\n")
    assert "  assuming n > 3\n" in shown(capsys, "f.c:f")


MISTAKES = [
    ("p = arry 3", "f.c:2: unknown word `arry`, did you mean array? (in `p = arry 3`) [input-wish]"),
    ("q = null", "f.c:2: no input has the path `q` [input-path]\n  help: its inputs are p, n, p[_]"),
    ("assume n = 3", "f.c:2: `n = 3` modifies data"),
    ("n = string 3", "f.c:2: `string 3` does not apply to `n`: it needs a pointer"),
    ("p = functions g", "f.c:2: `functions g` does not apply to `p`: it needs a pointer to a function"),
    ("p = length m", "f.c:2: `length m`: no input has that path"),
    ("see the manual", "f.c:2: `see the manual` is not PATH = WISH"),
]


@pytest.mark.parametrize(("said", "message"), MISTAKES)
@pytest.mark.parametrize("command", ["inputs", "generate"])
def test_mistakes_in_the_source_have_their_place(said, message, command, folder, capsys):
    (folder / "f.c").write_text(f"\n/* tightrope: {said} */\nint f(int *p, int n) {{ return p[n] + n; }}\n")
    assert cli.main([command, "f.c:f"]) == 2
    assert f"tightrope: error: {message}" in capsys.readouterr().err


NOT_THERE = [
    ("cfg->tabel[_].name = null", "did you mean cfg->table[_].name"),
    ("texts = null", "did you mean text"),
    ("count[3] = any", "no input has the path `count[3]`"),
    ("cfg->mode = member x", "`member x` does not apply to `cfg->mode`: it needs a union"),
    ("cfg->u = member x", "`cfg->u` has no member `x` [input-wish]\n  help: its members are i, c"),
    ("values = stub", "`stub` does not apply to `values`: it needs a pointer to a function"),
    ("cfg->table = string 3", "`string 3` does not apply to `cfg->table`: it needs a pointer"),
    ("count = array 3", "`array 3` does not apply to `count`: it needs a pointer or array"),
    ("text = fresh 3", "cannot change it between two reads"),
    ("values = same-as nowhere", "`same-as nowhere`: no input has that path"),
    ("values = length text", "`length text`: that is not a number"),
]


@pytest.mark.parametrize(("wish", "message"), NOT_THERE)
def test_wishes_that_fit_nothing(wish, message, folder, capsys):
    code, err = refused(capsys, "parse.c:parse", "--input", wish)
    assert code == 2
    assert message in err


def test_a_wish_below_something_that_was_taken_away_is_no_mistake(folder, capsys):
    shown(capsys, "parse.c:parse", "--input", "cfg = null", "--input", "cfg->mode = any")


def test_exit_codes_are_those_of_the_other_commands(folder, capsys):
    assert refused(capsys, "gone.c")[0] == 2
    assert refused(capsys, "parse.c:pars")[0] == 5
    assert refused(capsys, "device.c:log_text")[0] == 2
    (folder / "bad.c").write_text("int f( {")
    assert refused(capsys, "bad.c")[0] == 4


def test_what_only_types_limit_is_no_size_that_the_code_asks_for(folder, capsys):
    (folder / "sizes.c").write_text(
        "typedef unsigned char u8;\n"
        "int sum(const u8 *p, u8 n) { int s = 0; for (u8 i = 0; i < n; i++) s += p[i]; return s; }\n"
        "int down(const u8 *p, u8 n) { int s = 0; while (n--) s += *p++; return s; }\n"
        "int pair(const int *table, const u8 *key) { return table[key[0] << 8 | key[1]]; }\n"
        "int one(const int *table, u8 key) { return table[key]; }\n"
    )
    assert "array of 16," in shown(capsys, "sizes.c:sum")
    assert "array of 16," in shown(capsys, "sizes.c:down")
    assert re.search(r"table +const int \* +array of 8,", shown(capsys, "sizes.c:pair"))
    assert re.search(r"table +const int \* +array of 256,", shown(capsys, "sizes.c:one"))


def test_what_a_function_declares_for_itself_is_assumed_once(folder, capsys):
    (folder / "own.c").write_text("int f(int a) { int other(int); return other(a) ? 1 : 0; }\n")
    out = shown(capsys, "own.c:f")
    assert "other: defined in a file that is not linked, so it returns zero" in out
    assert "other(): no definition found" not in out


def test_standard_input_is_no_stub(folder, capsys):
    (folder / "read.c").write_text("#include <stdio.h>\nint f(void) { return getchar() == 'x'; }\n")
    assert "stubs to" not in shown(capsys, "read.c:f")
    (folder / "ask.c").write_text("int ask(void);\nint f(void) { return ask() == 3; }\n")
    assert "larger if runs need it: stubs to 64 answers" in shown(capsys, "ask.c:f")
