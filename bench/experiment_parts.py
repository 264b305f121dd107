"""What bench shares with experiments: preparing units, plots, tables, the programs. The twin of bench_parts there."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

for _folder in (HERE.parent / "experiments", HERE / "real"):  # scripts import each other by their bare names
    if str(_folder) not in sys.path:
        sys.path.append(str(_folder))
