"""Memory-based learning evaluated as in its thesis: within, merging and across domains, settings, weights, curves."""
