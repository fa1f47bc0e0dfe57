"""All commands, in the order in which the help names them."""

from broadsheet.cli.command import Command
from broadsheet.cli.commands import (
    articles,
    check,
    config,
    crawl,
    demo,
    evaluate,
    experiment,
    export,
    extract,
    identify,
    newsweb,
    parse,
    sample,
    sections,
    status,
)

COMMANDS: tuple[Command, ...] = (
    demo,
    extract,
    identify,
    crawl,
    status,
    sections,
    articles,
    export,
    check,
    evaluate,
    experiment,
    parse,
    sample,
    newsweb,
    config,
)
