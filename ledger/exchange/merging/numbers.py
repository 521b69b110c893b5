"""Translate numbers of the other log to numbers of this log: persons, matches, links, events.

Things of the common beginning keep their numbers. A later thing has the number of the event that
entered it in this log. A match is identified by its round and its two players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_type_hints

from ledger.errors import Refused
from ledger.facts.base import Seat, Text
from ledger.facts.keys import LinkIssued
from ledger.facts.opening import OfficialAppointed
from ledger.facts.people import PlayerRegistered
from ledger.facts.vocabulary import EVENTS
from ledger.problems import Table, marked, problem
from ledger.tournament.state import Match, Tournament
from ledger.tournament.table_records import link_in

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded

Kind: TypeAlias = Literal["player", "official", "person", "match", "link", "event"]
"""The kind of thing that a number, or a text such as `p7`, names."""

_BY_MEMBER: Mapping[str, Kind] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                "player",
                "players",
                "leaver",
                "entrant",
                "chooser",
                "blue",
                "seeds",
                "waiting",
                "passed_over",
                "games",
                "were",
                "game",
                "was",
                "groups",
                "byes",
            ),
            "player",
        ),
        **dict.fromkeys(("official", "hands_to", "reviewer", "holder"), "official"),
        **dict.fromkeys(
            (
                "corrects",
                "confirms",
                "disputes",
                "ruling",
                "reviews",
                "settles",
                "withdraws",
                "recommendation",
                "list",
                "audit",
                "call",
                "asked",
            ),
            "event",
        ),
        "of": "person",
        "match": "match",
        "link": "link",
    }
)
"""The kind of thing that a member of an event names, if the name of the member is enough."""


def _named(kind: type[Event], member: str) -> Kind | None:
    """Return the kind of thing that a member of an event type names, or None."""
    if member == "first" and "chooser" in kind.__struct_fields__:
        return "player"
    hint = get_type_hints(kind, include_extras=True)[member]
    if hint == Text:
        return None
    return "player" if hint == Seat and member == "asked" else _BY_MEMBER.get(member)


def named_by(kind: type[Event]) -> dict[str, Kind]:
    """Return the members of an event type that name a thing, each with the kind of thing."""
    named = {member: _named(kind, member) for member in kind.__struct_fields__}
    return {member: thing for member, thing in named.items() if thing is not None}


NAMED: Mapping[type[Event], Mapping[str, Kind]] = MappingProxyType(
    {kind: named_by(kind) for kind in EVENTS.values()}
)
"""The kinds of things that the members of every event name."""


_ID_MAX = 57
"""Characters of an id that leave room for the number of a further event."""

ENTERED = (PlayerRegistered, OfficialAppointed)
"""Events that enter a person; only the name identifies the person."""


def enters_somebody(tournament: Tournament, event: Event) -> bool:
    """Return whether an event enters a person whom the tournament does not have yet."""
    if isinstance(event, PlayerRegistered):
        return event.player >= len(tournament.players)
    if isinstance(event, OfficialAppointed):
        return event.official >= len(tournament.officials)
    return False


class MatchHere(NamedTuple):
    """A match of this log, and whether its two players sit in the opposite order there."""

    number: int
    is_turned: bool


@dataclass
class Numbers:
    """The numbers of things after the common beginning, in the other log and in this log."""

    common: int
    """Number of lines that both logs begin with."""

    commonly: Mapping[Kind, int]
    """Number of persons and links of each kind in the common beginning."""

    later: dict[Kind, dict[int, int]] = field(default_factory=dict)
    """By kind, the number in this log for each later number of the other log."""

    def copied(self) -> Numbers:
        """Return a copy of the numbers, which grows separately."""
        return replace(self, later={kind: dict(pairs) for kind, pairs in self.later.items()})

    def note(self, kind: Kind, there: int, here: int) -> None:
        """Record the number in this log for a number of the other log."""
        self.later.setdefault(kind, {})[there] = here

    def learn(self, theirs: Recorded, ours: Recorded) -> None:
        """Record the numbers of an event that both logs have."""
        self.note("event", theirs.seq, ours.seq)
        there, here = theirs.event, ours.event
        if isinstance(there, PlayerRegistered) and isinstance(here, PlayerRegistered):
            self.note("player", there.player, here.player)
        elif isinstance(there, OfficialAppointed) and isinstance(here, OfficialAppointed):
            self.note("official", there.official, here.official)
        elif isinstance(there, LinkIssued) and isinstance(here, LinkIssued):
            self.note("link", there.link, here.link)

    def here(self, kind: Kind, there: int) -> int:
        """Return the number in this log for a number of the other log.

        Raises:
            Refused: this log does not have the thing that the number names.
        """
        size = self.common if kind == "event" else self.commonly[kind]
        if there <= size:
            return there
        number = self.later.get(kind, {}).get(there)
        if number is None:
            raise Refused(_MISSING[kind](there))
        return number

    def person(self, there: str) -> str:
        """Return the text in this log for a person of the other log, such as `p7` or `o2`.

        Raises:
            Refused: this log does not have the person.
        """
        kinds: dict[str, Kind] = {"p": "player", "o": "official"}
        kind = kinds.get(there[:1])
        return f"{there[0]}{self.here(kind, int(there[1:]))}" if kind else there

    def author(self, there: str) -> str:
        """Return the author of a line, with the numbers of this log.

        Raises:
            Refused: this log does not have the author.
        """
        return "/".join(map(self.person, there.split("/")))

    def command_id(self, there: str) -> str:
        """Return the id of an act in this log: the same id, except for the number of its link.

        If this log does not have the link, the id no longer names a link.
        """
        link = link_in(there)
        if link <= self.commonly["link"]:
            return there
        here = self.later.get("link", {}).get(link)
        if here is None:
            return f"m{there}"[:_ID_MAX]
        return f"w{here}-{there.partition('-')[2]}"

    def match(self, there: Tournament, here: Tournament, number: int) -> MatchHere:
        """Find a match of theirs in this log.

        Raises:
            Refused: the two players do not play each other in that round of this log.
        """
        is_match = 0 < number < len(there.matches)
        theirs = there.matches[number] if is_match else None
        if theirs is None or theirs.void:
            raise Refused(problem("merge.no_match", "the match was unpaired at the other desk"))
        players = tuple(self.here("player", seat) if seat else 0 for seat in _seats(theirs))
        same = number if number < len(here.matches) else 0
        for match in (here.matches[same], *_matches_of(here, theirs.round)):
            if match.void or match.round != theirs.round:
                continue
            if _seats(match) in {players, players[::-1]}:
                return MatchHere(match.number, _seats(match) != players)
        text = marked(
            "the two players of {table} at the other desk do not play each other in that round"
        )
        raise Refused(problem("merge.other_players", text, table=Table(theirs.round, theirs.table)))


def _seats(match: Match) -> tuple[int, ...]:
    return match.first, match.second


def _matches_of(tournament: Tournament, number: int) -> list[Match]:
    return tournament.rounds[number - 1].matches if number <= len(tournament.rounds) else []


def numbers_behind(common: Tournament) -> Numbers:
    """Return the numbers at the end of the common beginning, equal in both logs."""
    commonly: dict[Kind, int] = {
        "player": len(common.players) - 1,
        "official": len(common.officials) - 1,
        "link": max(common.floor.links, default=0),
    }
    return Numbers(common.seq, commonly)


def _player(number: int) -> Any:  # noqa: ANN401
    text = marked("player {number} of the other desk is not registered here")
    return problem("merge.no_player", text, number=number)


def _official(number: int) -> Any:  # noqa: ANN401
    text = marked("official {number} of the other desk is not appointed here")
    return problem("merge.no_official", text, number=number)


def _link(number: int) -> Any:  # noqa: ANN401
    return problem("merge.no_link", "link {number} of the other desk is not here", number=number)


def _event(number: int) -> Any:  # noqa: ANN401
    text = marked("event {event} of the other desk, to which it refers, did not land here")
    return problem("merge.no_event", text, event=number)


_MISSING: Mapping[Kind, Callable[[int], Any]] = MappingProxyType(
    {"player": _player, "official": _official, "link": _link, "event": _event}
)
