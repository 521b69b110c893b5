"""The battle cards of a match: what was revealed and struck, sealed until the end (SWL-HIDDEN)."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ledger.errors import Refused, recoded
from ledger.facts import setups
from ledger.lines.sealing import open_hidden, seal_hidden
from ledger.problems import Problem, Problems, Table, marked, phrase, problem
from ledger.tournament.state import Tournament

KINDS = ("objective", "deployment", "condition")


class Battle(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards that blue revealed, from the left, and what was struck, in turn from blue."""

    objectives: setups.Three
    deployments: setups.Three
    conditions: setups.Three
    struck: tuple[setups.Struck, setups.Struck, setups.Struck, setups.Struck]

    @property
    def rows(self) -> tuple[setups.Three, setups.Three, setups.Three]:
        """The cards by kind, as they lay on the table."""
        return self.objectives, self.deployments, self.conditions

    @property
    def played(self) -> tuple[str, ...]:
        """The leftmost card left of each kind (SWL-SETUP); none where a kind was struck out."""
        left = [row[self.struck.count(kind) :] for kind, row in zip(KINDS, self.rows, strict=True)]
        return tuple(row[0] for row in left) if all(left) else ()

    def problems(self) -> Problems:
        """Yield what is against these cards and strikes (SWL-SETUP)."""
        if any(len(set(row)) < len(row) for row in self.rows):
            text = marked("three different cards of each kind must be revealed")
            yield Problem(Refused.code, text, clause="SWL-SETUP")
        if not self.played:
            text = marked("the last card of a kind cannot be struck out")
            yield Problem(Refused.code, text, clause="SWL-SETUP")


def sealed(tournament: Tournament, hidden_key: bytes, match: int, battle: Battle) -> str:
    """The battle of a match as its event holds it."""
    return seal_hidden(hidden_key, _label(tournament, match), msgspec.json.encode(battle))


def revealed(tournament: Tournament, hidden_key: bytes, match: int) -> Battle | None:
    """The battle of a match, opened with the key; None where the key does not open it."""
    text = open_hidden(
        hidden_key, _label(tournament, match), tournament.floor.battles[match].sealed
    )
    try:
        return None if text is None else msgspec.json.decode(text, type=Battle)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def played(tournament: Tournament, match: int) -> tuple[str, ...]:
    """What is played at a match, for everyone to see; none until play is closed (SWL-HIDDEN)."""
    if not tournament.hidden_key or match not in tournament.floor.battles:
        return ()
    battle = revealed(tournament, bytes.fromhex(tournament.hidden_key), match)
    return battle.played if battle else ()


def problems_at_the_end(tournament: Tournament, hidden_key: bytes) -> Problems:
    """Yield the battles that the revealed key does not open, or that break the rules.

    Those that were sealed with a key that is lost nobody can look at.
    """
    floor = tournament.floor
    for number in floor.battles.keys() - floor.lost_battles:
        match, battle = tournament.matches[number], revealed(tournament, hidden_key, number)
        table = Table(match.round, match.table)
        if battle is None:
            text = marked("the battle cards of {table} do not open with the hidden key")
            yield problem("battle.revealed", text, clause="SWL-HIDDEN", table=table)
        else:
            where = phrase("the battle cards of {table}", table=table)
            for each in battle.problems():
                yield recoded(each, "battle.revealed").within(where)


def _label(tournament: Tournament, match: int) -> tuple[str, str, int]:
    assert tournament.opening is not None  # noqa: S101 - there is a match
    return tournament.opening.tournament, "battle", match
