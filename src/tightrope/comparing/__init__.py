"""Two versions of a function, given the same inputs: what they do differently, and tests that show it."""
