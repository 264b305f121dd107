"""The two engines, search and encoding, and how they take turns."""
