"""The C around a unit: driver, stubs, and how inputs get into memory."""
