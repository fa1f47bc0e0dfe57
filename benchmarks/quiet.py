"""Suppresses logs and warnings of peers, which would drown the progress and the table."""

import logging
import warnings


def quiet() -> None:
    """Turn off logging and warnings for the rest of the process."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
