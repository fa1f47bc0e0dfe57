"""Model files (flat arrays, validated on load) and the compiled kernels that run them.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "arrays",
    "card",
    "distances",
    "igtree",
    "instance_base",
    "memory_files",
    "model_errors",
    "model_files",
    "net",
    "nodes",
    "setting_grid",
    "trees",
]
