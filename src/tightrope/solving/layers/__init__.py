"""What stands between a search and a solver: each layer keeps the Solver protocol and wraps another."""
