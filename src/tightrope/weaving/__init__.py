"""Instrumentation: probes in the IR."""
