"""The experiments of the papers: `python -m experiments.e1_labels` and so on."""
