"""Formulas of both versions: they find a difference that runs have missed, or prove that there is none."""
