"""Which of the desk's forms make sense now, where that is easily known; the field takes them all.

What answers to the moment is in the part of the page that follows the log, and is one button.
The rest stays where it is: a page that is old by a minute still has it, and hears why not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger.rules.clock import is_paused
from ledger.tournament.progress import check_in_now, latest_round

if TYPE_CHECKING:
    from cli.serve.pages.staff.line_forms import LineForm
    from ledger.tournament.state import Tournament

    Sense = Callable[[Tournament], bool]


def _stands_still(tournament: Tournament) -> bool:
    played = latest_round(tournament)
    return bool(played and played.status == "started" and is_paused(tournament, played.number))


def _is_check_in_open(tournament: Tournament) -> bool:
    check_in = check_in_now(tournament)
    return bool(check_in and not check_in.closed)


def _is_place_free(tournament: Tournament) -> bool:
    """Whether somebody left the cut, and somebody is left to ask."""
    cut = tournament.pending_cut()
    return bool(cut and cut.vacancies and cut.waiting and not cut.rounds)


ANSWERING: MappingProxyType[str, Sense] = MappingProxyType(
    {
        "resume": _stands_still,
        "cut-accept": _is_place_free,
        "cut-decline": _is_place_free,
        "check-in-close": _is_check_in_open,
    }
)
"""By the form's name, when it is one that answers to the moment."""

DUE = frozenset({"round-start", "pair", "cut", "finish"})
"""Those that are one step of the day: each is there when it is the next, and at no other time."""

_WITHOUT: MappingProxyType[str, Sense] = MappingProxyType(
    {"pause": _stands_still, "check-in-open": _is_check_in_open}
)
"""When a form would only hear that it is so already."""


def due(step: str, forms: Iterable[LineForm]) -> list[LineForm]:
    """Return the form of what comes next, where one button is all that it takes."""
    return [each for each in forms if each.name in DUE and step.startswith(f"next: {each.line}")]


def answering(tournament: Tournament, forms: Iterable[LineForm]) -> list[LineForm]:
    """Return those forms that answer to the moment, and make sense now."""
    return [each for each in forms if each.name in ANSWERING and ANSWERING[each.name](tournament)]


def lasting(tournament: Tournament, forms: Iterable[LineForm]) -> list[LineForm]:
    """Return the forms that are there at any time, without what is so already."""
    return [
        each
        for each in forms
        if each.name not in ANSWERING
        and each.name not in DUE
        and not (each.name in _WITHOUT and _WITHOUT[each.name](tournament))
    ]
