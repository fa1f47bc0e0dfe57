"""Model files, which hold flat arrays and are checked on loading, and the compiled kernels that run them."""
