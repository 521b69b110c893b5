"""Acts that a page offers now: an act that the state of the day refuses has a reason instead.

A page asks by the name of the form, and by the table or the player that the form is about. The
reason is for the list of acts that cannot be used now; the rules refuse them with their clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cli.input.matches import find_match
from cli.languages.speaking import marked, tr
from ledger.errors import LedgerError
from ledger.facts.base import Waiver
from ledger.facts.people import PlayerRejoined
from ledger.rules.people import player_rejoined, registration_over
from ledger.tournament.disputes import dispute_of, is_appealed, is_reported
from ledger.tournament.progress import (
    check_in_now,
    is_paused,
    missed_rounds,
    round_in_play,
    time_over,
)
from projections.disputes import is_due

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.tournament.state import Match, Round, Tournament
    from ledger.tournament.table_records import Ruling

    Reason = Callable[["Moment"], str]

FINISHED = marked("the tournament is finished")
NO_ROUND = marked("no round is in play")
NOT_PAIRED = marked("no round is paired")
OF_BRACKET = marked("the bracket fixes who plays whom")


class Moment(NamedTuple):
    """The state of the day, and the match and the player that a form is about, if it has any."""

    tournament: Tournament
    match: Match | None = None
    player: int = 0

    @property
    def played(self) -> Round | None:
        """The round in play."""
        return round_in_play(self.tournament)

    def matches(self) -> Iterator[Match]:
        """Yield the form's match, or all matches of the latest round."""
        rounds = self.tournament.rounds
        yield from [self.match] if self.match else rounds[-1].matches if rounds else []

    def rulings(self) -> Iterator[Ruling]:
        """Yield the rulings on the form's match, or all rulings."""
        for ruling in self.tournament.floor.rulings:
            if self.match is None or ruling.made.match == self.match.number:
                yield ruling


def reason_against(tournament: Tournament, name: str, given: Mapping[str, str]) -> str:
    """Return the reason why a form cannot be used now; empty if it can."""
    reason = REASONS.get(name)
    if tournament.finished and name in UNTIL_THE_FINISH:
        return tr(FINISHED)
    return reason(_moment(tournament, given)) if reason else ""


def _moment(tournament: Tournament, given: Mapping[str, str]) -> Moment:
    player = given.get("player", "").removeprefix("#")
    number = int(player) if player.isascii() and player.isdecimal() else 0
    if "table" not in given:
        return Moment(tournament, player=number)
    try:
        return Moment(tournament, find_match(tournament, given["table"]), number)
    except LedgerError:  # the form lists the tables
        return Moment(tournament, player=number)


def _in_play(now: Moment) -> str:
    return "" if now.played else tr(NO_ROUND)


def _any_round(now: Moment) -> str:
    return "" if now.tournament.rounds else tr(NOT_PAIRED)


def _any_player(now: Moment) -> str:
    return "" if any(now.tournament.registered()) else tr("no player is registered")


def _running(now: Moment) -> str:
    played = now.played
    return _in_play(now) or (
        "" if played and played.status == "started" else tr("it has not started")
    )


def _before_time(now: Moment) -> str:
    played = now.played
    is_over = played is not None and time_over(now.tournament, played.number)
    return _running(now) or (tr("time was called") if is_over else "")


def _is_paused(now: Moment) -> bool:
    return now.played is not None and is_paused(now.tournament, now.played.number)


def _pause(now: Moment) -> str:
    played = now.played
    without = "" if played and played.minutes else tr("the round has no clock")
    return _before_time(now) or without or (tr("the clock stands still") if _is_paused(now) else "")


def _resume(now: Moment) -> str:
    return _running(now) or ("" if _is_paused(now) else tr("the clock is not stopped"))


def _start_minutes(now: Moment) -> str:
    played = now.played
    return _in_play(now) or ("" if played and played.status == "paired" else tr("it has started"))


def _extend(now: Moment) -> str:
    played = now.played
    if now.match is not None and (played is None or now.match.round != played.number):
        return tr("its round is not in play")
    if now.tournament.floor.missing and played:
        return ""  # a table waits for a component also before the start
    is_open = any(match.is_open for match in now.matches())
    return _running(now) or ("" if is_open else tr("every table has ended"))


def _of_swiss(now: Moment) -> str:
    played = now.played
    is_swiss = played and now.tournament.stages[played.stage - 1].is_swiss
    return _in_play(now) or ("" if is_swiss else tr(OF_BRACKET))


def _swap(now: Moment) -> str:
    played = now.played
    matches = played.matches if played else []
    tables = [match for match in matches if not is_reported(now.tournament, match)]
    return _of_swiss(now) or ("" if tables[1:] else tr("fewer than two tables are open"))


def _seat(now: Moment) -> str:
    played = now.played
    seated = {player for match in played.matches for player in match.players} if played else set()
    waiting = [now.player] if now.player else now.tournament.active()
    is_waiting = any(player not in seated for player in waiting)
    return _of_swiss(now) or ("" if is_waiting else tr("every player has a seat"))


def _unpair(now: Moment) -> str:
    played = now.played
    is_fresh = played and not any(is_reported(now.tournament, match) for match in played.matches)
    return _in_play(now) or ("" if is_fresh else tr("the round has results"))


def _repair(now: Moment) -> str:
    played = now.played
    matches = played.matches[played.by_hand :] if played else []
    is_open = any(match.is_open and not is_reported(now.tournament, match) for match in matches)
    return _of_swiss(now) or ("" if is_open else tr("no table is left that could be paired again"))


def _close(now: Moment) -> str:
    is_whole = now.played is not None and not now.played.unreported
    return _in_play(now) or ("" if is_whole else tr("results are missing"))


def _is_ruled(now: Moment, match: Match) -> bool:
    return any(ruling.made.match == match.number for ruling in now.tournament.floor.rulings)


def _has_open_result(now: Moment) -> bool:
    """Whether a result stands that is neither disputed nor ruled."""
    return any(
        match.result is not None
        and not match.is_bye
        and not dispute_of(now.tournament, match.number)
        and not _is_ruled(now, match)
        for match in now.matches()
    )


def _correct(now: Moment) -> str:
    return _any_round(now) or ("" if _has_open_result(now) else tr("no result can be corrected"))


def _dispute(now: Moment) -> str:
    return _any_round(now) or ("" if _has_open_result(now) else tr("no result can be disputed"))


def _carry_out(now: Moment) -> str:
    waits = any(is_due(now.tournament, ruling) for ruling in now.rulings())
    return "" if waits else tr("no ruling waits to be entered")


def _confirm(now: Moment) -> str:
    return "" if now.tournament.floor.unconfirmed else tr("no report waits to be confirmed")


def _appeal(now: Moment) -> str:
    is_any = any(
        not (ruling.final or ruling.reviewed_by or is_appealed(ruling)) for ruling in now.rulings()
    )
    return "" if is_any else tr("no ruling can be appealed")


def _review(now: Moment) -> str:
    is_any = any(
        is_appealed(ruling) and not (ruling.final or ruling.reviewed_by) for ruling in now.rulings()
    )
    return "" if is_any else tr("no ruling is appealed")


def _place(now: Moment) -> str:
    cut = now.tournament.pending_cut()
    return "" if cut and cut.vacancies and not cut.rounds else tr("no place in a cut is free")


def _asked(now: Moment) -> str:
    cut = now.tournament.pending_cut()
    return _place(now) or ("" if cut and cut.waiting else tr("no player is left to ask"))


def _forfeit(now: Moment) -> str:
    cut = now.tournament.pending_cut()
    return _place(now) or (tr("the next player must be asked") if cut and cut.waiting else "")


def _take_back_cut(now: Moment) -> str:
    cuts = [stage for stage in now.tournament.stages if stage.cut_seq]
    if not cuts:
        return tr("no cut is made")
    has_left = cuts[-1].vacancies or cuts[-1].seeds != cuts[-1].entrants
    if cuts[-1].rounds:
        return tr("the games of the cut are paired")
    return tr("a qualifier has left") if has_left else ""


def _start(now: Moment) -> str:
    return tr("the cut is made") if any(stage.cut_seq for stage in now.tournament.stages) else ""


def _open_check_in(now: Moment) -> str:
    if now.played:
        return tr("a round is in play")
    return tr("one is made already") if check_in_now(now.tournament) else ""


def _close_check_in(now: Moment) -> str:
    check_in = check_in_now(now.tournament)
    return "" if check_in and not check_in.closed else tr("no check-in is open")


def _check_in(now: Moment) -> str:
    return "" if check_in_now(now.tournament) else tr("no check-in is open")


def _register(now: Moment) -> str:
    return tr("registration is over") if any(registration_over(now.tournament)) else ""


def _unregister(now: Moment) -> str:
    player = now.tournament.players[now.player] if now.player else None
    if player is None or player.status != "active":
        return tr("has left")
    is_paired = any(
        now.player in match.players for played in now.tournament.rounds for match in played.matches
    )
    return tr("has already been paired") if is_paired else ""


def _rejoin(now: Moment) -> str:
    """Return why a player cannot return, also with a reason for another stage."""
    if not now.player:
        return ""
    missed = tuple(missed_rounds(now.tournament, now.player))
    waiver = Waiver((now.tournament.ruleset.cites("FFG-REJOIN"),), "another stage")
    event = PlayerRejoined(now.player, missed, waiver)
    return tr("cannot return") if any(player_rejoined(now.tournament, event)) else ""


REASONS: Mapping[str, Reason] = MappingProxyType(
    {
        **dict.fromkeys(("time", "left"), _before_time),
        **dict.fromkeys(("rule", "call", "post-pairings"), _any_round),
        **dict.fromkeys(("explain-pairing", "whatif"), _any_round),
        **dict.fromkeys(("penalty", "recommend", "list-check", "player-note"), _any_player),
        **dict.fromkeys(("repair-look", "repair"), _repair),
        **dict.fromkeys(("cut-accept", "cut-decline"), _asked),
        **dict.fromkeys(("register", "register-player", "approve", "approve-all"), _register),
        "pause": _pause,
        "resume": _resume,
        "start-minutes": _start_minutes,
        "extend": _extend,
        "swap": _swap,
        "seat": _seat,
        "unpair": _unpair,
        "close": _close,
        "correct": _correct,
        "dispute": _dispute,
        "carry-out": _carry_out,
        "confirm": _confirm,
        "appeal": _appeal,
        "review": _review,
        "forfeit": _forfeit,
        "take-back-cut": _take_back_cut,
        "start": _start,
        "check-in-open": _open_check_in,
        "check-in-close": _close_check_in,
        "check-in": _check_in,
        "unregister": _unregister,
        "rejoin": _rejoin,
    }
)
"""Reasons against an act, by the name of its form."""

UNTIL_THE_FINISH = frozenset(
    {
        *("check-in-open", "check-in", "extend", "confirm", "call", "take-back-cut", "start"),
        *("list-check", "drop", "rejoin", "dispute", "register", "register-player", "approve"),
        *("approve-all", "unregister", "appeal"),
    }
)
"""Forms of acts that the finish ends."""
