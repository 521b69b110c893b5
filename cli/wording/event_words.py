"""Events in words, one line each, for `log`; a test proves that none is missing.

First the events of the floor (office, rulings, conduct, the clock, set-ups, components) and those
of the door (check-ins, requests to be registered, calls for a judge), then the table of all events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.input.find_people import labelled, labels
from cli.input.structures import structure_in_words
from cli.terminal.visible import how_many
from cli.wording.dispute_words import DISPUTE_WORDS
from cli.wording.page_words import LINK_WORDS
from cli.wording.phrases import (
    Phrase,
    at_table,
    because,
    by_clause,
    holder_in_words,
    official_in_words,
    percent,
    phrase,
    result_in_words,
    rules_in_words,
    safe_text,
    table_in_words,
    waived,
    who,
)
from ledger.facts import (
    battle_cards,
    clock,
    components,
    draws,
    elimination,
    hands,
    keys,
    lists,
    office,
    opening,
    people,
    results,
    rounds,
    setups,
    undo,
)
from ledger.facts.keys import holder_of
from ledger.facts.setups import shared_at
from ledger.facts.shared import (
    BattleBuilt,
    DeckChecksDrawn,
    FirstPlayerChosen,
    HeadRecorded,
    JudgeCalled,
    ListChecked,
    PersonRecorded,
    RegistrationAsked,
    RulingMade,
    ScenarioDrawn,
    SideTaken,
    SlipAuditBegun,
    Source,
    StructureAnnounced,
    TerrainCounted,
    TournamentOpened,
)
from ledger.fold import meaning
from ledger.tournament.disputes import dispute_ruled_by
from ledger.tournament.progress import open_matches, round_in_play
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded


def _ruled(event: RulingMade, tournament: Tournament) -> str:
    official = official_in_words(tournament, event.official)
    by_player = f" {labelled(tournament, event.player)}" if event.player else ""
    asked = f", raised by a {event.raised}{by_player}" if event.raised != "official" else ""
    about = f" on dispute {event.settles}" if event.settles else ""
    more = ", review requested" if event.review else ""
    overruled = (
        f", overruling the documents: {safe_text(event.overrules)}" if event.overrules else ""
    )
    where, clause = at_table(tournament, event.match), by_clause(event.clause)
    result = result_ruled(event, tournament)
    did = f"{_reviewed_how(event)} ruling {event.reviews} (final)" if event.reviews else "ruled"
    ruled = f"{official} {did}{where}{about}{clause}{asked}{more}{because(event.ruling)}"
    return f"{ruled}{result}{overruled}"


def _reviewed_how(event: RulingMade) -> str:
    return "upheld" if event.upheld else "overturned"


def result_ruled(event: RulingMade, tournament: Tournament) -> str:
    """Say what result stands by a ruling, after its text; empty where it is about none."""
    dispute = dispute_ruled_by(tournament, event.reviews) if event.reviews else None
    first = tournament.floor.ruling(dispute.ruling) if dispute and event.upheld else None
    decides = first.made.decides if first else event.decides
    if decides is not None:
        said = result_in_words(tournament, tournament.matches[event.match], decides)
        return f" | the result is now: {said}" if event.reviews else f" | {said}"
    if dispute is not None and dispute.reported.result is not None:
        match, reported = tournament.matches[event.match], dispute.reported.result
        return f" | the reported result counts: {result_in_words(tournament, match, reported)}"
    return " | the reported result counts" if event.settles or dispute else ""


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


def _battle(event: BattleBuilt, tournament: Tournament) -> str:
    """Battle cards are hidden information while the tournament runs (SWL-HIDDEN)."""
    cards = ", ".join(map(safe_text, battle_cards.played(tournament, event.match)))
    shown = f": {cards}" if cards else ", the cards are sealed until the tournament ends"
    return f"{table_in_words(tournament, event.match)}: battle set up{shown}"


def _reviewed(event: setups.FirstFiveReviewed, tournament: Tournament) -> str:
    player = labelled(tournament, event.player)
    by = (
        official_in_words(tournament, event.official)
        if event.official
        else labelled(tournament, event.reviewer)
    )
    return f"{by} reviewed the First Five of {player}"


def _ranks_of(event: components.PrizeOffered, _: Tournament) -> str:
    first, last = event.first, event.last
    return f"rank {first}" if first == last else f"ranks {first} to {last}"


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
        f", the opponent's {event.shares} are shared": event.shares and not event.replaced,
    }
    return "".join(words for words, is_so in more.items() if is_so)


def _shared(event: components.ComponentsShared, tournament: Tournament) -> str:
    wish = f"requested by {labelled(tournament, event.player)}" if event.player else "ordered"
    said = {"granted": "shared", "asked": "to be shared", "declined": "not shared"}
    return f"{said[event.answer]}, {'declined' if event.answer == 'declined' else wish}"


def _wish(event: components.ComponentsInspected | clock.PaceModerated, log: Tournament) -> str:
    return f", requested by {labelled(log, event.asked)}" if event.asked else ""


_VERDICTS = {"fine": "inspected, kept", "replace": "to be replaced", "remove": "removed"}
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
        RulingMade: _ruled,
        office.ConductNoted: phrase(
            "{whose}{where}: {kind}{clause}, remedy: {remedy}{note}",
            whose=lambda event, tournament: (
                labelled(tournament, event.player)
                if event.player
                else f"spectator ({safe_text(event.spectator)})"
            ),
        ),
        office.DisqualificationRecommended: phrase(
            "recommended to disqualify {player}{clause}{reason}"
        ),
        office.PenaltyGiven: phrase("{player}{where}: {kind}{clause}{infraction}"),
        office.NoteTaken: phrase("note{about}{text}", about=_about),
        clock.ExtraTimeAnnounced: phrase(
            "rounds are {longer} longer, except the final", longer=_minutes
        ),
        clock.TableExtended: phrase("{match}: {longer} added{reason}", longer=_minutes),
        clock.RoundExtended: phrase(
            "round {round}: {longer} added for all tables{reason}", longer=_minutes
        ),
        clock.RoundPaused: phrase("stopped the clock of round {round}{reason}"),
        clock.RoundResumed: phrase("resumed the clock of round {round}"),
        clock.TimeCalled: phrase(
            "called {what} in round {round}",
            what=lambda event, _: (
                f"{how_many(event.left, 'minute')} left" if event.left else "time"
            ),
        ),
        ScenarioDrawn: phrase(
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
        FirstPlayerChosen: phrase(
            "{match}: {begins} is first player, chosen by {chooser}",
            begins=lambda event, tournament: labelled(tournament, event.first),
        ),
        SideTaken: phrase("{match}: {blue} is blue, chosen by {chooser}{edge}"),
        BattleBuilt: _battle,
        setups.TerrainAnnounced: lambda event, _: (
            f"the terrain is {'' if event.fixed else 'not '}fixed"
        ),
        TerrainCounted: lambda event, _: (
            f"terrain of table {event.table}: {event.covered} % covered, "
            f"{how_many(sum(event.pieces.values()), 'piece')}"
        ),
        setups.VerificationOrdered: phrase("players verify each other's army totals"),
        setups.FirstFiveReviewed: _reviewed,
        undo.ActWithdrawn: phrase("undid event {withdraws}{reason}"),
        components.ComponentMissing: phrase("{player} is missing {component}{during}"),
        components.ComponentFound: phrase("{player} found the component"),
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
        components.PrizeOffered: phrase("prize for {ranks}: {prize}", ranks=_ranks_of),
        components.PrizeAwarded: phrase("{player} was awarded {prize} ({kind})"),
    }
)
"""What says each event of the floor."""


def call_in_words(event: JudgeCalled, tournament: Tournament) -> str:
    """Say who calls a judge, from where and why."""
    who = labelled(tournament, event.player) if event.player else "the desk"
    where = f" to table {table_in_words(tournament, event.match)}" if event.match else ""
    return f"{who} calls a judge{where}{because(event.reason)}"


def _asked(event: RegistrationAsked, _: Tournament) -> str:
    more = (("", event.faction), ("league id ", event.league_id))
    said = "".join(f", {label}{safe_text(text)}" for label, text in more if text)
    return f"{safe_text(event.name)} asks to be registered{said}"


def _answered(event: opening.RegistrationAnswered, tournament: Tournament) -> str:
    if event.player:
        return f"request {event.asked} accepted: {labelled(tournament, event.player)}"
    return f"request {event.asked} refused{because(event.reason)}"


DOOR_WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        rounds.CheckInOpened: phrase("check-in is open"),
        rounds.CheckedIn: phrase("{player} checked in"),
        rounds.CheckInClosed: phrase("check-in is closed"),
        JudgeCalled: call_in_words,
        office.CallAnswered: lambda event, tournament: (
            f"{official_in_words(tournament, event.official)} answers call {event.call}"
        ),
        RegistrationAsked: _asked,
        opening.RegistrationAnswered: _answered,
    }
)
"""What says each of them."""


HASH_SHOWN = 16


def in_words(event: Event, tournament: Tournament) -> str:
    """Say what an event records; people by the names that they have now."""
    event = meaning(tournament, event)
    return WORDS[type(event)](event, tournament)


def _appointed(event: opening.OfficialAppointed, tournament: Tournament) -> str:
    name = tournament.names.get(f"o{event.official}", f"official {event.official}")
    plays = f", plays as {labelled(tournament, event.player)}" if event.player else ""
    roles = ", ".join(event.roles) or "without a role"
    if event.hands_to:
        heir = tournament.names.get(f"o{event.hands_to}", f"official {event.hands_to}")
        until = " until they resume" if event.for_now else ""
        who, to = safe_text(name), f"{safe_text(heir)} (o{event.hands_to})"
        office = f"the office of organizer over to {to}{until}"
        return f"{who} (o{event.official}) hands {office}, and is now {roles}"
    return f"{safe_text(name)} (o{event.official}) is {roles}{plays}"


def _announced(event: StructureAnnounced, tournament: Tournament) -> str:
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


def _ranks_drawn(event: draws.RanksDrawn, tournament: Tournament) -> str:
    """List the drawn: the players of the field, and the withdrawn."""
    ranked = tournament.players[event.first : event.first + len(event.ranks)]
    withdrawn = sum(player.status == "withdrawn" for player in ranked)
    more = f" and {withdrawn} withdrawn" if withdrawn else ""
    return f"random ranks drawn for {how_many(len(event.ranks) - withdrawn, 'player')}{more}"


def _dropped(event: people.PlayerDropped, tournament: Tournament) -> str:
    why = {"request": "", "no-show": " (no-show)", "unable": " (unable to continue)"}
    kind = why.get(event.reason, f" ({event.reason})")
    return f"{labelled(tournament, event.player)} dropped{kind}{because(event.note)}"


def _amended(event: people.PlayerAmended, tournament: Tournament) -> str:
    said = [
        f"{label} {safe_text(text) or 'removed'}"
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
        "full": "full names",
        "short": "first names and an initial",
        "number": "numbers instead of names",
    }[event.shown]


def _paired(event: rounds.RoundPaired, tournament: Tournament) -> str:
    count = sum(0 not in game for game in event.games)
    tables = how_many(count, "table")
    named = {player for players in event.byes.values() for player in players}
    byes = {max(game) for game in event.games if 0 in game and max(game)} - named
    bye = f", bye: {labels(tournament, tuple(sorted(byes)))}" if byes else ""
    for name, players in event.byes.items():
        bye += f", bye ({name}): {labels(tournament, players)}"
    attempt = f", attempt {event.attempt}" if event.attempt > 1 else ""
    hand = f", {event.by_hand} by hand" if event.by_hand else ""
    reason, waiver = because(event.reason), waived(event.waiver, event.reason)
    return f"paired round {event.round}: {tables}{bye}{hand}{attempt}{reason}{waiver}"


def _unknown(event: results.ResultReported, tournament: Tournament) -> str:
    """Say which numbers were unknown, and why."""
    if event.waiver is None:
        return ""
    absent = ", ".join(results.unsaid(tournament.ruleset, event.result))
    return f"; {absent} unknown{because(event.waiver.reason)}"


def _repaired(event: rounds.TablesRepaired, tournament: Tournament) -> str:
    tables = f"table{'' if len(event.tables) == 1 else 's'} {', '.join(map(str, event.tables))}"
    games = "; ".join(
        labels(tournament, tuple(filter(None, game))) + ("" if all(game) else ": bye")
        for game in event.games
    )
    return f"paired {tables} of round {event.round} again: {games}{because(event.reason)}"


def _seated(event: rounds.PlayersSeated, tournament: Tournament) -> str:
    where = f"table {event.table} of round {event.round}"
    who = labels(tournament, event.newcomers)
    if not all(event.game):
        how = f"gave {who} the bye of round {event.round}"
    elif len(event.newcomers) > 1:
        how = f"seated {who} at the new {where}"
    else:
        other = tuple(player for player in event.game if player not in event.newcomers)
        how = f"seated {who} at {where}, opposite {labels(tournament, other)}, who had the bye"
    return how + because(event.reason) + waived(event.waiver, event.reason)


def _list_checked(event: ListChecked, tournament: Tournament) -> str:
    what = f"list of event {event.list}" if event.list else "deck, without a list"
    breaking, _ = hands.counts_of(event)
    found = how_many(breaking, "finding") if event.cards or breaking else "by hand"
    return f"checked {labelled(tournament, event.player)}: {what}, {found}" + because(event.note)


def _list_corrected(event: lists.ListCorrected, tournament: Tournament) -> str:
    sheet = ", an error on the sheet" if event.clerical else ""
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
    return f"shows: {result_in_words(tournament, tournament.matches[event.match], event.result)}"


def _format(event: TournamentOpened) -> str:
    rules = rules_in_words(event)
    said = f" ({rules})" if rules else ""
    return f", format {safe_text(event.format.key)}{said}" if event.format else ""


def _read_by(source: Source) -> str:
    return (
        f", with reading {' and '.join(map(safe_text, source.reading))}" if source.reading else ""
    )


WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        TournamentOpened: phrase(
            "opened {name}, {date} {time_zone}, {rules}{format}{type}{source}",
            rules=lambda event, _: f"{event.ruleset.key} edition {event.ruleset.edition}",
            format=lambda event, _: _format(event),
            type=lambda event, _: f", {event.event_type} tournament" if event.event_type else "",
            source=lambda event, _: (
                f", imported from {event.imported.kind}{_read_by(event.imported)}"
                if event.imported
                else ""
            ),
        ),
        opening.OfficialAppointed: _appointed,
        StructureAnnounced: _announced,
        opening.TournamentStarted: phrase("started{word}"),
        HeadRecorded: phrase(
            "recorded the head at the start ({size} lines, {signed})",
            signed=lambda event, _: "signed by the log" if event.signature else "not signed",
        ),
        draws.HeadCosigned: phrase("the witness cosigned the head at the start"),
        draws.RanksDrawn: _ranks_drawn,
        SlipAuditBegun: phrase(
            "slip audit of the cut to stage {stage}, risk {share}: the head of {size} lines {root}",
            share=lambda event, _: percent(Fraction(event.risk, 1_000_000)),
        ),
        draws.SlipsDrawn: phrase('slips drawn with the word "{called}"', called=_called),
        draws.SlipRead: phrase("{match}: the slip {said}{note}", said=_on_slip),
        opening.TournamentFinished: _finished,
        opening.ImportResumed: phrase(
            "import continued: the file has grown; new and corrected facts follow{reading}",
            reading=lambda event, _: _read_by(event.source),
        ),
        opening.ImportEnded: phrase("the imported facts end here"),
        PersonRecorded: phrase("{of} is {name}"),
        people.PersonForgotten: phrase(
            "the name and texts of {of} were erased{texts}",
            texts=lambda event, _: (
                f"; texts kept because they also name other people: {event.kept}"
                if event.kept
                else ""
            ),
        ),
        people.PublicNamesChosen: phrase("public pages show {shown}", shown=_public_names),
        people.PlayerRegistered: phrase(
            "registered {player}{office}{faction}{missed}",
            office=lambda event, _: f", who is o{event.official}" if event.official else "",
            faction=lambda event, _: f", {safe_text(event.faction)}" if event.faction else "",
        ),
        people.PlayerAmended: _amended,
        people.AmendmentWithdrawn: phrase("amendment of {player} withdrawn{reason}"),
        people.RegistrationWithdrawn: phrase("registration of {player} withdrawn{reason}"),
        people.PlayerDropped: _dropped,
        people.DropWithdrawn: phrase("drop of {player} withdrawn{reason}"),
        people.DisqualificationWithdrawn: phrase("disqualification of {player} withdrawn{reason}"),
        people.PlayerRejoined: phrase("{player} rejoined{missed}{waiver}"),
        people.PlayerDisqualified: phrase("{player} disqualified{clause}{reason}"),
        lists.ListSubmitted: phrase("{player} submitted a list"),
        ListChecked: _list_checked,
        lists.ListCorrected: _list_corrected,
        lists.ExclusiveGiven: _exclusive_given,
        DeckChecksDrawn: phrase(
            "drawn for deck checks in round {round}: {at}",
            at=lambda event, _: ", ".join(f"table {each}" for each in event.tables),
        ),
        rounds.RoundPaired: _paired,
        rounds.RoundUnpaired: phrase("undid the pairing of round {round}{reason}"),
        rounds.SeatsSwapped: phrase("swapped {players} in round {round}{reason}{waiver}"),
        rounds.TablesRepaired: _repaired,
        rounds.PlayersSeated: _seated,
        rounds.SeatingWithdrawn: phrase(
            "undid the seating at table {table} of round {round}{reason}"
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
        rounds.RoundReopened: phrase("reopened round {round}{reason}"),
        results.ResultReported: phrase("{match}: {result}{unknown}", unknown=_unknown),
        results.ResultCorrected: phrase(
            "{match} corrected (was event {corrects}{ruled}): {result}{reason}",
            ruled=lambda event, _: f", by ruling {event.ruling}" if event.ruling else "",
        ),
        results.ResultWithdrawn: phrase("{match}: result {withdraws} withdrawn{reason}"),
        elimination.CutMade: phrase(
            "cut to {size}: {named}{waiver}",
            size=lambda event, _: str(len(event.seeds)),
            named=lambda event, tournament: labels(tournament, event.seeds),
        ),
        elimination.CutWithdrawn: phrase("undid the cut{reason}"),
        elimination.QualifierReplaced: phrase("{entrant} takes the place of {leaver} in the cut"),
        elimination.ReplacementDeclined: phrase("{player} declined a place in the cut"),
        elimination.PlaceForfeited: phrase("the place of {leaver} in the cut stays empty"),
        keys.KeyRegistered: phrase("{holder} signs with key {public} from this event on"),
        keys.KeyRevoked: _key_revoked,
        keys.ShuffleKeyReplaced: phrase(
            "draws use a new key from this event on, SHA-256 {commitment}{reason}"
        ),
        keys.HiddenKeyReplaced: phrase(
            "hidden cards use a new key from this event on, SHA-256 {commitment}{reason}"
        ),
        keys.ForkAccepted: phrase(
            "continued without lines that the head of {size} lines covers, root {root}{reason}"
        ),
        keys.DeskTakenOver: phrase(
            "took over from the desk whose key {public} is revoked from this event on; its last "
            "head here covers {size} lines"
        ),
        **DOOR_WORDS,
        **LINK_WORDS,
        **FLOOR_WORDS,
        **DISPUTE_WORDS,
    }
)
"""What says each event; a test proves that none is missing."""


DECISIONS = (
    office.PenaltyGiven,
    office.ConductNoted,
    office.DisqualificationRecommended,
    people.PlayerDisqualified,
)
"""Decisions about a player; the other decisions name their official themselves."""


def acts_in_words(recorded: list[Recorded], tournament: Tournament) -> list[str]:
    """Say what an act did, without the record of a name that came with a registration.

    A decision about a player names the official whose decision it is.
    """
    return [
        in_words(each.event, tournament)
        + (f" (by {who(each.by, tournament)})" if isinstance(each.event, DECISIONS) else "")
        for each in recorded
        if not isinstance(each.event, PersonRecorded) or len(recorded) == 1
    ]
