"""The hidden parts of lists: sealed while the event runs, and revealed at its end (SWL-HIDDEN).

A list has an open part, which is in the log as text, and in a game with hidden cards a hidden
part, which is sealed there as battle cards are. Open are the player, the declared points and the
sections that the event's format names without hiding them; everything else is hidden: the sections
that it hides, headings that it does not know, and further statements. Without a format that hides
sections the whole list is hidden. Either part is written by `as_text`, so that no remark of the
player's stays in the open one. What a check found is sealed likewise: findings name cards.

Each part is sealed under the player's number and the number of their lists or checks so far: the
same hand handed in again is sealed differently, and no seal opens in another's list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger.errors import LedgerError, Refused, recoded
from ledger.facts import office
from ledger.facts.base import Event
from ledger.facts.lists import ListCorrected, ListSubmitted
from ledger.facts.shared import ListChecked, ListFinding
from ledger.lines.sealing import open_hidden, seal_hidden
from ledger.problems import Player, Problem, marked, phrase, problem
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import SubmittedList

if TYPE_CHECKING:
    from ledger.formats.format import Format
    from ledger.formats.play_lists import PlayList, Shape

FOUND_BYTES_MAX = 20_000
"""How long the findings of one check may be, so that they fit sealed into a line."""

NOTE_MAX = 1_000


class Parts(Struct, frozen=True):
    """A list as the log has it: the open text, and the hidden one in plain."""

    open: str
    hidden: str = ""


class Found(Struct, frozen=True, forbid_unknown_fields=True):
    """What a check found, as it is sealed; further findings are not written out."""

    findings: tuple[ListFinding, ...] = ()
    further: int = 0
    note: str = ""


def format_of(tournament: Tournament) -> Format | None:
    """The format that the event names."""
    document = tournament.opening.format if tournament.opening else None
    if document is None:
        return None
    from ledger.formats import of_document  # noqa: PLC0415 - a day without lists does not pay

    return of_document(document).format


def shape_of(tournament: Tournament) -> Shape | None:
    """What the event's format says of a list's form; None without a format."""
    made = format_of(tournament)
    return made.shape.by_rules(tournament.rules_number) if made else None


def clause_of(tournament: Tournament) -> str:
    """The clause by which a part of each list is hidden; empty where lists are open."""
    made, battle = format_of(tournament), tournament.ruleset.floor.battle
    return (made.hides if made else "") or ("SWL-HIDDEN" if battle else "")


def split(tournament: Tournament, text: str) -> Parts:
    """Part a list as it was handed in; Refused if it cannot be read or has no room in a line."""
    from ledger.formats.play_lists import (  # noqa: PLC0415 - as above
        LIST_BYTES_MAX,
        PlayList,
        as_text,
        read_list,
    )

    if not clause_of(tournament):
        return Parts(text)
    listed = read_list(text.encode("utf-8", "surrogatepass"), shape_of(tournament))
    seen = {name for name in listed.sections if is_open(tournament, name)}
    parts = (
        PlayList(
            *(("", None) if hidden else (listed.player, listed.total)),
            {name: total for name, total in listed.totals.items() if (name in seen) != hidden},
            listed.remarks if hidden else {},
            {name: held for name, held in listed.sections.items() if (name in seen) != hidden},
        )
        for hidden in (False, True)
    )
    made = Parts(*map(as_text, parts))
    if len(made.open.encode()) + len(made.hidden.encode()) > LIST_BYTES_MAX:
        most = f"{LIST_BYTES_MAX:,}"
        raise Refused(phrase("the full list has more than {most} bytes", most=most))
    return made


def joined(parts: Parts) -> str:
    """The whole list, its open part first."""
    from ledger.formats.play_lists import as_text  # noqa: PLC0415 - as above

    if not parts.hidden:
        return parts.open
    seen, hidden = (_part(text) for text in (parts.open, parts.hidden))
    return as_text(
        msgspec.structs.replace(
            seen,
            totals={**seen.totals, **hidden.totals},
            remarks=hidden.remarks,
            sections={**seen.sections, **hidden.sections},
        )
    )


def is_open(tournament: Tournament, section: str) -> bool:
    """Whether opponents may see a section of a list while the event runs."""
    made = format_of(tournament)
    return made is not None and bool(made.hides) and made.is_open(section)


def may_see(tournament: Tournament, by: str, player: int) -> bool:
    """Whether who is at the desk may see the hidden part of a player's list.

    The players theirs; the leaders and the scorekeepers all, but for those who play themselves,
    where another official does not.
    """
    desk, _, word = by.partition("/")
    if tournament.hidden_key or (word or desk) == f"p{player}":
        return True
    if word or desk.startswith("p"):
        return False
    number = int(desk[1:])
    if number >= len(tournament.officials):
        return False
    able = [x for x in office.active(tournament) if _handles_lists(tournament, x.roles)]
    apart = [each for each in able if not office.player_of(tournament, each.number)]
    return tournament.officials[number] in (apart or able)


def as_seen(tournament: Tournament, by: str, event: Event) -> Event:
    """The event for who is at the desk: to opponents its words leave a reason out."""
    if isinstance(event, ListCorrected) and may_see(tournament, by, event.player):
        return msgspec.structs.replace(event, hidden="")
    return event


def _handles_lists(tournament: Tournament, roles: tuple[str, ...]) -> bool:
    return "scorekeeper" in roles or office.leads(tournament, roles)


def sealed(tournament: Tournament, key: bytes, player: int, hidden: str) -> str:
    """The hidden part of a player's next list, as its event holds it."""
    count = len(_held(tournament, player).handed) + 1
    return seal_hidden(key, _label(tournament, "list", count, player), hidden.encode())


def sealed_findings(tournament: Tournament, key: bytes, player: int, found: Found) -> str:
    """What the player's next check found, as its event holds it."""
    count = _held(tournament, player).checks + 1
    return seal_hidden(key, _label(tournament, "check", count, player), msgspec.json.encode(found))


def fitting(found: Found) -> Found:
    """As many of the findings as have room, the others counted; Refused for too long a note."""
    if len(found.note) > NOTE_MAX:
        most = f"{NOTE_MAX:,}"
        raise Refused(phrase("a note can have at most {most} characters", most=most))
    while found.findings and len(msgspec.json.encode(found)) > FOUND_BYTES_MAX:
        found = Found(found.findings[:-1], found.further + 1, found.note)
    return found


def parts_of(tournament: Tournament, key: bytes, player: int) -> Parts | None:
    """A player's list with its hidden part opened; None where the key does not open it."""
    count = len(_held(tournament, player).handed)
    return parts_at(tournament, key, player, count) if count else None


def parts_at(tournament: Tournament, key: bytes, player: int, count: int) -> Parts | None:
    """A player's list of this number, opened; None where the key does not open it."""
    listed = tournament.lists[player].handed[count - 1]
    if not listed.hidden:
        return Parts(listed.text)
    plain = open_hidden(key, _label(tournament, "list", count, player), listed.hidden)
    try:
        return None if plain is None else Parts(listed.text, plain.decode())
    except UnicodeDecodeError:
        return None


def found_of(tournament: Tournament, key: bytes, player: int) -> Found | None:
    """What the latest check of a player's list found; None where the key does not open it."""
    held = _held(tournament, player)
    if held.checked is None or not held.checked.hidden:
        return None
    label = _label(tournament, "check", held.checks, player)
    text = open_hidden(key, label, held.checked.hidden)
    try:
        return None if text is None else msgspec.json.decode(text, type=Found)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def is_significant(old: Parts, new: Parts, shape: Shape | None = None) -> bool:
    """Whether a correction lists other things, in the open part or in the hidden one."""
    from ledger.formats.comparing import same_things  # noqa: PLC0415 - as above

    pairs = ((old.open, new.open), (old.hidden, new.hidden))
    return not all(same_things(_part(a, shape), _part(b, shape), shape) for a, b in pairs)


def problems(tournament: Tournament, event: ListSubmitted | ListCorrected) -> Iterator[Problem]:
    """Yield why the open part of a list is not what may be open; the hidden part is sealed."""
    from ledger.formats.play_lists import as_text  # noqa: PLC0415 - as above

    code, clause = "list.hidden", clause_of(tournament)
    if not event.hidden or not tournament.hidden_keys:
        text = marked("the hidden part of a list must be sealed with the key of line 1")
        yield problem(code, text, clause=clause)
        return
    try:
        listed = _part(event.text, shape_of(tournament))
    except Refused as refused:
        yield from (recoded(each, code) for each in refused.problems)
        return
    for name in listed.sections:
        if not is_open(tournament, name):
            text = marked("the section {name} must be hidden while the tournament runs")
            yield problem(code, text, clause=clause, name=name)
    if listed.remarks or as_text(listed) != event.text:
        text = marked("the open part of a list can have only player, points and cards")
        yield problem(code, text, clause=clause)


def counts(findings: tuple[ListFinding, ...]) -> tuple[int, int]:
    """How many findings break the format, and how many things were not checked."""
    breaking = sum(each.state == "breaks" for each in findings)
    return breaking, len(findings) - breaking


def counts_of(checked: ListChecked) -> tuple[int, int]:
    """The same of a check, whether its findings are sealed or not."""
    return checked.counts or counts(checked.findings)


def _part(text: str, shape: Shape | None = None) -> PlayList:
    from ledger.formats.play_lists import read_part  # noqa: PLC0415 - as above

    return read_part(text.encode("utf-8", "surrogatepass"), shape)


def _held(tournament: Tournament, player: int) -> SubmittedList:
    return tournament.lists.get(player) or SubmittedList()


def _label(tournament: Tournament, kind: str, count: int, player: int) -> tuple[str, str, int]:
    assert tournament.opening is not None  # noqa: S101 - there is a list
    return tournament.opening.tournament, f"{kind} {count}", player


def problems_at_the_end(tournament: Tournament, key: bytes) -> Iterator[Problem]:
    """Yield the latest lists and checks that the revealed key does not open, or which are wrong.

    Those that were sealed with a key that is lost nobody can look at.
    """
    for player, held in tournament.lists.items():
        if held.handed:
            yield from _list_problems(tournament, key, player, len(held.handed))
        if held.checked and held.checked.hidden and not held.is_lost:
            found = found_of(tournament, key, player)
            if found is None or counts(found.findings) != held.checked.counts:
                yield problem(
                    "list.findings_closed",
                    (
                        "the sealed findings for the list of {player} do not match their "
                        "counts: check the list again"
                    ),
                    clause=clause_of(tournament),
                    player=Player(player),
                )


def wrong_before(tournament: Tournament, key: bytes) -> Iterator[tuple[int, int]]:
    """Yield player and event of the replaced lists which are wrong: the end passes them over."""
    for player, held in tournament.lists.items():
        for count, handed in enumerate(held.handed[:-1], start=1):
            if any(_list_problems(tournament, key, player, count)):
                yield player, handed.seq


def _list_problems(
    tournament: Tournament, key: bytes, player: int, count: int
) -> Iterator[Problem]:
    """Yield what is wrong with a player's list of this number, where it has a hidden part."""
    listed = tournament.lists[player].handed[count - 1]
    if not listed.hidden or listed.is_lost:
        return
    clause, of = clause_of(tournament), Player(player)
    try:
        parts = parts_at(tournament, key, player, count)
        if parts is None:
            text = marked("the hidden part of the list of {player} does not open: correct the list")
            yield problem("list.closed", text, clause=clause, player=of)
        elif split(tournament, joined(parts)) != parts:
            text = marked(
                "the hidden part of the list of {player} has content that must be open: "
                "correct the list"
            )
            yield problem("list.not_hidden", text, clause=clause, player=of)
        elif _is_said_wrongly(tournament, key, player, count):
            text = marked("the log misstates whether the correction changes the list of {player}")
            yield problem("list.said_wrongly", text, clause="FFG-LIST", player=of)
    except LedgerError as error:
        text = marked("the hidden part of the list of {player} cannot be read: {error}")
        yield problem("list.unreadable", text, clause=clause, player=of, error=error.words)


def _is_said_wrongly(tournament: Tournament, key: bytes, player: int, count: int) -> bool:
    listed = tournament.lists[player].handed[count - 1]
    if listed.significant is None or tournament.lists[player].handed[count - 2].is_lost:
        return False
    old, new = (parts_at(tournament, key, player, each) for each in (count - 1, count))
    if old is None or new is None:
        return False
    return listed.significant != is_significant(old, new, shape_of(tournament))
