"""What Tightrope knows about the C library."""
