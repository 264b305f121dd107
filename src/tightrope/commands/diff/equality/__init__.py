"""Proofs that two versions never differ, by the formulas of both."""
