"""HTTP statuses in groups: what an answer means for whoever asked."""

from http import HTTPStatus

#: Some servers make up statuses of their own, but a status has three digits (RFC 9110).
ALL = range(100, 1000)
OK = HTTPStatus.OK
NOT_MODIFIED = HTTPStatus.NOT_MODIFIED
#: The answer is the page; a part of it (206), or none of it (204), must not stand for the page.
CONTENT = frozenset({HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION})
#: The page is somewhere else, at the address in `Location`.
REDIRECTS = frozenset({301, 302, 303, 307, 308})
PERMANENT_REDIRECTS = frozenset({301, 308})
#: Answers that point elsewhere or hold nothing; 304 is one of them.
NOT_THE_PAGE = range(300, 400)
SUCCESS = range(200, 300)
#: Who asks is refused: without an account or a payment, or altogether.
DENIED = frozenset({401, 402, 403, 407, 451})
GONE = frozenset({404, 410})
TOO_MANY_REQUESTS = HTTPStatus.TOO_MANY_REQUESTS
#: The same request may go better a little later.
PASSING = frozenset({408, 429, 500, 502, 503, 504})
SERVER_ERRORS = range(500, 1000)


def is_error(status: int) -> bool:
    """Say whether an answer says that the page cannot be had."""
    return status >= HTTPStatus.BAD_REQUEST
