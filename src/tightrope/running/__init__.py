"""Runs of the unit in a worker process, and what a run leaves behind."""
