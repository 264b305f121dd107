"""What a change may affect in the compiled code."""
