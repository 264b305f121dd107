"""Search for a model by branch distances; used by `layers/local_search`."""
