"""Search for a model on branch distances. `layers/local_search` is its door."""
