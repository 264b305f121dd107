"""Conditions and queries over terms, and the solvers that answer them; knows nothing of C."""
