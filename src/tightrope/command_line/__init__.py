"""Parses the command line into Options."""
