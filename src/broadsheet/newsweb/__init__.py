"""A simulated news web with known ground truth, for demonstrations, tests and measurements."""
