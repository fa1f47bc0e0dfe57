"""The names of classes: each vocabulary names the same things in another way, as sites do."""

from functools import lru_cache
from random import Random

_PLAIN = {"card": "teaser", "pic": "image", "meta": "info", "par": "text", "main": "content", "side": "sidebar"}
_UTILITY = ("flex", "p-4", "mt-2", "text-sm", "font-bold", "w-full", "grid", "gap-4", "block", "border-b", "mx-auto")


@lru_cache(maxsize=4096)
def class_of(vocabulary: int, thing: str) -> str:
    """Return the class attribute for a thing, with a space before it; every third vocabulary names few things."""
    rng = Random(f"{vocabulary}/{thing}")
    match vocabulary % 4:
        case 0:
            return f' class="c-{_PLAIN.get(thing, thing)}__{rng.choice(("inner", "box", "item", "el"))}"'
        case 1:
            return f' class="{" ".join(rng.sample(_UTILITY, rng.randint(2, 5)))}"'
        case 2:
            return f' class="css-{rng.getrandbits(28):x}"'
        case _:
            return f' class="{_PLAIN.get(thing, thing)}"' if rng.random() < 0.6 else ""
