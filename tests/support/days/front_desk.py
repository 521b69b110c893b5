"""One day at the front desk in three games, step by step: as a script types it, and as a person.

Who sits where is drawn, so `{1a}` is who is named first at table 1, and `{s2}` who is second. A
step's `line` goes behind `tourney`; `keys` are the lines that a person types at the prompt of
`report` or of the shell instead, the answers to questions among them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.cli_desk import Answer

    Look = Callable[..., Answer]
    """Runs a command that looks."""

SETTING_UP = "setting up"
RESULT = "a plain result"
LATE = "a latecomer in a running round"
FACTION = "a wrong faction"
DELAY = "five minutes for the whole hall"
LEAVES = "a drop from the slip"
TIME = "a time result"
DISPUTE = "disputed, ruled, appealed, overturned"
CUT = "the cut"
REPLACED = "a replacement in the cut"
NEXT = "the next round"
LOOP = "into the results and out, three times"
END = "the end"

TASKS = (LATE, FACTION, DELAY, LOOP, RESULT, LEAVES, TIME, DISPUTE, NEXT, CUT, REPLACED)
"""What is counted beside other programs; the rest is not the same work there."""


class Step(NamedTuple):
    """What is typed, and what the answer says; `in_loop`: at the prompt of `report`."""

    task: str
    line: str
    says: str
    keys: tuple[str, ...] = ()
    in_loop: bool = False
    code: int = 0


class FrontDesk(NamedTuple):
    """What differs between the games."""

    game: str
    factions: tuple[str, str, str]
    officials: tuple[str, ...]
    wrong: str
    nearest: str
    says_time: str
    time: str
    time_keys: tuple[str, ...]
    reviewer: str
    pair: str = "pair"
    seat: str = "late tina"
    word: str = ""
    """What stands behind a winner: a score, where the game counts one."""


PAT = 'official add "Pat Jones" --role '
MARA = 'official add "Mara Low" --role marshal'
NO_LISTS = ' --unchecked --reason "no lists"'

GAMES = {
    "l5r": FrontDesk(
        "l5r",
        ("Crane", "Lion", "Crab"),
        (f"{PAT}judge", MARA),
        "Krabbe",
        "Crab",
        "after time",
        "--fact broken=2:1 --fact honor=10:8 --fact first={2a} --fact passed=1:1 --fact leader=1 "
        "--fact broken-after=2:1 --fact honor-after=9:3 --fact favor-after={2b}",
        ("2 1", "10 8", "", "{2a}", "both", "olga", "2 1", "9 3", "{2b}"),
        " --as mara",
    ),
    "legion": FrontDesk(
        "legion",
        ("Galactic Empire", "Rebel Alliance", "Galactic Republic"),
        (f"{PAT}judge", MARA),
        "Rebell",
        "Rebel Alliance",
        "after time",
        "--fact tokens=2:1",
        ("2 1",),
        " --as mara",
    ),
    "ashes": FrontDesk(
        "ashes",
        ("Aradel", "Namine", "Koji"),
        (f"{PAT}co-organizer",),
        "",
        "Namine",
        "after time",
        "--fact wounds=5:3",
        ("5 3",),
        "",
        pair=f"pair{NO_LISTS}",
        seat=f"late tina{NO_LISTS}",
        word=" 5-3",
    ),
}


def steps(game: str) -> Iterator[Step]:
    """Yield the whole day of a game."""
    desk = GAMES[game]
    yield from _morning(desk)
    yield from _round_one(desk)
    yield from _dispute(desk)
    yield from _afternoon(desk)


def _morning(desk: FrontDesk) -> Iterator[Step]:
    line = f'new "Desk Day" --ruleset {desk.game} --organizer "Olga Brandt"'
    yield Step(SETTING_UP, line, "opened: Desk Day")
    for each in desk.officials:
        yield Step(SETTING_UP, each, " is ")
    yield Step(SETTING_UP, "register --file players.csv", "registered 6, 6 in all")
    yield Step(SETTING_UP, f'register Gus --faction "{desk.factions[0]}"', "7 in all")
    short = ' --reason "a short day"' if desk.game == "ashes" else ""  # AOP-ROUNDS
    start = f"start custom --rounds 2 --cut 2 --word plum{short}"
    yield Step(SETTING_UP, start, 'the word is "plum"')
    yield Step(NEXT, desk.pair, "paired round 1: 3 tables, bye: ")
    yield Step(NEXT, "round start", "started round 1")


def _round_one(desk: FrontDesk) -> Iterator[Step]:
    yield Step(
        LATE,
        f'register Tina --faction "{desk.factions[1]}"',
        "to seat the player in this round: `late 8`",
    )
    yield Step(LATE, desk.seat, "seated Tina (#8) at table 4 of round 1, opposite ")
    if desk.wrong:
        asked = (f"amend gus --faction {desk.wrong}", "n")
        said = f"is not a faction of {desk.game}; did you mean {desk.nearest}?"
        yield Step("a misspelt faction", asked[0] + " --json", said, asked)
    amended = f'amend gus --faction "{desk.nearest}"'
    yield Step(FACTION, amended, f"Gus (#7): faction {desk.nearest}")
    delay = 'round extend all 5 --reason "fire alarm"'
    yield Step(DELAY, delay, "round 1: 5 minutes added for all tables: fire alarm")
    one = f"1 {{1a}}{desk.word}"
    yield Step(RESULT, f"report {one}", "1/1: ", (one,), in_loop=True)
    yield Step(LEAVES, "drop {1b}", "dropped", in_loop=True)
    yield Step(TIME, "round time", "time", in_loop=True)
    timed = f"report 2 --ended time {desk.time}"
    yield Step(TIME, timed, desk.says_time, ("2 time", *desk.time_keys), in_loop=True)
    three = f"3 {{3b}}{desk.word}"
    yield Step(RESULT, f"report {three}", "1/3: ", (three,), in_loop=True)


def _dispute(desk: FrontDesk) -> Iterator[Step]:
    four = f"4 {{4a}}{desk.word}"
    yield Step(RESULT, f"report {four}", "1/4: ", (four,), in_loop=True)
    claim = f'dispute 4 {{4b}}{desk.word} --for {{4b}} --reason "the slip"'
    yield Step(DISPUTE, claim, "disputes result", in_loop=True)
    ruled = 'rule 4 "as reported" --as pat --stands'
    yield Step(DISPUTE, ruled, "ruled at 1/4 on dispute", in_loop=True)
    appeal = 'appeal 4 --for {4b} --reason "two slips"'
    yield Step(DISPUTE, appeal, "appeals ruling", in_loop=True)
    review = f'review 4 "the second slip" --result "{{4b}}{desk.word}"{desk.reviewer}'
    yield Step(DISPUTE, review, "overturned ruling", in_loop=True)
    if desk.reviewer:  # the organizer's own review corrects at once
        yield Step(DISPUTE, "correct --ruling 4", "1/4 corrected", in_loop=True)


def _afternoon(desk: FrontDesk) -> Iterator[Step]:
    yield Step(NEXT, "pair", "paired round 2: 3 tables", in_loop=True)
    yield Step(NEXT, "round start", "started round 2", in_loop=True)
    for table in (1, 2, 3):
        typed = f"{table} {{{table}a}}{desk.word}"
        yield Step(RESULT, f"report {typed}", f"2/{table}: ", (typed,), in_loop=True)
    yield Step(CUT, "cut", "next in line for a free place: ")
    yield Step(REPLACED, "drop {s2}", "dropped")
    yield Step(REPLACED, "cut accept next", "takes the place of")
    yield Step(NEXT, "pair", "paired")
    yield Step(NEXT, "round start", "started round 3")
    final = f"1 {{1a}}{desk.word}"
    yield Step(RESULT, f"report {final}", "3/1: ", (final,), in_loop=True)
    yield Step(END, "finish", "finished")


def players(game: str) -> str:
    """Return the file of those who are there in the morning."""
    factions = GAMES[game].factions
    names = ("Ann", "Bob", "Cas", "Dee", "Eve", "Fay")
    rows = (f"{name},{factions[at % 3]}" for at, name in enumerate(names))
    return "\n".join(("name,faction", *rows, ""))


def seated(text: str, look: Look) -> str:
    """Put the names of those who sit there into what is typed."""
    return re.sub(r"\{(\w+)\}", lambda found: _who(found[1], look), text)


def _who(place: str, look: Look) -> str:
    if place.startswith("s"):
        rows = look("standings", "--json").json
        return str(rows[int(place[1:]) - 1]["name"]).lower()
    game = look("pairings", "--json").json[int(place[0]) - 1]
    return str(game["names"]["ab".index(place[1])]).lower()
