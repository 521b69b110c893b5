"""Files of other programs made by hand, from the published descriptions of their formats."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]


def duel(one: int, two: int | None, scores: tuple[int | None, int | None], won: int | None) -> Json:
    """A match of ListFortress; without a second player a bye."""
    return {
        "id": 1, "player1_id": one, "player2_id": two, "player1_points": scores[0],
        "player2_points": scores[1], "result": "win" if two else "bye", "winner_id": won,
    }  # fmt: skip


def fortress(rounds: Sequence[tuple[int, int, Sequence[Json]]], rows: Sequence[Json]) -> Json:
    """A file of ListFortress: rounds as kind, number and matches, newest first as it has them."""
    listed = [
        {"id": number, "roundtype_id": kind, "round_number": place, "matches": list(matches)}
        for number, (kind, place, matches) in enumerate(rounds, start=1)
    ]
    return {
        "id": 7, "name": "Fortress", "date": "2019-04-20", "country": "US", "format_id": 1,
        "participants": [{"id": 100 + number, "name": f"Pilot {number}", **row}
                         for number, row in enumerate(rows, start=1)],
        "rounds": listed[::-1],
    }  # fmt: skip


def pilots(*figures: tuple[int, int, str, int]) -> list[Json]:
    """Participants with their published score, margin, strength of schedule and rank."""
    return [
        {"score": score, "mov": mov, "sos": sos, "swiss_rank": rank, "dropped": False}
        for score, mov, sos, rank in figures
    ]


def melee(
    rounds: Sequence[tuple[str, Sequence[tuple[str, str, str]]]], rows: Sequence[Json]
) -> Json:
    """A Magic event: rounds by name, each match as two players and a result."""
    return {
        "Tournament": {"Date": "2023-04-01T00:00:00", "Name": "Melee", "Uri": "x", "Formats": "M"},
        "Rounds": [
            {"RoundName": name, "Matches": [
                {"Player1": one, "Player2": two, "Result": result} for one, two, result in matches
            ]}
            for name, matches in rounds
        ],
        "Standings": list(rows),
        "Decks": [],
    }  # fmt: skip


def row(rank: int, player: str, points: int, omw: float, gw: float, ogw: float) -> Json:
    """A row of a Magic event's standings."""
    return {
        "Rank": rank, "Player": player, "Points": points, "Wins": 0, "Losses": 0, "Draws": 0,
        "OMWP": omw, "GWP": gw, "OGWP": ogw,
    }  # fmt: skip


def as_bytes(content: Json) -> bytes:
    """The file's bytes."""
    return json.dumps(content, ensure_ascii=False).encode()


def trf(players: Sequence[tuple[str, str, int, Sequence[str]]], *heads: str) -> bytes:
    """A report file: players as name, points, rank and eight letters for each round."""
    lines = ["012 Open", "042 2026/03/14", *heads]
    lines += [
        f"001 {number:>4}      {name:<33} {2000 + number:>4} ENG {400000 + number:>11} {'':10} "
        f"{points:>4} {rank:>4}  {'  '.join(cells)}"
        for number, (name, points, rank, cells) in enumerate(players, start=1)
    ]
    return "\r\n".join([*lines, ""]).encode()


H9 = """\
; CL[A]
; EV[Spring Go]
; PC[,Town]
; DT[2026-03-14,2026-03-15]
; HA[h9]
; KM[7.5]
;
; Pl Name                            Rk Co Club  NBW SOSW
   1 LEE Ann                          5D EN Lond    2    1     2+/w0     3+/b0
   2 RAY Bob                          4D EN Lond    1    2     1-/b0     4+/w0
   3 DOE Cid                          3D EN Lond    1    2     4+!w0     1-/w0
   4 FOX Dee                          1K EN Lond    0    2     3-!b0     2-/b0
"""


def gotha(
    players: Sequence[tuple[str, str, str]], games: Sequence[tuple[int, str, str, str]]
) -> str:
    """A document of OpenGotha: players as name, first name and rank, games by round."""
    people = "".join(
        f'<Player name="{name}" firstName="{first}" rank="{rank}" country="EN" club="Lond" '
        'rating="2100" egfPin="" participating="11111" smmsCorrection="0"/>\n'
        for name, first, rank in players
    )
    played = "".join(
        f'<Game roundNumber="{number}" tableNumber="1" whitePlayer="{white}" blackPlayer="{black}" '
        f'handicap="0" knownColor="true" result="{result}"/>\n'
        for number, white, black, result in games
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<Tournament dataVersion="201">\n'
        f"<Players>\n{people}</Players>\n<Games>\n{played}</Games>\n"
        '<ByePlayers><ByePlayer player="FOXDEE" roundNumber="1"/></ByePlayers>\n'
        '<TournamentParameterSet><GeneralParameterSet name="Gotha" beginDate="2026-03-14" '
        'numberOfRounds="2" genMMBar="4D" genMMFloor="20K"/></TournamentParameterSet>\n'
        "</Tournament>\n"
    )
