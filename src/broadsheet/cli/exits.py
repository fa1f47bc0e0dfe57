"""Exit codes, stable for use in scripts."""

DONE = 0
FAILED = 1
USAGE = 2
SOME_FAILED = 3
INTERRUPTED = 130

#: What each means, as the help and the reference say it.
MEANINGS = {
    DONE: "done",
    FAILED: "failed",
    USAGE: "incorrect usage",
    SOME_FAILED: "some inputs failed; each is reported with the reason",
    INTERRUPTED: "interrupted",
}
