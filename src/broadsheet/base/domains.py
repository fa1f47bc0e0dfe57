"""Which site a host belongs to."""

import functools
import re

from publicsuffixlist import PublicSuffixList

from broadsheet.base.urls import host

_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*").fullmatch


def registrable_domain(url_or_host: str) -> str:
    """The part of the host that its owner registered: two pages are of one site if they have it in common.

    Private suffixes count as suffixes: two blogs under `blogspot.com` have two publishers, so they are two
    sources, and a link from one to the other leads out. Addresses, single labels and suffixes themselves
    stand for themselves, as does what is no host at all.
    """
    name = host(url_or_host)
    return _registrable(name.rstrip(".")) if name else url_or_host


# A crawl asks of few hosts, and of each for every link.
@functools.lru_cache(maxsize=4096)
def _registrable(name: str) -> str:
    # Browsers read a name that ends in a number as an IPv4 address, however it is spelt.
    if name[0] == "[" or _NUMBER(name.rpartition(".")[2]):
        return name
    return _suffixes().privatesuffix(name) or name


@functools.cache
def _suffixes() -> PublicSuffixList:
    # Reading the list takes 0.1 s, which no program should pay that never asks.
    return PublicSuffixList()
