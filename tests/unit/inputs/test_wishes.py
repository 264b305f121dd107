"""The little language of wishes: what it says, and what it says about mistakes."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.inputs.input_paths import matches, read_path
from tightrope.inputs.wishes import (
    NOTHING,
    WORDS,
    Wish,
    Wishes,
    join,
    read_wish,
    read_wish_line,
    read_wish_lines,
    show_wish,
)

READ = [
    ("null", Wish(null="null")),
    ("not-null", Wish(null="not-null")),
    ("nullable, one", Wish(null="nullable", kind="one")),
    ("array 8", Wish(kind="array", count=8)),
    ("array", Wish(kind="array")),
    ("8", Wish(kind="array", count=8)),
    (8, Wish(kind="array", count=8)),
    ("0", Wish(null="null")),
    ("string 0", Wish(kind="string", count=0)),
    (" string  12 ,not-null ", Wish(null="not-null", kind="string", count=12)),
    ("bytes 16, length cfg->size", Wish(kind="bytes", count=16, length="cfg->size")),
    ("into buffer", Wish(into="buffer")),
    ("array 3, terminated", Wish(kind="array", count=3, is_terminated=True)),
    ("same-as (*list)[2].next, nullable", Wish(null="nullable", same_as="(*list)[2].next")),
    ("depth 0", Wish(depth=0)),
    ("functions on_open on_close, stub", Wish(functions=("on_open", "on_close"), is_stub=True)),
    ("any", Wish(enum="any")),
    ("members", Wish(enum="members")),
    ("member as_text", Wish(member="as_text")),
    ("fresh 4", Wish(fresh=4)),
    ("fixed", Wish(is_fixed=True)),
    ("input", Wish(is_input=True)),
]


@pytest.mark.parametrize(("text", "wish"), READ)
def test_read(text, wish):
    assert read_wish(text) == wish
    assert read_wish(show_wish(wish)) == wish


MISTAKES = [
    ("", "the wish is empty"),
    ("array 8,, null", "there is nothing before or after a comma"),
    ("arry 8", "unknown word `arry`, did you mean array?"),
    ("NULL", "did you mean null?"),
    ("notnull", "did you mean not-null?"),
    ("xyzzy", "the words are null, not-null,"),
    ("array eight", "`eight` after `array` is not a whole number"),
    ("array -1", "`-1` after `array` is not a whole number"),
    ("array 3 4", "`array 3 4` is not `array N`"),
    ("array 0", "`array 0` is too small: the least is 1; write `null`"),
    ("array 99999999", "is too large: the most is 1048576"),
    ("99999999", "is too large: the most is 1048576"),
    ("not-null array 8", "`not-null` takes no argument; is a comma missing in `not-null array 8`?"),
    ("null, not-null", "contains two words of which only one is possible: `null` and `not-null`"),
    ("string, array 4", "`string` and `array 4`"),
    ("depth 0, depth 2", "`depth 0` and `depth 2`"),
    ("any, members", "`any` and `members`"),
    ("null, string 4", "do you mean `nullable`?"),
    ("string 3, terminated", "only an array can be `terminated`"),
    ("terminated", "only an array can be `terminated`"),
    ("array 3, into buf", "gives one pointer two targets: `array 3` and `into buf`"),
    ("same-as p, stub", "`same-as p` and `stub`"),
    ("fixed, any", "`fixed` means that this is not an input"),
    ("one, length n", "a single object has no length"),
    ("length", "`length` needs the path"),
    ("length n+1", "`n+1` is not a path to an input"),
    ("into 3", "`3` is not a path to an input"),
    ("functions", "`functions` needs names"),
    ("functions a, b", "unknown word `b`"),
    ("functions a-b", "`a-b` after `functions` is not a C identifier"),
    ("member", "is not `member NAME`"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_mistake(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_wish(text)


@pytest.mark.parametrize(
    "text", ["buffer", "= 3", "p == null", "p->", "p[x] = 3", "3 = null", "p. = 3", "(p = 1", "p) = 1"]
)
def test_a_line_is_a_path_and_a_wish(text):
    with pytest.raises(ValueError, match=r"is not PATH = WISH|is not a path"):
        read_wish_line(text)


def test_lines():
    assert read_wish_lines("a = 3; b->c = not-null;") == (
        ("a", Wish(kind="array", count=3)),
        ("b->c", Wish(null="not-null")),
    )
    with pytest.raises(ValueError, match=r"did you mean array\? \(in `b = arry 4`\)"):
        read_wish_lines("a = 3; b = arry 4")


names = st.sampled_from(["a", "b", "list", "_n", "x1", "null", "array"])
paths = st.recursive(
    names,
    lambda inner: st.one_of(
        st.builds("{}.{}".format, inner, names),
        st.builds("{}->{}".format, inner, names),
        st.builds("{}[{}]".format, inner, st.integers(0, 9)),
        st.builds("{}[_]".format, inner),
        st.builds("(*{})".format, inner),
    ),
    max_leaves=4,
)
counts = st.integers(1, 1000)
targets = st.one_of(
    st.just({}),
    st.builds(
        lambda kind, count: {"kind": kind, "count": count},
        st.sampled_from(["array", "string", "bytes"]),
        counts | st.none(),
    ),
    st.just({"kind": "one"}),
    st.builds(lambda count: {"kind": "array", "count": count, "is_terminated": True}, counts),
    st.builds(lambda path: {"into": path}, paths),
    st.builds(lambda path: {"same_as": path}, paths),
    st.builds(
        lambda functions, is_stub: {"functions": tuple(functions), "is_stub": is_stub},
        st.lists(names, unique=True, max_size=3),
        st.booleans(),
    ),
)


@st.composite
def wishes(draw):
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([Wish(null="null"), Wish(is_fixed=True)]))
    target = draw(targets)
    return Wish(
        **target,
        null=draw(st.sampled_from([None, "not-null", "nullable"])),
        length=draw(st.none() | paths) if target.get("kind") != "one" else None,
        depth=draw(st.none() | st.integers(0, 9)),
        enum=draw(st.sampled_from([None, "any", "members"])),
        member=draw(st.none() | names),
        fresh=draw(st.none() | counts),
        is_input=draw(st.booleans()),
    )


@given(wishes().filter(bool))
def test_what_is_shown_is_read_back(wish):
    assert read_wish(show_wish(wish)) == wish


@given(wishes(), wishes())
def test_joined_wishes_contradict_themselves_no_more_than_one(weaker, stronger):
    both = join(weaker, stronger)
    assert not both or read_wish(show_wish(both)) == both
    assert join(both, stronger) == both


@given(wishes())
def test_joining_nothing_changes_nothing(wish):
    assert join(wish, NOTHING) == wish == join(NOTHING, wish)


@given(paths)
def test_every_path_has_itself_as_pattern(path):
    assert matches(path, path)


@given(st.text(max_size=20))
def test_no_text_breaks_the_readers(text):
    for read in (read_wish, read_wish_line, read_wish_lines, read_path):
        with suppress(ValueError):
            read(text)


SAME = [
    ("*p", "p[0]"),
    ("p->x", "p[0].x"),
    ("(*p).x", "p->x"),
    ("(*p)[3]", "p[0][3]"),
    ("*p[2]", "p[2][0]"),
    ("(**p)->x", "p[0][0][0].x"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_place(one, other):
    assert read_path(one) == read_path(other)


def test_wildcards():
    assert matches("t[_].x", "t[12].x") and matches("t[*].x", "t->x") and matches("sensor#_", "sensor#3")
    assert matches("f::calls", "f::calls")
    assert not matches("t[_].x", "t[1].y") and not matches("t[_]", "t") and not matches("t[1]", "t[2]")
    assert not matches("sensor#_", "sensor[3]")


def test_exact_paths_win_over_patterns_and_later_ones_over_earlier():
    asked = Wishes(
        (
            ("t[1].name", Wish(kind="string", count=1)),
            ("t[_].name", Wish(kind="string", count=2, null="not-null")),
            ("t[_].name", Wish(kind="string", count=3)),
        )
    )
    assert asked.for_path("t[1].name") == Wish(kind="string", count=1, null="not-null")
    assert asked.for_path("t[2].name") == Wish(kind="string", count=3, null="not-null")
    assert asked.for_path("t[2].size") == NOTHING


def test_a_pattern_of_the_command_line_wins_over_a_path_in_the_source():
    source = Wishes((("t[1].name", Wish(kind="string", count=1)), ("t[1].name", Wish(null="not-null"))), depth=5)
    asked = source.below([("t[_].name", Wish(kind="string", count=2))])
    assert asked.for_path("t[1].name") == Wish(kind="string", count=2, null="not-null")
    assert asked.depth == 5


def test_wildcards_in_a_wish_are_those_of_its_path():
    asked = Wishes((("m[_].row[_].data", Wish(length="m[_].row[_].size")),))
    assert asked.for_path("m[1].row[2].data").length == "m[1].row[2].size"


JOINED = [
    ("array 8, length n", "16", "array 16, length n"),
    ("string 8, not-null", "nullable", "nullable, string 8"),
    ("string 0", "not-null", "not-null, string 0"),
    ("null", "string 3", "string 3"),
    ("null", "depth 2", "depth 2"),
    ("string 3", "null", "null"),
    ("array 3, length n", "one", "one"),
    ("array 3", "into q", "into q"),
    ("one", "length n", "length n"),
    ("array 3, terminated", "array 4", "array 4"),
    ("fixed", "any", "any"),
    ("any", "fixed", "fixed"),
    ("functions a b", "stub", "stub"),
]


@pytest.mark.parametrize(("weaker", "stronger", "both"), JOINED)
def test_join(weaker, stronger, both):
    assert join(read_wish(weaker), read_wish(stronger)) == read_wish(both)


def test_words_are_listed_once():
    assert len(set(WORDS)) == len(WORDS)
