"""`lists`: what players handed in, checking it, and correcting it."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import carry_out, desk_of
from cli.input.arguments import UsageError, needs_reason
from cli.input.belonging import refuse_others
from cli.input.game_files import read_card_file, read_list_file
from cli.input.moments import AsPosted, At, AtRound, AtTime, look_at
from cli.input.people import find_player, labelled, with_names
from cli.render.game_tables import person_columns
from cli.render.records import show_records, shows_table
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_table
from cli.terminal.tables import Column
from ledger.errors import Refused
from ledger.tournament import hidden_hands

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.decisions.lists import CheckList
    from ledger.events.lists import ListChecked, ListFinding
    from ledger.formats.play_lists import Shape
    from ledger.tournament.state import SubmittedList, Tournament

USAGE = (
    "lists, lists submit PLAYER FILE, lists check PLAYER --cards FILE, lists show PLAYER, or "
    "lists correct PLAYER FILE --reason TEXT"
)
TEXT_MAX = 400
NAME_MAX = 200


@shows_table
def lists(
    context: typer.Context,
    act: Annotated[str, typer.Argument(metavar="[submit|check|show|correct]")] = "",
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER] [FILE]", help="The file is last.")
    ] = None,
    cards: Annotated[str, typer.Option(metavar="FILE", help="The facts of the cards.")] = "",
    note: Annotated[str, typer.Option(metavar="TEXT", help="What a check by hand found.")] = "",
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why a list is corrected.")] = "",
    no_advantage: Annotated[
        bool, typer.Option("--no-advantage", help="The correction is no advantage: no flag.")
    ] = False,
    at: At = "",
    number: AtRound = "",
    time: AtTime = "",
    posted: AsPosted = False,
) -> None:
    """Hand lists in, check and correct them; see who is missing.

    A list is handed in before the start; from then on only a leader corrects it, and what was
    handed in stays in the log. With the event's format and a card file the check is held to the
    format; without, it was made by hand.

    tourney lists submit ann ann.txt
    tourney lists check ann --cards cards.csv
    """
    desk = desk_of(context)
    given = words or []
    refuse_others(context, act)
    if at or number or time or posted:
        look_at(desk, at=at, number=number, time=time, posted=posted)
    if not act and not given:
        _overview(desk)
    elif act == "submit" and len(given) > 1:
        _submit(desk, given)
    elif act == "check" and given:
        _check(desk, " ".join(given), cards, note)
    elif act == "show" and given:
        _show(desk, " ".join(given))
    elif act == "correct" and len(given) > 1:
        _correct(desk, given, reason, advantageous=not no_advantage)
    else:
        raise UsageError(USAGE)


def _submit(desk: Desk, given: list[str]) -> None:
    from ledger.decisions.lists import SubmitList

    player = find_player(desk.tournament, " ".join(given[:-1]))
    command = SubmitList(player, _text(given[-1], hidden_hands.shape_of(desk.tournament)))
    carry_out(desk, command, f"this is the list of {labelled(desk.tournament, player)}")


def _correct(desk: Desk, given: list[str], reason: str, *, advantageous: bool) -> None:
    from ledger.decisions.lists import CorrectList

    needs_reason(reason, "correcting a list")
    player = find_player(desk.tournament, " ".join(given[:-1]))
    command = CorrectList(
        player, _text(given[-1], hidden_hands.shape_of(desk.tournament)), reason, advantageous
    )
    carry_out(desk, command, f"this is the list of {labelled(desk.tournament, player)}")


def _text(path: str, shape: Shape | None) -> str:
    """The whole text of a list that can be read.

    Raises:
        NotFound: the file can not be read.
        Refused: every problem of it.
    """
    from ledger.files.access import whole

    read_list_file(path, shape)
    return whole(Path(path)).decode("utf-8")


def _check(desk: Desk, typed: str, cards: str, note: str) -> None:
    player = find_player(desk.tournament, typed)
    held = desk.tournament.lists.get(player)
    text = _text_seen(desk, player) if cards and held and held.seq else ""
    command = checked(desk.tournament, player, cards, note, text)
    carry_out(desk, command, f"{labelled(desk.tournament, player)} was checked like this")
    if not desk.json:
        columns = (Column(""), Column("clause"), Column("", flexible=True, wraps=True))
        show_table(columns, [[each.state, each.clause, each.text] for each in command.findings])


def _text_seen(desk: Desk, player: int) -> str:
    """The whole list of a player, for those who may see it.

    Raises:
        Refused: a part of it is hidden from who is at the desk, or its key is not here.
    """
    text, why = _seen(desk, player)
    if why:
        raise Refused(why)
    return text


def _seen(desk: Desk, player: int) -> tuple[str, str]:
    """What who is at the desk may see of a list, and why it is not the whole one."""
    tournament, now = desk.tournament, desk.book.tournament
    held = tournament.lists[player]
    if not held.hidden:
        return held.text, ""
    clause = hidden_hands.clause_of(tournament)
    if not hidden_hands.may_see(now, desk.by, player):
        return held.text, f"the rest is hidden from opponents until `finish` ({clause})"
    revealed = bytes.fromhex(now.hidden_key)
    parts = hidden_hands.parts_of(tournament, revealed or desk.book.context().hidden_key, player)
    if parts is None:
        return held.text, f"the rest is sealed, and the key that opens it is not here ({clause})"
    return hidden_hands.joined(parts), ""


def checked(
    tournament: Tournament, player: int, cards: str, note: str, text: str = ""
) -> CheckList:
    """A check against the event's format, or one by hand where no card file is given.

    `text` is the whole list, where a part of it is hidden in the log.

    Raises:
        Refused: the event names no format, or the player has no list.
    """
    from ledger import formats
    from ledger.decisions.lists import CheckList
    from ledger.events.lists import CardSource, ListFinding

    if not cards:
        return CheckList(player, note=note)
    held = tournament.lists.get(player)
    opening = tournament.opening
    if opening is None or opening.format is None:
        raise Refused("the event names no format to check with: leave --cards out")
    if held is None or not held.seq:
        raise Refused(f"there is no list of player {player}: leave --cards out")
    loaded = formats.of_document(opening.format)
    known = read_card_file(cards, loaded)
    found = formats.findings(
        formats.read_list((text or held.text).encode(), loaded.format.shape),
        loaded,
        known,
        date=opening.date,
        tier=opening.tier,
        scenario=tournament.ruleset.floor.scenario,
    )
    source = CardSource(known.name[:NAME_MAX], known.version[:NAME_MAX], known.date, known.sha256)
    told = tuple(ListFinding(each.clause, each.text[:TEXT_MAX], each.state) for each in found)
    return CheckList(player, source, told, note)


def _show(desk: Desk, typed: str) -> None:
    from ledger.formats.comparing import digest
    from ledger.formats.list_files import read_part

    player = find_player(desk.tournament, typed)
    held = desk.tournament.lists.get(player)
    if held is None or not held.seq:
        raise Refused(f"there is no list of player {player}")
    text, why = _seen(desk, player)
    if desk.json:
        listed = read_part(text.encode(), hidden_hands.shape_of(desk.tournament))
        value = {"player": player, "seq": held.seq, "text": text, "list": listed}
        value |= {"digest": digest(listed), "hidden": why or None}
        show_json(with_names(desk.tournament, value))
    else:
        show(*text.splitlines())
    if why:
        say(why)


def _overview(desk: Desk) -> None:
    tournament = desk.tournament
    rows = [
        (player.number, tournament.lists.get(player.number)) for player in tournament.registered()
    ]
    columns = (
        *person_columns(tournament, itemgetter(0), text=labelled),
        Column("list", right=True, value=lambda row: _state(row[1])[0]),
        Column("check", flexible=True, value=lambda row: _state(row[1])[1]),
        Column("to investigate", value=lambda row: _state(row[1])[2]),
    )
    show_records(
        desk,
        columns,
        rows,
        json=lambda: [with_names(tournament, _as_json(desk, *row)) for row in rows],
    )


def _as_json(desk: Desk, number: int, held: SubmittedList | None) -> dict[str, object]:
    latest = held.checked if held else None
    breaking, not_checked = hidden_hands.counts_of(latest) if latest else (0, 0)
    return {
        "player": number,
        "seq": (held.seq if held else 0) or None,
        "checked": latest is not None,
        "breaking": breaking,
        "not_checked": not_checked,
        "findings": _findings(desk, number, latest),
        "flagged": held.flagged if held else [],
    }


def _findings(
    desk: Desk, player: int, latest: ListChecked | None
) -> tuple[ListFinding, ...] | None:
    """What a check found; None where it is hidden from who is at the desk."""
    if latest is None or not latest.hidden:
        return latest.findings if latest else ()
    now = desk.book.tournament
    if not hidden_hands.may_see(now, desk.by, player):
        return None
    key = bytes.fromhex(now.hidden_key) or desk.book.context().hidden_key
    found = hidden_hands.found_of(desk.tournament, key, player)
    return found.findings if found else None


def _state(held: SubmittedList | None) -> tuple[str, str, str]:
    if held is None:
        return "none", "to come", ""
    listed = f"event {held.seq}" if held.seq else "none"
    flagged = ", ".join(f"event {seq}" for seq in held.flagged)
    if held.checked is None:
        return listed, "to come", flagged
    breaking, open_ = hidden_hands.counts_of(held.checked)
    hand = "" if held.checked.cards else " by hand"
    found = (
        f"{how_many(breaking, 'finding')}, {open_} not checked" if held.checked.cards else "done"
    )
    return listed, f"{found}{hand}", flagged
