"""Events as strangers keep them in spreadsheets, against tables counted from the results alone.

The results are made here, and written down as a spreadsheet might have them; what is expected is
counted from them by the definitions, and never from the file or the log.
"""

from __future__ import annotations

import random
import unicodedata
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import pytest
from msgspec import Struct, field

from ledger.exchange.sheets.cells import InvalidSheet
from tests.ledger.exchange.test_sheets import by_name, told, wrong
from tests.truth.fraction_truth import ASSIGNED, BYE, Played, margins, mean, met, percentages

if TYPE_CHECKING:
    from collections.abc import Callable

    Table = dict[str, tuple[int, tuple[Fraction, ...]]]

NAMES = (
    "Müller, Änne", 'Jo "Ace" Ray', "Ortíz Peña", "O'Neil", "Smith-Jones", "Łukasz Żak", "李小龍",
    "Bo", "Van der Berg", "D. Quinn", "Zoë", "Straße", "Ali K.", "Renée", "Mr. Nobody Jr.",
)  # fmt: skip
HALF = 0.5
NOBODY = ("BYE", "-", "", "*** BYE ***", "bye", "(Bye)")


class Event(Struct):
    """An event in the making: what each player did, and the rows that tell of it."""

    chance: random.Random
    rounds: dict[str, list[Played]] = field(default_factory=dict)
    rows: list[list[str]] = field(default_factory=list)

    def spelt(self, name: str) -> str:
        """The same name as another hand would type it."""
        form: Literal["NFC", "NFD"] = "NFC" if self.chance.random() < HALF else "NFD"
        other = self.chance.choice([name, name.upper(), f"  {name} ", name.replace(" ", "  ")])
        return unicodedata.normalize(form, other)

    def game(self, number: str, one: str, other: str, score: tuple[int, ...], chosen: str) -> None:
        """A game and its row; `chosen` is what the row's last cell says."""
        numbers = {name: place for place, name in enumerate(NAMES, start=1)}
        won = "W" if score[0] > score[1] else "L" if score[0] < score[1] else "D"
        drawn = score[2] if len(score) > 2 else 0
        for own, against, letter, place in ((one, other, won, 0), (other, one, won, 1)):
            turned = {"W": "L", "L": "W", "D": "D"}[letter] if place else letter
            self.rounds[own].append(
                Played(numbers[against], turned, score[place], score[1 - place], drawn)
            )
        self.rows.append([number, self.spelt(one), self.spelt(other), *map(str, score), chosen])


def pairs(chance: random.Random, present: list[str]) -> list[tuple[str, str]]:
    """Anyone against anyone; the last of an odd number sits alone."""
    chance.shuffle(present)
    return [(one, other) for one, other in zip(present[::2], present[1::2], strict=False)]


def magic(seed: int) -> Event:
    """Late players, early leavers, draws of every kind, byes and assigned losses."""
    chance = random.Random(f"magic {seed}")
    event = Event(chance, {name: [] for name in NAMES[: chance.randrange(7, 15)]})
    present = list(event.rounds)
    late = present.pop()
    for number in range(1, chance.randrange(4, 7)):
        if number == 2:
            present.append(late)
            event.rounds[late].append(ASSIGNED)
            event.rows.append(["1", event.spelt(late), "", "", "", "", "assigned loss"])
        shown = chance.choice([f"{number}", f"Round {number}", f"{number}.0"])
        for one, other in pairs(chance, present):
            scores = [(2, 0, 0), (2, 1, 0), (0, 2, 0), (1, 1, 1), (1, 1, 0), (0, 0, 3), (1, 0, 1)]
            event.game(shown, one, other, chance.choice(scores), "")
        if len(present) % 2:
            alone = present[-1]
            lost = chance.random() < 0.3
            event.rounds[alone].append(ASSIGNED if lost else BYE)
            cells = ["0", "2", "0"] if lost else ["2", "0", ""]
            seats = [event.spelt(alone), chance.choice(NOBODY)]
            event.rows.append([shown, *seats, *cells, chance.choice(["", "" if lost else "Bye"])])
        if len(present) > 6 and chance.random() < HALF:
            present.pop()
    return event


def xwing(seed: int) -> Event:
    """Byes and scores; an equal one has its winner named."""
    chance = random.Random(f"xwing {seed}")
    event = Event(chance, {name: [] for name in NAMES[: chance.randrange(5, 15)]})
    present = list(event.rounds)
    for number in range(1, 5):
        for one, other in pairs(chance, present):
            score = (chance.randrange(201), chance.randrange(201))
            if chance.random() < 0.1:
                score = (200, 200)
            event.game(f"{number}", one, other, score, "")
            if score[0] == score[1]:
                first = chance.random() < HALF
                event.rows[-1][-1] = event.rows[-1][1 if first else 2].lower()
                for name, letter in ((one, "WL"[not first]), (other, "WL"[first])):
                    event.rounds[name][-1] = event.rounds[name][-1]._replace(letter=letter)
        if len(present) % 2:
            event.rounds[present[-1]].append(BYE)
            event.rows.append([f"{number}", chance.choice(NOBODY), present[-1], "", "", ""])
        if len(present) > 5 and chance.random() < 0.4:
            present.pop()
    return event


def sheet(event: Event, titles: list[str], delimiter: str) -> bytes:
    """The file, with what a spreadsheet program adds: marks, empty columns and rows."""
    lines = [titles, *event.rows]
    quoted = [[f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row] for row in lines]
    text = "\r\n".join(delimiter.join([*row, "", ""]) for row in quoted)
    text += "\r\n" + delimiter * (len(titles) + 1) + "\r\n\r\n"
    return text.encode("utf-16" if delimiter == "\t" else "utf-8-sig")


def expected(event: Event, truth: Callable[..., tuple[int, tuple[Fraction, ...]]]) -> Table:
    """Points and tiebreakers by the definitions."""
    found = {number: event.rounds.get(name, []) for number, name in enumerate(NAMES, start=1)}
    named = {number: name for number, name in enumerate(NAMES, start=1) if name in event.rounds}
    return {folded(name): truth(found, number) for number, name in named.items()}


def folded(name: str) -> str:
    """A name as nobody can misspell it."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def found(data: bytes, ruleset: str) -> Table:
    """Points and tiebreakers of a file, by name."""
    return {folded(name): value for name, value in by_name(told(data, ruleset)).items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_magic_events(seed: int) -> None:
    """MTG-OMW, MTG-GW, MTG-OGW, MTG-BYE, MTG-MISSED."""
    event = magic(seed)
    titles = ["Round", "Player 1", "Player 2", "P1 Wins", "P2 Wins", "Draws", "Result"]
    delimiter = event.chance.choice(",;\t")
    assert found(sheet(event, titles, delimiter), "mtg") == expected(event, percentages)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_xwing_events(seed: int) -> None:
    """XW2-MOV, XW2-BYE, XW2-OUTCOME, FFG-TIEBREAK-SOS."""
    event = xwing(seed)
    titles = ["ROUND", "player_1", "PLAYER_2", "Player 1 Score", "Player 2 Score", "Winner"]
    delimiter = event.chance.choice(",;\t")
    assert found(sheet(event, titles, delimiter), "xwing2") == expected(event, margins)


def test_netrunner_with_a_cut() -> None:
    """NR-SCORE, NR-BYE, NR-TIEBREAK, FFG-CUT: scores in one cell, top-cut rounds by their names."""
    text = """\
sep=;
Rd;Player 1;Player 2;Result
1;Ann;Bob;6-0
1;Cid;Dee;3 - 3
1;Eve;;
2;Ann;Cid;3-0
2;Eve;bob;0:6
2;Dee;BYE;6-0
Top 4;Ann;Cid;3-0
Top 4;Bob;Dee;0-3
Final;Ann;Dee;0-3
"""
    rounds = {
        "ann": [("bob", 6), ("cid", 3)],
        "bob": [("ann", 0), ("eve", 6)],
        "cid": [("dee", 3), ("ann", 0)],
        "dee": [("cid", 3), ("", 6)],
        "eve": [("", 6), ("bob", 0)],
    }
    points = {name: sum(won for _, won in each) for name, each in rounds.items()}

    def schedule(name: str, of: dict[str, Fraction]) -> Fraction:
        return mean([of[other] for other, _ in rounds[name] if other])

    share = {name: Fraction(points[name], len(each)) for name, each in rounds.items()}
    strength = {name: schedule(name, share) for name in rounds}
    table = {name: (points[name], (strength[name], schedule(name, strength))) for name in rounds}
    assert found(text.encode(), "netrunner") == table
    tournament = told(text, "netrunner")
    assert [stage.plan.kind for stage in tournament.stages] == ["swiss", "single"]
    assert tournament.finished


def test_a_second_day_and_a_bracket_with_rounds_of_its_own() -> None:
    """FFG-CUT: who was cut keeps the tiebreakers they had; the bracket's rounds begin at 1."""
    swiss = [
        ("1", "", "Ann", "Bob", "150-100"), ("1", "", "Cid", "Dee", "90-30"),
        ("1", "", "Eve", "-", ""), ("2", "", "Ann", "Cid", "60-50"),
        ("2", "", "Bob", "Eve", "200-0"), ("2", "", "Dee", "BYE", ""),
    ]  # fmt: skip
    later = [
        ("3", "2", "Ann", "Dee", "80-70"), ("3", "2", "Cid", "Eve", "40-10"),
        ("1", "Top Cut", "Ann", "Cid", "0-120"),
    ]  # fmt: skip
    head = "Round,Phase,Player,Opponent,Score\n"
    text = head + "".join(",".join(row) + "\n" for row in [*swiss, *later])
    first_day = found((head + "".join(",".join(row) + "\n" for row in swiss)).encode(), "xwing2")
    table = found(text.encode(), "xwing2")
    assert table["bob"] == first_day["bob"] == (1, (Fraction(150 + 400), Fraction(3, 4)))
    assert table["cid"][0] == 2
    tournament = told(text, "xwing2")
    assert [stage.plan.kind for stage in tournament.stages] == ["swiss", "swiss", "single"]
    assert tournament.names["p3"] == "Cid"


MTG_HEAD = "round,player1,player2,games,result\n"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (
            "1,Ann,Bob,,02. Jan",
            "row 2, result: '02. Jan' is a date: if the spreadsheet turned a score such as 2-1",
        ),
        (
            "1,Ann,Bob,2-Jan,",
            "row 2, games: '2-Jan' is a date: if the spreadsheet turned a score such as 2-1",
        ),
        ("1,Ann,Bob,2-1,1-2", "row 2, result: is '1-2', but games is '2-1'"),
        ("1,Ann,Bob,2-1-1-1,", "row 2, games: '2-1-1-1' is not a score such as 2-1"),
        ("1,Ann,Bob,2-0,loss", "row 2, result: the facts give a win for the player named first"),
        ("1,Ann,,0-2,win", "row 2, result: 'win' without an opponent must be bye or missed"),
        ("1,-,BYE,,", "row 2, player1: is empty"),
        ("1,Ann,ANN ,2-0,", "row 2, player2: 'ANN' already sits in row 2"),
        ("Top 1x,Ann,Bob,2-0,", "row 2, round: 'Top 1x' is not a whole number of 1 or more"),
        ("2nd,Ann,Bob,2-0,", "row 2, round: '2nd' is not a whole number of 1 or more"),
    ],
)
def test_what_no_reader_could_know_is_one_line(row: str, problem: str) -> None:
    (line,) = wrong(f"{MTG_HEAD}{row}\n")
    assert line.startswith(problem)
    assert ("into a date" in line) == ("Jan" in row)


def test_a_winner_who_did_not_win() -> None:
    text = "round,player1,player2,winner,result\n1,Ann,Bob,bob,win\n"
    assert wrong(text, "swiss") == ("row 2, winner: 'bob' is the winner, but the result is win",)
    drawn = "round,player1,player2,winner\n1,Ann,Bob,Draw\n1,Cid,Dee,DEE\n"
    assert {name: row[0] for name, row in found(drawn.encode(), "swiss").items()} == {
        "ann": 1, "bob": 1, "cid": 0, "dee": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"PK\x03\x04 a workbook", "is a workbook; save the sheet as CSV (UTF-8)"),
        (
            "round,player1\n1,Jos\xe9\n".encode("latin-1"),
            "row 2 is not UTF-8 text at byte 20; save",
        ),
        (
            b"round,player1,judge\n",
            "row 1, column 3: 'judge' is not a known column: rename or",
        ),
        (
            b"\n\nround,player1\n1,Ann,note\n",
            "row 4, column 3: 'note' has no column title above it",
        ),
    ],
)
def test_a_file_in_another_dress(data: bytes, problem: str) -> None:
    with pytest.raises(InvalidSheet) as caught:
        told(data)
    assert caught.value.sentences[0].startswith(problem)


def test_opponents_are_who_was_met() -> None:
    """The generator holds what the tests are about: byes, losses, leavers, equal scores."""
    events = [magic(seed) for seed in range(25)]
    all_rounds = [rounds for event in events for rounds in event.rounds.values()]
    letters = {each.letter for rounds in all_rounds for each in rounds}
    assert letters == {"W", "L", "D", "B", "A"}
    lengths = {len(rounds) for rounds in all_rounds}
    assert min(lengths) < max(lengths)
    assert any(not met(rounds) for rounds in all_rounds)
