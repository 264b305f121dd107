"""The same input on both versions: what differs."""
