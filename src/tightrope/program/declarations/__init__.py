"""C types and declarations: what a caller of the unit must provide."""
