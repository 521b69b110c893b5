"""`lists`: what players handed in, checking it, and correcting it."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.find_people import find_player, labelled, with_names
from cli.input.game_files import read_card_file, read_list_file
from cli.input.moments import AS_IT_IS, AtRound, look_at
from cli.render.game_tables import person_columns
from cli.render.records import show_records, shows_table
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_table
from cli.terminal.tables import Column
from cli.verbs.options import flag, option, word
from ledger import problems
from ledger.decisions.lists import CheckList, CorrectList, SubmitList
from ledger.errors import Refused
from ledger.events.lists import CardSource, ListChecked, ListFinding
from ledger.files.access import whole
from ledger.tournament import hidden_hands

if TYPE_CHECKING:
    from ledger.tournament.handed_lists import SubmittedList
    from ledger.tournament.state import Tournament

TEXT_MAX = 400
NAME_MAX = 200


Player = Annotated[list[str], word("PLAYER", "Whose list.")]
PlayerAndFile = Annotated[list[str], word("PLAYER FILE", "Whose list, and the file, last.")]


def submit(desk: Desk, words: PlayerAndFile) -> None:
    """Hand a player's list in, before the start.

    tourney lists submit ann ann.txt
    """
    player, text = _player_and_text(desk, words)
    carry_out(
        desk, SubmitList(player, text), f"this is the list of {labelled(desk.tournament, player)}"
    )


def correct(
    desk: Desk,
    words: PlayerAndFile,
    reason: Annotated[str, option("TEXT", "Required: why.")] = "",
    no_advantage: Annotated[
        bool, flag("--no-advantage", "The correction is no advantage: no flag.")
    ] = False,
) -> None:
    """Correct a list after the start; a leader does.

    What was handed in stays in the log.
    """
    needs_reason(reason, "correcting a list")
    player, text = _player_and_text(desk, words)
    order = CorrectList(player, text, reason, not no_advantage)
    carry_out(desk, order, f"this is the list of {labelled(desk.tournament, player)}")


def _player_and_text(desk: Desk, words: list[str]) -> tuple[int, str]:
    *name, path = words
    if not name:
        raise UsageError("say whose list it is and the file, as lists submit ann ann.txt")
    player = find_player(desk.tournament, " ".join(name))
    read_list_file(path, hidden_hands.shape_of(desk.tournament))  # refused with every problem
    return player, whole(Path(path)).decode("utf-8")


def check(
    desk: Desk,
    player: Player,
    cards: Annotated[str, option("FILE", "The facts of the cards.")] = "",
    note: Annotated[str, option("TEXT", "What a check by hand found.")] = "",
) -> None:
    """Check a list: against the event's format, or by hand.

    With the event's format and a card file the list is checked against the format; without, the
    check was made by hand.

    tourney lists check ann --cards cards.csv
    """
    number = find_player(desk.tournament, " ".join(player))
    held = desk.tournament.lists.get(number)
    text, why = _seen(desk, number) if cards and held and held.seq else ("", "")
    if why:
        raise Refused(why)
    command = checked(desk.tournament, number, cards, note, text)
    carry_out(desk, command, f"{labelled(desk.tournament, number)} was checked like this")
    if not desk.json:
        columns = (Column(""), Column("clause"), Column("", flexible=True, wraps=True))
        show_table(columns, [[each.state, each.clause, each.text] for each in command.findings])


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

    if not cards:
        return CheckList(player, note=note)
    held = tournament.lists.get(player)
    opening = tournament.opening
    if opening is None or opening.format is None:
        raise Refused("the event names no format to check with: leave --cards out")
    if held is None or not held.seq:
        text = "there is no list of {player}: leave --cards out"
        raise Refused(problems.problem("list.none", text, player=problems.Player(player)))
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
    findings = tuple(ListFinding(each.clause, each.text[:TEXT_MAX], each.state) for each in found)
    return CheckList(player, source, findings, note)


def show_list(desk: Desk, player: Player, as_of: AtRound = AS_IT_IS) -> None:
    """Show a player's list, as much of it as you may see."""
    from ledger.formats.comparing import digest
    from ledger.formats.list_files import read_part

    look_at(desk, as_of)
    of = find_player(desk.tournament, " ".join(player))
    held = desk.tournament.lists.get(of)
    if held is None or not held.seq:
        text = "there is no list of {player}"
        raise Refused(problems.problem("list.none", text, player=problems.Player(of)))
    text, why = _seen(desk, of)
    if desk.json:
        listed = read_part(text.encode(), hidden_hands.shape_of(desk.tournament))
        value = {"player": of, "seq": held.seq, "text": text, "list": listed}
        value |= {"digest": digest(listed), "hidden": why or None}
        show_json(with_names(desk.tournament, value))
    else:
        show(*text.splitlines())
    if why:
        say(why)


@shows_table
def overview(desk: Desk, as_of: AtRound = AS_IT_IS) -> None:
    """Show whose list is handed in and checked.

    A list is handed in before the start; from then on only a leader corrects it, and what was
    handed in stays in the log.

    tourney lists submit ann ann.txt
    tourney lists check ann --cards cards.csv
    """
    look_at(desk, as_of)
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
