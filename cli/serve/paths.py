"""Which function answers a path, and what is said where it breaks.

A path is looked up, not tried against each route; a fault of ours is answered in words, and is one
line at the server.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.routing import Route, Router

from cli.serve.refusals import Fault, WrongMethod
from cli.serve.turns import ASKER
from cli.serve.visitors import address_of, stranger_at
from cli.terminal.output import TRACE_VARIABLE, say
from ledger.errors import LedgerError, NotFound
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starlette.responses import Response
    from starlette.types import Lifespan, Receive, Scope, Send

    from cli.serve.visitors import Visitors

    Refuse = Callable[[Request, LedgerError], Awaitable[Response]]
    Endpoint = Callable[[Request], Awaitable[Response]]
    Gate = Callable[[Request, Endpoint], Awaitable[Response]]


class Paths:
    """The routes of the hall; one without words in its path goes before one with some."""

    def __init__(
        self,
        routes: Sequence[Route],
        refuse: Refuse,
        lifespan: Lifespan[Router],
        visitors: Visitors,
        gate: Gate | None = None,
    ) -> None:
        """`refuse` says why a request is not answered; `visitors` finds out who asks.

        `gate` answers what is posted in the place of its route, or lets it through to it.
        """
        self.routes = routes
        self._refuse, self._visitors, self._gate = refuse, visitors, gate
        self._life = Router(lifespan=lifespan)
        self._plain: dict[str, list[Route]] = {}
        self._with_words: dict[str, list[Route]] = {}
        for each in routes:
            where = self._with_words if each.param_convertors else self._plain
            key = _first_word(each.path) if each.param_convertors else each.path
            where.setdefault(key, []).append(each)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._life(scope, receive, send)
            return
        scope["visitors"] = self._visitors
        request = Request(scope, receive)
        ASKER.set(stranger_at(address_of(request)))  # until their cookie says more
        try:
            response = await self._answer(request)
        except LedgerError as error:
            response = await self._refuse(request, error)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is ours
            _say_fault(scope, error)
            text = "a fault in tourney itself: the log is as it was; tell the desk what you did"
            response = await self._refuse(request, Fault(problem("serve.fault", text)))
        try:
            await response(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - a stream's, which the server closes
            _say_fault(scope, error)

    async def _answer(self, request: Request) -> Response:
        scope = request.scope
        fitting = self._fitting(scope["path"].rstrip("/") or "/")
        for route, words in fitting:
            if scope["method"] in (route.methods or ()):
                scope["path_params"] = words
                if self._gate and scope["method"] == "POST":
                    return await self._gate(request, route.endpoint)
                answer: Response = await route.endpoint(request)
                return answer
        if not fitting:
            raise NotFound("there is no such page here")
        why = WrongMethod("this is only read, or only posted by a page: open the page itself")
        refusal = await self._refuse(request, why)
        allowed = {method for route, _ in fitting for method in route.methods or ()}
        refusal.headers["allow"] = ", ".join(sorted(allowed))
        return refusal

    def _fitting(self, path: str) -> list[tuple[Route, dict[str, Any]]]:
        """Return the routes of a path, each with the path's words by name."""
        if plain := self._plain.get(path):
            return [(each, {}) for each in plain]
        return [
            (each, words)
            for each in self._with_words.get(_first_word(path), ())
            if (words := _words_in(path, each)) is not None
        ]


def _first_word(path: str) -> str:
    return path[1:].partition("/")[0]


def _words_in(path: str, route: Route) -> dict[str, Any] | None:
    found = route.path_regex.match(path)
    if not found:
        return None
    return {
        name: route.param_convertors[name].convert(word) for name, word in found.groupdict().items()
    }


def _say_fault(scope: Scope, error: Exception) -> None:
    """Say at the server what broke; where that is asked for, with its trace."""
    say(f"a fault in tourney itself, at {scope['path']}: {type(error).__name__}: {error}")
    if TRACE_VARIABLE in os.environ:
        raise error
