"""The clock of a round and of each table at a given moment.

The moment is an argument in the form of a line's time: `2026-05-17T10:00:00.000Z`.
"""

from __future__ import annotations

from msgspec import Struct

from ledger.errors import InvalidLog
from ledger.lines.line import AT
from ledger.problems import marked, phrase
from ledger.tournament.progress import paused_since, time_over
from ledger.tournament.state import Match, Round, Tournament

MS_A_SECOND = 1_000
MS_A_MINUTE = 60_000
MS_A_DAY = 86_400_000
AT_CHARACTERS = 24


class TableClock(Struct, frozen=True):
    """One table: milliseconds left, negative once its time is over, None without a clock."""

    match: int
    table: int
    players: tuple[int, ...]
    extension: int
    left: int | None
    reported: bool


class RoundClock(Struct, frozen=True):
    """The round: the milliseconds left at a table without an extension, and the calls in minutes.

    `warning`: the minutes of the ruleset's warning are left, and nobody has called them out.
    """

    round: int
    minutes: int
    left: int | None
    called: tuple[int, ...]
    warning: bool
    paused: bool
    ends: int | None
    """When time is over for a table without an extension, in milliseconds from 1970."""

    tables: tuple[TableClock, ...]

    @property
    def reported(self) -> int:
        """The number of tables with a result."""
        return sum(table.reported for table in self.tables)


def is_clock(at: str) -> bool:
    """Whether a text has the form of a line's clock: what was changed in a store may not."""
    return AT.fullmatch(at) is not None


def moment(at: str) -> int:
    """Return the milliseconds from 1970 to a line's time; a leap second is the next one.

    Raises:
        InvalidLog: the text does not have the form of a line's time.
    """
    if not is_clock(at):
        text = marked("{shown} in the log is not a time: the log is damaged")
        shown = f"{at[:AT_CHARACTERS]!r}"
        raise InvalidLog(phrase(text, shown=shown))
    year, month, day = (int(at[i:j]) for i, j in ((0, 4), (5, 7), (8, 10)))
    hour, minute, ms = int(at[11:13]), int(at[14:16]), int(at[17:19] + at[20:23])
    # Years are counted from March, so that the leap day is the last one.
    years = year - (month <= 2)  # noqa: PLR2004 - January and February
    months = (month + 9) % 12
    leap_days = years // 4 - years // 100 + years // 400
    days = 365 * years + leap_days + (153 * months + 2) // 5 + day - 719_469
    return days * MS_A_DAY + (60 * hour + minute) * MS_A_MINUTE + ms


def minutes_between(earlier: str, later: str) -> int:
    """Return the whole minutes between two lines' times; below 0 if the second is earlier."""
    return (moment(later) - moment(earlier)) // MS_A_MINUTE


def clock(tournament: Tournament, round_: Round, at: str) -> RoundClock:
    """Read the clock of a round at a moment (FFG-CLOCK)."""
    ends = None if _is_over(tournament, round_) else _end(tournament, round_)
    since = paused_since(tournament, round_.number)
    remaining = None if ends is None else ends - moment(since or at)
    paused = ends is not None and since != ""
    called = tuple(call.left for call in tournament.floor.calls.get(round_.number, ()))
    warning = tournament.ruleset.floor.clock.warning * MS_A_MINUTE
    return RoundClock(
        round_.number,
        round_.minutes,
        remaining,
        called,
        warning > 0 and remaining is not None and 0 < remaining <= warning and not called,
        paused,
        None if paused else ends,
        tuple(_table(tournament, match, remaining) for match in round_.matches if not match.is_bye),
    )


def clock_at(tournament: Tournament, match: Match, at: str) -> TableClock:
    """Read the clock of one table at a moment, as in that of its round."""
    round_ = tournament.rounds[match.round - 1]
    left = None if _is_over(tournament, round_) else _left(tournament, round_, at)
    return _table(tournament, match, left)


def minutes_before_time(tournament: Tournament, match: Match, at: str) -> int | None:
    """Return the minutes that are left at a table before a game can end by time (FFG-CLOCK).

    0 if time was called or the clock of the table has run out; None if no clock runs.
    """
    round_ = tournament.rounds[match.round - 1]
    if time_over(tournament, match.round):
        return 0
    remaining = minutes_left(_table(tournament, match, _left(tournament, round_, at)).left)
    return None if remaining is None else max(0, remaining)


def _is_over(tournament: Tournament, round_: Round) -> bool:
    """Return whether no clock of a round is shown any more."""
    return round_.status == "closed" or tournament.finished


def _left(tournament: Tournament, round_: Round, at: str) -> int | None:
    """Return the milliseconds left for a table without an extension; None without a clock."""
    ends = _end(tournament, round_)
    return None if ends is None else ends - moment(paused_since(tournament, round_.number) or at)


def _end(tournament: Tournament, round_: Round) -> int | None:
    """Return when the round ends for a table without an extension: time called ends it at once."""
    if not round_.started_at or not round_.minutes:
        return None
    if call := time_over(tournament, round_.number):
        return moment(call.at)
    minutes = round_.minutes + tournament.floor.longer.get(round_.number, 0)
    pauses = tournament.floor.pauses.get(round_.number, ())
    stood = sum(moment(pause.until) - moment(pause.since) for pause in pauses if pause.until)
    return moment(round_.started_at) + minutes * MS_A_MINUTE + stood


def _table(tournament: Tournament, match: Match, of_round: int | None) -> TableClock:
    extra, reported = tournament.floor.extensions.get(match.number, 0), match.result is not None
    of_table = None if of_round is None else of_round + extra * MS_A_MINUTE
    return TableClock(match.number, match.table, match.players, extra, of_table, reported)


def minutes_left(milliseconds: int | None) -> int | None:
    """Return whole minutes, rounded up; None without a clock."""
    return None if milliseconds is None else -(-milliseconds // MS_A_MINUTE)


def as_json(of_round: RoundClock) -> dict[str, object]:
    """Return the clock for scripts: whole seconds, rounded up."""
    return {
        "called": list(of_round.called),
        "warning": of_round.warning,
        "reported": of_round.reported,
        "tables": [
            {"table": table.table, "players": list(table.players), "extension": table.extension}
            | {"seconds_left": None if table.left is None else -(-table.left // MS_A_SECOND)}
            | {"reported": table.reported}
            for table in of_round.tables
        ],
    }
