"""Tests of the old version: which of them the new version can use again."""
