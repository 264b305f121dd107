"""The code alone as a formula: whatever callers pass, memory holds and loops have done before."""
