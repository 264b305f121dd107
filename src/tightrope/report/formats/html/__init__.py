"""A report to look at: one HTML file that needs nothing else."""
