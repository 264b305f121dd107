"""python -m tightrope"""

from __future__ import annotations

import sys

from tightrope.cli import main

if __name__ == "__main__":
    sys.exit(main())
