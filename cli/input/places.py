"""The date, the time zone and the user of this machine, and their forms when typed."""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from cli.input.arguments import UsageError
from cli.terminal.output import say

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from ledger.tournament.state import Tournament

_ZONE = re.compile(r"[A-Za-z0-9_+-]{1,20}(/[A-Za-z0-9_+-]{1,20}){0,2}")
_LOCALTIME = Path("/etc/localtime")
_TIMEZONE = Path("/etc/timezone")


def checked_date(typed: str, option: str = "--date") -> str:
    """Return the date as typed with an option; UsageError where it is no date."""
    try:
        if date.fromisoformat(typed).isoformat() == typed:
            return typed
    except ValueError:
        pass
    raise UsageError(f"{option} is a day, as 2026-05-17, not {typed!r}")


def today(zone: str) -> str:
    """Return the day that it is now in a time zone; in UTC where the zone is not known here."""
    return datetime.now(UTC).astimezone(zone_of(zone)).date().isoformat()


def checked_zone(typed: str) -> str:
    """Return the time zone as typed, or UsageError; else this machine's, or UTC."""
    if typed:
        if not _zone(typed):
            raise UsageError(f"--time-zone is a name such as Europe/Berlin or UTC, not {typed!r}")
        return typed
    named = _machine_zone() or "UTC"
    if named != "UTC" and not _zone(named):
        say(f"this machine's time zone has no name that is known here: UTC; not {named}")
        return "UTC"
    return named


def zone_of(name: str) -> tzinfo:
    """Return the time zone that a log names; UTC where it is not known here."""
    return _zone(name) or UTC


def _zone(name: str) -> ZoneInfo | None:
    """Return the time zone of that IANA name; None where it is not known here."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name) if _ZONE.fullmatch(name) else None
    except (KeyError, ValueError, OSError):
        return None


def _machine_zone() -> str:
    """Return what this machine calls its time zone; empty where it does not tell."""
    named = os.environ.get("TZ", "").lstrip(":")
    if not named and _TIMEZONE.is_file():
        named = _TIMEZONE.read_text("utf-8", "replace").strip()
    if not named and _LOCALTIME.is_symlink():
        named = str(_LOCALTIME.resolve()).partition("zoneinfo/")[2]
    return named


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
