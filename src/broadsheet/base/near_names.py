"""Suggestions for names that are not known, such as mistyped settings and commands."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches


def suggestion(
    name: str,
    known: Iterable[str],
    otherwise: str = "",
    *,
    similarity: float = 0.6,
    written: Callable[[str], str] = repr,
) -> str:
    """Ask whether the nearest known name was meant, as it is `written`; return `otherwise` if none is near."""
    near = get_close_matches(name, list(known), n=1, cutoff=similarity)
    return f"did you mean {written(near[0])}?" if near else otherwise
