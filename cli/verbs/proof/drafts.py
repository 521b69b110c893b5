"""`sign`: acts that came in over the hall and wait for an official's own key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import act_as_json, answer
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import whole
from cli.input.moments import time_in
from cli.input.options import word
from cli.languages.speaking import marked, tr
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show_json
from cli.terminal.tables import Column, for_program, prose
from cli.wording.phrases import who
from ledger.errors import NotFound
from ledger.files import landed
from ledger.problems import phrase

if TYPE_CHECKING:
    from cli.serve.commands import Draft

EVERY = "all"

Which = Annotated[list[str], word("NUMBER...", "Numbers from the list of `sign`, or all.")]


@shows_table
def list_drafts(desk: Desk) -> None:
    """List the acts entered on a page that still need a signature.

    The server has no official's key: each official signs at their own terminal.

        tourney sign
    """
    from cli.serve.commands import draft_in_words

    tournament = desk.tournament
    columns = [
        Column("", right=True, key="number"),
        for_program("id"),
        for_program("by"),
        Column(
            marked("time"), yields=1, key="at", text=lambda each: time_in(tournament, each["at"])
        ),
        Column(marked("who"), flexible=True, value=lambda each: who(each["by"], tournament)),
        for_program("act"),
        prose(marked("what"), lambda each: each["what"]),
    ]
    rows = [
        {
            "number": number,
            "id": each.id,
            "by": each.by,
            "at": each.at,
            "act": each.kind,
            "what": draft_in_words(desk.book, each),
        }
        for number, each in enumerate(_drafts(desk), 1)
    ]
    show_records(desk, columns, rows, empty=tr("no act waits for a signature"))


def sign(desk: Desk, which: Which) -> None:
    """Sign waiting acts with the key of their official, and enter them.

    tourney sign now 1
    tourney sign now all
    """
    once(desk, lambda: _sign(desk, which))


def drop(desk: Desk, which: Which) -> None:
    """Delete waiting acts, which were never on record.

    tourney sign drop 2
    """
    once(desk, lambda: _drop(desk, which))


def _sign(desk: Desk, which: list[str]) -> None:
    done = [_signed(desk, each) for each in _chosen(desk, which)]
    if desk.json:
        show_json(done)


def _drop(desk: Desk, which: list[str]) -> None:
    from cli.serve import commands
    from cli.serve.commands import draft_in_words

    chosen = _chosen(desk, which)
    for each in chosen:
        commands.drop(desk.store(), desk.book.stream, each)
        landed.note_place(desk.store().where)
        say(tr("deleted: {draft}", draft=draft_in_words(desk.book, each)))
    if desk.json:
        show_json([{"id": each.id} for each in chosen])


def _signed(desk: Desk, draft: Draft) -> dict[str, object]:
    from cli.serve import commands

    command = draft.command
    desk.enter_as(draft.by)
    desk.seen = command.seen
    recorded = desk.act(command, draft.id)
    commands.drop(desk.store(), desk.book.stream, draft)
    answer(desk, recorded)
    return act_as_json(draft.id, recorded)


def _drafts(desk: Desk) -> list[Draft]:
    from cli.serve.commands import waiting_in

    secrets = desk.store().vault_items(desk.book.stream)
    return waiting_in(secrets, desk.book.tournament)


def _chosen(desk: Desk, which: list[str]) -> list[Draft]:
    """Return those that are meant; NotFound where nothing waits."""
    found = _drafts(desk)
    if not found:
        raise NotFound(phrase("no act waits for a signature"))
    if which == [EVERY]:
        return found
    numbers = dict.fromkeys(whole("NUMBER", each, 1, len(found)) for each in which)
    return [found[number - 1] for number in numbers]
