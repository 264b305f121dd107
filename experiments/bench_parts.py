"""What experiments share with bench: the line about the surroundings, Markdown tables, the list of real functions."""

from __future__ import annotations

import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1] / "bench"

for _folder in (BENCH / "real", BENCH):  # scripts of bench import each other by their bare names
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))
