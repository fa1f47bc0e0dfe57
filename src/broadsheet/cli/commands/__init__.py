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
    train,
    evaluate,
    experiment,
    profile,
    parse,
    sample,
    newsweb,
    config,
)
