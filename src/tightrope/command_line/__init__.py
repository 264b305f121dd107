"""Words on the command line become Options."""
