"""Raw files of chess and go for events that are played by chance: report files, h9, OpenGotha."""

from __future__ import annotations

import random
from fractions import Fraction

from tests.support.files.played_events import ForeignFile, Game, Habits, Played, own_points, played

# -- chess: FIDE's report files --------------------------------------------------------------------


def _chess_score(chance: random.Random) -> tuple[tuple[int, int], int]:
    return chance.choices([(2, 0), (0, 2), (1, 1)], (4, 3, 3))[0], 0


def _chess_letters(game: Game, player: int) -> str:
    own, other = game.of(player)
    if game.kind == "forfeit":
        return "+" if own > other else "-"
    return {2: "1", 1: "=", 0: "0"}[own]


def trf(
    seed: int, *, newer: bool = False, odd: bool = False, day: str = "2026/03/14"
) -> ForeignFile:
    """Return a report file, ranked by points and games won; `odd` has tables of 2, 0 and 1½."""
    chance = random.Random(f"trf {seed}")
    habits = Habits(
        chance.randint(9, 30), chance.randint(4, 7), _chess_score, own_points,
        drops=0.03, forfeits=0.04, full_score=(2, 0), bye_score=(2, 0),
    )  # fmt: skip
    event = played(f"trf {seed}", habits)
    count = 0
    if odd:
        for at, score in enumerate(((2, 2), (0, 0), (1, 0))):
            table = event.swiss[at][0]
            event.swiss[at][0] = table._replace(score=score, kind="played")
            count += 1
    people = range(1, event.people + 1)
    points = {p: sum(own_points(game, p) for game in event.games(p)) for p in people}
    ranks = {p: 1 + sum(other > points[p] for other in points.values()) for p in people}
    lines = [
        f"012 Chess by chance {seed}", "022 Town", "032 FRA", f"042 {day}", f"052 {day}",
        f"062 {event.people}", f"072 {event.people}", "092 Individual: Swiss-System",
        f"142 {len(event.swiss)}" if newer else f"XXR {len(event.swiss)}",
    ]  # fmt: skip
    names = event.names()
    for player in people:
        cells = []
        for round_ in event.swiss:
            game = next((g for g in round_ if player in {g.one, g.two}), None)
            if game is None:
                cells.append("0000 - Z" if newer else "        ")
            elif game.kind == "bye":
                cells.append("0000 - U")
            else:
                colour = "w" if player == game.one else "b"
                cells.append(f"{game.other(player):>4} {colour} {_chess_letters(game, player)}")
        rating, fide_id = 2400 - 7 * player, 600_000 + player
        lines.append(
            f"001 {player:>4}      {names[player]:<33} {rating:>4} FRA {fide_id:>11}"
            f" {'':10} {points[player] / 2:>4.1f} {ranks[player]:>4}  {'  '.join(cells)}".rstrip()
        )
    kind = "trf26" if newer else "trf16"
    return ForeignFile(
        f"{kind}-{seed}", kind, "".join(f"{line}\r\n" for line in lines).encode(), ".trf",
        2 * event.people, len(event.swiss), event.people, adjusted=count,
    )  # fmt: skip


# -- go: h9 and OpenGotha --------------------------------------------------------------------------


def _go_rows(
    event: Played, starts: dict[int, int], *, forfeits: bool
) -> list[tuple[int, tuple[Fraction, Fraction, Fraction]]]:
    """Return McMahon points, SOS and SOSOS: a round without an opponent counts as one's start.

    A bye is a win and a round missed is worth 0. With `forfeits` the opponent of a game that was
    not played counts in the sums.
    """
    people = range(1, event.people + 1)
    points = {
        p: Fraction(starts[p]) + Fraction(sum(own_points(game, p) for game in event.games(p)), 2)
        for p in people
    }

    def total(values: dict[int, Fraction], own: dict[int, Fraction], player: int) -> Fraction:
        found = Fraction(0)
        for round_ in event.swiss:
            game = next((g for g in round_ if player in {g.one, g.two}), None)
            counts = game is not None and game.two and (forfeits or game.kind != "forfeit")
            found += values[game.other(player)] if game is not None and counts else own[player]
        return found

    begun = {p: Fraction(starts[p]) for p in people}
    sos = {p: total(points, begun, p) for p in people}
    sosos = {p: total(sos, {p: len(event.swiss) * begun[p] for p in people}, p) for p in people}
    order = sorted(people, key=lambda p: (-points[p], -sos[p], -sosos[p]))
    return [(player, (points[player], sos[player], sosos[player])) for player in order]


def _level(mms: int) -> str:
    return f"{30 - mms}K" if mms < 30 else f"{mms - 29}D"


def _go_event(seed: object, *, forfeits: bool) -> tuple[Played, dict[int, int]]:
    chance = random.Random(f"go {seed}")
    habits = Habits(
        chance.randint(10, 24), chance.randint(3, 6), lambda c: (c.choice([(2, 0), (0, 2)]), 0),
        own_points, drops=0.05, forfeits=0.06 if forfeits else 0, full_score=(2, 0),
        bye_score=(2, 0),
    )  # fmt: skip
    event = played(f"go {seed}", habits)
    return event, {p: 32 - p // 2 for p in range(1, event.people + 1)}


def h9(seed: int, *, forfeits: bool = False) -> ForeignFile:
    """Return a file for the European database, as OpenGotha writes one; an absence is worth 0."""
    event, starts = _go_event(seed, forfeits=forfeits)
    rows = _go_rows(event, starts, forfeits=forfeits)
    places = {player: place for place, (player, _) in enumerate(rows, start=1)}
    names = event.names()
    lines = [
        "; CL[A]", f"; EV[Go by chance {seed}]", "; PC[FR,Town]", "; DT[2026-03-14,2026-03-15]",
        "; HA[h9]", "; KM[6.5]", "; TM[60]", "; CM[ ]", ";",
        "; Pl Name                            Rk Co Club  MMS  SOSM SOSOSM",
    ]  # fmt: skip
    for player, row in rows:
        marks = []
        for round_ in event.swiss:
            game = next((g for g in round_ if player in {g.one, g.two}), None)
            if game is None:
                marks.append("0-")
            elif game.kind == "bye":
                marks.append("0+")
            else:
                sign = "+" if game.of(player)[0] else "-"
                between = "!" if game.kind == "forfeit" else "/"
                colour = "w" if player == game.one else "b"
                marks.append(f"{places[game.other(player)]}{sign}{between}{colour}0")
        shown = "".join(f" {number!s:>5}" for number in row)
        lines.append(
            f"{places[player]:>4} {names[player]:<30} {_level(starts[player]):>3} FR Paris {shown} "
            + " ".join(f"{mark:>7}" for mark in marks)
        )
    gone = any(game.kind == "forfeit" for round_ in event.swiss for game in round_)
    return ForeignFile(
        f"h9-{seed}", "h9", "".join(f"{line}\n" for line in lines).encode(), ".h9",
        4 * len(rows), len(event.swiss), event.people, plain=True, forfeits=gone,
    )  # fmt: skip


def opengotha(seed: int, *, forfeits: bool = False) -> ForeignFile:
    """Return OpenGotha's XML, which publishes no standings."""
    event, starts = _go_event(f"gotha {seed}", forfeits=forfeits)
    people = {p: event.names()[p].split(" ")[::-1] for p in range(1, event.people + 1)}
    keys = {p: "".join(parts).upper() for p, parts in people.items()}
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<Tournament dataVersion="201">', "<Players>",
        *(
            _element(
                "Player", name=last, firstName=first, rank=_level(starts[p]), country="FR",
                grade=_level(starts[p]), club="Paris", rating=100 * starts[p], egfPin="",
                smmsCorrection=0, participating="1" * 20,
            )
            for p, (last, first) in people.items()
        ),
        "</Players>", "<Games>",
    ]  # fmt: skip
    byes = []
    for number, round_ in enumerate(event.swiss, start=1):
        for table, game in enumerate(round_, start=1):
            if not game.two:
                byes.append(_element("ByePlayer", player=keys[game.one], roundNumber=number))
                continue
            result = "RESULT_WHITEWINS" if game.score[0] else "RESULT_BLACKWINS"
            result += "_BYDEF" * (game.kind == "forfeit")
            lines.append(
                _element(
                    "Game",
                    roundNumber=number,
                    tableNumber=table,
                    whitePlayer=keys[game.one],
                    blackPlayer=keys[game.two],
                    handicap=0,
                    knownColor="true",
                    result=result,
                )
            )
    lines += [
        "</Games>", "<ByePlayers>", *byes, "</ByePlayers>", "<TournamentParameterSet>",
        _element(
            "GeneralParameterSet", name=f"Gotha by chance {seed}", beginDate="2026-03-14",
            endDate="2026-03-15", numberOfRounds=len(event.swiss), genMMBar="9D", genMMFloor="30K",
            genMMS2ValueAbsent=0, genRoundDownNBWMMS="true",
        ),
        "</TournamentParameterSet>", "</Tournament>",
    ]  # fmt: skip
    return ForeignFile(
        f"opengotha-{seed}", "opengotha", "".join(f"{line}\n" for line in lines).encode(), ".xml",
        0, len(event.swiss), event.people,
    )  # fmt: skip


def _element(tag: str, **values: object) -> str:
    said = "".join(f' {name}="{value}"' for name, value in values.items())
    return f"<{tag}{said}/>"
