"""Ruleset files for tests: a small complete one, and the tiebreakers of several systems."""

from __future__ import annotations

BASE = """\
key = "test"
edition = "1"
name = "A game for tests"
document = "none"
source = "none"

[scoring]
clause = "T-SCORE"
kind = "outcome"

[[outcomes]]
clause = "T-SCORE"
name = "win"
against = "loss"
record = "W"
points = 3
advances = true
typed = ["w"]

[[outcomes]]
clause = "T-SCORE"
name = "loss"
against = "win"
record = "L"
points = 0
typed = ["l"]

[[outcomes]]
clause = "T-SCORE"
name = "draw"
against = "draw"
record = "D"
points = 1
typed = ["d"]

[bye]
clause = "T-BYE"
points = 3
fields = { mov = 70, blood = 25 }

[unpaired_loss]
clause = "T-MISSED"
points = 0

[[fields]]
clause = "T-MOV"
name = "mov"
min = 0
max = 200
meaning = "the winner's margin"

[[fields]]
clause = "T-BLOOD"
name = "blood"
min = 0
max = 25
meaning = "wounds on the other side"

[[fields]]
clause = "T-GAMES"
name = "games"
min = 0
max = 3
meaning = "games of the match"

[[fields]]
clause = "T-GAMES"
name = "game-points"
min = 0
max = 9
meaning = "three for each game won, one for each drawn"

[structures]
clause = "T-STRUCTURE"
custom = true

[structures.basic]
clause = "T-BASIC"
bands = [
  { players_min = 4, players_max = 8, rounds = 3, cut = 0 },
  { players_min = 9, players_max = 16, rounds = 4, cut = 4 },
  { players_min = 17, rounds = 5, cut = 8 },
]

[clock]
clause = "T-CLOCK"
swiss = 60
elimination = 60
final = 90
"""

TIEBREAKERS = {
    "SOS": 'over = "opponents"\nsource = "points"\nper = "rounds"\nreduction = "mean"',
    "ESOS": 'over = "opponents"\nsource = "SOS"\nreduction = "mean"',
    "MOV": 'over = "own"\nsource = "mov"\nreduction = "sum"',
    "TOEP": 'over = "opponents"\nsource = "points"\nreduction = "sum"',
    "BLOOD": 'over = "own"\nsource = "blood"\nreduction = "sum"',
    "OMW": (
        'over = "opponents"\nsource = "points"\nper = "rounds"\nscale = 3\n'
        'floor = "1/3"\nreduction = "mean"'
    ),
    "GW": (
        'over = "own"\nsource = "game-points"\nper = "games"\nscale = 3\n'
        'floor = "1/3"\nreduction = "sum"'
    ),
    "OGW": 'over = "opponents"\nsource = "GW"\nreduction = "mean"',
}
"""Strength of schedule twice, margin of victory, opponents' points, blood, match and game wins."""

SYSTEMS = {
    "runewars": ("MOV", "SOS"),
    "ashes": ("TOEP", "BLOOD"),
    "legion": ("SOS", "ESOS"),
    "xwing2": ("MOV", "SOS"),
    "mtg": ("OMW", "GW", "OGW"),
}
"""Which tiebreakers a system asks for, in its order."""


def ruleset_text(*codes: str) -> str:
    """The base file with these tiebreakers, in this order."""
    tables = (
        f'[[tiebreakers]]\nclause = "T-TIE"\ncode = "{code}"\nname = "{code}"\n{TIEBREAKERS[code]}'
        for code in codes
    )
    return "\n\n".join((BASE, *tables)) + "\n"


def changed(text: str, old: str, new: str) -> str:
    """The text with one passage replaced, which must be there once."""
    assert text.count(old) == 1, f"{text.count(old)} times: {old}"
    return text.replace(old, new)
