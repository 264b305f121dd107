"""Measurements. `python -m bench.run` is `make bench`; README.md lists the others."""

import os

os.environ["TIGHTROPE_CACHE"] = "none"  # results of earlier runs would make every run fast
