"""One branch per condition."""
