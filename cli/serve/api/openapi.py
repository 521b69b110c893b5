"""OpenAPI: every path of the interface, from its routes and from the structs that it reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from cli.serve.api.acts import Done, SentAct
from cli.serve.api.heads import KeptHead, SeenHeads, Witnessed
from cli.serve.api.season_views import BASE as SEASON
from cli.serve.api.season_views import SEASON_VIEWS
from cli.serve.parts import PARTS
from cli.serve.visitors import Visitor
from ledger import ENGINE
from ledger.problems import Problem  # noqa: TC001 - msgspec reads it

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.routing import Route

BASE = "/api/v1"
_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")


class ProblemDetails(Struct, frozen=True):
    """Why a request was refused (RFC 9457); each problem has its sentence and commands as well."""

    type: str
    title: str
    status: int
    detail: str
    problems: list[Problem] = []


class _Described(NamedTuple):
    """What a path reads and gives, beyond what its route says."""

    reads: type[Struct] | None = None
    gives: type[Struct] | None = None
    media: str = "application/json"
    also: tuple[int, ...] = ()
    query: tuple[str, ...] = ()


_DESCRIBED: dict[str, _Described] = {
    f"{BASE}/acts": _Described(SentAct, Done, also=(202, 400, 401, 403, 409, 413, 415)),
    f"{BASE}/me": _Described(gives=Visitor),
    f"{BASE}/forks": _Described(SeenHeads, also=(400,)),
    f"{BASE}/kept": _Described(KeptHead, also=(400,)),
    f"{BASE}/witness": _Described(gives=Witnessed, query=("kept",), also=(400,)),
    f"{BASE}/consistency": _Described(query=("from", "to"), also=(400,)),
    f"{BASE}/stream": _Described(media="text/event-stream", query=("after",), also=(429,)),
    f"{BASE}/log": _Described(media="application/x-ndjson", query=("after",), also=(401,)),
    f"{BASE}/disputes": _Described(query=("all",), also=(401,)),
    **{
        f"{SEASON}{each.path}": _Described(
            query=(*each.words, *each.narrowed), also=(304, 400, 401, 404, 409, 429)
        )
        for each in SEASON_VIEWS
    },
}
_OF_ALL = _Described(also=(304, 404))
_STRUCTS = (SentAct, Done, SeenHeads, KeptHead, Witnessed, Visitor, ProblemDetails)


def described(routes: Iterable[Route]) -> bytes:
    """Return the description of all routes under `/api/v1`."""
    schemas, components = msgspec.json.schema_components(
        _STRUCTS, ref_template="#/components/schemas/{name}"
    )
    refs = dict(zip(_STRUCTS, schemas, strict=True))
    paths: dict[str, dict[str, object]] = {}
    for route in routes:
        if not route.path.startswith(BASE):
            continue
        for method in sorted(set(route.methods or ()) - {"HEAD"}):
            path = _PARAMETER.sub(r"{\1}", route.path)
            paths.setdefault(path, {})[method.lower()] = _operation(route, method, refs)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "tourney: the served hall", "version": ENGINE.split()[-1]},
            "paths": paths,
            "components": {"schemas": components},
        }
    )


def _operation(route: Route, method: str, refs: dict[Any, Any]) -> dict[str, object]:
    known = _DESCRIBED.get(route.path, _OF_ALL)
    says = (route.endpoint.__doc__ or "").strip().partition("\n")[0]
    answer = {known.media: {"schema": refs[known.gives] if known.gives else {}}}
    operation: dict[str, object] = {
        "operationId": f"{method.lower()}{re.sub(r'[^A-Za-z]+', '_', route.path)}".rstrip("_"),
        "summary": says,
        "parameters": [
            *(_parameter(each, "path") for each in _PARAMETER.findall(route.path)),
            *(_parameter(each, "query") for each in known.query),
        ],
        "responses": {
            "200": {"description": "what was asked for", "content": answer},
            **{str(status): _refusal(status, refs) for status in (*known.also, 503)},
        },
    }
    if known.reads:
        content = {"application/json": {"schema": refs[known.reads]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _parameter(name: str, place: str) -> dict[str, object]:
    schema: dict[str, object] = {"type": "string"}
    if name == "name":
        schema["enum"] = sorted(PARTS)
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _refusal(status: int, refs: dict[Any, Any]) -> dict[str, object]:
    if status == 304:  # noqa: PLR2004 - as RFC 9110 names it
        return {"description": "as it was"}
    content = {"application/problem+json": {"schema": refs[ProblemDetails]}}
    return {"description": "why not", "content": content}
