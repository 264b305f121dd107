"""A C file and a function name become a prepared unit: compiled, marked, harnessed and ready to run."""
