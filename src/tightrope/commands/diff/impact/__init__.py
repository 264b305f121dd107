"""Impact: what changes may affect, found in the compiled code."""
