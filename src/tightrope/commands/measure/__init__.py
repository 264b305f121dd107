"""`tightrope measure`: what existing tests cover."""
