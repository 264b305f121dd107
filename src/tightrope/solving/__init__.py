"""Conditions and queries over terms, and the solvers that answer them; independent of C."""
