"""Replications of published experiments, each run by name."""
