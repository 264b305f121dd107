"""What a written file says about its own tests, and how these are cut out of it."""

from __future__ import annotations

from tightrope.suite.kept_tests import (
    AboutSuite,
    KeptTests,
    cut_test,
    read_about,
    read_block,
    rows_of_json,
    write_block,
)

ROW = {"name": "f_1", "inputs": {"text": "/* a */ b"}, "outcome": "returned", "observed": {"result": 1.5}}
OPENING = "static void test_f_1(void)"
TEST = f"/* line 3: a > 3 is true */\n{OPENING}\n{{\n    f();\n\n    {{\n    }}\n}}\n"
FILE = f"static int tightrope_failures;\n\n{TEST}\nstatic void test_f_2(void)\n{{\n}}\n"


def test_rows_come_back_and_end_no_comment():
    about = AboutSuite("abc", ({"p": "*/"},))
    text = "int a;\n" + write_block([ROW], about)
    assert read_block(text) == (ROW,)
    assert read_about(text) == about
    assert text.count("*/") == 1
    assert text.count("/*") == 1


def test_a_file_without_rows_has_none():
    assert read_block("int a;\n") == ()
    assert read_about("int a;\n") == AboutSuite()
    assert rows_of_json("[1, 2]") == rows_of_json("nothing") == ()


def test_a_test_is_cut_with_the_comment_above_it():
    assert cut_test(FILE, "f_1", OPENING) == TEST
    assert cut_test(FILE, "f_2", "static void test_f_2(void)") == "static void test_f_2(void)\n{\n}\n"
    assert cut_test(FILE, "f_3", "static void test_f_3(void)") is None


def test_a_test_in_a_process_of_its_own_is_cut_with_its_body():
    own = "static void body_of_f_1(void)\n{\n    f();\n}\n\n"
    text = FILE.replace(TEST, own + TEST.replace("}\n", "}\nEND_TEST\n").replace("    }\nEND_TEST\n", "    }\n"))
    cut = cut_test(text, "f_1", OPENING, ("END_TEST",))
    assert cut is not None
    assert cut.startswith(own)
    assert cut.endswith("\n}\nEND_TEST\n")


def test_only_tests_that_are_kept_are_taken_from_earlier_files():
    kept = KeptTests(frozenset({"f_1"}), {"test_f.c": FILE}, {"f_1": ROW})
    assert kept.cut("test_f.c", "f_1", OPENING) == TEST
    assert kept.cut("test_g.c", "f_1", OPENING) is None
    assert kept.cut("test_f.c", "f_2", "static void test_f_2(void)") is None
    assert kept.row("f_1") == ROW
    assert kept.row("f_2") is None
