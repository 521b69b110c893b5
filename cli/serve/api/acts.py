"""`POST /api/v1/acts`: one act, decided and durable before it is answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct, field
from starlette.responses import Response

from cli.desk.acts import act_as_json
from cli.serve.api.commands import AnyCommand  # noqa: TC001 - msgspec reads it
from cli.serve.refusals import FRESH, Malformed, NotSignedIn, NotTheirs
from cli.serve.visitors import visitor_of
from ledger.problems import problem

if TYPE_CHECKING:
    from starlette.requests import Request

    from cli.serve.hall import Hall
    from cli.serve.visitors import Visitor

COMMAND_ID = r"^[A-Za-z0-9_-]{8,48}\Z"
"""An act's id, as its sender draws it: the log has it behind the link's number."""

_PERSON = r"^(?:[op][1-9][0-9]{0,3})?\Z"


class SentAct(Struct, frozen=True, forbid_unknown_fields=True):
    """An act as it is sent; `for` names the player on whose word an official enters it."""

    id: Annotated[str, Meta(pattern=COMMAND_ID)]
    command: AnyCommand
    for_: Annotated[str, Meta(pattern=_PERSON)] = field(default="", name="for")


class Landed(Struct, frozen=True):
    """One event of an act: its place, its id, its type."""

    seq: int
    id: str
    type: str


class Done(Struct, frozen=True):
    """What an act came to; no events where what it asks for was so already."""

    id: str
    events: list[Landed]


_DECODER = msgspec.json.Decoder(SentAct)


async def post(hall: Hall, request: Request) -> Response:
    """Carry out what was sent; Malformed, or as `Hall.act`."""
    visitor = await visitor_of(request)
    try:
        sent = _DECODER.decode(await request.body())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise Malformed(problem("act.malformed", "this is no act: {why}", why=str(error))) from None
    player = player_spoken_for(visitor, sent.for_)
    recorded = await hall.act(visitor, sent.id, sent.command, player)
    value = act_as_json(visitor.command_id(sent.id), recorded)
    return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)


def player_spoken_for(visitor: Visitor, named: str) -> int:
    """Return the player on whose word an official acts, 0 for none; NotSignedIn, or NotTheirs."""
    if not visitor.by:
        text = "only who has a link may do this: open the link of your badge, or type its code"
        raise NotSignedIn(problem("serve.not_signed_in", text))
    if named in ("", visitor.by):
        return 0
    if not (visitor.official and _PLAYER.fullmatch(named)):
        text = "your link is for {by}, and not for {other}"
        raise NotTheirs(problem("serve.not_theirs", text, by=visitor.by, other=named))
    return int(named[1:])


_PLAYER = re.compile("p[1-9][0-9]{0,4}")


def is_command_id(text: str) -> bool:
    """Whether a text may be an act's id."""
    return re.match(COMMAND_ID, text) is not None
