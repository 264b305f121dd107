"""Differences: inputs on which the two versions behave differently when they are run, and tests that show them."""
