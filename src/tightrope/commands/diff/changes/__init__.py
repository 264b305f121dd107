"""What changed between two versions, in the words of the C source."""
