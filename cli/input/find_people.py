"""Players and officials by the words that a person types.

A number, `7` or `#7`, is the player's number. Anything else is a part of the name, whatever its
case and accents; the whole name wins over a part of another. Several: refused with the candidates.
"""

from __future__ import annotations

import re
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar
from unicodedata import combining, normalize

from cli.languages.speaking import tr, tr_many
from cli.terminal.visible import in_quotes, isolated, shortened, visible
from ledger.errors import NotFound
from ledger.facts.people import name_key
from ledger.problems import Phrase, phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.tournament.state import Tournament

CANDIDATES_MAX = 8
"""How many candidates a refusal lists."""

NAME_CELLS = 40

_NUMBER = re.compile(r"#?([0-9]{1,6})")
_OFFICIAL = re.compile(r"(?:o|#)?([0-9]{1,6})")

_OFFICIAL_NUMBER = re.compile(r"o[0-9]{1,4}")

_ROWS = frozenset(
    {"tables", "claims", "missing", "findings", "corrections", "moved", "disputes", "notes"}
)
"""The members whose rows have names, too."""

_UNACCENTED = str.maketrans(
    {**dict(zip("øłđðħ\u0131", "olddhi", strict=True)), "æ": "ae", "œ": "oe", "þ": "th"}
)
"""Letters that Unicode does not take apart, as people type them without."""


def plain(text: str) -> str:
    """Return a text as it is compared: no accents, no case, single spaces."""
    if text.isascii():
        return " ".join(text.lower().split())
    apart = normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in apart if not combining(letter))
    return " ".join(bare.translate(_UNACCENTED).split())


def numbers_by_name(tournament: Tournament) -> dict[str, list[int]]:
    """Return the numbers of registered players by what their names are compared by."""
    numbers: dict[str, list[int]] = {}
    for player in tournament.registered():
        numbers.setdefault(name_key(name_of(tournament, player.number)), []).append(player.number)
    return numbers


def name_of(tournament: Tournament, player: int) -> str:
    """Return a player's name, exactly as recorded."""
    return tournament.names.get(f"p{player}", f"player {player}")


def shown_name(tournament: Tournament, player: int) -> str:
    """Return a player's whole name, visible, and marked while a page is written.

    A player whose name another player also has is shown with the number: `Ann Lee #7`.
    """
    return f"{bare_name(tournament, player)}{number_behind(tournament, player)}"


def bare_name(tournament: Tournament, player: int) -> str:
    """Return a player's whole name as `shown_name` does, for places that show the number."""
    return isolated(visible(name_of(tournament, player)))


def has_namesakes(tournament: Tournament) -> bool:
    """Return whether several players have the same name."""
    return bool(_NAMESAKES.of(tournament))


def number_behind(tournament: Tournament, player: int) -> str:
    """Return what follows a name that several players have: ` #7`; nothing after other names."""
    return f" #{player}" if player in _NAMESAKES.of(tournament) else ""


class _Namesakes:
    """The players who share a name, of the states that were asked for latest."""

    def __init__(self) -> None:
        self._latest: deque[tuple[dict[str, str], int, frozenset[int]]] = deque(maxlen=STATES_KEPT)

    def of(self, tournament: Tournament) -> frozenset[int]:
        """Return the numbers of the registered players whose name another one has, too."""
        for names, seq, numbers in self._latest:
            if names is tournament.names and seq == tournament.seq:
                return numbers
        named = numbers_by_name(tournament).values()
        numbers = frozenset(number for same in named if len(same) > 1 for number in same)
        self._latest.append((tournament.names, tournament.seq, numbers))
        return numbers


STATES_KEPT = 4
_NAMESAKES = _Namesakes()


def with_names(tournament: Tournament, value: Mapping[str, object]) -> dict[str, object]:
    """Put names beside the numbers of a value for scripts, and of the rows in it.

    `name` after `player`, `names` after `players`; null where the number is nobody's.
    """
    made: dict[str, object] = {}
    for member, each in value.items():
        if member in _ROWS and isinstance(each, list):
            made[member] = [
                with_names(tournament, row) if isinstance(row, dict) else row for row in each
            ]
            continue
        made[member] = each
        if member == "player":
            made["name"] = name_of(tournament, each) if isinstance(each, int) and each else None
        elif member == "players" and isinstance(each, list | tuple):
            made["names"] = [name_of(tournament, one) if one else None for one in each]
    return made


def labelled(tournament: Tournament, player: int) -> str:
    """Return name and number, short and safe to show: `Ann Lee (#7)`."""
    return f"{bare_cut(tournament, player, NAME_CELLS)} (#{player})"


def labels(tournament: Tournament, players: Iterable[int], between: str = ", ") -> str:
    """Return names and numbers of several players, in their order."""
    return between.join(labelled(tournament, player) for player in players)


def short_name(tournament: Tournament, player: int) -> str:
    """Return the name, short and safe to show; marked while a page is written."""
    return cut_name(tournament, player, NAME_CELLS)


def cut_name(tournament: Tournament, player: int, width: int) -> str:
    """Return the name in at most so many cells, safe to show; marked while a page is written.

    The number of a player whose name another player also has remains whole.
    """
    number = number_behind(tournament, player)
    return f"{bare_cut(tournament, player, width - len(number))}{number}"


def bare_cut(tournament: Tournament, player: int, width: int) -> str:
    """Return the name as `cut_name` does, for places that show the number."""
    return isolated(shortened(visible(name_of(tournament, player)), width))


def quoted(tournament: Tournament, player: int) -> str:
    """Return words that a person can type for a player: the name, where it is plainly theirs."""
    name = name_of(tournament, player)
    if is_nameless(tournament, f"p{player}"):
        return str(player)
    namesakes = [
        each.number
        for each in tournament.registered()
        if plain(name_of(tournament, each.number)) == plain(name)
    ]
    is_plain = all(letter.isalnum() or letter in " .-'" for letter in name)
    is_short = len(name) <= NAME_CELLS and not name.startswith("-")
    if is_plain and is_short and len(namesakes) == 1 and not _NUMBER.fullmatch(name):
        return f'"{name}"'
    return str(player)


def find_player(tournament: Tournament, words: str) -> int:
    """Find the one registered player that the words name; NotFound lists who may be meant."""
    number = _NUMBER.fullmatch(words.strip())
    if number:
        if 0 < int(number[1]) < len(tournament.players):
            return int(number[1])
        raise NotFound(
            phrase("no player {typed}: {hint}", typed=words.strip(), hint=_how_many(tournament))
        )
    names = _names_sought(tournament, (player.number for player in tournament.registered()))
    found = _named(names, words)
    if len(found) == 1:
        return found[0]
    if found:
        listed = _listed(tournament, found)
        raise NotFound(
            phrase(
                "{typed} could be {listed}: type more of the name, or the number",
                typed=in_quotes(words),
                listed=listed,
            )
        )
    raise NotFound(
        phrase(
            "no player {typed}: {hint}",
            typed=in_quotes(words),
            hint=_nearest(tournament, names, words),
        )
    )


def find_at_table(tournament: Tournament, players: Iterable[int], words: str) -> int:
    """Find the one of these players that the words name; NotFound lists who sits there."""
    seated = tuple(players)
    number = _NUMBER.fullmatch(words.strip())
    if number and int(number[1]) in seated:
        return int(number[1])
    named = _named(_names_sought(tournament, seated), words)
    if len(named) == 1:
        return named[0]
    here = labels(tournament, seated, tr(" and "))
    if named:
        raise NotFound(phrase("{typed} could be both: {here}", typed=in_quotes(words), here=here))
    raise NotFound(
        phrase(
            "{sentence}; this table has {here}",
            sentence=_elsewhere(tournament, seated, words),
            here=here,
        )
    )


def _elsewhere(tournament: Tournament, seated: tuple[int, ...], words: str) -> Phrase:
    """Say where a player sits who is not at this table, if the words name one player."""
    with suppress(NotFound):
        player = find_player(tournament, words)
        for round_ in reversed(tournament.rounds):
            tables = {each.players: each.table for each in round_.matches}
            if seated in tables:
                at = [table for players, table in tables.items() if player in players]
                player_label, number = labelled(tournament, player), round_.number
                if at:
                    return phrase(
                        "{player} sits at table {table}, not at this one",
                        player=player_label,
                        table=at[0],
                    )
                return phrase(
                    "{player} does not sit at any table of round {round}",
                    player=player_label,
                    round=number,
                )
    return phrase("{typed} does not sit at this table", typed=in_quotes(words))


def find_official(tournament: Tournament, words: str) -> int:
    """Find the one official that the words name; NotFound lists them all."""
    number = _OFFICIAL.fullmatch(words.strip())
    if number and 0 < int(number[1]) < len(tournament.officials):
        return int(number[1])
    names = official_names(tournament)
    sought = {each: name for each, name in names.items() if f"o{each}" not in tournament.forgotten}
    found = _named(sought, words)
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{isolated(visible(name))} (o{number})" for number, name in names.items())
    listed = known or phrase("no official is appointed")
    typed = in_quotes(words)
    if found:
        text = phrase("{typed} could be several officials: {known}", typed=typed, known=listed)
        raise NotFound(text)
    raise NotFound(phrase("{typed} is not an official: {known}", typed=typed, known=listed))


def find_person(tournament: Tournament, words: str) -> str:
    """Find a player by words, or an official by `o2`; returns `p7` or `o2`; or NotFound."""
    if _OFFICIAL_NUMBER.fullmatch(words):
        return f"o{find_official(tournament, words)}"
    return f"p{find_player(tournament, words)}"


def official_names(tournament: Tournament) -> dict[int, str]:
    """Return the officials' names by their number."""
    return {
        number: tournament.names.get(f"o{number}", f"official {number}")
        for number in range(1, len(tournament.officials))
    }


def _names_sought(tournament: Tournament, players: Iterable[int]) -> dict[int, str]:
    """The names that words can mean: not what is shown of the forgotten."""
    return {
        player: name_of(tournament, player)
        for player in players
        if not is_nameless(tournament, f"p{player}")
    }


def is_nameless(tournament: Tournament, of: str) -> bool:
    """Whether nobody can read the name of `p7` or `o2`: it is sealed here, or forgotten."""
    kind = "player" if of.startswith("p") else "official"
    is_unread = tournament.names.get(of, "").startswith(f"{kind} {of[1:]} (name ")
    return is_unread or of in tournament.forgotten


Named = TypeVar("Named")


def called(names: Mapping[Named, str], words: str) -> list[Named]:
    """Return what has exactly this name, of players, officials, tournaments or persons.

    The exact spelling wins, then the same letters in another case, then without accents.
    """
    for form in (str, name_key, plain):
        sought = form(words)
        if sought and (matching := [key for key, name in names.items() if form(name) == sought]):
            return matching
    return []


def _named(names: Mapping[int, str], words: str) -> list[int]:
    """Return who has this name; else who has it as a part; else all its words as parts."""
    found, sought = called(names, words), plain(words)
    if found or not sought:
        return found
    known = {number: plain(name) for number, name in names.items()}
    parts = [number for number, name in known.items() if sought in name]
    return parts or [
        number for number, name in known.items() if all(word in name for word in sought.split())
    ]


def _listed(tournament: Tournament, players: list[int]) -> str:
    shown = [labelled(tournament, player) for player in players[:CANDIDATES_MAX]]
    if len(players) > CANDIDATES_MAX:
        shown.append(tr("{count} more", count=len(players) - CANDIDATES_MAX))
    return tr(" or ").join(shown)


def _nearest(tournament: Tournament, names: Mapping[int, str], words: str) -> Phrase:
    from difflib import get_close_matches

    known: dict[str, list[int]] = {}
    for number, name in names.items():
        for each in {plain(name), *plain(name).split()}:
            known.setdefault(each, []).append(number)
    close = get_close_matches(plain(words), sorted(known), n=3, cutoff=0.6)
    found = dict.fromkeys(number for each in close for number in known[each])
    if not found:
        return phrase("{players}, `tourney list` shows them", players=_how_many(tournament))
    return phrase("did you mean {words}?", words=_listed(tournament, list(found)))


def _how_many(tournament: Tournament) -> Phrase | str:
    count = sum(1 for _ in tournament.registered())
    return tr_many("{count} player registered", "{count} players registered", count)
