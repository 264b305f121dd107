"""Layers between a search and a solver: each implements the Solver protocol and wraps another solver."""
