"""A simulated news web with known ground truth, for demonstrations, tests and measurements.

Other packages import only what `__all__` lists; modules whose names begin with an underscore are private.
"""

__all__ = [
    "drawn_extras",
    "drawn_sites",
    "knob_settings",
    "page_layouts",
    "response",
    "sample_pages",
    "server",
    "server_trouble",
    "site",
    "site_extras",
    "site_knobs",
    "site_plan",
    "site_services",
    "templates",
    "truth",
    "web",
]
