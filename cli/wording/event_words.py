"""Events in words, one line each, for `log`; a test proves that none is missing.

First the events of the floor (office, conduct, the clock, set-ups, components), then the table of
all events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.input.find_people import labelled, labels
from cli.input.structures import structure_in_words
from cli.languages.speaking import marked, remember, tr, tr_many, tr_of
from cli.terminal.visible import how_many
from cli.wording.dispute_words import DISPUTE_WORDS, ruled_in_words
from cli.wording.page_words import DOOR_WORDS, LINK_WORDS
from cli.wording.phrases import (
    Phrase,
    because,
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
    ListChecked,
    PersonRecorded,
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
from ledger.tournament.progress import open_matches, round_in_play
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded


def _minutes(
    event: clock.ExtraTimeAnnounced | clock.TableExtended | clock.RoundExtended, _: Tournament
) -> str:
    return how_many(event.minutes, "minute")


def _about(event: office.NoteTaken, tournament: Tournament) -> str:
    about = about_in_words(tournament, event.match, event.player)
    return tr(" on {about}", about=about) if about else ""


def about_in_words(tournament: Tournament, match: int, player: int) -> str:
    """Say what a note is on: a match by its table, a player; empty: the day."""
    if match:
        return table_in_words(tournament, match)
    return labelled(tournament, player) if player else ""


def _battle(event: BattleBuilt, tournament: Tournament) -> str:
    """Battle cards are hidden information while the tournament runs (SWL-HIDDEN)."""
    cards = ", ".join(map(safe_text, battle_cards.played(tournament, event.match)))
    shown = f": {cards}" if cards else tr(", the cards are sealed until the tournament ends")
    return tr(
        "{table}: battle set up{shown}",
        table=table_in_words(tournament, event.match),
        shown=shown,
    )


def _reviewed(event: setups.FirstFiveReviewed, tournament: Tournament) -> str:
    player = labelled(tournament, event.player)
    by = (
        official_in_words(tournament, event.official)
        if event.official
        else labelled(tournament, event.reviewer)
    )
    return tr("{by} reviewed the First Five of {player}", by=by, player=player)


def _ranks_of(event: components.PrizeOffered, _: Tournament) -> str:
    first, last = event.first, event.last
    if first == last:
        return tr("rank {rank}", rank=first)
    return tr("ranks {first} to {last}", first=first, last=last)


def _decided(event: components.ComponentDecided, tournament: Tournament) -> str:
    whose = tr(" of {player}", player=labelled(tournament, event.player)) if event.player else ""
    allowed = marked("{kind} {component}{whose} is allowed{reason}")
    ineligible = marked("{kind} {component}{whose} is ineligible{reason}")
    return tr(
        allowed if event.allowed else ineligible,
        kind=tr(event.kind),
        component=safe_text(event.component),
        whose=whose,
        reason=because(event.reason),
    )


def _damaged(event: components.ComponentDamaged, _: Tournament) -> str:
    more = {
        tr(", replaced"): event.replaced,
        tr(", modified"): event.modified,
        tr(", impedes play"): event.impedes and not (event.replaced or event.modified),
        tr(", the opponent's {tools} are shared", tools=tr(event.shares or "tools")): (
            event.shares and not event.replaced
        ),
    }
    return "".join(words for words, is_so in more.items() if is_so)


def _shared(event: components.ComponentsShared, tournament: Tournament) -> str:
    if event.answer == "declined":
        return tr("not shared, declined")
    is_asked = event.answer == "asked"
    if not event.player:
        return tr("to be shared, ordered") if is_asked else tr("shared, ordered")
    to_be = marked("to be shared, requested by {player}")
    so = marked("shared, requested by {player}")
    return tr(to_be if is_asked else so, player=labelled(tournament, event.player))


def _wish(event: components.ComponentsInspected | clock.PaceModerated, log: Tournament) -> str:
    return tr(", requested by {player}", player=labelled(log, event.asked)) if event.asked else ""


_VERDICTS = {
    "fine": marked("inspected, kept"),
    "replace": marked("to be replaced"),
    "remove": marked("removed"),
}
_LOOKED: dict[str, Phrase] = {
    "verdict": lambda event, _: tr(_VERDICTS[event.verdict]),
    "by": _wish,
}


def _moderated(event: clock.PaceModerated, tournament: Tournament) -> str:
    slow = (
        tr(", {player} is slow", player=labelled(tournament, event.player)) if event.player else ""
    )
    remedy = f": {tr(event.remedy)}" if event.remedy != "none" else ""
    return tr(
        "pace moderated{wish}{slow}{remedy}",
        wish=_wish(event, tournament),
        slow=slow,
        remedy=remedy,
    )


def shared_in_words(tournament: Tournament) -> Iterator[str]:
    """Say what the tables of the round in play share, and why."""
    played = round_in_play(tournament)
    for match in open_matches(played) if played else ():
        for what, player in sorted(shared_at(tournament, match).items()):
            wished = marked("{table} shares {tools} for {player}")
            yield tr(
                wished if player else marked("{table} shares {tools} as ordered"),
                table=table_in_words(tournament, match.number),
                tools=tr(what),
                player=labelled(tournament, player) if player else "",
            )


FLOOR_WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        office.OfficialStoodDown: phrase("{official} stood down"),
        office.OfficialResumed: phrase("{official} is back in office"),
        RulingMade: ruled_in_words,
        office.ConductNoted: phrase(
            "{whose}{where}: {kind}{clause}, remedy: {remedy}{note}",
            whose=lambda event, tournament: (
                labelled(tournament, event.player)
                if event.player
                else tr("spectator ({name})", name=safe_text(event.spectator))
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
                tr("{minutes} left", minutes=how_many(event.left, "minute"))
                if event.left
                else tr_of("called", "time")
            ),
        ),
        ScenarioDrawn: phrase(
            "scenario of round {round}: {deployment}, {objective}{how}",
            how=lambda event, _: tr(", drawn by hand") if event.by_hand else "",
        ),
        setups.DraftGroupsDrawn: phrase(
            "drew {groups}", groups=lambda event, _: how_many(len(event.groups), "draft group")
        ),
        setups.ChooserDrawn: phrase(
            "{match}: {chooser} was drawn to choose{equal}",
            equal=lambda event, _: (
                tr(", army totals {total} each", total=event.totals[0]) if event.totals else ""
            ),
        ),
        FirstPlayerChosen: phrase(
            "{match}: {begins} is first player, chosen by {chooser}",
            begins=lambda event, tournament: labelled(tournament, event.first),
        ),
        SideTaken: phrase("{match}: {blue} is blue, chosen by {chooser}{edge}"),
        BattleBuilt: _battle,
        setups.TerrainAnnounced: lambda event, _: (
            tr("the terrain is fixed") if event.fixed else tr("the terrain is not fixed")
        ),
        TerrainCounted: lambda event, _: tr(
            "terrain of table {table}: {covered} % covered, {pieces}",
            table=event.table,
            covered=event.covered,
            pieces=how_many(sum(event.pieces.values()), "piece"),
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


HASH_SHOWN = 16


def in_words(event: Event, tournament: Tournament) -> str:
    """Say what an event records; people by the names that they have now."""
    event = meaning(tournament, event)
    text = WORDS[type(event)](event, tournament)
    remember(text, lambda: WORDS[type(event)](event, tournament))
    return text


def _appointed(event: opening.OfficialAppointed, tournament: Tournament) -> str:
    name = official_in_words(tournament, event.official)
    plays = (
        tr(", plays as {player}", player=labelled(tournament, event.player)) if event.player else ""
    )
    roles = ", ".join(map(tr, event.roles)) or tr("without a role")
    if event.hands_to:
        return tr(
            "{official} hands the office of organizer over to {heir}{until}, and is now {roles}",
            official=f"{name} (o{event.official})",
            heir=f"{official_in_words(tournament, event.hands_to)} (o{event.hands_to})",
            until=tr(" until they resume") if event.for_now else "",
            roles=roles,
        )
    official = f"{name} (o{event.official})"
    return tr("{official} is {roles}{plays}", official=official, roles=roles, plays=plays)


def _announced(event: StructureAnnounced, tournament: Tournament) -> str:
    outline = tr(", by {text}", text=safe_text(event.outline)) if event.outline else ""
    stages = structure_in_words(event.stages, tournament.ruleset.scoring)
    return tr(
        "announced {structure}: {stages} ({players}){outline}{reason}",
        structure=tr(event.structure),
        stages=stages,
        players=how_many(event.players, "player"),
        outline=outline,
        reason=because(event.reason),
    )


def _finished(event: opening.TournamentFinished, _: Tournament) -> str:
    shuffle, hidden = event.shuffle_key[:HASH_SHOWN], event.hidden_key[:HASH_SHOWN]
    keys = tr(", shuffle key {key}… revealed", key=shuffle) if shuffle else ""
    keys += tr(", hidden key {key}… revealed", key=hidden) if hidden else ""
    return tr("finished{keys}{waiver}", keys=keys, waiver=waived(event.waiver))


def _ranks_drawn(event: draws.RanksDrawn, tournament: Tournament) -> str:
    """List the drawn: the players of the field, and the withdrawn."""
    ranked = tournament.players[event.first : event.first + len(event.ranks)]
    withdrawn = sum(player.status == "withdrawn" for player in ranked)
    more = tr(" and {withdrawn} withdrawn", withdrawn=withdrawn) if withdrawn else ""
    return tr(
        "random ranks drawn for {players}{more}",
        players=how_many(len(event.ranks) - withdrawn, "player"),
        more=more,
    )


def _dropped(event: people.PlayerDropped, tournament: Tournament) -> str:
    unable = tr("unable to continue") if event.reason == "unable" else ""
    return tr(
        "{player} dropped{why}{note}",
        player=labelled(tournament, event.player),
        why="" if event.reason == "request" else f" ({unable or tr(event.reason)})",
        note=because(event.note),
    )


def _amended(event: people.PlayerAmended, tournament: Tournament) -> str:
    said = [
        f"{label} {safe_text(text) or tr('removed')}"
        for label, text in {
            tr("faction"): event.faction,
            tr("league id"): event.league_id,
            **event.attributes,
            **{name: str(value) for name, value in event.numbers.items()},
        }.items()
        if text is not None
    ]
    return f"{labelled(tournament, event.player)}: {', '.join(said)}" + because(event.reason)


def _public_names(event: people.PublicNamesChosen, _: Tournament) -> str:
    return {
        "full": tr("full names"),
        "short": tr("first names and an initial"),
        "number": tr("numbers instead of names"),
    }[event.shown]


def _paired(event: rounds.RoundPaired, tournament: Tournament) -> str:
    count = sum(0 not in game for game in event.games)
    tables = how_many(count, "table")
    named = {player for players in event.byes.values() for player in players}
    byes = {max(game) for game in event.games if 0 in game and max(game)} - named
    bye = tr(", bye: {players}", players=labels(tournament, tuple(sorted(byes)))) if byes else ""
    for name, players in event.byes.items():
        bye += tr(", bye ({name}): {players}", name=tr(name), players=labels(tournament, players))
    attempt = tr(", attempt {attempt}", attempt=event.attempt) if event.attempt > 1 else ""
    hand = tr(", {by_hand} by hand", by_hand=event.by_hand) if event.by_hand else ""
    reason, waiver = because(event.reason), waived(event.waiver, event.reason)
    return tr(
        "paired round {round}: {tables}{bye}{hand}{attempt}{reason}{waiver}",
        round=event.round,
        tables=tables,
        bye=bye,
        hand=hand,
        attempt=attempt,
        reason=reason,
        waiver=waiver,
    )


def _unknown(event: results.ResultReported, tournament: Tournament) -> str:
    """Say which numbers were unknown, and why."""
    if event.waiver is None:
        return ""
    absent = ", ".join(results.unsaid(tournament.ruleset, event.result))
    return tr("; {absent} unknown{reason}", absent=absent, reason=because(event.waiver.reason))


def _repaired(event: rounds.TablesRepaired, tournament: Tournament) -> str:
    listed = ", ".join(map(str, event.tables))
    tables = tr_many("table {tables}", "tables {tables}", len(event.tables), tables=listed)
    games = "; ".join(
        labels(tournament, tuple(filter(None, game))) + ("" if all(game) else tr(": bye"))
        for game in event.games
    )
    return tr(
        "paired {tables} of round {round} again: {games}{reason}",
        tables=tables,
        round=event.round,
        games=games,
        reason=because(event.reason),
    )


def _seated(event: rounds.PlayersSeated, tournament: Tournament) -> str:
    text = marked(
        "seated {who} at table {table} of round {round}, opposite {opponent}, who had the bye{why}"
    )
    if not all(event.game):
        text = marked("gave {who} the bye of round {round}{why}")
    elif len(event.newcomers) > 1:
        text = marked("seated {who} at the new table {table} of round {round}{why}")
    other = tuple(player for player in event.game if player and player not in event.newcomers)
    return tr(
        text,
        who=labels(tournament, event.newcomers),
        table=event.table,
        round=event.round,
        opponent=labels(tournament, other),
        why=because(event.reason) + waived(event.waiver, event.reason),
    )


def _list_checked(event: ListChecked, tournament: Tournament) -> str:
    what = tr("list of event {list}", list=event.list) if event.list else tr("deck, without a list")
    breaking, _ = hands.counts_of(event)
    found = how_many(breaking, "finding") if event.cards or breaking else tr("by hand")
    return tr(
        "checked {player}: {what}, {found}{note}",
        player=labelled(tournament, event.player),
        what=what,
        found=found,
        note=because(event.note),
    )


def _list_corrected(event: lists.ListCorrected, tournament: Tournament) -> str:
    sheet = tr(", an error on the sheet") if event.clerical else ""
    flag = tr(", to be investigated") if event.significant and event.advantageous else ""
    is_shown = not event.hidden or tournament.hidden_key  # a reason may name hidden cards
    return tr(
        "corrected the list of {player}{more}{reason}",
        player=labelled(tournament, event.player),
        more=sheet + flag,
        reason=because(event.reason if is_shown else ""),
    )


def _exclusive_given(event: lists.ExclusiveGiven, tournament: Tournament) -> str:
    given, taken = marked("{player} was given {name}"), marked("{player} was not given {name}")
    player, name = labelled(tournament, event.player), safe_text(event.name)
    return tr(taken if event.back else given, player=player, name=name)


def _key_revoked(event: keys.KeyRevoked, tournament: Tournament) -> str:
    holder = holder_of(tournament, event.public)
    named = holder_in_words(tournament, holder) if holder is not None else ""
    of_holder = marked("revoked key {key} of {holder}{reason}")
    return tr(
        of_holder if named else marked("revoked key {key}{reason}"),
        key=safe_text(event.public),
        holder=named,
        reason=because(event.reason),
    )


def _called(event: draws.SlipsDrawn, _: Tournament) -> str:
    return safe_text(event.word)


def _on_slip(event: draws.SlipRead, tournament: Tournament) -> str:
    if not event.result:
        return tr("the slip is missing")
    match = tournament.matches[event.match]
    return tr("the slip shows: {result}", result=result_in_words(tournament, match, event.result))


def _format(event: TournamentOpened) -> str:
    rules = rules_in_words(event)
    said = f" ({rules})" if rules else ""
    if not event.format:
        return ""
    return tr(", format {format}{rules}", format=safe_text(event.format.key), rules=said)


def _read_by(source: Source) -> str:
    readings = tr(" and ").join(map(safe_text, source.reading))
    return tr(", with reading {readings}", readings=readings) if readings else ""


def _imported(event: TournamentOpened, _: Tournament) -> str:
    if not event.imported:
        return ""
    reading = _read_by(event.imported)
    return tr(", imported from {kind}{reading}", kind=event.imported.kind, reading=reading)


WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        TournamentOpened: phrase(
            "opened {name}, {date} {time_zone}, {rules}{format}{type}{source}",
            rules=lambda event, _: tr(
                "{ruleset} edition {edition}",
                ruleset=event.ruleset.key,
                edition=event.ruleset.edition,
            ),
            format=lambda event, _: _format(event),
            type=lambda event, _: (
                tr(", {type} tournament", type=event.event_type) if event.event_type else ""
            ),
            source=_imported,
        ),
        opening.OfficialAppointed: _appointed,
        StructureAnnounced: _announced,
        opening.TournamentStarted: phrase("started{word}"),
        HeadRecorded: phrase(
            "recorded the head at the start ({size} lines, {signed})",
            signed=lambda event, _: (
                tr("signed by the log") if event.signature else tr("not signed")
            ),
        ),
        draws.HeadCosigned: phrase("the witness cosigned the head at the start"),
        draws.RanksDrawn: _ranks_drawn,
        SlipAuditBegun: phrase(
            "slip audit of the cut to stage {stage}, risk {share}: the head of {size} lines {root}",
            share=lambda event, _: percent(Fraction(event.risk, 1_000_000)),
        ),
        draws.SlipsDrawn: phrase('slips drawn with the word "{called}"', called=_called),
        draws.SlipRead: phrase("{match}: {said}{note}", said=_on_slip),
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
                tr("; texts kept because they also name other people: {count}", count=event.kept)
                if event.kept
                else ""
            ),
        ),
        people.PublicNamesChosen: phrase("public pages show {shown}", shown=_public_names),
        people.PlayerRegistered: phrase(
            "registered {player}{office}{faction}{missed}",
            office=lambda event, _: (
                tr(", who is {official}", official=f"o{event.official}") if event.official else ""
            ),
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
            at=lambda event, _: ", ".join(tr("table {table}", table=at) for at in event.tables),
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
            "posted the {what} of round {round} as of event {up_to}, sha256 {digest}…",
            digest=lambda event, _: event.sha256[:HASH_SHOWN],
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
            ruled=lambda event, _: (
                tr(", by ruling {ruling}", ruling=event.ruling) if event.ruling else ""
            ),
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
        tr(
            "{act} (by {who})",
            act=in_words(each.event, tournament),
            who=who(each.by, tournament),
        )
        if isinstance(each.event, DECISIONS)
        else in_words(each.event, tournament)
        for each in recorded
        if not isinstance(each.event, PersonRecorded) or len(recorded) == 1
    ]
