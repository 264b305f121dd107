"""Measurements of the whole-unit encoding: `python -m bench.encoding PART`."""
