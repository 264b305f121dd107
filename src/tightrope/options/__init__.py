"""What a user asks for: options, their values, tightrope.toml, targets."""
