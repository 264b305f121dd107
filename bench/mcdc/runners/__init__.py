"""The runners that come with the benchmark: one line for each. A runner is a command with three arguments,
DESCRIPTION.json SECONDS TESTS.json; bench/mcdc/README.md has the contract. `--tool NAME=COMMAND` adds others."""

from __future__ import annotations

import sys

RUNNERS = {
    name: (sys.executable, "-m", f"bench.mcdc.runners.{module}")
    for name, module in (
        ("tightrope", "tightrope"),
        ("cbmc", "cbmc"),
        ("klee", "klee"),
        ("libfuzzer", "libfuzzer"),
        ("random", "random_values"),
    )
}
