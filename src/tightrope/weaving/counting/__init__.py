"""Light instrumentation for measuring: a store of one byte at each point."""
