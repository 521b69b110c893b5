"""Events of the floor in words: office, rulings, conduct, the clock."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cli.input.people import labelled
from cli.wording.phrases import because, safe_text
from ledger.events import clock, office, setups, undo
from ledger.tournament import battle_cards

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.events import Event
    from ledger.tournament.state import Tournament


def official_in_words(tournament: Tournament, number: int) -> str:
    """Name an official, short and safe to show."""
    return safe_text(tournament.names.get(f"o{number}", f"official {number}"))


def holder_in_words(tournament: Tournament, number: int) -> str:
    """Name who holds a key: an official, or the log as number 0."""
    return official_in_words(tournament, number) if number else "the log"


def table_in_words(tournament: Tournament, match: int) -> str:
    """Name a match by round and table."""
    found = tournament.matches[match]
    return f"{found.round}/{found.table}"


def _by_clause(clause: str) -> str:
    return f" ({safe_text(clause)})" if clause else ""


def _at(tournament: Tournament, match: int) -> str:
    return f" at {table_in_words(tournament, match)}" if match else ""


def _ruled(event: office.RulingMade, tournament: Tournament) -> str:
    official = official_in_words(tournament, event.official)
    by_player = f" {labelled(tournament, event.player)}" if event.player else ""
    asked = f", raised by a {event.raised}{by_player}" if event.raised != "official" else ""
    about = f" on ruling {event.reviews}, for good" if event.reviews else ""
    about += ", upheld" if event.upheld else ""
    about += f" on dispute {event.settles}" if event.settles else ""
    more = ", a review was asked for" if event.review else ""
    overruled = (
        f", overruling the documents: {safe_text(event.overrules)}" if event.overrules else ""
    )
    where, clause = _at(tournament, event.match), _by_clause(event.clause)
    result = result_ruled(event, tournament)
    phrase = f"{official} ruled{where}{about}{clause}{asked}{more}{because(event.ruling)}"
    return f"{phrase}{result}{overruled}"


def result_ruled(event: office.RulingMade, tournament: Tournament) -> str:
    """Say what result a ruling gives its match, after its text; empty where it gives none."""
    if event.decides is not None:
        from cli.wording.event_words import result_in_words

        return f" | {result_in_words(tournament, tournament.matches[event.match], event.decides)}"
    return " | the report stands" if event.settles else ""


def _noted(event: office.ConductNoted, tournament: Tournament) -> str:
    player, note = labelled(tournament, event.player), because(event.note)
    where = _at(tournament, event.match)
    return f"{player}{where}: {event.kind}, remedy: {safe_text(event.remedy)}{note}"


def _penalized(event: office.PenaltyGiven, tournament: Tournament) -> str:
    player, where = labelled(tournament, event.player), _at(tournament, event.match)
    return f"{player}{where}: {event.kind}{_by_clause(event.clause)}{because(event.infraction)}"


def _recommended(event: office.DisqualificationRecommended, tournament: Tournament) -> str:
    player = labelled(tournament, event.player)
    clause = _by_clause(event.clause)
    return f"recommended to disqualify {player}{clause}{because(event.reason)}"


def _note_on(event: office.NoteTaken, tournament: Tournament) -> str:
    about = about_in_words(tournament, event.match, event.player)
    return f"note on {about}" if about else "note"


def about_in_words(tournament: Tournament, match: int, player: int) -> str:
    """Say what a note is on: a match by its table, a player; empty: the day."""
    if match:
        return table_in_words(tournament, match)
    return labelled(tournament, player) if player else ""


def _called(event: clock.TimeCalled, _: Tournament) -> str:
    phrase = f"{event.left} minutes left" if event.left else "time"
    return f"called {phrase} in round {event.round}"


def _first(event: setups.FirstPlayerChosen, tournament: Tournament) -> str:
    first, chooser = (labelled(tournament, each) for each in (event.first, event.chooser))
    return f"{table_in_words(tournament, event.match)}: {first} is first player, {chooser} chose"


def _chooser(event: setups.ChooserDrawn, tournament: Tournament) -> str:
    equal = f", army totals {event.totals[0]} each" if event.totals else ""
    chooser = labelled(tournament, event.chooser)
    return f"{table_in_words(tournament, event.match)}: {chooser} was drawn to choose{equal}"


def _side(event: setups.SideTaken, tournament: Tournament) -> str:
    blue, chooser = (labelled(tournament, each) for each in (event.blue, event.chooser))
    edge = f", edge {safe_text(event.edge)}" if event.edge else ""
    return f"{table_in_words(tournament, event.match)}: {blue} is blue, {chooser} chose{edge}"


def _battle(event: setups.BattleBuilt, tournament: Tournament) -> str:
    """Battle cards are hidden information while the event runs (SWL-HIDDEN)."""
    cards = ", ".join(map(safe_text, battle_cards.played(tournament, event.match)))
    shown = f": {cards}" if cards else ", its cards are sealed until the end"
    return f"{table_in_words(tournament, event.match)}: battle set up{shown}"


def _reviewed(event: setups.FirstFiveReviewed, tournament: Tournament) -> str:
    player = labelled(tournament, event.player)
    by = (
        official_in_words(tournament, event.official)
        if event.official
        else labelled(tournament, event.reviewer)
    )
    return f"{by} reviewed the First Five of {player}"


FLOOR_WORDS: Mapping[type[Event], Callable[[Any, Tournament], str]] = MappingProxyType(
    {
        office.OfficialStoodDown: lambda event, tournament: (
            f"{official_in_words(tournament, event.official)} stood down"
        ),
        office.OfficialResumed: lambda event, tournament: (
            f"{official_in_words(tournament, event.official)} is back in office"
        ),
        office.RulingMade: _ruled,
        office.ConductNoted: _noted,
        office.DisqualificationRecommended: _recommended,
        office.PenaltyGiven: _penalized,
        office.NoteTaken: lambda event, tournament: (
            f"{_note_on(event, tournament)}{because(event.text)}"
        ),
        clock.ExtraTimeAnnounced: lambda event, _: (
            f"rounds are {event.minutes} minutes longer, the final is not"
        ),
        clock.TableExtended: lambda event, tournament: (
            f"{table_in_words(tournament, event.match)}: {event.minutes} minutes more"
            + because(event.reason)
        ),
        clock.TimeCalled: _called,
        setups.ScenarioDrawn: lambda event, _: (
            f"scenario of round {event.round}: {safe_text(event.deployment)}, "
            f"{safe_text(event.objective)}"
        ),
        setups.DraftGroupsDrawn: lambda event, _: f"drew {len(event.groups)} draft groups",
        setups.ChooserDrawn: _chooser,
        setups.FirstPlayerChosen: _first,
        setups.SideTaken: _side,
        setups.BattleBuilt: _battle,
        setups.TerrainAnnounced: lambda event, _: (
            f"the terrain is {'' if event.fixed else 'not '}fixed"
        ),
        setups.TerrainCounted: lambda event, _: (
            f"terrain of table {event.table}: {event.covered} % covered, "
            f"{sum(event.pieces.values())} pieces"
        ),
        setups.VerificationOrdered: lambda _event, _: "players verify each other's army totals",
        setups.FirstFiveReviewed: _reviewed,
        undo.ActWithdrawn: lambda event, _: (
            f"took event {event.withdraws} back{because(event.reason)}"
        ),
    }
)
"""What says each event of the floor."""
