"""Shared foundations: clock, errors, limits, configuration, URL identity, counters and records."""
