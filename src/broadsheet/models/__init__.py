"""Model files (flat arrays, validated on load) and the compiled kernels that run them."""
