"""The one expression language: terms, their meaning, their printed form."""
