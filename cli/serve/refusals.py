"""Why a request is not answered as it asked: problem details for a program, a page for a person."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import HTMLResponse, Response

from cli.languages.speaking import ENGLISH, language
from cli.machine.checkpoint_file import NotAsSigned
from cli.serve.commands import AwaitsSignature
from cli.serve.pages.frame import message_page
from cli.terminal.problems import as_json, lines_of, sentence_of
from cli.terminal.visible import marking_names
from ledger.errors import InvalidLog, LedgerError, NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.serve.pages.frame import EventHeading

FRESH = {"cache-control": "no-store"}
"""What is never kept: it is about this moment."""


class TooMany(Refused):
    """Somebody asks too often, or for too much."""

    code = "serve.too_many"


class Busy(LedgerError):  # noqa: N818 - as the others
    """A question that there is no answer to now: it may be asked again."""

    exit_code = 4
    code = "serve.busy"


class NotSignedIn(Refused):
    """An act of somebody whom no link has let in."""

    code = "serve.not_signed_in"


class NotTheirs(Refused):
    """An act in somebody else's name."""

    code = "serve.not_theirs"


class Malformed(LedgerError):  # noqa: N818 - as the others
    """What was sent is no act, form or link at all."""

    code = "serve.malformed"


class WrongMethod(LedgerError):  # noqa: N818 - as the others
    """A page that is posted, or a form that is read."""

    code = "serve.method"


class NotYet(Refused):
    """An act that answers what is not in this log: a phone that sends it again waits for that."""


class Fault(LedgerError):  # noqa: N818 - as the others
    """Something of ours that broke."""

    code = "serve.fault"


STATUS: dict[type[LedgerError], HTTPStatus] = {
    AwaitsSignature: HTTPStatus.ACCEPTED,
    Malformed: HTTPStatus.BAD_REQUEST,
    NotSignedIn: HTTPStatus.UNAUTHORIZED,
    NotTheirs: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    WrongMethod: HTTPStatus.METHOD_NOT_ALLOWED,
    TooMany: HTTPStatus.TOO_MANY_REQUESTS,
    Refused: HTTPStatus.CONFLICT,
    NotAsSigned: HTTPStatus.SERVICE_UNAVAILABLE,
    InvalidLog: HTTPStatus.BAD_REQUEST,
    Busy: HTTPStatus.SERVICE_UNAVAILABLE,
    Fault: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""By the kind of error, the first that fits; any other is a store that gives no answer."""


RETRY_AFTER: dict[HTTPStatus, int] = {
    HTTPStatus.TOO_MANY_REQUESTS: 60,
    HTTPStatus.SERVICE_UNAVAILABLE: 5,
}
"""Seconds after which a request may be sent again, by the status of its refusal."""


def status_of(error: Exception) -> HTTPStatus:
    """Return the status that an error is answered with."""
    found = (status for kind, status in STATUS.items() if isinstance(error, kind))
    return next(found, HTTPStatus.SERVICE_UNAVAILABLE)


def headers_of(status: HTTPStatus) -> dict[str, str]:
    """Return the headers of a refusal: nothing keeps it, and when to ask again."""
    seconds = RETRY_AFTER.get(status)
    return FRESH | ({"retry-after": str(seconds)} if seconds else {})


def details(error: Exception, names: Mapping[str, str]) -> Response:
    """Answer a program: problem details (RFC 9457) that hold the problems whole."""
    status = status_of(error)
    problems = error.problems if isinstance(error, LedgerError) else ()
    value: dict[str, Any] = {
        "type": "about:blank",
        "title": status.phrase,
        "status": int(status),
        "detail": str(error),
        "problems": [as_json(each, names) for each in problems],
    }
    if language() != ENGLISH:  # for the scripts of a page
        value["told"] = "; ".join(sentence_of(each, names) for each in problems)
    return Response(
        msgspec.json.encode(value),
        status_code=status,
        media_type="application/problem+json",
        headers=headers_of(status),
    )


def in_words(error: Exception, names: Mapping[str, str]) -> str:
    """Say why not, as a person reads it."""
    return "; ".join(lines_of(error, names)) if isinstance(error, LedgerError) else str(error)


def plainly(error: LedgerError) -> str:
    """Say why not, without the commands that would settle it."""
    return "; ".join(sentence_of(each, {}) for each in error.problems)


@marking_names()
def refusal_page(event: EventHeading, error: Exception, names: Mapping[str, str]) -> Response:
    """Answer a person: a page that says why not."""
    status = status_of(error)
    is_stranger = isinstance(error, NotSignedIn) and not any(
        each.code.startswith("mark.") for each in error.problems
    )
    whole = message_page(event, in_words(error, names), leads_to_sign_in=is_stranger)
    return HTMLResponse(whole, status_code=status, headers=headers_of(status))
