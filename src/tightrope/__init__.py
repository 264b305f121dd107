"""Tightrope generates unit tests for C functions until a coverage criterion is satisfied."""

__version__ = "0.1.0"
