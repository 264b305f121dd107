"""`tightrope generate`: prepare, explore, conclude."""
