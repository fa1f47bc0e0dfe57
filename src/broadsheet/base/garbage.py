"""Python's garbage collector in our own processes that run for hours or days."""

import gc

#: The collector looks at new objects after so many, not after 700: a page makes that many, and nearly all of them are
#: freed without it.
NEW_OBJECTS = 5_000


def spare_what_stays() -> None:
    """Keep the collector from searching what exists now: modules, classes and models, which live as long as a process.

    It would do so again and again, which took a tenth of what a crawl spends on keeping books. Only for a process that
    is all ours, after everything is loaded.
    """
    gc.collect()
    gc.freeze()


def search_less_often() -> None:
    """Let more objects come together before the collector looks among them for garbage."""
    _, *older = gc.get_threshold()
    gc.set_threshold(NEW_OBJECTS, *older)
