"""What may be called infeasible or equal, and every doubt that forbids it."""
