"""Tests of the old version, and which of them the new version can reuse."""
