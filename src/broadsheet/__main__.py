"""`python -m broadsheet` is the same program as `broadsheet`."""

from broadsheet.cli.entry import start

start()
