"""`tightrope explain`: why an objective has its verdict."""
