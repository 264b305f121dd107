"""What lies behind a branch that always went one way, for no reason that an input gave."""

from __future__ import annotations

import pytest

from tightrope.program.flow.points import number_points
from tightrope.program.ir.read_ir import read_program
from tightrope.soundness.unexplored import unexplored_blocks

PROGRAM = read_program("""
define i32 @f(i1 %null, i1 %n) {
entry:
  br i1 %null, label %then, label %next
then:
  br label %next
next:
  br i1 %n, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
define i32 @early(i1 %null, i1 %n) {
entry:
  br i1 %null, label %gone, label %next
gone:
  ret i32 -1
next:
  br i1 %n, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
define i32 @caller(i1 %null, i1 %n) {
entry:
  %r = call i32 @early(i1 %null, i1 %n)
  br label %after
after:
  ret i32 %r
}
define void @endless() {
entry:
  br i1 true, label %entry, label %out
out:
  ret void
}
""")
POINTS = number_points(PROGRAM.functions.values())


def behind(unit, seen, decided=()):
    """Block names, with the function where it is not the unit itself."""
    mask = 0
    for place in seen:
        mask |= 1 << POINTS.numbers[place]
    sites = {POINTS.numbers[function, block, 0] for function, block in decided}
    found = unexplored_blocks(PROGRAM, unit, POINTS, mask, sites)
    return {block if function == unit else f"{function}:{block}" for function, block in found}


def test_everything_after_the_untaken_side_is_in_doubt():
    seen = [("@f", "entry", 0), ("@f", "next", 0)]
    assert behind("@f", seen, [("@f", "next")]) == {"then", "next", "yes", "no"}


def test_what_returns_at_once_casts_no_doubt_on_the_rest():
    seen = [("@early", "entry", 0), ("@early", "next", 0)]
    assert behind("@early", seen, [("@early", "next")]) == {"gone"}


def test_a_doubt_in_a_callee_reaches_its_caller():
    seen = [("@early", "entry", 0), ("@early", "next", 0)]
    assert behind("@caller", seen, [("@early", "next")]) >= {"after", "@early:gone"}


@pytest.mark.parametrize(
    ("unit", "seen", "decided"),
    [
        ("@f", [("@f", "entry", 0), ("@f", "next", 0)], [("@f", "entry"), ("@f", "next")]),  # inputs decided
        ("@f", [("@f", "entry", 0), ("@f", "entry", 1), ("@f", "next", 0), ("@f", "next", 1)], []),  # both were taken
        ("@f", [], []),  # nothing was run
        ("@endless", [("@endless", "entry", 1)], []),  # a constant
    ],
)
def test_no_doubt(unit, seen, decided):
    assert behind(unit, seen, decided) == set()
