"""Options of the user: their values, tightrope.toml, and targets."""
