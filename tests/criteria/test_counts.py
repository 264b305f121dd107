"""How many objectives each criterion finds in 20 small functions, counted by hand.

The functions are compiled and marked as users' are. What is infeasible because of a constant is counted: it is an
objective, with a verdict. Why the numbers are what they are stands beside each function: `n` conditions in a decision
give `decision` 2, `condition` 2n, `mcdc` and `gacc` 2n, `unique-cause`, `cacc` and `racc` n; `mcc` counts the ways to
evaluate it; `ncc` the values of two conditions that go together in some evaluation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from criteria_check import mark_functions, objectives_in

from tightrope.coverage.criterion import Subject

HEAD = """\
int g(int x, int y);
void h(void);
#define BETWEEN(x) ((x) > 2 && (x) < 9)
"""

FUNCTIONS: dict[str, tuple[str, str]] = {}


def function(text: str, counts: str) -> None:
    name = text.split("(")[0].split()[-1]
    FUNCTIONS[name] = (text.strip("\n"), counts)


# 1: one decision with one condition. Lines: if, return, return, and } where both returns come together.
function(
    """
int lone(int a)
{
  if (a > 3)
    return 1;
  return 0;
}
""",
    """
    function 3  call 0  line 4  branch 2
    decision 2  condition 2  decision-condition 2  mcdc 2  unique-cause 1
    mcc 2  ncc 2  gacc 2  cacc 1  racc 1
    """,
)

# 2: F-, TF, TT. `b` is no branch: its value is what is returned.
function(
    """
int kept(int a, int b)
{
  return a > 3 && b;
}
""",
    """
    function 2  call 0  line 1  branch 2
    decision 2  condition 4  decision-condition 6  mcdc 4  unique-cause 2
    mcc 3  ncc 2  gacc 4  cacc 2  racc 2
    """,
)

# 3: F--, TFF, TFT, TT-. ncc: ab TT TF, ac TT TF, bc FT FF.
function(
    """
int mixed(int a, int b, int c)
{
  int r = 0;
  if (a && (b || c))
    r = 1;
  return r;
}
""",
    """
    function 2  call 0  line 4  branch 6
    decision 2  condition 6  decision-condition 8  mcdc 6  unique-cause 3
    mcc 4  ncc 6  gacc 6  cacc 3  racc 3
    """,
)

# 4: T--, FT-, FFT, FFF. ncc: ab FT FF, ac FT FF, bc FT FF.
function(
    """
int negated(int a, int b, int c)
{
  int r = 0;
  if (!(a || b) && !c)
    r = 1;
  return r;
}
""",
    """
    function 2  call 0  line 4  branch 6
    decision 2  condition 6  decision-condition 8  mcdc 6  unique-cause 3
    mcc 4  ncc 6  gacc 6  cacc 3  racc 3
    """,
)

# 5: all four combinations; polarity is not fixed, so that mcdc wants a pair for each. One branch in the code.
function(
    """
int exclusive(int a, int b)
{
  int r = 0;
  if ((a > 0) ^ (b > 0))
    r = 1;
  return r;
}
""",
    """
    function 2  call 0  line 4  branch 2
    decision 2  condition 4  decision-condition 6  mcdc 2  unique-cause 2
    mcc 4  ncc 4  gacc 4  cacc 2  racc 2
    """,
)

# 6: TF-, FT-, and TT, FF each with T and F. mcdc: two pairs, and `c` with both values. ncc: 4 of each two.
# The `==` is one branch, `c` another.
function(
    """
int equal(int a, int b, int c)
{
  int r = 0;
  if ((a > 0) == (b > 0) && c)
    r = 1;
  return r;
}
""",
    """
    function 2  call 0  line 4  branch 4
    decision 2  condition 6  decision-condition 8  mcdc 4  unique-cause 3
    mcc 6  ncc 12  gacc 6  cacc 3  racc 3
    """,
)

# 7: `a` controls; `b > 3` is a value, and a decision of its own.
function(
    """
int chosen(int a, int b)
{
  return a ? b > 3 : 0;
}
""",
    """
    function 2  call 0  line 1  branch 2
    decision 4  condition 4  decision-condition 4  mcdc 4  unique-cause 2
    mcc 4  ncc 4  gacc 4  cacc 2  racc 2
    """,
)

# 8: F-T, F-F, TT-, TF-. mcdc: a pair for the chooser, two for each arm. ncc: ab TT TF, ac FT FF, bc never.
function(
    """
int choosing(int a, int b, int c)
{
  int r = 0;
  if (a ? b : c)
    r = 1;
  return r;
}
""",
    """
    function 2  call 0  line 4  branch 6
    decision 2  condition 6  decision-condition 8  mcdc 5  unique-cause 3
    mcc 4  ncc 4  gacc 6  cacc 3  racc 3
    """,
)

# 9: three decisions, of 1, 1 and 2 conditions: 2 + 2 + 3 ways. A do loop's last condition branches, and `do {` has code.
function(
    """
int loops(int n, int k)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s++;
  while (k > 3)
    k--;
  do {
    n--;
  } while (n > 0 && k);
  return s;
}
""",
    """
    function 2  call 0  line 9  branch 8
    decision 6  condition 8  decision-condition 10  mcdc 8  unique-cause 4
    mcc 7  ncc 6  gacc 8  cacc 4  racc 4
    """,
)

# 10: the argument is a decision of its own, and the call a condition of the outer one.
function(
    """
int nested(int a, int b, int c)
{
  if (g(a && b, 1) && c)
    return 1;
  return 0;
}
""",
    """
    function 3  call 1  line 4  branch 6
    decision 4  condition 8  decision-condition 12  mcdc 8  unique-cause 4
    mcc 6  ncc 4  gacc 8  cacc 4  racc 4
    """,
)

# 11: nothing is asked of `while (1)`. Its closing brace has no code of its own.
function(
    """
int endless(int a)
{
  while (1) {
    if (a > 9)
      break;
    a++;
  }
  return a;
}
""",
    """
    function 2  call 0  line 5  branch 2
    decision 2  condition 2  decision-condition 2  mcdc 2  unique-cause 1
    mcc 2  ncc 2  gacc 2  cacc 1  racc 1
    """,
)

# 12: F-, TT. What the constant excludes is an objective (infeasible) where conditions are counted, none where ways are.
function(
    """
int constant(int a)
{
  int r = 0;
  if (a && 1)
    r = 1;
  return r;
}
""",
    """
    function 2  call 0  line 4  branch 2
    decision 2  condition 4  decision-condition 6  mcdc 4  unique-cause 2
    mcc 2  ncc 1  gacc 4  cacc 2  racc 2
    """,
)

# 13: `&` evaluates both: all four combinations, and one branch. Polarity is fixed.
function(
    """
int strict(_Bool p, _Bool q)
{
  int r = 0;
  if (p & q)
    r = 1;
  return r;
}
""",
    """
    function 2  call 0  line 4  branch 2
    decision 2  condition 4  decision-condition 6  mcdc 4  unique-cause 2
    mcc 4  ncc 4  gacc 4  cacc 2  racc 2
    """,
)

# 14: F-T F-F TT- TFT TFF. ncc: ab TT TF, ac all four, bc FT FF. `c` is no branch.
function(
    """
int stored(int a, int b, int c)
{
  int x = (a && b) || c;
  return x + 1;
}
""",
    """
    function 2  call 0  line 2  branch 4
    decision 2  condition 6  decision-condition 8  mcdc 6  unique-cause 3
    mcc 5  ncc 8  gacc 6  cacc 3  racc 3
    """,
)

# 15: (1 && 2) || (3 && 4). Left true: 1 way; left false in 2 ways, each with 3 on the right: 7.
# ncc: 12 TT TF, 13 all, 14 all (1 F or T, then 3 T), 23 FT FF, 24 FT FF, 34 TT TF.
function(
    """
int macro(int a, int b)
{
  int r = 0;
  if (BETWEEN(a) || BETWEEN(b))
    r = 1;
  return r;
}
""",
    """
    function 2  call 0  line 4  branch 8
    decision 2  condition 8  decision-condition 10  mcdc 8  unique-cause 4
    mcc 7  ncc 16  gacc 8  cacc 4  racc 4
    """,
)

# 16: two decisions in one call: `a || b` and `!c`.
function(
    """
int arguments(int a, int b, int c)
{
  return g(a || b, !c);
}
""",
    """
    function 2  call 1  line 1  branch 2
    decision 4  condition 6  decision-condition 8  mcdc 6  unique-cause 3
    mcc 5  ncc 4  gacc 6  cacc 3  racc 3
    """,
)

# 17: a decision decides the case. Branches: `a` both ways, two cases, and no case.
function(
    """
int switching(int a, int b)
{
  int r = 0;
  switch (a && b) {
  case 0:
    r = 5;
    break;
  case 1:
    r = 6;
    break;
  }
  return r;
}
""",
    """
    function 2  call 0  line 7  branch 5
    decision 2  condition 4  decision-condition 6  mcdc 4  unique-cause 2
    mcc 3  ncc 2  gacc 4  cacc 2  racc 2
    """,
)

# 18: two ways out, the end of the body among them.
function(
    """
void leaving(int a)
{
  h();
  if (a)
    return;
  h();
}
""",
    """
    function 3  call 2  line 5  branch 2
    decision 2  condition 2  decision-condition 2  mcdc 2  unique-cause 1
    mcc 2  ncc 2  gacc 2  cacc 1  racc 1
    """,
)

# 19: a pointer, an integer and a floating-point number are tested. F--, TF-, TTF, TTT. ncc: 12 TT TF, 13 TT TF, 23 TT TF.
function(
    """
int implicit(int *p, double d)
{
  int r = 0;
  if (p && *p && d)
    r = 1;
  return r;
}
""",
    """
    function 2  call 0  line 4  branch 6
    decision 2  condition 6  decision-condition 8  mcdc 6  unique-cause 3
    mcc 4  ncc 6  gacc 6  cacc 3  racc 3
    """,
)

# 20: what stands left of a comma is no condition.
function(
    """
int comma(int a, int b)
{
  while ((a--, a > 3) && b)
    b--;
  return a;
}
""",
    """
    function 2  call 0  line 3  branch 4
    decision 2  condition 4  decision-condition 6  mcdc 4  unique-cause 2
    mcc 3  ncc 2  gacc 4  cacc 2  racc 2
    """,
)


@cache
def subjects() -> dict[str, Subject]:
    text = HEAD + "\n".join(text for text, _ in FUNCTIONS.values()) + "\n"
    return mark_functions(text, list(FUNCTIONS))


def test_twenty_functions() -> None:
    assert len(FUNCTIONS) == len(subjects()) == 20


@pytest.mark.parametrize("name", FUNCTIONS)
def test_counts(name: str) -> None:
    words = FUNCTIONS[name][1].split()
    expected = {criterion: int(count) for criterion, count in zip(words[::2], words[1::2], strict=True)}
    found = Counter()
    for criterion in expected:
        form = "unique-cause" if criterion == "unique-cause" else "masking"
        asked = objectives_in(subjects()[name], "mcdc" if form == criterion else criterion, form)
        assert not any(each.problem for each in asked)
        found[criterion] = len(asked)
    assert found == expected


@pytest.mark.parametrize("name", FUNCTIONS)
def test_mcdc_with_points_of_entry_and_exit(name: str) -> None:
    """As many more as `function` has."""
    subject = replace(subjects()[name], has_exits=True)
    expected = [*objectives_in(subjects()[name], "mcdc"), *objectives_in(subject, "function")]
    found = objectives_in(subject, "mcdc")
    assert [(each.kind, each.points, each.text) for each in found] == [
        (each.kind, each.points, each.text) for each in expected
    ]
    assert {each.criterion for each in found} == {"mcdc"} and len({each.id for each in found}) == len(found)
