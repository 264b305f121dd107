"""Tests of an old version: what they give to the function, and what becomes of them in the new one."""
