"""Measurements. `python -m bench.run` is `make bench`; README.md lists the others."""
