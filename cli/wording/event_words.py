"""Events in words, one line each, for `log`; a test proves that none is missing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.input.find_people import labelled
from cli.input.structures import structure_in_words
from cli.terminal.visible import how_many
from cli.wording.dispute_words import DISPUTE_WORDS
from cli.wording.door_words import DOOR_WORDS
from cli.wording.floor_words import FLOOR_WORDS
from cli.wording.format_words import rules_in_words
from cli.wording.link_words import LINK_WORDS
from cli.wording.phrases import Phrase, because, holder_in_words, phrase, safe_text, waived
from cli.wording.result_words import result_in_words
from cli.wording.slip_words import percent
from ledger.events import Event, draws, keys, lists, opening, people, results, rounds
from ledger.events import elimination as cuts
from ledger.tournament.keyholders import holder_of
from ledger.tournament.lists import hidden_hands
from ledger.tournament.state import Tournament
from ledger.tournament.withdrawals import meaning

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded

HASH_SHOWN = 16


def in_words(event: Event, tournament: Tournament) -> str:
    """Say what an event records; people by the names that they have now."""
    event = meaning(tournament, event)
    return WORDS[type(event)](event, tournament)


def _list(tournament: Tournament, players: tuple[int, ...]) -> str:
    return ", ".join(labelled(tournament, player) for player in players)


def _appointed(event: opening.OfficialAppointed, tournament: Tournament) -> str:
    name = tournament.names.get(f"o{event.official}", f"official {event.official}")
    plays = f", plays as {labelled(tournament, event.player)}" if event.player else ""
    roles = ", ".join(event.roles) or "without a role"
    if event.hands_to:
        heir = tournament.names.get(f"o{event.hands_to}", f"official {event.hands_to}")
        until = " until they resume" if event.for_now else ""
        who, to = f"{name} (o{event.official})", f"{heir} (o{event.hands_to})"
        return safe_text(f"{who} hands the office of organizer over to {to}{until}, and is {roles}")
    return f"{safe_text(name)} (o{event.official}) is {roles}{plays}"


def _announced(event: opening.StructureAnnounced, tournament: Tournament) -> str:
    outline = f", by {safe_text(event.outline)}" if event.outline else ""
    stages = structure_in_words(event.stages, tournament.ruleset.scoring)
    return (
        f"announced {event.structure}: {stages} ({how_many(event.players, 'player')}){outline}"
        + because(event.reason)
    )


def _finished(event: opening.TournamentFinished, _: Tournament) -> str:
    key = f", shuffle key {event.shuffle_key[:HASH_SHOWN]}… revealed" if event.shuffle_key else ""
    key += f", hidden key {event.hidden_key[:HASH_SHOWN]}… revealed" if event.hidden_key else ""
    return f"finished{key}{waived(event.waiver)}"


def _dropped(event: people.PlayerDropped, tournament: Tournament) -> str:
    why = {"request": "", "no-show": " (no-show)", "unable": " (unable to continue)"}
    kind = why.get(event.reason, f" ({event.reason})")
    return f"{labelled(tournament, event.player)} dropped{kind}{because(event.note)}"


def _amended(event: people.PlayerAmended, tournament: Tournament) -> str:
    said = [
        f"{label} {safe_text(text) or 'taken out'}"
        for label, text in {
            "faction": event.faction,
            "league id": event.league_id,
            **event.attributes,
            **{name: str(value) for name, value in event.numbers.items()},
        }.items()
        if text is not None
    ]
    return f"{labelled(tournament, event.player)}: {', '.join(said)}" + because(event.reason)


def _public_names(event: people.PublicNamesChosen, _: Tournament) -> str:
    return {
        "full": "whole names",
        "short": "first names and a letter",
        "number": "numbers, and no names",
    }[event.shown]


def _paired(event: rounds.RoundPaired, tournament: Tournament) -> str:
    count = sum(0 not in game for game in event.games)
    tables = how_many(count, "table")
    named = {player for players in event.byes.values() for player in players}
    byes = {max(game) for game in event.games if 0 in game and max(game)} - named
    bye = f", bye: {_list(tournament, tuple(sorted(byes)))}" if byes else ""
    for name, players in event.byes.items():
        bye += f", bye ({name}): {_list(tournament, players)}"
    attempt = f", attempt {event.attempt}" if event.attempt > 1 else ""
    hand = f", {event.by_hand} by hand" if event.by_hand else ""
    reason, waiver = because(event.reason), waived(event.waiver)
    return f"paired round {event.round}: {tables}{bye}{hand}{attempt}{reason}{waiver}"


def _repaired(event: rounds.TablesRepaired, tournament: Tournament) -> str:
    tables = ", ".join(map(str, event.tables))
    games = "; ".join(
        _list(tournament, tuple(filter(None, game))) + ("" if all(game) else ": bye")
        for game in event.games
    )
    return safe_text(f"repaired round {event.round}, tables {tables}: {games}") + because(
        event.reason
    )


def _seated(event: rounds.PlayersSeated, tournament: Tournament) -> str:
    where = f"table {event.table} of round {event.round}"
    who = _list(tournament, event.newcomers)
    if not all(event.game):
        how = f"gave {who} the bye of round {event.round}"
    elif len(event.newcomers) > 1:
        how = f"seated {who} at the new {where}"
    else:
        other = tuple(player for player in event.game if player not in event.newcomers)
        how = f"seated {who} at {where}, opposite {_list(tournament, other)}, who had the bye"
    return how + because(event.reason) + waived(event.waiver)


def _list_checked(event: lists.ListChecked, tournament: Tournament) -> str:
    what = f"list of event {event.list}" if event.list else "deck, without a list"
    breaking, _ = hidden_hands.counts_of(event)
    found = how_many(breaking, "finding") if event.cards or breaking else "by hand"
    return f"checked {labelled(tournament, event.player)}: {what}, {found}" + because(event.note)


def _list_corrected(event: lists.ListCorrected, tournament: Tournament) -> str:
    sheet = ", an error of the sheet" if event.clerical else ""
    flag = ", to be investigated" if event.significant and event.advantageous else ""
    who_of = labelled(tournament, event.player)
    is_shown = not event.hidden or tournament.hidden_key  # a reason may name hidden cards
    why = because(event.reason if is_shown else "")
    return f"corrected the list of {who_of}{sheet}{flag}{why}"


def _exclusive_given(event: lists.ExclusiveGiven, tournament: Tournament) -> str:
    who_to, name = labelled(tournament, event.player), safe_text(event.name)
    return f"{who_to} was {'not ' if event.back else ''}given {name}"


def _key_revoked(event: keys.KeyRevoked, tournament: Tournament) -> str:
    holder = holder_of(tournament, event.public)
    whose = "" if holder is None else f" of {holder_in_words(tournament, holder)}"
    return f"revoked key {safe_text(event.public)}{whose}{because(event.reason)}"


def _called(event: draws.SlipsDrawn, _: Tournament) -> str:
    return safe_text(event.word)


def _on_slip(event: draws.SlipRead, tournament: Tournament) -> str:
    if not event.result:
        return "is missing"
    return f"says: {result_in_words(tournament, tournament.matches[event.match], event.result)}"


def _format(event: opening.TournamentOpened) -> str:
    rules = rules_in_words(event)
    said = f" ({rules})" if rules else ""
    return f", format {safe_text(event.format.key)}{said}" if event.format else ""


def _read_by(source: opening.Source) -> str:
    return f", read by {' and '.join(map(safe_text, source.reading))}" if source.reading else ""


WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        opening.TournamentOpened: phrase(
            "opened {name}, {date} {time_zone}, {rules}{format}{source}",
            rules=lambda event, _: f"{event.ruleset.key} edition {event.ruleset.edition}",
            format=lambda event, _: _format(event),
            source=lambda event, _: (
                f", imported from {event.imported.kind}{_read_by(event.imported)}"
                if event.imported
                else ""
            ),
        ),
        opening.OfficialAppointed: _appointed,
        opening.StructureAnnounced: _announced,
        opening.TournamentStarted: phrase("started{word}"),
        draws.HeadRecorded: phrase(
            "the head of the start is on record ({size} lines, {signed})",
            signed=lambda event, _: "signed by the log" if event.signature else "not signed",
        ),
        draws.HeadCosigned: phrase("the witness cosigned the head of the start"),
        draws.RanksDrawn: lambda event, _: (
            f"random ranks drawn for {how_many(len(event.ranks), 'player')}"
        ),
        draws.SlipAuditBegun: phrase(
            "slip audit of the cut to stage {stage}, risk {share}: the head of {size} lines {root}",
            share=lambda event, _: percent(Fraction(event.risk, 1_000_000)),
        ),
        draws.SlipsDrawn: phrase('slips are drawn by the word "{called}"', called=_called),
        draws.SlipRead: phrase("{match}: the slip {said}{note}", said=_on_slip),
        opening.TournamentFinished: _finished,
        opening.ImportResumed: phrase(
            "the file has grown: what follows is new or corrected there{reading}",
            reading=lambda event, _: _read_by(event.source),
        ),
        opening.ImportEnded: phrase("the imported facts end here"),
        people.PersonRecorded: phrase("{of} is {name}"),
        people.PersonForgotten: phrase(
            "{of} was forgotten{texts}",
            texts=lambda event, _: (
                f"; texts kept, as they are about others too: {event.kept}" if event.kept else ""
            ),
        ),
        people.PublicNamesChosen: phrase("pages for everybody show {shown}", shown=_public_names),
        people.PlayerRegistered: phrase(
            "registered {player}{office}{faction}{missed}",
            office=lambda event, _: f", who is o{event.official}" if event.official else "",
            faction=lambda event, _: f", {safe_text(event.faction)}" if event.faction else "",
        ),
        people.PlayerAmended: _amended,
        people.AmendmentWithdrawn: phrase("amendment of {player} taken back{reason}"),
        people.RegistrationWithdrawn: phrase("registration of {player} taken back{reason}"),
        people.PlayerDropped: _dropped,
        people.DropWithdrawn: phrase("drop of {player} taken back{reason}"),
        people.DisqualificationWithdrawn: phrase("disqualification of {player} taken back{reason}"),
        people.PlayerRejoined: phrase("{player} rejoined{missed}{waiver}"),
        people.PlayerDisqualified: phrase("{player} disqualified{clause}{reason}"),
        lists.ListSubmitted: phrase("{player} handed a list in"),
        lists.ListChecked: _list_checked,
        lists.ListCorrected: _list_corrected,
        lists.ExclusiveGiven: _exclusive_given,
        lists.DeckChecksDrawn: phrase(
            "decks of round {round} to be checked, by lot: {at}",
            at=lambda event, _: ", ".join(f"table {each}" for each in event.tables),
        ),
        rounds.RoundPaired: _paired,
        rounds.RoundUnpaired: phrase("took the pairing of round {round} back{reason}"),
        rounds.SeatsSwapped: phrase("swapped {players} in round {round}{reason}{waiver}"),
        rounds.TablesRepaired: _repaired,
        rounds.PlayersSeated: _seated,
        rounds.SeatingWithdrawn: phrase(
            "took the seat at table {table} of round {round} back{reason}"
        ),
        rounds.Posted: phrase(
            "posted the {what} of round {round} as of event {up_to}, sha256 {sha256:.16}…"
        ),
        rounds.RoundStarted: phrase(
            "started round {round}{lasting}",
            lasting=lambda event, _: (
                f", {how_many(event.minutes, 'minute')}" if event.minutes else ""
            ),
        ),
        rounds.RoundClosed: phrase("closed round {round}{waiver}"),
        rounds.RoundReopened: phrase("opened round {round} again{reason}"),
        results.ResultReported: phrase("{match}: {result}"),
        results.ResultCorrected: phrase(
            "{match} corrected (was event {corrects}{ruled}): {result}{reason}",
            ruled=lambda event, _: f", by ruling {event.ruling}" if event.ruling else "",
        ),
        results.ResultWithdrawn: phrase("{match}: result {withdraws} taken back{reason}"),
        cuts.CutMade: phrase(
            "cut to {size}: {named}{waiver}",
            size=lambda event, _: str(len(event.seeds)),
            named=lambda event, tournament: _list(tournament, event.seeds),
        ),
        cuts.CutWithdrawn: phrase("took the cut back{reason}"),
        cuts.QualifierReplaced: phrase("{entrant} takes the place of {leaver} in the cut"),
        cuts.ReplacementDeclined: phrase("{player} declined a place of the cut"),
        cuts.PlaceForfeited: phrase("the place of {leaver} in the cut stays empty"),
        keys.KeyRegistered: phrase("{holder} signs with key {public} from here on"),
        keys.KeyRevoked: _key_revoked,
        keys.ShuffleKeyReplaced: phrase(
            "draws with another key from here on, SHA-256 {commitment}{reason}"
        ),
        keys.HiddenKeyReplaced: phrase(
            "seals hidden cards with another key from here on, SHA-256 {commitment}{reason}"
        ),
        keys.ForkAccepted: phrase(
            "went on without lines of the head of {size}, root {root}{reason}"
        ),
        **DOOR_WORDS,
        **LINK_WORDS,
        **FLOOR_WORDS,
        **DISPUTE_WORDS,
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
