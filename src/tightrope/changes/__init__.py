"""Two versions of a program: what changed, and what the change may affect. Nothing here is run."""
