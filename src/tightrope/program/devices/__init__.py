"""Registers of devices: memory at constant addresses."""
