"""Small functions with odd conditions, for test_brute_force_decisions.py: constants of every kind that the compiler knows,
and conditions with side effects. The marks are those of twin.py."""

from __future__ import annotations

from twin import Marked

_HEAD = """\
struct pair { signed char first; int second; };
static int calls;
static int next(int n) { calls = (calls + 1) & 3; return n + calls; }
static const struct pair sp = {1, 2};
extern const int late;
const int late = 5;
__attribute__((weak)) const int weak_one = 5;
static const volatile int vol = 3;
static const int table[3] = {1, 2, 3};
enum { K = 1 };
static const double half = 0.5;
static const char *const text = "abc";
static int other_global;
"""
_START = """\
int f(signed char a, signed char b)
{
    int r = 0, x = a, y = b & 3;
    calls = a & 1;
"""
_END = """
    return r;
}
"""


def _marked(body: str, trees: dict[int, str], constants: dict[tuple[int, int], bool] | None = None) -> Marked:
    return Marked(f"{_HEAD}{_START}{body}{_END}", trees, constants or {})


ODD = {
    "comma": _marked(
        """    if («0:(x++, «0.0:x > 3») && «0.1:b»») r = 1;""",
        {0: "c0 and c1"},
    ),
    "assign": _marked(
        """    if («0:«0.0:a» && («0.1:x = 0»)») r = 1;
    if («1:«1.0:(x = b)» || «1.1:x++»») r += 2;
    if («2:«2.0:b > 1» || («2.1:0» && («2.2:x = 0»))») r += 4;""",
        {0: "c0 and c1", 1: "c0 or c1", 2: "c0 or (c1 and c2)"},
        {(0, 1): False, (2, 1): False, (2, 2): False},
    ),
    "assign twice": _marked(
        """    unsigned char c;
    int i;
    signed char d;
    if («0:«0.0:a > 4» || («0.1:c = i = 256»)») r = 1;
    if («1:«1.0:b > 4» && («1.1:i = (c = 257)») && «1.2:a > 2»») r += 2;
    if («2:«2.0:b > 1» && («2.1:0» || («2.2:i = d = c = 4»)) && «2.3:b < 3»») r += 4;""",
        {0: "c0 or c1", 1: "c0 and c1 and c2", 2: "c0 and (c1 or c2) and c3"},
        {(0, 1): False, (1, 1): True, (2, 1): False, (2, 2): True},
    ),
    "asked of the optimiser": _marked(  # 1.2 and 2.2 have no value: the function may be inlined
        """    if («0:«0.0:a > 3» && «0.1:__builtin_constant_p(sizeof a)»») r = 1;
    if («1:«1.0:a > 4» || («1.1:0» && «1.2:__builtin_constant_p(b)»)») r += 2;
    if («2:«2.0:b > 4» || («2.1:0» && «2.2:__builtin_constant_p(5) - __builtin_constant_p(x)»)») r += 4;""",
        {0: "c0 and c1", 1: "c0 or (c1 and c2)", 2: "c0 or (c1 and c2)"},
        {(0, 1): True, (1, 1): False, (2, 1): False},
    ),
    "bits": _marked(
        """    r = «0:(«0.0:a > 3») & («0.1:x++ > 2»)»;
    r += «1:(«1.0:x++ > 3») | («1.1:next(b) > 2»)»;""",
        {0: "c0 and c1", 1: "c0 or c1"},
    ),
    "same": _marked(
        """    if («0:(«0.0:a > 3») == («0.1:sizeof(struct pair) == 8»)») r = 1;
    if («1:(«1.0:a > 4») ^ («1.1:sizeof(struct pair) == 8»)») r += 2;
    if («2:(«2.0:a > 5») & («2.1:sizeof(struct pair) == 3»)») r += 4;""",
        {0: "c0 == c1", 1: "c0 != c1", 2: "c0 and c1"},
        {(0, 1): True, (1, 1): True, (2, 1): False},
    ),
    "arms": _marked(
        """    if («0:«0.0:a > 3» ? «0.1:sizeof(struct pair) == 8» : «0.2:b > 3»») r = 1;
    r += «1:(«1.0:a > 1» ? «1.1:sizeof(struct pair) == 8» : «1.2:b > 3») && «1.3:b < 9»»;""",
        {0: "c1 if c0 else c2", 1: "(c1 if c0 else c2) and c3"},
        {(0, 1): True, (1, 1): True},
    ),
    "shadow": _marked(
        """    { enum { K = 0 };
    if («0:«0.0:a» || («0.1:K» && «0.2:b»)») r = 1;
    { enum { K = sizeof(struct pair) };
    if («1:«1.0:a» || («1.1:0» && «1.2:K == 8»)») r += 2; }
    if («2:«2.0:a» || («2.1:0» && «2.2:K == 8»)») r += 4; }
    if («3:«3.0:a» || («3.1:0» && «3.2:K == 1»)») r += 8;""",
        {0: "c0 or (c1 and c2)", 1: "c0 or (c1 and c2)", 2: "c0 or (c1 and c2)", 3: "c0 or (c1 and c2)"},
        {(0, 1): False, (1, 1): False, (1, 2): True, (2, 1): False, (2, 2): False, (3, 1): False, (3, 2): True},
    ),
    "generic": _marked(
        """    r = _Generic(x, int: «0:«0.0:a» && «0.1:b»», default: 0);
    if («1:«1.0:_Generic(1.0f, float: 1, default: 0)» && «1.1:b»») r += 2;""",
        {0: "c0 and c1", 1: "c0 and c1"},
        {(1, 0): True},
    ),
    "size with effects": _marked(
        """    int n = 3 + y;
    if («0:«0.0:sizeof(int[«1:«1.0:a > 3» && «1.1:b»» ? n++ : 2]) > 8» && «0.1:a > 5»») r = 2;
    r += n;""",
        {0: "c0 and c1", 1: "c0 and c1"},
    ),
    "consts": _marked(
        """    if («0:«0.0:a» || («0.1:0» && «0.2:sp.second == 2»)») r = 1;
    if («1:«1.0:b» || («1.1:0» && «1.2:late == 4»)») r += 2;
    if («2:«2.0:b > 1» || («2.1:0» && «2.2:weak_one == 4»)») r += 2;
    if («3:«3.0:b > 2» || («3.1:0» && «3.2:vol == 4»)») r += 2;
    if («4:«4.0:b > 2» || («4.1:0» && «4.2:half > 1»)») r += 2;
    if («5:«5.0:b > 4» || («5.1:0» && «5.2:text[0] == 9»)») r += 2;
    if («6:«6.0:b > 5» || («6.1:0» && «6.2:(table + 1)[1] == 9»)») r += 2;""",
        dict.fromkeys(range(7), "c0 or (c1 and c2)"),
        {**{(number, 1): False for number in range(7)}, **{(number, 2): False for number in (1, 4, 5, 6)}},
    ),
    "value const": _marked(
        """    r = «0:«0.0:a» && «0.1:late == 5»»;
    r += «1:«1.0:b» && «1.1:K == 1»»;
    r += «2:«2.0:x > 3» && «2.1:table[2] == 3»»;
    r += «3:«3.0:sizeof(struct pair) == 8» && «3.1:b»»;
    r += «4:«4.0:table[1] == 2» && «4.1:b > 2»»;
    if («5:«5.0:late == 5» && «5.1:b»») r++;
    while («6:«6.0:table[1] == 3» || «6.1:r-- > 0»»);""",
        {0: "c0 and c1", 1: "c0 and c1", 2: "c0 and c1", 3: "c0 and c1", 4: "c0 and c1", 5: "c0 and c1", 6: "c0 or c1"},
        {(0, 1): True, (1, 1): True, (2, 1): True, (3, 0): True, (4, 0): True, (5, 0): True, (6, 0): False},
    ),
    "address": _marked(
        """    if («0:«0.0:a» || («0.1:0» && «0.2:&other_global == 0»)») r = 1;
    if («1:«1.0:a» && «1.1:&other_global != 0» && «1.2:b»») r = 2;
    if («2:«2.0:next» && «2.1:b»») r = 3;
    if («3:«3.0:a» && «3.1:"text"»») r = 4;
    if («4:«4.0:a» || («4.1:0» && «4.2:(void *)&calls == (void *)&other_global»)») r = 5;""",
        {0: "c0 or (c1 and c2)", 1: "c0 and c1 and c2", 2: "c0 and c1", 3: "c0 and c1", 4: "c0 or (c1 and c2)"},
        {(0, 1): False, (0, 2): False, (1, 1): True, (2, 0): True, (3, 1): True, (4, 1): False, (4, 2): False},
    ),
    "literal": _marked(
        """    if («0:«0.0:a» || («0.1:0» && «0.2:(int){3} == 3»)») r = 1;
    if («1:«1.0:a» || («1.1:0» && «1.2:((struct pair){1, 2}).second == 3»)») r = 1;
    if («2:«2.0:a» || («2.1:0» && («2.2:0» ? «2.3:x» : «2.4:1»))») r = 2;""",
        {0: "c0 or (c1 and c2)", 1: "c0 or (c1 and c2)", 2: "c0 or (c1 and (c3 if c2 else c4))"},
        {(0, 1): False, (1, 1): False, (2, 1): False, (2, 2): False, (2, 4): True, (1, 2): False},
    ),
    "return": _marked(
        """    if («0:«0.0:a > 3» && «0.1:({ if («1:«1.0:b > 2»») return 3; «2:«2.0:b < 1»»; })»») r = 1;""",
        {0: "c0 and c1", 1: "c0", 2: "c0"},
    ),
    "switch": _marked(
        """    switch («0:«0.0:a > 3» && «0.1:next(b)»») { case 0: r = 2; break; default: r = 3; }""",
        {0: "c0 and c1"},
    ),
}
