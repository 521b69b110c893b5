"""Every question about a random day has an answer, or a refusal in one line.

A day is typed at random: seats are swapped, rounds repaired and unpaired, players come late, leave,
return and change their names, results are corrected, acts are undone. After some of the acts every
explanation, match, audit and what-if is asked of each round, table and player, now and as of an
earlier event.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from ledger.facts.rounds import RoundPaired
from ledger.fold import fold_lines
from ledger.lines.line import decode
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from ledger.tournament.state import Match
    from tests.support.cli_desk import Answer, Desk

REFUSALS = {1, 2, 3}
"""Refused, wrong usage, no such thing."""

LONG = int(os.environ.get("TOURNEY_DAYS", "6"))


class RandomDay:
    """A day of random acts at one desk."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk = desk
        self.rng = random.Random(f"questions {seed}")
        self.game = self.rng.choice(("swiss", "l5r", "legion"))
        self.late = 0
        self.day = Tournament()
        self.asked = 0
        self.seated: list[int] = []
        self.refused = 0
        cut = self.rng.choice(("2", "4"))
        players = self.rng.randrange(6, 12)
        rounds = self.rng.choice(("3", "4"))
        desk.open(players, "custom", "--rounds", rounds, "--cut", cut, ruleset=self.game)

    def tournament(self) -> Tournament:
        """What the log adds up to."""
        return fold_lines(self.desk.log().encode().splitlines())

    def act(self) -> None:
        """Type something; it may be refused."""
        self.day = self.tournament()
        matches = self.day.rounds[-1].matches if self.day.rounds else []
        self.seated = [player for match in matches for player in match.players]
        acts = [self._play] * 4 + [self._come_late, self._come_late, self._undo]
        if len(self.seated) > 1:
            acts += [self._swap, self._swap, self._repair]
            acts += [self._unpair, self._correct, self._report]
        if self.day.active():
            acts += [self._leave, self._rename, self._rejoin]
        self.rng.choice(acts)()

    def type(self, *words: str) -> Answer:
        """Type a line that may be refused, but must not fail."""
        answer = self.desk.type(*words)
        assert answer.code in REFUSALS | {0}, (words, answer)
        return answer

    def _play(self) -> None:
        if not self.day.rounds or self.day.rounds[-1].status == "closed":
            if self.type("pair").code:
                self.type("cut")
            return
        self._report()
        self.type("round", "close")

    def _report(self) -> None:
        open_matches = [match for match in self.day.rounds[-1].matches if match.is_open]
        some = self.rng.choice((1, len(open_matches), len(open_matches)))
        for match in open_matches[:some]:
            self.type("report", str(match.table), f"#{self.rng.choice(match.players)}")

    def _come_late(self) -> None:
        names = [f"Late {self.late + at}" for at in range(self.rng.choice((1, 2, 2)))]
        self.late += len(names)
        for name in names:
            self.type("register", name)
        if self.day.rounds:
            self.type("late", *names)

    def _swap(self) -> None:
        one, other = self.rng.sample(self.seated, 2)
        also = self.rng.choice(((), ("--allow-rematch",)))
        self.type("swap", f"#{one}", f"#{other}", "--reason", "one car", *also)

    def _repair(self) -> None:
        self._correct()
        self.type("repair-round", "--do", str(self.rng.randrange(1, 4)), "--reason", "corrected")

    def _unpair(self) -> None:
        if not self.type("unpair", "--reason", "a name was missing").code:
            self.type("pair")

    def _correct(self) -> None:
        played = [m for r in self.day.rounds for m in r.matches if m.result and not m.is_bye]
        if played:
            match = self.rng.choice(played)
            where = f"{match.round}/{match.table}"
            winner = f"#{self.rng.choice(match.players)}"
            self.type("correct", where, winner, "--reason", "misread")

    def _leave(self) -> None:
        active = self.day.active()
        if len(active) > 4:
            self.type("drop", f"#{self.rng.choice(active)}")

    def _rejoin(self) -> None:
        gone = [player.number for player in self.day.registered() if player.status == "dropped"]
        if gone:
            self.type("rejoin", f"#{gone[0]}")
            self.type("late", f"#{gone[0]}", *self.rng.choice(((), ("--bye",))))

    def _rename(self) -> None:
        self.late += 1
        self.type("rename", f"#{self.rng.choice(self.day.active())}", f"Renamed {self.late}")

    def _undo(self) -> None:
        self.type("undo", *self.rng.choice(((), ("1",), ("2",), ("3",))))

    def ask(self, *words: str) -> Answer:
        """Ask a question; a refusal is one line."""
        answer = self.desk.type(*words)
        self.asked += 1
        assert answer.code in REFUSALS | {0}, (words, answer)
        if answer.code:
            self.refused += 1
            assert answer.out == "" or list(answer.json) == ["problems"]
            *_, last = answer.err.splitlines()
            assert last.startswith("tourney: ") or answer.out, (words, answer.err)
        return answer

    def every_question(self) -> None:
        """Ask of each table, round and player, and hold each pairing to how it was drawn."""
        lines = self.desk.log().encode().splitlines()
        now = fold_lines(lines)
        moment = str(self.rng.randrange(1, now.seq + 1))
        for round_ in now.rounds:
            paired = decode(lines[round_.paired_seq - 1]).event
            assert isinstance(paired, RoundPaired)
            for match in round_.matches:
                self._of_table(match, moment)
                if match.number in round_.reseated:
                    continue
                assert (match.first, match.second) == paired.games[match.table - 1]
            self.ask("explain", "bye", str(round_.number), "--json")
            self.ask("explain", "bye", str(round_.number), "--at", moment)
            self.ask("diff", f"round:{round_.number}", "now")
        for player in now.registered():
            column = self.rng.choice(("rank", "points", "record", "seed", "place", "SOS"))
            self.ask("explain", f"#{player.number}", column, "--json")
            self.ask("explain", f"#{player.number}", "--at", moment)
            gone = self.rng.choice(("stayed", "dropped 1", "disqualified 2")).split()
            self.ask("whatif", f"#{player.number}", *gone, "--json")
        for words in (["audit"], ["audit", "--margin"], ["audit", "--slips"]):
            self.ask(*words, "--json")
            self.ask(*words)
            self.ask(*words, "--at", moment)
        self.ask("whatif", "--sweep", "--json")
        self.ask("explain", "pairing", "9/9")

    def _of_table(self, match: Match, moment: str) -> None:
        where = f"{match.round}/{match.table}"
        for words in (["explain", "pairing", where], ["match", where]):
            self.ask(*words)
            self.ask(*words, "--at", moment)
        self.ask("match", where, "--json")
        explained = self.ask("explain", "pairing", where, "--json")
        if not explained.code:
            assert explained.json["players"] == [match.first, match.second]
        else:
            assert match.is_bye or not match.players, (where, explained)
        if match.players and not match.is_bye:
            winner = f"#{self.rng.choice(match.players)}"
            self.ask("whatif", where, winner, "--json")
            self.ask("whatif", where, "none", "--at", moment)


def asked_of(desk: Desk, seed: int, times: int = 4) -> RandomDay:
    """Play a day of thirty-two acts, and ask everything so many times."""
    day = RandomDay(desk, seed)
    for number in range(1, 33):
        day.act()
        if number % (32 // times) == 0:
            day.every_question()
    return day


def test_two_who_came_late_after_a_swap(desk: Desk) -> None:
    """Explanations know the players of their moment: the swap was before the latecomers."""
    desk.open(6, "custom", "--rounds", "3", "--cut", "2", ruleset="swiss")
    desk.done("pair")
    one, other = desk.seats(1)[0], desk.seats(2)[0]
    desk.done("swap", f"#{one}", f"#{other}", "--reason", "they came in one car")
    desk.done("register", "Tina Late")
    desk.done("register", "Udo Late")
    desk.done("late", "Tina", "Udo")
    for table in (1, 2, 3, 4):
        found = desk.done("explain", "pairing", f"1/{table}", "--json").json
        assert tuple(found["players"]) == desk.seats(table)
        assert found["swapped"] == (table != 3)
        desk.done("explain", "pairing", f"1/{table}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1))
def test_every_question_has_an_answer(desk: Desk, seed: int) -> None:
    day = asked_of(desk, seed, times=1)
    assert day.asked > day.refused > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 1 + LONG))
def test_every_question_has_an_answer_on_more_days(desk: Desk, seed: int) -> None:
    """`TOURNEY_DAYS=300` is the long form."""
    day = asked_of(desk, seed)
    assert day.asked > day.refused > 0
