"""Control flow, call graph, points."""
