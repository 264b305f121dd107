"""Which objectives `line` asks for."""

from __future__ import annotations

from criteria_check import check_objectives, objectives_of

LOOP = """\
int f(int a)
{
  int sum = 0;

  for (int i = 0; i < a; i++) {
    sum += i;
  }
  if (sum > 3)
    return 1; // big
  return sum;
}
"""


def test_one_per_line_with_code() -> None:
    check_objectives(
        LOOP,
        "line",
        """\
        +2  int sum = 0;
        +4  for (int i = 0; i < a; i++) {
        +5  sum += i;
        +6  }
        +7  if (sum > 3)
        +8  return 1; // big
        +9  return sum;
        +10  }
        """,
    )


def test_a_line_in_several_blocks_is_one_objective() -> None:
    loop = next(each for each in objectives_of(LOOP, "line") if each.location.line == 5)
    assert len(loop.points) > 1
    assert loop.sentence == "no test executes line 5"


def test_function_on_one_line() -> None:
    check_objectives("int f(int a) { return a; }", "line", "+0  int f(int a) { return a; }")
