"""What pairing, posting, starting and closing do to the tournament."""

from __future__ import annotations

from ledger.events import rounds
from ledger.fold.columns import clear, erase, write
from ledger.lines.recorded import Recorded
from ledger.tournament.progress import check_in_now
from ledger.tournament.state import Match, Round, Tournament
from ledger.tournament.table_records import Attendance


def round_paired(tournament: Tournament, event: rounds.RoundPaired, recorded: Recorded) -> None:
    round_ = Round(
        event.round,
        event.stage,
        event.attempt,
        paired_seq=recorded.seq,
        procedure=event.procedure,
        by_hand=event.by_hand,
    )
    tournament.rounds.append(round_)
    tournament.stages[event.stage - 1].rounds.append(event.round)
    tournament.attempts[event.round] = event.attempt
    for of_rounds in (tournament.floor.calls, tournament.floor.pauses, tournament.floor.longer):
        of_rounds.pop(event.round, None)
    clear(round_, len(tournament.players) - 1)
    first = len(tournament.matches)
    round_.matches = [
        Match(first + place, event.round, place + 1, one, other)
        for place, (one, other) in enumerate(event.games)
    ]
    tournament.matches.extend(round_.matches)
    round_.unreported = sum(match.is_open for match in round_.matches)
    names = {player: name for name, players in event.byes.items() for player in players}
    for match in round_.matches if names else ():
        match.named = names.get(match.first, "") if match.is_bye else ""
    for match in round_.matches:
        _grant_bye(tournament, match, recorded.seq)


def _grant_bye(tournament: Tournament, match: Match, seq: int) -> None:
    if not match.is_bye:
        return
    match.result_seq = seq
    for player in match.players:
        worth = tournament.ruleset.worth_of_bye(match.named)
        round_ = tournament.rounds[match.round - 1]
        write(round_, player, seq, worth.points, "B", fields=worth.fields)
        tournament.players[player].byes += not match.named


def _revoke_bye(tournament: Tournament, match: Match) -> None:
    if match.is_bye:
        match.result_seq = 0
        for player in match.players:
            erase(tournament.rounds[match.round - 1], player)
            tournament.players[player].byes -= not match.named


def round_unpaired(tournament: Tournament, event: rounds.RoundUnpaired, _: Recorded) -> None:
    for match in tournament.rounds[event.round - 1].matches:
        _revoke_bye(tournament, match)
        match.void = True
    round_ = tournament.rounds.pop()
    tournament.stages[round_.stage - 1].rounds.remove(round_.number)


def seats_swapped(tournament: Tournament, event: rounds.SeatsSwapped, recorded: Recorded) -> None:
    one, other = event.players
    trade = {one: other, other: one}
    round_ = tournament.rounds[event.round - 1]
    touched = [match for match in round_.matches if {one, other} & set(match.players)]
    for match in touched:
        _revoke_bye(tournament, match)
        match.first = trade.get(match.first, match.first)
        match.second = trade.get(match.second, match.second)
        round_.reseated[match.number] = recorded.seq
        tournament.floor.forget_set_up(match.number)
        _grant_bye(tournament, match, recorded.seq)


def tables_repaired(
    tournament: Tournament, event: rounds.TablesRepaired, recorded: Recorded
) -> None:
    round_ = tournament.rounds[event.round - 1]
    touched = [round_.matches[table - 1] for table in event.tables]
    for match in touched:
        _revoke_bye(tournament, match)
    for match, game in zip(touched, event.games, strict=True):
        match.first, match.second = game
        round_.reseated[match.number] = recorded.seq
        tournament.floor.forget_set_up(match.number)
        _grant_bye(tournament, match, recorded.seq)


def players_seated(tournament: Tournament, event: rounds.PlayersSeated, recorded: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    if event.table > len(round_.matches):
        match = Match(len(tournament.matches), event.round, event.table, 0, 0)
        round_.matches.append(match)
        tournament.matches.append(match)
    for player in event.newcomers:
        has_loss = player < len(round_.seqs)
        round_.latecomers[player] = round_.seqs[player] if has_loss else 0
        erase(round_, player)
    _seat(tournament, round_, event.table, event.game, recorded.seq)


def seating_withdrawn(
    tournament: Tournament, event: rounds.SeatingWithdrawn, recorded: Recorded
) -> None:
    round_ = tournament.rounds[event.round - 1]
    match = _seat(tournament, round_, event.table, event.was, recorded.seq)
    worth = tournament.ruleset.unpaired_loss
    for player in set(event.game) - set(event.was) - {0}:
        if seq := round_.latecomers.pop(player, 0):
            write(round_, player, seq, worth.points, "L", fields=worth.fields)
    if not match.players:
        match.void = True
        round_.matches.remove(match)


def _seat(
    tournament: Tournament, round_: Round, table: int, game: tuple[int, int], seq: int
) -> Match:
    """Let a table have these seats; who has a bye then has its points."""
    match = round_.matches[table - 1]
    _revoke_bye(tournament, match)
    match.first, match.second = game
    match.named = "" if all(game) else match.named
    match.result_seq = 0
    round_.reseated[match.number] = seq
    tournament.floor.forget_set_up(match.number)
    _grant_bye(tournament, match, seq)
    round_.unreported = sum(each.is_open for each in round_.matches)
    return match


def posted(tournament: Tournament, _event: rounds.Posted, recorded: Recorded) -> None:
    tournament.postings.append(recorded)


def round_started(tournament: Tournament, event: rounds.RoundStarted, recorded: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    round_.status = "started"
    round_.minutes = event.minutes
    round_.started_at = recorded.at


def round_closed(tournament: Tournament, event: rounds.RoundClosed, _: Recorded) -> None:
    tournament.rounds[event.round - 1].status = "closed"


def round_reopened(tournament: Tournament, event: rounds.RoundReopened, _: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    round_.status = "started" if round_.started_at else "paired"


def undo_round_started(tournament: Tournament, event: rounds.RoundStarted, _: Recorded) -> None:
    round_ = tournament.rounds[event.round - 1]
    round_.status, round_.minutes, round_.started_at = "paired", 0, ""


def check_in_opened(tournament: Tournament, _: rounds.CheckInOpened, recorded: Recorded) -> None:
    tournament.floor.check_ins.append(Attendance(recorded.seq))


def undo_check_in_opened(
    tournament: Tournament, _: rounds.CheckInOpened, recorded: Recorded
) -> None:
    kept = [each for each in tournament.floor.check_ins if each.seq != recorded.seq]
    tournament.floor.check_ins = kept


def checked_in(tournament: Tournament, event: rounds.CheckedIn, recorded: Recorded) -> None:
    if check_in := check_in_now(tournament):
        check_in.present[event.player] = recorded.seq


def undo_checked_in(tournament: Tournament, event: rounds.CheckedIn, recorded: Recorded) -> None:
    for check_in in tournament.floor.check_ins:
        if check_in.present.get(event.player) == recorded.seq:
            del check_in.present[event.player]


def check_in_closed(tournament: Tournament, _: rounds.CheckInClosed, recorded: Recorded) -> None:
    if check_in := check_in_now(tournament):
        check_in.closed = recorded.seq


def undo_check_in_closed(
    tournament: Tournament, _: rounds.CheckInClosed, recorded: Recorded
) -> None:
    for check_in in tournament.floor.check_ins:
        if check_in.closed == recorded.seq:
            check_in.closed = 0
