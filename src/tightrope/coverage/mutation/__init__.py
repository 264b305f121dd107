"""Mutants of a function, for strong mutation: changes of its C, each of which some test should notice."""
