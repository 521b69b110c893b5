"""Further consequences of an act in words: after it, or before it as a forecast.

A forecast writes nothing. It does not reveal a draw: a person who could look first and then decide
would choose it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from cli.desk.guide import next_step
from cli.input.find_people import labelled, labels, quoted
from cli.languages.speaking import marked, tr
from cli.terminal.problems import line_of, lines_of
from cli.wording.event_words import acts_in_words, in_words, shared_in_words
from cli.wording.phrases import result_in_words, safe_text
from ledger.errors import Unsigned
from ledger.facts import hands
from ledger.facts.components import ComponentDamaged, ComponentMissing, clause_of_loss_in_game
from ledger.facts.office import (
    LOSES_THE_MATCH,
    DisqualificationRecommended,
    PenaltyGiven,
    recommended,
)
from ledger.facts.opening import RegistrationAnswered, TournamentFinished, TournamentStarted
from ledger.facts.people import PlayerDisqualified, PlayerDropped, player_named
from ledger.facts.results import ResultCorrected, ResultReported, ResultWithdrawn
from ledger.facts.rounds import (
    PlayersSeated,
    Posted,
    RoundPaired,
    RoundStarted,
    RoundUnpaired,
    SeatingWithdrawn,
    SeatsSwapped,
    TablesRepaired,
)
from ledger.facts.setups import unready
from ledger.facts.shared import HeadRecorded
from ledger.fold import meaning
from ledger.tournament.disputes import is_reported
from ledger.tournament.progress import latest_round, may_be_paired_again, round_in_play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cli.desk.session import Desk
    from ledger.facts.base import Event
    from ledger.facts.shared import Result
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.tournament.state import Match, Tournament

NO_MATCH_LOST = marked(
    "they have no open match, so no result has changed: to make them lose a match, use `correct`"
)
CHANGES_OF_SEATS = (
    PlayersSeated,
    RoundUnpaired,
    SeatingWithdrawn,
    SeatsSwapped,
    TablesRepaired,
)
DAMAGED = {
    "lost": marked("it counts as lost until a replacement is found"),
    "kept": marked("it is kept near the army; the game continues, no player concedes"),
    "modified": marked("until it is modified or replaced, it counts as lost"),
}
"""The consequence of a damaged model that impedes play, by the setting of the ruleset."""
CUT_AGAIN = marked('`cut take-back --reason "a result was corrected"`, then `cut`')
UNPAIRED_AND_CUT_AGAIN = marked(
    '`unpair`, then `cut take-back --reason "a result was corrected"`, then `cut`'
)


class Behind(NamedTuple):
    """The state behind an act, and what reads an event before it."""

    tournament: Tournament
    recorded_at: Callable[[int], Recorded]


def consequences(behind: Behind, recorded: list[Recorded]) -> list[str]:
    """Say what else the events of an act mean for the day."""
    tournament = behind.tournament
    found: list[str] = []
    for each in recorded:
        event = meaning(tournament, each.event)
        if isinstance(event, ResultCorrected):
            found += _corrected(behind, event)
        if isinstance(event, ResultCorrected | ResultWithdrawn):
            found += _standings_posted(tournament, tournament.matches[event.match].round)
        if isinstance(event, RoundStarted):
            found += _not_ready(tournament, event)
        if isinstance(event, PlayerDropped):
            found += _left_before_the_start(tournament, event)
        if isinstance(event, DisqualificationRecommended | TournamentFinished):
            found += _to_decide(tournament)
        if isinstance(event, PenaltyGiven) and event.kind in LOSES_THE_MATCH and not recorded[1:]:
            found.append(tr(NO_MATCH_LOST))
        if isinstance(event, RegistrationAnswered) and event.player:
            found += _still_waiting(tournament)
        found += _by_the_rules(tournament, event)
        if isinstance(event, CHANGES_OF_SEATS):
            found += _pairings_posted(tournament, event.round)
    return list(dict.fromkeys(found))


def _by_the_rules(tournament: Tournament, event: Event) -> Iterator[str]:
    """State the consequence of an event by the regulation."""
    if isinstance(event, TournamentStarted):
        yield from _lists_at_fault(tournament)
    elif isinstance(event, RoundPaired):
        yield from _bye_by_hand(tournament, event)
    elif isinstance(event, PlayerDropped | PlayerDisqualified):
        yield from _left_the_bracket(tournament, event.player)
        yield from _to_pair_again(tournament, event.player)
    elif isinstance(event, ComponentMissing | ComponentDamaged):
        yield from component_in_words(tournament, event)


def _still_waiting(tournament: Tournament) -> Iterator[str]:
    """Name the open requests that need a separate answer, since their name is taken."""
    for request in tournament.floor.requests:
        name = request.made.name
        if not request.answered and (player := player_named(tournament, name)):
            namesake = labelled(tournament, player)
            yield (
                tr(
                    "request {number} of {name} still waits: the name is that of {namesake}",
                    number=request.seq,
                    name=safe_text(name),
                    namesake=namesake,
                )
            )


def _not_ready(tournament: Tournament, event: RoundStarted) -> Iterator[str]:
    """Say what a round was started without, and what its tables share or look for."""
    for missing in unready(tournament, tournament.rounds[event.round - 1]):
        yield line_of(missing, tournament.names)
    for player, lost in sorted(tournament.floor.missing.items()):
        who = labelled(tournament, player)
        yield tr(
            "{who} is missing {component} ({clause})",
            who=who,
            component=safe_text(lost.component),
            clause=lost.clause,
        )
    yield from shared_in_words(tournament)


def _left_before_the_start(tournament: Tournament, event: PlayerDropped) -> Iterator[str]:
    """Say what a drop came to where the round has not started, and its start may be missing."""
    played = round_in_play(tournament)
    seated = [each for each in played.matches if event.player in each.players] if played else []
    if event.reason == "no-show" or not played or played.status == "started":
        return
    if any(each.result and each.result.manner == "no-show" for each in seated):
        player, number = labelled(tournament, event.player), played.number
        yield (
            tr(
                "round {number} has not started, so this counts as a no-show of {player}; if "
                "they had already begun to play, type in this order: `undo`, `round start`, "
                "`concede`, `drop`",
                number=number,
                player=player,
            )
        )


def _to_pair_again(tournament: Tournament, player: int) -> Iterator[str]:
    """Offer to pair the round again if it has not started: no player wins without a game."""
    if round_ := may_be_paired_again(tournament, player):
        name, typed = labelled(tournament, player), quoted(tournament, player)
        yield (
            tr(
                "round {number} has not started: to pair it again without {name}, type in this "
                "order: `undo`, `unpair --reason WHY`, `drop {typed}`, `pair` ({clause})",
                clause="FFG-DROP",
                number=round_.number,
                name=name,
                typed=typed,
            )
        )


def _left_the_bracket(tournament: Tournament, player: int) -> Iterator[str]:
    """Announce the bye against a player who leaves between two elimination rounds."""
    played = latest_round(tournament)
    if not played or tournament.stages[played.stage - 1].is_swiss:
        return
    if played.records[player : player + 1] in (["W"], ["B"]):
        yield tr(
            "the next opponent of {player} has a bye ({clause})",
            clause="FFG-ELIM-DROP",
            player=labelled(tournament, player),
        )


def _lists_at_fault(tournament: Tournament) -> Iterator[str]:
    """Name the lists whose last check found that they break the format."""
    for player in tournament.active():
        submitted = tournament.lists.get(player)
        check = submitted.checked if submitted else None
        if check is None or not hands.counts_of(check)[0]:
            continue
        broken = [finding.clause for finding in check.findings if finding.state == "breaks"]
        clauses = f" ({', '.join(dict.fromkeys(broken))})" if broken else ""
        yield tr(
            "the list of {player} breaks the format{clauses}: `lists`",
            player=labelled(tournament, player),
            clauses=clauses,
        )


def _bye_by_hand(tournament: Tournament, event: RoundPaired) -> Iterator[str]:
    """Warn that a bye after the first round was set by hand, and name the rule."""
    named = {player for players in event.byes.values() for player in players}
    byes = [max(game) for game in event.games[: event.by_hand] if 0 in game]
    stage = tournament.stages[event.stage - 1]
    if not stage.is_swiss or event.round == 1 or named.issuperset(byes):
        return
    who, clause = labels(tournament, byes), tournament.ruleset.cites("FFG-BYE-LATER")
    due = tr("by the rules the lowest ranked player without a bye has it")
    yield tr("bye by hand: {who}; {due} ({clause})", who=who, due=due, clause=clause)


def component_in_words(
    tournament: Tournament, event: ComponentMissing | ComponentDamaged
) -> Iterator[str]:
    """State the consequence of a component missing during a game, or of a damaged model."""
    rules = tournament.ruleset.floor.components
    if isinstance(event, ComponentMissing):
        if event.during and rules.during == "concede":
            clause = clause_of_loss_in_game(tournament.ruleset)
            cited = f" ({clause})" if clause else ""
            yield tr(
                "a component is missing during the game: the game is conceded{cited}", cited=cited
            )
    elif event.kind == "model" and not (event.replaced or event.modified):
        follows = (
            tr(DAMAGED[rules.model.impedes]) if event.impedes else tr("it does not impede play")
        )
        yield f"{follows} ({rules.model.clause})"


def _to_decide(tournament: Tournament) -> Iterator[str]:
    for player in recommended(tournament):
        yield tr(
            'the organizer decides on {player}: `disqualify {typed} --reason "…"` ({clause})',
            clause="FFG-AUTH-DQ",
            player=labelled(tournament, player),
            typed=quoted(tournament, player),
        )


def _corrected(behind: Behind, event: ResultCorrected) -> Iterator[str]:
    tournament = behind.tournament
    match = tournament.matches[event.match]
    replaced = behind.recorded_at(event.corrects).event
    if isinstance(replaced, ResultReported | ResultCorrected):
        yield tr("was: {result}", result=result_in_words(tournament, match, replaced.result))
        if replaced.result.manner == "no-show":
            yield from _still_dropped(tournament, match.players)
        yield from _still_playing(tournament, match, event.result)
        if replaced.result.counted != event.result.counted:
            yield from _paired_on_it(tournament, match.round)
    yield from _other_qualifiers(tournament, match.round)
    if tournament.finished:
        yield tr("places may have changed, and earlier exports are out of date")


def _paired_on_it(tournament: Tournament, number: int) -> Iterator[str]:
    """Point to the repair, while there are tables left that it could stop."""
    played = round_in_play(tournament)
    if played is None or not number < played.number:
        return
    stage = tournament.stages[played.stage - 1]
    drawn = [match for match in played.matches[played.by_hand :] if match.is_open]
    if stage.is_swiss and not all(is_reported(tournament, match) for match in drawn):
        yield tr(
            "round {number} was paired before this: `repair-round` shows what can be done",
            number=played.number,
        )


def _still_dropped(tournament: Tournament, players: tuple[int, ...]) -> Iterator[str]:
    for player in players:
        if tournament.players[player].status == "dropped":
            who = labelled(tournament, player)
            yield tr(
                "{who} is still dropped: `rejoin {player}` brings them back", who=who, player=player
            )


def _still_playing(tournament: Tournament, match: Match, result: Result) -> Iterator[str]:
    """A correction moves the result alone; a report would have dropped who did not come."""
    if result.manner != "no-show":
        return
    for player, outcome in zip(match.players, result.outcomes, strict=True):
        is_absent = tournament.ruleset.records[outcome] == "L"
        if is_absent and tournament.players[player].status == "active":
            who = labelled(tournament, player)
            yield tr(
                "{who} is still active: `drop {player} --no-show` if they did not come",
                who=who,
                player=player,
            )


def _other_qualifiers(tournament: Tournament, number: int) -> Iterator[str]:
    """Warn where a cut that no game has followed would now be another."""
    from projections.standings.table import ranking

    stage = tournament.pending_cut()
    if stage is None or stage.plan.entry != "top" or stage.vacancies or number in stage.rounds:
        return
    candidates = {*stage.seeds, *stage.waiting}  # without those who declined
    ranked = [each for each in ranking(tournament, stage.number - 1) if each in candidates]
    now = ranked[: len(stage.seeds)]
    if now == stage.seeds:
        return
    way = tr(UNPAIRED_AND_CUT_AGAIN if stage.rounds else CUT_AGAIN)
    entering = [each for each in now if each not in stage.seeds]
    if not entering:
        yield tr("the cut would now seed its players differently: {way}", way=way)
        return
    yield tr(
        "the cut would now take {entering}, not {leaving}: {way}",
        entering=labels(tournament, entering),
        leaving=labels(tournament, [each for each in stage.seeds if each not in now]),
        way=way,
    )


def _standings_posted(tournament: Tournament, number: int) -> Iterator[str]:
    if any(each.what == "standings" and each.round >= number for each in _outdated(tournament)):
        yield tr("the posted standings are out of date: `post standings` again")


def _pairings_posted(tournament: Tournament, number: int) -> Iterator[str]:
    if any((each.what, each.round) == ("pairings", number) for each in _outdated(tournament)):
        yield tr(
            "the posted pairings of round {number} are out of date: `post pairings` again",
            number=number,
        )


def _outdated(tournament: Tournament) -> Iterator[Posted]:
    """What hangs on the wall, the last of each kind and round, and is no longer so."""
    from cli.desk.posted import is_the_same

    posted = (each.event for each in tournament.postings if isinstance(each.event, Posted))
    hanging = {(each.what, each.round): each for each in posted}
    return (each for each in hanging.values() if not is_the_same(tournament, each))


FORECAST_MAX = 12
"""How many events of one act are named one by one."""


class Forecast(NamedTuple):
    """Consequences of an act for a page: the record, further effects, and the state after it."""

    acts: tuple[str, ...]
    besides: tuple[str, ...]
    next: str


def forecast(desk: Desk, command: Command) -> Forecast:
    """Say what a command would do now; no acts where it is so already; raises as `Desk.act`.

    Where it has to be signed with a key that a page has not, say that, and what it begins with.
    """
    try:
        recorded, after = desk.look_ahead(command)
    except Unsigned as unsigned:
        if not any(holder for holder, _ in unsigned.held):
            raise
        return _once_signed(desk, command, unsigned)
    named = _in_words(recorded, after)
    more = (
        (tr("and {count} more", count=len(named) - FORECAST_MAX),)
        if len(named) > FORECAST_MAX
        else ()
    )
    behind = Behind(after, desk.book.recorded_at)
    besides = tuple(consequences(behind, recorded))
    return Forecast((*named[:FORECAST_MAX], *more), besides, next_step(after, on_page=True))


def _once_signed(desk: Desk, command: Command, unsigned: Unsigned) -> Forecast:
    tournament = desk.book.tournament
    first = next(command.decide(tournament, desk.book.context(), desk.by), None)
    why = tr(" and ").join(lines_of(unsigned, tournament.names))
    waits = tr("{why}: it waits here until it is signed at a terminal with `sign`", why=why)
    acts = (in_words(first, tournament),) if first else ()
    return Forecast(acts, (waits,), next_step(tournament, on_page=True))


def _in_words(recorded: list[Recorded], after: Tournament) -> list[str]:
    """Say what would be on record; of a draw and of the signed head, that they are made then."""
    drawn = [each for each in recorded if each.event.recording.drawn]
    signed = [each for each in recorded if isinstance(each.event, HeadRecorded)]
    others = [_without_keys(each) for each in recorded if each not in drawn and each not in signed]
    said = [tr("{act}: drawn when you confirm", act=tr(each.event.recording.act)) for each in drawn]
    said += [tr("the log up to here is sealed when you confirm") for _ in signed]
    return [*acts_in_words(others, after), *said]


def _without_keys(recorded: Recorded) -> Recorded:
    """Leave out the keys that the end would reveal."""
    event = recorded.event
    if not isinstance(event, TournamentFinished):
        return recorded
    return structs.replace(recorded, event=structs.replace(event, shuffle_key="", hidden_key=""))
