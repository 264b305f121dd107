"""Formulas of two versions over the same inputs: an input that tells them apart, or a proof that there is none."""
