"""Marks in the IR for decisions, labels, definitions and uses."""
