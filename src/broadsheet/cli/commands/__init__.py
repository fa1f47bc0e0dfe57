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
    profile,
    sample,
    sections,
    status,
    train,
    unlock,
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
    unlock,
    train,
    evaluate,
    experiment,
    profile,
    parse,
    sample,
    newsweb,
    config,
)
