"""Events of the floor in words: office, rulings, conduct, the clock, set-ups and components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from cli.input.find_people import labelled
from cli.terminal.visible import how_many
from cli.wording.phrases import (
    Phrase,
    at_table,
    because,
    by_clause,
    official_in_words,
    phrase,
    safe_text,
    table_in_words,
)
from cli.wording.result_words import result_in_words
from ledger.events import Event, clock, components, office, setups, undo
from ledger.tournament.disputes import dispute_ruled_by
from ledger.tournament.lists import battle_cards
from ledger.tournament.progress import open_matches, round_in_play
from ledger.tournament.setups import shared_at
from ledger.tournament.state import Tournament


def _ruled(event: office.RulingMade, tournament: Tournament) -> str:
    official = official_in_words(tournament, event.official)
    by_player = f" {labelled(tournament, event.player)}" if event.player else ""
    asked = f", raised by a {event.raised}{by_player}" if event.raised != "official" else ""
    about = f" on dispute {event.settles}" if event.settles else ""
    more = ", a review was asked for" if event.review else ""
    overruled = (
        f", overruling the documents: {safe_text(event.overrules)}" if event.overrules else ""
    )
    where, clause = at_table(tournament, event.match), by_clause(event.clause)
    result = result_ruled(event, tournament)
    did = f"{_reviewed_how(event)} ruling {event.reviews}, for good," if event.reviews else "ruled"
    ruled = f"{official} {did}{where}{about}{clause}{asked}{more}{because(event.ruling)}"
    return f"{ruled}{result}{overruled}"


def _reviewed_how(event: office.RulingMade) -> str:
    return "upheld" if event.upheld else "overturned"


def result_ruled(event: office.RulingMade, tournament: Tournament) -> str:
    """Say what result stands by a ruling, after its text; empty where it is about none."""
    dispute = dispute_ruled_by(tournament, event.reviews) if event.reviews else None
    first = tournament.floor.ruling(dispute.ruling) if dispute and event.upheld else None
    decides = first.made.decides if first else event.decides
    if decides is not None:
        said = result_in_words(tournament, tournament.matches[event.match], decides)
        return f" | now it stands: {said}" if event.reviews else f" | {said}"
    if dispute is not None and dispute.reported.result is not None:
        match, reported = tournament.matches[event.match], dispute.reported.result
        return f" | the report stands: {result_in_words(tournament, match, reported)}"
    return " | the report stands" if event.settles or dispute else ""


def _minutes(
    event: clock.ExtraTimeAnnounced | clock.TableExtended | clock.RoundExtended, _: Tournament
) -> str:
    return how_many(event.minutes, "minute")


def _about(event: office.NoteTaken, tournament: Tournament) -> str:
    about = about_in_words(tournament, event.match, event.player)
    return f" on {about}" if about else ""


def about_in_words(tournament: Tournament, match: int, player: int) -> str:
    """Say what a note is on: a match by its table, a player; empty: the day."""
    if match:
        return table_in_words(tournament, match)
    return labelled(tournament, player) if player else ""


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


def _decided(event: components.ComponentDecided, tournament: Tournament) -> str:
    whose = f" of {labelled(tournament, event.player)}" if event.player else ""
    verdict = "allowed" if event.allowed else "ineligible"
    what = f"{event.kind} {safe_text(event.component)}{whose}"
    return f"{what} is {verdict}{because(event.reason)}"


def _damaged(event: components.ComponentDamaged, _: Tournament) -> str:
    more = {
        ", replaced": event.replaced,
        ", modified": event.modified,
        ", impedes play": event.impedes and not (event.replaced or event.modified),
        f", the {event.shares} of the opponent are shared": event.shares and not event.replaced,
    }
    return "".join(words for words, is_so in more.items() if is_so)


def _shared(event: components.ComponentsShared, tournament: Tournament) -> str:
    wish = f"{labelled(tournament, event.player)} asked" if event.player else "ordered"
    said = {"granted": "shared", "asked": "to be shared", "declined": "not shared"}
    return f"{said[event.answer]}, {'declined' if event.answer == 'declined' else wish}"


def _wish(event: components.ComponentsInspected | clock.PaceModerated, log: Tournament) -> str:
    return f", {labelled(log, event.asked)} asked" if event.asked else ""


_VERDICTS = {"fine": "inspected, they stay", "replace": "to be replaced", "remove": "taken away"}
_LOOKED: dict[str, Phrase] = {
    "verdict": lambda event, _: _VERDICTS[event.verdict],
    "by": _wish,
}


def _moderated(event: clock.PaceModerated, tournament: Tournament) -> str:
    slow = f", {labelled(tournament, event.player)} is slow" if event.player else ""
    remedy = f": {event.remedy}" if event.remedy != "none" else ""
    return f"pace moderated{_wish(event, tournament)}{slow}{remedy}"


def shared_in_words(tournament: Tournament) -> Iterator[str]:
    """Say what the tables of the round in play share, and why."""
    played = round_in_play(tournament)
    for match in open_matches(played) if played else ():
        for what, player in sorted(shared_at(tournament, match).items()):
            why = f"for {labelled(tournament, player)}" if player else "as ordered"
            yield f"{table_in_words(tournament, match.number)} shares {what} {why}"


FLOOR_WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        office.OfficialStoodDown: phrase("{official} stood down"),
        office.OfficialResumed: phrase("{official} is back in office"),
        office.RulingMade: _ruled,
        office.ConductNoted: phrase("{player}{where}: {kind}, remedy: {remedy}{note}"),
        office.DisqualificationRecommended: phrase(
            "recommended to disqualify {player}{clause}{reason}"
        ),
        office.PenaltyGiven: phrase("{player}{where}: {kind}{clause}{infraction}"),
        office.NoteTaken: phrase("note{about}{text}", about=_about),
        clock.ExtraTimeAnnounced: phrase(
            "rounds are {longer} longer, the final is not", longer=_minutes
        ),
        clock.TableExtended: phrase("{match}: {longer} more{reason}", longer=_minutes),
        clock.RoundExtended: phrase(
            "round {round}: {longer} more for all{reason}", longer=_minutes
        ),
        clock.RoundPaused: phrase("stopped the clock of round {round}{reason}"),
        clock.RoundResumed: phrase("the clock of round {round} goes on"),
        clock.TimeCalled: phrase(
            "called {what} in round {round}",
            what=lambda event, _: (
                f"{how_many(event.left, 'minute')} left" if event.left else "time"
            ),
        ),
        setups.ScenarioDrawn: phrase(
            "scenario of round {round}: {deployment}, {objective}{how}",
            how=lambda event, _: ", drawn by hand" if event.by_hand else "",
        ),
        setups.DraftGroupsDrawn: lambda event, _: (
            f"drew {how_many(len(event.groups), 'draft group')}"
        ),
        setups.ChooserDrawn: phrase(
            "{match}: {chooser} was drawn to choose{equal}",
            equal=lambda event, _: f", army totals {event.totals[0]} each" if event.totals else "",
        ),
        setups.FirstPlayerChosen: phrase(
            "{match}: {begins} is first player, {chooser} chose",
            begins=lambda event, tournament: labelled(tournament, event.first),
        ),
        setups.SideTaken: phrase("{match}: {blue} is blue, {chooser} chose{edge}"),
        setups.BattleBuilt: _battle,
        setups.TerrainAnnounced: lambda event, _: (
            f"the terrain is {'' if event.fixed else 'not '}fixed"
        ),
        setups.TerrainCounted: lambda event, _: (
            f"terrain of table {event.table}: {event.covered} % covered, "
            f"{how_many(sum(event.pieces.values()), 'piece')}"
        ),
        setups.VerificationOrdered: phrase("players verify each other's army totals"),
        setups.FirstFiveReviewed: _reviewed,
        undo.ActWithdrawn: phrase("took event {withdraws} back{reason}"),
        components.ComponentMissing: phrase("{player} misses {component}{during}"),
        components.ComponentFound: phrase("{player} has the component again"),
        components.ComponentDamaged: phrase(
            "{player}: damaged {kind} {component}{more}",
            more=_damaged,
        ),
        components.ProxyMade: phrase(
            "{player}: proxy for {card} on {date}, illegible: {illegible}"
        ),
        components.ComponentDecided: _decided,
        components.ComponentsInspected: phrase("{player}: {what} {verdict}{by}{reason}", **_LOOKED),
        clock.PaceModerated: phrase("{match}: {what}{reason}", what=_moderated),
        components.ComponentsShared: phrase("{match}: {what} {answer}{reason}", answer=_shared),
        components.PrizeOffered: phrase("prize for ranks {first} to {last}: {prize}"),
        components.PrizeAwarded: phrase("{player} was given {prize} ({kind})"),
    }
)
"""What says each event of the floor."""
