"""The store: results of earlier runs, found again by a hash of everything that they depend on."""
