"""All commands, in the order in which the help names them."""

from broadsheet.cli.command import Command
from broadsheet.cli.commands import config, demo, newsweb, parse

COMMANDS: tuple[Command, ...] = (demo, parse, newsweb, config)
