"""A benchmark of generators of MC/DC tests: subjects, a judge, runners. README.md says how to add a tool."""
