"""Moments of the day as a person types them, and dates, time zones and times of the clock.

One language for `--at` and for `diff`:

    57            after event 57
    round:3       as round 3 was closed; now, while it is being played
    posted        as the last posting saw it; posted:standings, posted:pairings:3
    14:05         by the clock, to the end of the minute or second that is typed: on the day of
                  the tournament and in its time zone, unless a date or a zone is typed too
    now           as it is

`--round` of a view that has no rounds to choose from is `round:N`.
The date, the time zone and the user of this machine are read here, too.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import UTC, date, datetime, tzinfo
from itertools import islice
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cli import outside
from cli.input.arguments import WHOLE_MAX, UsageError, whole, whole_or_none
from cli.input.options import shared
from cli.languages.speaking import in_figures, marked, tr
from cli.terminal.output import say
from cli.terminal.visible import in_quotes
from ledger.books.open_log import AfterEvent, ByClock, Moment, Posting, RoundEnd, TooEarly
from ledger.errors import NotFound
from ledger.files import system
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.desk.session import Desk
    from ledger.facts.rounds import Posted
    from ledger.lines.recorded import Recorded
    from ledger.store import Store
    from ledger.tournament.state import Tournament

_ZONE = re.compile(r"[A-Za-z0-9_+-]{1,20}(/[A-Za-z0-9_+-]{1,20}){0,2}")


def checked_date(typed: str, option: str = "--date") -> str:
    """Return the date as typed with an option; UsageError where it is no date."""
    try:
        if date.fromisoformat(typed).isoformat() == typed:
            return typed
    except ValueError:
        pass
    raise UsageError(
        tr(
            "{option} must be a date such as 2026-05-17, not {typed}",
            option=option,
            typed=f"{typed!r}",
        )
    )


def today(zone: str) -> str:
    """Return the day that it is now in a time zone; in UTC where the zone is not known here."""
    return outside.moment().astimezone(zone_of(zone)).date().isoformat()


def checked_zone(typed: str) -> str:
    """Return the IANA name of a time zone as typed; without one this machine's, or UTC.

    Raises:
        UsageError: no zone has that name, or this computer has no time zones.
    """
    zone = _iana_name(typed or system.zone_name()) or "UTC"
    if _zone(zone):
        return zone
    if typed and _lacks_zones():
        raise UsageError(
            tr("--time-zone {zone}: {problem}, or choose UTC", zone=zone, problem=tr(_NO_ZONES))
        )
    if typed:
        text = tr(
            "--time-zone must be a name such as Europe/Berlin, W. Europe Standard Time or UTC, "
            "not {typed}",
            typed=repr(typed),
        )
        raise UsageError(text)
    if _lacks_zones():
        say(tr("{problem}: using UTC", problem=tr(_NO_ZONES)))
    else:
        say(tr("the time zone {zone} of this computer is not known: using UTC", zone=zone))
    return "UTC"


_NO_ZONES = marked("this computer has no time zones: install them with `pip install tzdata`")


def _lacks_zones() -> bool:
    from zoneinfo import available_timezones

    return not available_timezones() - {"UTC"}


def _iana_name(name: str) -> str:
    """Return the IANA name for a name of Windows; any other name stays."""
    if " " not in name and not name.startswith(("UTC+", "UTC-")):
        return name
    from importlib.resources import files

    from msgspec import toml

    text = files("cli.input").joinpath("windows_zones.toml").read_text("utf-8")
    names = toml.decode(text, type=dict[str, str])
    return {windows.casefold(): iana for windows, iana in names.items()}.get(name.casefold(), name)


def zone_of(name: str) -> tzinfo:
    """Return the time zone that a log names; UTC where it is not known here."""
    return _zone(name) or UTC


def _zone(name: str) -> tzinfo | None:
    """Return the time zone of that IANA name; None if this computer does not know it."""
    if name == "UTC":  # without any data of zones, too
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name) if _ZONE.fullmatch(name) else None
    except (KeyError, ValueError, OSError):
        return None


def user_name() -> str:
    """Return the user's name on this machine."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "organizer"


def local_time(at: str, zone: str, day: str) -> str:
    """Return a line's clock in a time zone, dated on another day; in UTC for an unknown zone."""
    try:
        moment = datetime.fromisoformat(at).astimezone(zone_of(zone))
    except (ValueError, OverflowError):  # a leap second, among others
        return at[11:19]
    if moment.date().isoformat() == day:
        return moment.strftime("%H:%M:%S")
    return moment.strftime("%m-%d %H:%M")


def time_in(tournament: Tournament, at: str) -> str:
    """Return the clock of a line as `local_time` shows it where the tournament is."""
    opening = tournament.opening
    return local_time(at, opening.time_zone, opening.date) if opening else local_time(at, "UTC", "")


def minute_in(tournament: Tournament, at: str) -> str:
    """Return the same clock without its seconds."""
    clock = time_in(tournament, at)
    return clock[:-3] if clock.count(":") > 1 else clock


At = Annotated[str, shared("--at")]
ClosedRound = Annotated[str, shared("--round")]


class AtRound(NamedTuple):
    """The moment that a view without rounds to choose from is asked for; empty: now."""

    number: ClosedRound = ""
    at: At = ""


NOW = AtRound()

FORMS = marked("SEQ, round:N, posted, a time such as 14:05, or now")

_POSTED = re.compile(r"posted(?::(pairings|standings))?(?::([0-9]{1,6}))?")
_ROUND = re.compile(r"round:([0-9]{1,6})")
_TIME = re.compile(
    r"(?:(\d{4}-\d{2}-\d{2})(?:[T ](?=\d)|\Z))?(?:(\d{1,2}:\d{2})(:\d{2})?)?(Z|[+-]\d{2}:\d{2})?",
    re.ASCII,
)


def look_at(desk: Desk, moment: AtRound) -> Tournament:
    """Open the book at the one moment that a view asks for, and say so; NotFound or UsageError."""
    if moment.at and moment.number:
        raise UsageError(tr("--round and --at are two moments: choose one"))
    typed = f"round:{whole('--round', moment.number, 1)}" if moment.number else moment.at
    return go_to(desk, read_moment(desk, typed)) if typed else desk.book.tournament


def posting_named(table: str, at: str, number: str) -> tuple[bool, int | None]:
    """Return whether `--at` asks for this table as posted, and of which round; None: the latest.

    The round is typed as `posted:standings:3`, or with `--round`.

    Raises:
        UsageError: both name a round.
    """
    posted = _POSTED.fullmatch(at)
    if not posted or posted[1] not in {None, table}:
        return False, None
    if posted[2] and number:
        raise UsageError(tr("--round and --at {at} both name a round: choose one", at=at))
    return True, whole_or_none("--round", posted[2] or number)


AS_OF = marked("as of ")
LOOK_FURTHER = marked("to look further: ")
FOR_TERMINALS = AS_OF, LOOK_FURTHER
"""Beginnings of lines of a past view that pages leave out: they have a form and a heading."""


def go_to(desk: Desk, moment: Moment | None) -> Tournament:
    """Open the book at a moment, None: now, and say so; NotFound without such a one."""
    if moment is not None:
        with _in_local_time(desk):
            desk.go_to(moment)
        if desk.book.is_past:
            shown = event_in_words(desk, desk.book.lines[-1])
            say(
                tr(
                    "{beginning}{event}; now there are {count} events",
                    beginning=tr(AS_OF),
                    event=shown,
                    count=in_figures(desk.book.size),
                )
            )
        elif isinstance(moment, ByClock):
            last = event_in_words(desk, desk.book.lines[-1])
            say(tr("nothing was entered later: this is the current state, after {last}", last=last))
    return desk.book.tournament


@contextmanager
def _in_local_time(desk: Desk) -> Iterator[None]:
    """Say TooEarly in the tournament's time zone, as times are typed."""
    try:
        yield
    except TooEarly as error:
        zone, day = _place(desk)
        begins = local_time(error.begins, zone, day)
        raise NotFound(
            phrase(
                "the log has no event by then: it begins at {begins} ({zone})",
                begins=begins,
                zone=zone,
            )
        ) from None


def event_in_words(desk: Desk, line: bytes) -> str:
    """Say which event a moment is, and its clock: `event 57, 14:05:12`."""
    from ledger.lines.line import decode

    recorded = decode(line)
    zone, day = _place(desk)
    return tr("event {seq}, {time}", seq=recorded.seq, time=local_time(recorded.at, zone, day))


def read_moment(desk: Desk, typed: str) -> Moment | None:
    """Read a moment; None for now; UsageError for other words."""
    posted, closed = _POSTED.fullmatch(typed), _ROUND.fullmatch(typed)
    if typed == "now":
        return None
    if typed.isascii() and typed.isdigit():
        return AfterEvent(whole(tr("a moment"), typed, 1, WHOLE_MAX))
    if closed:
        return RoundEnd(whole(tr("a round"), closed[1], 1))
    if posted:
        return Posting(posted[1] or "", int(posted[2]) if posted[2] else None)
    if is_time(typed):
        return ByClock(_clock(typed, *_place(desk)))
    raise UsageError(
        tr("a moment must be {forms}, not {typed}", forms=tr(FORMS), typed=in_quotes(typed))
    )


def is_moment(typed: str) -> bool:
    """Return whether a text has the form of a moment, and not of the name of a file."""
    is_number = typed.isascii() and typed.isdigit()
    named = typed == "now" or _ROUND.fullmatch(typed) or _POSTED.fullmatch(typed)
    return bool(is_number or named or is_time(typed))


def is_time(typed: str) -> bool:
    """Whether a text has the form of a time."""
    found = _TIME.fullmatch(typed)
    return found is not None and bool(found[1] or found[2])


def _clock(typed: str, zone: str, day: str) -> str:
    """Return the end of a minute, second or day as a line's clock."""
    from datetime import UTC, datetime

    found = _TIME.fullmatch(typed)
    assert found is not None  # noqa: S101 - `is_time` said so
    date, minute, second, offset = found.groups()
    clock = "23:59:59.999" if minute is None else f"{minute:0>5}{second or ':59'}.999"
    try:
        moment = datetime.fromisoformat(f"{date or day}T{clock}{offset or ''}")
        if not offset:  # an hour that the clock shows twice is over the second time
            moment = moment.replace(tzinfo=zone_of(zone), fold=1)
        return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        raise UsageError(tr("{typed} is not a valid time", typed=in_quotes(typed))) from None


def _place(desk: Desk) -> tuple[str, str]:
    """Return the time zone and the day of the tournament, from its first line."""
    from ledger.facts.shared import TournamentOpened
    from ledger.lines.line import decode

    for _, line in desk.store().entries(desk.stream, 0, 1):
        opening = decode(line).event
        if isinstance(opening, TournamentOpened):
            return opening.time_zone, opening.date
    return "UTC", ""


def between(desk: Desk, one: str, other: str) -> tuple[Tournament, Tournament, list[Recorded]]:
    """Return the tournament at two moments, and the events between; NotFound or UsageError."""
    book = desk.book
    seqs = [place_of(desk, typed) for typed in (one, other)]
    places = [event_in_words(desk, book.lines[seq - 1]) for seq in seqs]
    say(tr("from {first}, to {second}", first=places[0], second=places[1]))
    before, after = (book.tournament if seq == book.size else book.at(seq) for seq in seqs)
    return before, after, list(islice(book.recorded(min(seqs)), max(seqs) - min(seqs)))


def place_of(desk: Desk, typed: str) -> int:
    """Return the last event at a typed moment, and leave the book.

    Raises:
        NotFound: the log has no such moment.
        UsageError: the text names none.
    """
    moment = read_moment(desk, typed)
    with _in_local_time(desk):
        return desk.book.place_of(moment) if moment else len(desk.book.lines)


def last_posting(desk: Desk, what: str, number: int | None) -> tuple[Recorded, Posted]:
    """Find the last posting of a kind, and go to the moment that it saw; or NotFound."""
    from ledger.books.open_log import find_posting
    from ledger.facts.rounds import Posted
    from ledger.facts.vocabulary import names_of

    store: Store = desk.store()
    found = find_posting(store.lines_of(desk.stream, names_of(Posted)), what, number)
    desk.go_to(AfterEvent(found[1].up_to))
    return found
