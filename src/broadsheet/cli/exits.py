"""The exit codes, which scripts may rely on."""

DONE = 0
FAILED = 1
USAGE = 2
SOME_FAILED = 3
INTERRUPTED = 130
