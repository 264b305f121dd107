"""What llvm-cov 19 does not judge as we do: docs/reference/llvm-cov.md has the same table for people.

Name -> C; why; what llvm-cov says when everything was tried (decision -> y, n or c for each condition: covered, not
covered, constant); and the decisions that clang refuses. test_llvm_cov.py checks every line of it.
"""

from __future__ import annotations

DIFFERENCES: dict[str, tuple[str, str, dict[str, str], tuple[str, ...]]] = {
    "single condition": (
        "if (a > 3) r++;",
        "a decision of one condition is no decision to clang",
        {},
        (),
    ),
    "negated group": (
        "if (!(a && b) || t) r++;",
        "clang refuses a decision with `&&` or `||` below another operator, here `!`, and does not count what is inside",
        {},
        ("!(a && b) || t",),
    ),
    "nested decision": (
        "if (same(a && b) && t) r++;",
        "the same, below a call: neither the outer decision nor the inner one is counted",
        {},
        ("same(a && b) && t",),
    ),
    "comma": (
        "if ((r++, a || b) && t) r++;",
        "the same, below a comma",
        {},
        ("(r++, a || b) && t",),
    ),
    "choice of groups": (
        "if ((t ? a && b : b) && t) r++;",
        "the same, below `?:`",
        {},
        ("(t ? a && b : b) && t",),
    ),
    "statement expression": (
        "if (({ int q = a && b; q; }) && t) r++;",
        "the same, in a statement expression",
        {},
        ("({ int q = a && b; q; }) && t",),
    ),
    "negated whole": (
        "if (!(a && b)) r++;",
        "where nothing is beside the `!`, clang counts the decision below it; the conditions are the same",
        {"a && b": "yy"},
        (),
    ),
    "Boolean operator": (
        "if ((a && b) ^ (a || t)) r++;",
        "`^ == != & |` are no Boolean operators to clang: each group is a decision of its own",
        {"a && b": "yy", "a || t": "yy"},
        (),
    ),
    "choice": (
        "if ((t ? a > 0 : b > 0) && a) r++;",
        "`?:` is one condition to clang",
        {"(t ? a > 0 : b > 0) && a": "yy"},
        (),
    ),
    "negated chooser": (
        "r += !(a && b) ? 2 : r;",
        "clang lists the decision below `!` in front of `?:`, and never counts it",
        {"a && b": "nn"},
        (),
    ),
    "sizeof": (
        "r += (int)sizeof(a && b);",
        "clang lists a decision that is never evaluated; glibc's assert() has its condition in a sizeof, too",
        {"a && b": "nn"},
        (),
    ),
    "constant": (
        "if (a && 1 && b) r++;",
        "llvm-cov leaves a constant out of its count; to us its objective is infeasible (`constant`)",
        {"a && 1 && b": "ycy"},
        (),
    ),
    "masked by a constant": (
        "if (a && 0 && b) r++;",
        "what a constant masks is not covered to llvm-cov; to us it is infeasible (`constant`)",
        {"a && 0 && b": "ncn"},
        (),
    ),
}
