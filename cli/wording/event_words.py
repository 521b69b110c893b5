"""Events in words, one line each, for `log`; a test proves that none is missing."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cli.input.facts import facts_in_words
from cli.input.people import labelled
from cli.input.structures import structure_in_words
from cli.terminal.counting import how_many
from cli.wording.component_words import COMPONENT_WORDS
from cli.wording.dispute_words import DISPUTE_WORDS
from cli.wording.floor_words import FLOOR_WORDS
from cli.wording.key_words import KEY_WORDS
from cli.wording.phrases import because, safe_text
from ledger.events import draws, lists, opening, people, results, rounds
from ledger.events import elimination as cuts
from ledger.tournament import hidden_hands
from ledger.tournament.withdrawals import meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.events import Event
    from ledger.events.base import Waiver
    from ledger.events.results import Result
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Match, Tournament

HASH_SHOWN = 16

MANNERS = MappingProxyType(
    {
        "played": "",
        "time": " after time",
        "concession": " by concession",
        "no-show": " (no-show)",
        "departure": " (opponent left)",
        "declared": " (declared)",
    }
)


def in_words(event: Event, tournament: Tournament) -> str:
    """Say what an event tells; people by the names that they have now."""
    event = meaning(tournament, event)
    return WORDS[type(event)](event, tournament)


def who(by: str, tournament: Tournament) -> str:
    """Name who entered an event: `Kim`, or `Kim for Ann Lee (#7)`."""
    desk, _, player = by.partition("/")
    if desk.startswith("p"):
        return labelled(tournament, int(desk[1:]))
    name = safe_text(tournament.names.get(desk, desk))
    return f"{name} for {labelled(tournament, int(player[1:]))}" if player else name


def result_in_words(tournament: Tournament, match: Match, result: Result) -> str:
    """Say how a match ended: `Ann (#1) beat Bob (#2) 7-4 after time [time; score 107:49]`."""
    first, second = (labelled(tournament, player) for player in (match.first, match.second))
    points = result.counted
    records = tournament.ruleset.records
    letter, other = (records.get(outcome, " ") for outcome in result.outcomes)
    if letter == other == "L":
        return f"neither {first} nor {second} won{MANNERS[result.manner]}"
    if letter == "D":
        seen = facts_in_words(result) + _adjusted(result)
        return f"{first} and {second} drew {points[0]}-{points[1]}{MANNERS[result.manner]}{seen}"
    seen = facts_in_words(result, turned=letter == "L") + _adjusted(result, turned=letter == "L")
    if letter == "L":
        first, second, points = second, first, (points[1], points[0])
    won = result.outcomes[0] if letter == "W" else result.outcomes[1]
    kind = "" if won == tournament.ruleset.full_win.name else f", {won}"
    score = "" if points == (0, 0) else f" {points[0]}-{points[1]}"
    return f"{first} beat {second}{score}{kind}{MANNERS[result.manner]}{seen}"


def _adjusted(result: Result, *, turned: bool = False) -> str:
    """What a judge gave or took beside the result."""
    if not any(result.adjusted):
        return ""
    one, other = result.adjusted[::-1] if turned else result.adjusted
    return f" (points adjusted by {one:+}:{other:+})"


def _waived(waiver: Waiver | None) -> str:
    return f" (waives {', '.join(waiver.clauses)}: {safe_text(waiver.reason)})" if waiver else ""


def _list(tournament: Tournament, players: tuple[int, ...]) -> str:
    return ", ".join(labelled(tournament, player) for player in players)


def _opened(event: opening.TournamentOpened, _: Tournament) -> str:
    rules = f"{event.ruleset.key} edition {event.ruleset.edition}"
    source = f", imported from {event.imported.kind}" if event.imported else ""
    return f"opened {safe_text(event.name)}, {event.date} {event.time_zone}, {rules}{source}"


def _appointed(event: opening.OfficialAppointed, tournament: Tournament) -> str:
    name = tournament.names.get(f"o{event.official}", f"official {event.official}")
    plays = f", plays as {labelled(tournament, event.player)}" if event.player else ""
    roles = ", ".join(event.roles) or "without a role"
    return f"{safe_text(name)} (o{event.official}) is {roles}{plays}"


def _announced(event: opening.StructureAnnounced, _: Tournament) -> str:
    outline = f", by {safe_text(event.outline)}" if event.outline else ""
    stages = structure_in_words(event.stages)
    return (
        f"announced {event.structure}: {stages} ({how_many(event.players, 'player')}){outline}"
        + because(event.reason)
    )


def _started(event: opening.TournamentStarted, _: Tournament) -> str:
    return "started" + (f', the word is "{safe_text(event.word)}"' if event.word else "")


def _head(event: draws.HeadRecorded, _: Tournament) -> str:
    signed = "signed by the log" if event.signature else "not signed"
    return f"the head of the start is on record ({event.size} lines, {signed})"


def _ranks(event: draws.RanksDrawn, _: Tournament) -> str:
    return f"random ranks drawn for {how_many(len(event.ranks), 'player')}"


def _finished(event: opening.TournamentFinished, _: Tournament) -> str:
    key = f", shuffle key {event.shuffle_key[:HASH_SHOWN]}… revealed" if event.shuffle_key else ""
    key += f", hidden key {event.hidden_key[:HASH_SHOWN]}… revealed" if event.hidden_key else ""
    return f"finished{key}{_waived(event.waiver)}"


def _forgotten(event: people.PersonForgotten, _: Tournament) -> str:
    kept = f"; texts kept, as they are about others too: {event.kept}" if event.kept else ""
    return f"{_person(event.of)} was forgotten{kept}"


def _recorded(event: people.PersonRecorded, _: Tournament) -> str:
    return f"{_person(event.of)} is {safe_text(event.name)}"


def _person(of: str) -> str:
    return f"{'player' if of[0] == 'p' else 'official'} {of[1:]}"


def _registered(event: people.PlayerRegistered, tournament: Tournament) -> str:
    faction = f", {safe_text(event.faction)}" if event.faction else ""
    office = f", who is o{event.official}" if event.official else ""
    player = labelled(tournament, event.player)
    return f"registered {player}{office}{faction}{missed_in_words(event.missed)}"


def missed_in_words(missed: tuple[int, ...]) -> str:
    """Say which rounds are unpaired losses; nothing where none are."""
    if not missed:
        return ""
    rounds_missed = ", ".join(map(str, missed))
    return f", unpaired loss in round{'' if len(missed) == 1 else 's'} {rounds_missed}"


def _dropped(event: people.PlayerDropped, tournament: Tournament) -> str:
    why = {"request": "", "no-show": " (no-show)", "unable": " (unable to continue)"}
    kind = why.get(event.reason, f" ({event.reason})")
    return f"{labelled(tournament, event.player)} dropped{kind}{because(event.note)}"


def _rejoined(event: people.PlayerRejoined, tournament: Tournament) -> str:
    missed = missed_in_words(event.missed)
    return f"{labelled(tournament, event.player)} rejoined{missed}{_waived(event.waiver)}"


def _disqualified(event: people.PlayerDisqualified, tournament: Tournament) -> str:
    clause = f" ({event.clause})" if event.clause else ""
    player = labelled(tournament, event.player)
    return f"{player} disqualified{clause}{because(event.reason)}"


def _paired(event: rounds.RoundPaired, tournament: Tournament) -> str:
    count = sum(0 not in game for game in event.games)
    tables = how_many(count, "table")
    byes = [max(game) for game in event.games if 0 in game and max(game)]
    bye = f", bye: {_list(tournament, tuple(byes))}" if byes else ""
    attempt = f", attempt {event.attempt}" if event.attempt > 1 else ""
    hand = f", {event.by_hand} by hand" if event.by_hand else ""
    reason, waiver = because(event.reason), _waived(event.waiver)
    return f"paired round {event.round}: {tables}{bye}{hand}{attempt}{reason}{waiver}"


def _swapped(event: rounds.SeatsSwapped, tournament: Tournament) -> str:
    pair = " and ".join(labelled(tournament, player) for player in event.players)
    return f"swapped {pair} in round {event.round}{because(event.reason)}{_waived(event.waiver)}"


def _repaired(event: rounds.TablesRepaired, tournament: Tournament) -> str:
    tables = ", ".join(map(str, event.tables))
    games = "; ".join(
        _list(tournament, tuple(filter(None, game))) + ("" if all(game) else ": bye")
        for game in event.games
    )
    return safe_text(f"repaired round {event.round}, tables {tables}: {games}") + because(
        event.reason
    )


def _posted(event: rounds.Posted, _: Tournament) -> str:
    return (
        f"posted the {event.what} of round {event.round} as of {event.up_to}, "
        f"sha256 {event.sha256[:HASH_SHOWN]}…"
    )


def _round_started(event: rounds.RoundStarted, _: Tournament) -> str:
    return f"started round {event.round}" + (f", {event.minutes} minutes" if event.minutes else "")


def _reported(event: results.ResultReported, tournament: Tournament) -> str:
    match = tournament.matches[event.match]
    phrase = result_in_words(tournament, match, event.result)
    return f"{match.round}/{match.table}: {phrase}"


def _corrected(event: results.ResultCorrected, tournament: Tournament) -> str:
    match = tournament.matches[event.match]
    phrase = result_in_words(tournament, match, event.result)
    where = f"{match.round}/{match.table}"
    ruled = f", by ruling {event.ruling}" if event.ruling else ""
    return f"{where} corrected (was {event.corrects}{ruled}): {phrase}{because(event.reason)}"


def _withdrawn(event: results.ResultWithdrawn, tournament: Tournament) -> str:
    match = tournament.matches[event.match]
    return f"{match.round}/{match.table}: result {event.withdraws} taken back" + because(
        event.reason
    )


def _cut(event: cuts.CutMade, tournament: Tournament) -> str:
    return f"cut to {len(event.seeds)}: {_list(tournament, event.seeds)}{_waived(event.waiver)}"


def _replaced(event: cuts.QualifierReplaced, tournament: Tournament) -> str:
    entrant, leaver = (labelled(tournament, each) for each in (event.entrant, event.leaver))
    return f"{entrant} takes the place of {leaver} in the cut"


def _list_submitted(event: lists.ListSubmitted, tournament: Tournament) -> str:
    return f"{labelled(tournament, event.player)} handed a list in"


def _list_checked(event: lists.ListChecked, tournament: Tournament) -> str:
    what = f"list of event {event.list}" if event.list else "deck, without a list"
    breaking, _ = hidden_hands.counts_of(event)
    found = how_many(breaking, "finding") if event.cards else "by hand"
    return f"checked {labelled(tournament, event.player)}: {what}, {found}" + because(event.note)


def _list_corrected(event: lists.ListCorrected, tournament: Tournament) -> str:
    flag = ", to be investigated" if event.significant and event.advantageous else ""
    who_of = labelled(tournament, event.player)
    is_shown = not event.hidden or tournament.hidden_key  # a reason may name hidden cards
    return f"corrected the list of {who_of}{flag}" + because(event.reason if is_shown else "")


WORDS: Mapping[type[Event], Callable[[Any, Tournament], str]] = MappingProxyType(
    {
        opening.TournamentOpened: _opened,
        opening.OfficialAppointed: _appointed,
        opening.StructureAnnounced: _announced,
        opening.TournamentStarted: _started,
        draws.HeadRecorded: _head,
        draws.HeadCosigned: lambda *_: "the witness cosigned the head of the start",
        draws.RanksDrawn: _ranks,
        opening.TournamentFinished: _finished,
        opening.ImportEnded: lambda _event, _: "the imported facts end here",
        people.PersonRecorded: _recorded,
        people.PersonForgotten: _forgotten,
        people.PlayerRegistered: _registered,
        people.RegistrationWithdrawn: lambda event, tournament: (
            f"registration of {labelled(tournament, event.player)} taken back"
            + because(event.reason)
        ),
        people.PlayerDropped: _dropped,
        people.DropWithdrawn: lambda event, tournament: (
            f"drop of {labelled(tournament, event.player)} taken back" + because(event.reason)
        ),
        people.DisqualificationWithdrawn: lambda event, tournament: (
            f"disqualification of {labelled(tournament, event.player)} taken back"
            + because(event.reason)
        ),
        people.PlayerRejoined: _rejoined,
        people.PlayerDisqualified: _disqualified,
        lists.ListSubmitted: _list_submitted,
        lists.ListChecked: _list_checked,
        lists.ListCorrected: _list_corrected,
        rounds.RoundPaired: _paired,
        rounds.RoundUnpaired: lambda event, _: (
            f"took the pairing of round {event.round} back" + because(event.reason)
        ),
        rounds.SeatsSwapped: _swapped,
        rounds.TablesRepaired: _repaired,
        rounds.Posted: _posted,
        rounds.RoundStarted: _round_started,
        rounds.RoundClosed: lambda event, _: f"closed round {event.round}{_waived(event.waiver)}",
        rounds.RoundReopened: lambda event, _: (
            f"opened round {event.round} again" + because(event.reason)
        ),
        results.ResultReported: _reported,
        results.ResultCorrected: _corrected,
        results.ResultWithdrawn: _withdrawn,
        cuts.CutMade: _cut,
        cuts.CutWithdrawn: lambda event, _: f"took the cut back{because(event.reason)}",
        cuts.QualifierReplaced: _replaced,
        cuts.ReplacementDeclined: lambda event, tournament: (
            f"{labelled(tournament, event.player)} declined a place of the cut"
        ),
        **FLOOR_WORDS,
        **COMPONENT_WORDS,
        **DISPUTE_WORDS,
        **KEY_WORDS,
        cuts.PlaceForfeited: lambda event, tournament: (
            f"the place of {labelled(tournament, event.leaver)} in the cut stays empty"
        ),
    }
)
"""What says each event; a test proves that none is missing."""


def acts_in_words(recorded: list[Recorded], tournament: Tournament) -> list[str]:
    """Say what an act did, without the record of a name that came with a registration."""
    return [
        in_words(each.event, tournament)
        for each in recorded
        if not isinstance(each.event, people.PersonRecorded) or len(recorded) == 1
    ]
