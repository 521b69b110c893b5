"""What every command has in common; what it is handed beside the state, and what it names there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypeVar

from msgspec import Struct, field

from ledger.errors import NoDrawKey, NotFound, Refused
from ledger.facts.base import Event
from ledger.lines.line import as_stored
from ledger.lines.recorded import Recorded
from ledger.pairing.shuffling import Draws
from ledger.problems import Phrase, Problem, marked, phrase, problem, remedy
from ledger.proof.formats import Tree
from ledger.rules.references import no_official, no_player
from ledger.tournament.progress import find_match, find_player, no_match, round_in_play
from ledger.tournament.state import Match, Official, Player, Round, Tournament
from ledger.tournament.table_records import Ruling

Thing = TypeVar("Thing")
Happened = TypeVar("Happened", bound=Event)


class Seen(Struct, frozen=True):
    """The matches that the words of an act named, and the event up to which they were known."""

    matches: tuple[int, ...]
    seq: int


class Command(Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    """What somebody asks for, in numbers: it becomes events, or is refused with a reason.

    `seen`: it is meant for these matches as they were then, and for no others. A program sends it
    as JSON, its class's name under `type`.
    """

    says: ClassVar[type[Event]]
    """The event that it comes to, where it only puts on record what it has itself."""

    seen: Seen | None = None

    def was_before(self, seq: int) -> bool:
        """Return whether the command comes from a page that was older than an event."""
        return self.seen is not None and not self.seen.matches and self.seen.seq < seq

    def decide(self, tournament: Tournament, _context: Context, _by: str) -> Iterator[Event]:
        """Propose the events that the command comes to, one after the other.

        Each is admitted before the next one is proposed, so a decision always looks at the state
        that its earlier events have made. Where what is asked for is so already, it proposes
        nothing: asking twice is no error. Refused where nothing sensible can be proposed.
        """
        if player := getattr(self, "player", 0):
            registered_player(tournament, player)
        if match := getattr(self, "match", 0):
            match_of(tournament, match)
        yield event_of(self.says, self)


def event_of(kind: type[Happened], command: Command, **others: Any) -> Happened:  # noqa: ANN401
    """Make an event of the command's members that it has as well, and of others."""
    shared = set(kind.__struct_fields__) & set(command.__struct_fields__)
    return kind(**{name: getattr(command, name) for name in shared} | others)


class Context(Struct, frozen=True):
    """The ranking of the players, best first, and the secrets of the log.

    It is handed in, so that deciding stays a pure function.
    """

    ranking: Callable[[Tournament], list[int]]
    shuffle_key: bytes
    engine: str
    hidden_key: bytes = b""
    """The secret that battle cards and hidden hands are sealed with."""

    sign: Callable[[Tournament, Recorded, bytes], Recorded] | None = None
    """What signs the acts that need it, behind a tree's root, with the keys that are at hand."""

    sign_head: Callable[[bytes], bytes] | None = None
    """What signs the head of the start with the log's key, where that is at hand."""

    seal: Callable[[Recorded], Recorded] = as_stored
    """What seals an event's texts as its line has them."""

    lacks: Phrase | str = ""
    """Why there is no shuffle key, if there is no key."""

    machine: str = ""
    """The machine that has the shuffle key as a file, where it is at no other desk."""

    lacks_hidden: Phrase | str = ""
    """Why there is no hidden key, if there is no key."""

    tree: Tree = field(default_factory=Tree)
    """The tree of every line before the act; each line that is admitted goes in as stored."""

    added: list[bytes] = []
    """The lines that were admitted."""

    def draws(self, tournament: Tournament, procedure: str, *context: int) -> Draws:
        """Return the source of one draw; NoDrawKey where the tournament's key is not here."""
        is_round = procedure.startswith(("swiss", "elimination"))
        there = phrase("pair there") if is_round else phrase("do it there")
        key = self._shuffle(phrase("nothing can be drawn"), there)
        return Draws(key, procedure, *context, word=tournament.word, anchor=tournament.anchor)

    def key_to_seal_with(self) -> bytes:
        """Return what hidden information is sealed with; Refused where it could not be opened."""
        return self._hidden(phrase("nothing can be sealed (SWL-HIDDEN)"))

    def keys_to_reveal(self, tournament: Tournament) -> tuple[str, str]:
        """Return the shuffle key and the hidden key, in hex; Refused where one is not here.

        Both are empty where the log commits to none.
        """
        if not tournament.draw_keys:
            return "", ""
        so = phrase("it cannot be revealed")
        return self._shuffle(so, phrase("finish there")).hex(), self._hidden(so).hex()

    def _shuffle(self, so: Phrase, there: Phrase) -> bytes:
        if self.shuffle_key:
            return self.shuffle_key
        if self.machine:
            text = marked(
                "{lacks}: {there}; if that computer is lost, put a copy of its key file on this one"
            )
            instead = remedy("key.draws")
            lacks = self.lacks
            raise NoDrawKey(
                problem("draw_key.elsewhere", text, remedy=instead, lacks=lacks, there=there)
            )
        text = marked(
            "{lacks}, so {so}: use the store that has the key, or restore the key from a "
            "backup; with a new key, earlier draws can never be verified"
        )
        way, lacks = remedy("key.draws"), self.lacks
        raise NoDrawKey(problem("draw_key.missing", text, remedy=way, lacks=lacks, so=so))

    def _hidden(self, so: Phrase) -> bytes:
        if self.hidden_key:
            return self.hidden_key
        text = marked(
            "{lacks}, so {so}: use the store that has the key, or restore the key from a "
            "backup; with a new key, data sealed earlier can never be opened"
        )
        way, lacks = remedy("key.hidden"), self.lacks_hidden
        raise Refused(problem("hidden_key.missing", text, remedy=way, lacks=lacks, so=so))


def _known(thing: Thing | None, otherwise: Problem) -> Thing:
    if thing is None:
        raise NotFound(otherwise)
    return thing


def registered_player(tournament: Tournament, number: int) -> Player:
    """Return the player of that number."""
    return _known(find_player(tournament, number), no_player(number))


def official_of(tournament: Tournament, number: int) -> Official:
    """Return the official of that number."""
    found = tournament.officials[number : number + 1] if number > 0 else []
    return _known(next(iter(found), None), no_official(number))


def match_of(tournament: Tournament, number: int) -> Match:
    """Return the match of that number, unless its pairing was taken back."""
    return _known(find_match(tournament, number), no_match(number))


def ruling_of(tournament: Tournament, seq: int) -> Ruling:
    """Return the ruling of an event."""
    no_ruling = problem("ruling.none", "event {seq} is not a ruling", seq=seq)
    return _known(tournament.floor.ruling(seq), no_ruling)


def this_round(tournament: Tournament) -> Round:
    """Return the round in play; Refused where none is."""
    found = round_in_play(tournament)
    if found is None:
        raise Refused(problem("round.none", "no round is in play", remedy=remedy("pair")))
    return found
