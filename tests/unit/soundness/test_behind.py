"""What lies behind refuted points: control comes there through nothing else. Random graphs are walked in another way."""

from __future__ import annotations

from random import Random

import pytest

from tightrope.program.flow.points import number_points, side_target, sides
from tightrope.program.ir.model import Function
from tightrope.program.ir.read_ir import read_program
from tightrope.soundness.behind import points_behind

PROGRAM = read_program("""
define i32 @f(i1 %a, i32 %n) {
entry:
  br i1 %a, label %then, label %next
then:
  switch i32 %n, label %other [
    i32 1, label %one
    i32 2, label %next
  ]
one:
  br label %join
other:
  br label %join
join:
  ret i32 1
next:
  ret i32 0
}
""")
POINTS = number_points(PROGRAM.functions.values())


def behind(*refuted: tuple[str, int | None]) -> set[str]:
    mask = sum(1 << POINTS.numbers["@f", block, side] for block, side in refuted)
    found = points_behind(PROGRAM, POINTS, mask)
    return {block for (_, block, side), number in POINTS.numbers.items() if side is None and found >> number & 1}


@pytest.mark.parametrize(
    ("refuted", "blocks"),
    [
        ((), set()),
        ((("entry", 1),), {"then", "one", "other", "join"}),
        ((("entry", 0),), set()),
        ((("entry", 0), ("then", 2)), {"next"}),
        ((("then", 0),), {"other"}),
        ((("then", 0), ("then", 1)), {"one", "other", "join"}),
        ((("one", None),), {"one"}),
        ((("one", None), ("other", None)), {"one", "other", "join"}),
        ((("entry", None),), {"entry", "then", "one", "other", "join", "next"}),
    ],
)
def test_points_behind(refuted: tuple[tuple[str, int | None], ...], blocks: set[str]) -> None:
    assert behind(*refuted) == blocks


@pytest.mark.parametrize("seed", range(40))
def test_no_way_leads_there(seed: int) -> None:
    """Random walks that avoid the refuted points never come to a point behind them; and where no walk comes that might
    have, the point is behind them."""
    source = Random(seed)
    size = source.randrange(3, 9)
    lines = []
    for at in range(size):
        one, other, third = (source.randrange(1, size) for _ in range(3))
        end = source.choice(
            (
                f"br i1 %a, label %b{one}, label %b{other}",
                f"br label %b{one}",
                f"switch i32 %n, label %b{one} [ i32 1, label %b{other} i32 2, label %b{third} ]",
                "ret void",
            )
        )
        lines.append(f"b{at}:\n  {end}")
    text = "\n".join(lines)
    program = read_program(f"define void @f(i1 %a, i32 %n) {{\n{text}\n}}\n")
    points = number_points(program.functions.values())
    function = program.functions["@f"]
    sided = [number for (_, _, side), number in points.numbers.items() if side is not None]
    refuted = sum(1 << number for number in source.sample(sided, min(len(sided), source.randrange(4))))
    found = points_behind(program, points, refuted)
    without, around = walked(function, points.numbers, 0, source), walked(function, points.numbers, refuted, source)
    for (_, block, _), number in points.numbers.items():
        assert bool(found >> number & 1) == (block in without and block not in around)


def walked(function: Function, numbers: dict, refuted: int, source: Random) -> set[str]:
    blocks, seen = {block.name: block for block in function.blocks}, set()
    for _ in range(400):
        at = function.blocks[0].name
        for _ in range(20):
            seen.add(at)
            block = blocks[at]
            ways = [(numbers["@f", at, side], side_target(block, side)) for side in sides(block)]
            ways = ways or [(None, target) for target in block.successors]
            open_ways = [target for number, target in ways if number is None or not refuted >> number & 1]
            if not open_ways:
                break
            at = source.choice(open_ways)
    return seen
