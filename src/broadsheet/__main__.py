"""`python -m broadsheet` is the same program as `broadsheet`."""

from broadsheet.cli.main import run

run()
