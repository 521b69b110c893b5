"""`lists` and `lists show`: whose list is here and checked, and what is in it."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated

from cli.desk.list_files import handed_text
from cli.desk.session import Desk
from cli.input.find_people import find_player, labelled, with_names
from cli.input.moments import NOW, AtRound, look_at
from cli.input.options import flag, word
from cli.languages.speaking import ENGLISH, marked, speaking, tr, tr_of
from cli.render.game_tables import NO_PLAYER, person_columns
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show, show_json
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, visible
from ledger import problems
from ledger.errors import Refused
from ledger.facts import hands

if TYPE_CHECKING:
    from ledger.facts.shared import ListChecked, ListFinding
    from ledger.tournament.table_records import SubmittedList

BOXES_MAX = 4
"""How many boxes stand before a card; more copies are counted by the number."""


def show_list(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "The player.")],
    printed: Annotated[bool, flag("--print", "A checklist to count the cards at a table.")] = False,
    moment: AtRound = NOW,
) -> None:
    """Show the part of a player's list that you may see."""
    from ledger.formats.comparing import digest
    from ledger.formats.play_lists import read_part

    look_at(desk, moment)
    of = find_player(desk.tournament, " ".join(player))
    submitted = desk.tournament.lists.get(of)
    if submitted is None or not submitted.seq:
        text = marked("{player} has submitted no list")
        raise Refused(problems.problem("list.none", text, player=problems.Player(of)))
    text, reason = handed_text(desk, of)
    if desk.json:
        listed = read_part(text.encode(), hands.shape_of(desk.tournament))
        value = {"player": of, "seq": submitted.seq, "text": text, "list": listed}
        value |= {"digest": digest(listed), "hidden": reason or None}
        show_json(with_names(desk.tournament, value))
    elif printed:
        show(*_checklist(desk, of, text))
    else:
        show(*text.splitlines())
    if reason:
        say(reason)


def _checklist(desk: Desk, player: int, text: str) -> Iterator[str]:
    """Yield a page to count a deck by: a box for each copy of each card, and who counted."""
    from ledger.formats.play_lists import read_part

    tournament = desk.tournament
    listed = read_part(text.encode(), hands.shape_of(tournament))
    title = tournament.opening.name if tournament.opening else ""
    yield f"{visible(title)}: {labelled(tournament, player)}"
    for section, entries in listed.sections.items():
        yield from ("", f"{visible(section).upper()} ({sum(each.count for each in entries)})")
        for entry in entries:
            yield f"{_boxes(entry.count)} {entry.count:>3} {visible(entry.name)}"
            for upgrade in entry.upgrades:
                yield f"{_boxes(upgrade.count)}     - {upgrade.count} {visible(upgrade.name)}"
    yield from ("", tr("counted by ____________________   cards as listed: yes [ ]  no [ ]"))


def _boxes(count: int) -> str:
    return f"{'[ ]' * min(count, BOXES_MAX):<{3 * BOXES_MAX}}"


@shows_table
def overview(desk: Desk, moment: AtRound = NOW) -> None:
    """Show which players' lists are submitted and checked.

    Lists are submitted before the start. After that only a leader can correct a list, and the
    submitted list stays in the log.

    tourney lists submit ann ann.txt
    tourney lists check ann --cards cards.csv
    """
    look_at(desk, moment)
    tournament = desk.tournament
    rows = [
        (player.number, tournament.lists.get(player.number)) for player in tournament.registered()
    ]
    columns = (
        *person_columns(tournament, itemgetter(0), text=labelled),
        Column(
            "list",
            right=True,
            value=lambda row: _plain_state(row[1])[0],
            text=lambda row: _state(row[1])[0],
        ),
        Column(
            "check",
            flexible=True,
            value=lambda row: _plain_state(row[1])[1],
            text=lambda row: _state(row[1])[1],
        ),
        Column(
            "to investigate",
            value=lambda row: _plain_state(row[1])[2],
            text=lambda row: _state(row[1])[2],
        ),
    )
    show_records(
        desk,
        columns,
        rows,
        json=lambda: [with_names(tournament, _as_json(desk, *row)) for row in rows],
        empty=NO_PLAYER,
    )


def _as_json(desk: Desk, number: int, submitted: SubmittedList | None) -> dict[str, object]:
    latest = submitted.checked if submitted else None
    breaking, not_checked = hands.counts_of(latest) if latest else (0, 0)
    return {
        "player": number,
        "seq": (submitted.seq if submitted else 0) or None,
        "checked": latest is not None,
        "breaking": breaking,
        "not_checked": not_checked,
        "findings": _findings(desk, number, latest),
        "flagged": submitted.flagged if submitted else [],
    }


def _findings(
    desk: Desk, player: int, latest: ListChecked | None
) -> tuple[ListFinding, ...] | None:
    """What a check found; None where it is hidden from who is at the desk."""
    if latest is None or not latest.hidden:
        return latest.findings if latest else ()
    now = desk.book.tournament
    if not hands.may_see(now, desk.by, player):
        return None
    key = bytes.fromhex(now.hidden_key) or desk.book.context().hidden_key
    findings = hands.found_of(desk.tournament, key, player)
    return findings.findings if findings else None


def _plain_state(submitted: SubmittedList | None) -> tuple[str, str, str]:
    with speaking(ENGLISH):
        return _state(submitted)


def _state(submitted: SubmittedList | None) -> tuple[str, str, str]:
    pending = tr_of("check", "pending")
    if submitted is None:
        return tr_of("list", "none"), pending, ""
    listed = tr("event {number}", number=submitted.seq) if submitted.seq else tr_of("list", "none")
    flagged = ", ".join(tr("event {number}", number=seq) for seq in submitted.flagged)
    if submitted.checked is None:
        return listed, pending, flagged
    breaking, not_checked = hands.counts_of(submitted.checked)
    if submitted.checked.cards or breaking:
        found = tr(
            "{findings}, {count} not checked",
            findings=how_many(breaking, "finding"),
            count=not_checked,
        )
    else:
        found = tr_of("check", "done")
    if not submitted.checked.cards:
        found = tr("{found} by hand", found=found)
    return listed, found, flagged
