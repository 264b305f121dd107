"""The whole bounded unit as one formula: every objective is a literal of it."""
