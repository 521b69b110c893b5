"""Words for people on pages of the hall: the holders of links, and the public part of names.

The organizer chooses how much of a name public pages show, and the log records the choice. Such a
page uses a copy of the state with shortened names, so that no table on the page can show more.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING
from unicodedata import name as unicode_name
from unicodedata import normalize

from cli.input.arguments import choice
from cli.input.find_people import is_nameless, labelled
from cli.languages.speaking import language, marked, tr
from cli.terminal.visible import how_many
from cli.wording.phrases import (
    Phrase,
    because,
    official_in_words,
    phrase,
    safe_text,
    table_in_words,
)
from ledger.facts import keys, office, opening, rounds
from ledger.facts.shared import JudgeCalled, RegistrationAsked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.facts.base import Event, PublicNames
    from ledger.tournament.state import Tournament


def link_holder(tournament: Tournament, of: str) -> str:
    """Name the holder of a link: a player, an official, a screen, or registration."""
    number = int(of[1:])
    if of.startswith("p"):
        return labelled(tournament, number)
    if of.startswith("e"):
        return tr("registration")
    if of.startswith("o"):
        return official_in_words(tournament, number)
    return tr("screen {number}", number=number)


def browsers_in_words(browsers: Iterable[tuple[str, str]]) -> str:
    """List browsers, each with the time since when it is let in, and what it calls itself."""
    return ", ".join(
        tr("{browser} since {since}", browser=agent, since=since) for since, agent in browsers
    )


def _revoked(event: keys.LinkRevoked, tournament: Tournament) -> str:
    link = tournament.floor.links.get(event.link)
    of_holder = marked("revoked link {link} of {holder}{reason}")
    return tr(
        of_holder if link else marked("revoked link {link}{reason}"),
        link=event.link,
        holder=link_holder(tournament, link.of) if link else "",
        reason=because(event.reason),
    )


def _plain_http(event: keys.PlainHttpChosen, _: Tournament) -> str:
    plain = marked("officials act in the hall over plain HTTP too{reason}")
    safe = marked("officials act in the hall only over loopback or TLS{reason}")
    return tr(plain if event.allowed else safe, reason=because(event.reason))


LINK_WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        keys.LinkIssued: phrase(
            "issued link {link} to {of}",
            of=lambda event, tournament: link_holder(tournament, event.of),
        ),
        keys.LinkRevoked: _revoked,
        keys.PlainHttpChosen: _plain_http,
        keys.LinksGuessed: phrase(
            "unknown links were tried {times}{origin}",
            times=lambda event, _: how_many(event.tries, "time"),
            origin=lambda event, _: because(event.origin),
        ),
    }
)


def call_in_words(event: JudgeCalled, tournament: Tournament) -> str:
    """Say who calls a judge, from where and why."""
    who = labelled(tournament, event.player) if event.player else tr("the desk")
    to_table = marked("{who} calls a judge to table {table}{reason}")
    return tr(
        to_table if event.match else marked("{who} calls a judge{reason}"),
        who=who,
        table=table_in_words(tournament, event.match) if event.match else "",
        reason=because(event.reason),
    )


def _asked(event: RegistrationAsked, _: Tournament) -> str:
    said = f", {safe_text(event.faction)}" if event.faction else ""
    said += tr(", league id {text}", text=safe_text(event.league_id)) if event.league_id else ""
    return tr("{name} asks to be registered{more}", name=safe_text(event.name), more=said)


def _answered(event: opening.RegistrationAnswered, tournament: Tournament) -> str:
    if event.player:
        return tr(
            "request {asked} accepted: {player}",
            asked=event.asked,
            player=labelled(tournament, event.player),
        )
    return tr("request {asked} refused{reason}", asked=event.asked, reason=because(event.reason))


DOOR_WORDS: Mapping[type[Event], Phrase] = MappingProxyType(
    {
        rounds.CheckInOpened: phrase("check-in is open"),
        rounds.CheckedIn: phrase("{player} checked in"),
        rounds.CheckInClosed: phrase("check-in is closed"),
        JudgeCalled: call_in_words,
        office.CallAnswered: lambda event, tournament: tr(
            "{official} answers call {call}",
            official=official_in_words(tournament, event.official),
            call=event.call,
        ),
        RegistrationAsked: _asked,
        opening.RegistrationAnswered: _answered,
    }
)
"""Words for check-ins, requests to be registered and calls for a judge."""


SHOWN: tuple[PublicNames, ...] = ("full", "short", "number")
SHOWN_IN_WORDS: Mapping[PublicNames, str] = MappingProxyType(
    {"short": marked("Ann L."), "full": marked("Ann Lee"), "number": marked("numbers only")}
)
"""Each choice as forms and pages name it, in the order in which forms offer them."""


def shown_named(typed: str) -> PublicNames:
    """Return the choice that was typed.

    Raises:
        UsageError: the word is not a choice.
    """
    return choice(typed, SHOWN, tr("public name"))


def public_view(tournament: Tournament) -> Tournament:
    """Return the state with only the public part of each name."""
    if tournament.public_names == "full":
        return tournament
    view = copy(tournament)
    view.names = _LATEST.of(tournament)
    return view


class _Latest:
    """The latest shortened names, which every reader shares until the next event."""

    def __init__(self) -> None:
        self._of: tuple[dict[str, str], int] = ({}, 0)
        self._cut: dict[str, dict[str, str]] = {}
        """By language: a number has a word before it."""

    def of(self, tournament: Tournament) -> dict[str, str]:
        """Return the names of a state, cut; never those of another state's."""
        names, seq = self._of
        if names is not tournament.names or seq != tournament.seq:
            self._cut = {}
            self._of = tournament.names, tournament.seq
        if language() not in self._cut:
            by_number = tournament.public_names == "number"
            self._cut[language()] = _numbers(tournament) if by_number else _short(tournament)
        return self._cut[language()]


_LATEST = _Latest()


def _numbers(tournament: Tournament) -> dict[str, str]:
    return {
        of: name if of in tournament.forgotten else numbered(of)
        for of, name in tournament.names.items()
    }


def numbered(of: str) -> str:
    """Return a person as a number: `player 7`, `official 1`."""
    if of.startswith("p"):
        return tr("player {number}", number=of[1:])
    return tr("official {number}", number=of[1:])


def _short(tournament: Tournament) -> dict[str, str]:
    """Shorten names; names that become equal keep more letters, or have a number."""
    names = {of: name for of, name in tournament.names.items() if not is_nameless(tournament, of)}
    found = {**tournament.names, **{of: short(name) for of, name in names.items()}}
    letters = 1
    while alike := _alike(found, names):
        letters += 1
        longer = {of: short(names[of], letters) for of in alike}
        if all(found[of] == name for of, name in longer.items()):
            return found | {of: f"{found[of]} #{of[1:]}" for of in alike}
        found |= longer
    return found


def _alike(shown: Mapping[str, str], names: Mapping[str, str]) -> list[str]:
    """Return the persons with a name whose shown name another person also has."""
    often = Counter(shown.values())
    return [of for of in names if often[shown[of]] > 1]


NAMES_KEPT = 20_000
"""Names that were cut short before: every act asks for those of the whole field."""

SHORTENED = ("LATIN", "GREEK", "CYRILLIC")
"""Scripts in which a first letter can abbreviate a name; other names stay whole."""


@lru_cache(NAMES_KEPT)
def short(name: str, letters: int = 1) -> str:
    """Return the first name and the first letters of the last one: `Ann L.`; `Player 7` stays."""
    last, comma, first = name.partition(",")
    words = normalize("NFC", f"{first} {last}" if comma and first.strip() else name).split()
    if len(words) < 2 or not words[-1][0].isalpha() or not _is_shortened("".join(words)):  # noqa: PLR2004
        return " ".join(words)
    whole, cut = words[-1], words[-1][:letters]
    return f"{words[0]} {whole}" if cut == whole and letters > 1 else f"{words[0]} {cut}."


def _is_shortened(text: str) -> bool:
    letters = (letter for letter in text if letter.isalpha())
    return all(unicode_name(letter, "").startswith(SHORTENED) for letter in letters)
