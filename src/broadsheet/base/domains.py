"""The registrable domain of a host, which identifies its site."""

import functools
import re

from publicsuffixlist import PublicSuffixList

from broadsheet.base.urls import host

_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*").fullmatch


def registrable_domain(url_or_host: str) -> str:
    """Return the part of the host that its owner registered: pages that share it belong to one site.

    Private suffixes count as suffixes: two blogs under `blogspot.com` have two publishers, so they are two
    sources, and a link from one to the other is external. IP addresses, single labels, bare suffixes and text
    that is not a host are returned unchanged.
    """
    name = host(url_or_host)
    return _registrable(name.rstrip(".")) if name else url_or_host


# A crawl sees few hosts, but looks one up for every link.
@functools.lru_cache(maxsize=4096)
def _registrable(name: str) -> str:
    # Browsers parse a name that ends in a number as an IPv4 address, however it is written.
    if name[0] == "[" or _NUMBER(name.rpartition(".")[2]):
        return name
    return _suffixes().privatesuffix(name) or name


@functools.cache
def _suffixes() -> PublicSuffixList:
    # Loading the list takes 0.1 s, so it is loaded on first use.
    return PublicSuffixList()
