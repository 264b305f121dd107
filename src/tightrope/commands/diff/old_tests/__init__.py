"""Tests of the old version, and what becomes of them."""
