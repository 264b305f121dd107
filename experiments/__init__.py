"""The experiments of the papers: `python -m experiments.e1_labels` and so on."""

import os

os.environ["TIGHTROPE_CACHE"] = "none"  # results of earlier runs would make every run fast
