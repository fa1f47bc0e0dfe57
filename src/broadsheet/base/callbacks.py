"""Callbacks that a caller may leave out."""


def do_nothing(*arguments: object) -> None:
    """Do nothing, whatever is told; the default callback."""
    del arguments
