"""Decisions and their conditions as Boolean trees."""
