"""Raw files of other programs, each in its tool's layout, for events that are played by chance.

Nothing here uses the code under test. An event is played (`played_events.py`), its published
numbers are computed with fractions by the definition of the tool that publishes them, and the whole
is written as that tool writes it. Each file states what a reader has to find out about it:

    for file in foreign_files():
        file.name          "melee-second-day-7"
        file.layout        melee, cobra, aesops, listfortress, trf16, trf26, h9, opengotha
        file.data          the bytes; `file.suffix` is ".json", ".trf", ".h9" or ".xml"
        file.ruleset       the key to name with --ruleset, empty if the layout has one of its own
        file.numbers       how many numbers the file publishes (0: nothing to compare)
        file.plain         whether all of them follow from the plain reading
        file.cut_after     the round after which the field was cut to a second day, 0 without one
        file.playoffs      how many playoff rounds are numbered like Swiss rounds, at the end
        file.own_bye       an own bye counts as an opponent without points (AesopsTables)
        file.raw_games     the own share of games won is published without its floor (Melee)
        file.forfeits      games not played: the loser has 0, and the opponent counts in sums (go)
        file.adjusted      how many tables have points that the rules do not give, held as adjusted
        file.odd           how many tables cannot be held as they are published: not computed
        file.rounds        Swiss rounds that were played, without the playoffs
        file.players       how many people are in the file
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.support.files.board_files import h9, opengotha, trf
from tests.support.files.played_events import (
    ForeignFile,
    Game,
    Habits,
    Played,
    knockout,
    own_points,
    played,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Json = dict[str, Any]
THIRD = Fraction(1, 3)


# -- Magic: what collectors keep of Melee ----------------------------------------------------------

MAGIC = [((2, 0), 0), ((2, 1), 0), ((1, 0), 0), ((1, 1), 1), ((0, 0), 3)]


def _magic_score(chance: random.Random) -> tuple[tuple[int, int], int]:
    (one, two), drawn = chance.choices(MAGIC, (40, 35, 5, 8, 5))[0]
    return ((one, two) if chance.random() < 0.5 else (two, one)), drawn


def _magic_worth(game: Game, player: int) -> int:
    if game.kind == "bye":
        return 3
    own, other = game.of(player)
    return 0 if game.kind == "missed" else 3 if own > other else 0 if own < other else 1


def _magic_shares(event: Played, player: int, rounds: int) -> tuple[int, Fraction, Fraction]:
    """Return points, the share of matches won and the share of games won, without floors."""
    games = list(event.games(player, rounds))
    points = sum(_magic_worth(game, player) for game in games)
    won = total = 0
    for game in games:
        own, other = (2, 0) if game.kind == "bye" else game.of(player)
        won += 3 * own + game.drawn
        total += own + other + game.drawn
    share = Fraction(points, 3 * len(games)) if games else Fraction(0)
    return points, share, Fraction(won, 3 * total) if total else Fraction(0)


def _magic_row(
    event: Played, player: int, rounds: int, *, raw: bool
) -> tuple[int, Fraction, Fraction, Fraction]:
    """Return points, OMW, GW and OGW: opponents' shares are at least a third, byes are left out."""
    points, _, games_won = _magic_shares(event, player, rounds)
    others = [game.other(player) for game in event.games(player, rounds) if game.two]
    shares = [_magic_shares(event, other, rounds) for other in others]
    count = max(1, len(others))
    omw = sum((max(THIRD, share) for _, share, _ in shares), Fraction(0)) / count
    ogw = sum((max(THIRD, share) for _, _, share in shares), Fraction(0)) / count
    return points, omw, games_won if raw else max(THIRD, games_won), ogw


def magic_rows(
    event: Played, *, cut_after: int = 0, raw: bool = False
) -> list[tuple[int, tuple[int, Fraction, Fraction, Fraction]]]:
    """Return the standings: who was cut has the numbers of that moment, and comes behind."""
    later = {p for round_ in event.swiss[cut_after:] for g in round_ for p in (g.one, g.two) if p}
    rows = {}
    for player in range(1, event.people + 1):
        rounds = 0 if not cut_after or player in later else cut_after
        rows[player] = _magic_row(event, player, rounds, raw=raw)
    order = sorted(
        rows, key=lambda each: (cut_after and each not in later, [-n for n in rows[each]])
    )
    return [(player, rows[player]) for player in order]


def _magic_match(names: Sequence[str], game: Game, chance: random.Random) -> Iterator[Json]:
    """Yield what the collector has of a table: a draw twice, once from each side."""
    one, two = names[game.one], names[game.two] if game.two else "-"
    if game.kind == "bye":
        yield {"Player1": one, "Player2": "-", "Result": "2-0-0"}
    elif game.kind == "missed":
        yield {"Player1": "-", "Player2": one, "Result": "2-0-0"}
    elif game.score[0] == game.score[1]:
        text = f"{game.score[0]}-{game.score[1]}-{game.drawn}"
        yield {"Player1": one, "Player2": two, "Result": text}
        yield {"Player1": two, "Player2": one, "Result": text}
    else:
        won, lost = max(game.score), min(game.score)
        if game.score[0] < game.score[1] and chance.random() < 0.9:  # winners come first, mostly
            one, two = two, one
            yield {"Player1": one, "Player2": two, "Result": f"{won}-{lost}-{game.drawn}"}
        else:
            text = f"{game.score[0]}-{game.score[1]}-{game.drawn}"
            yield {"Player1": one, "Player2": two, "Result": text}


CUT_NAMES = {1: "Finals", 2: "Semifinals", 4: "Quarterfinals", 8: "Round of 16"}


def melee(seed: int, *traits: str) -> ForeignFile:
    """Return an event of Melee, as a collector has it.

    `traits` are: second-day, playoffs, numbered (playoffs named like Swiss rounds), drawn-final,
    raw-games and percent.
    """
    chance = random.Random(f"melee {seed}")
    numbered, raw_games = "numbered" in traits, "raw-games" in traits
    drawn_final = "drawn-final" in traits
    day = (4, 12) if "second-day" in traits else (0, 0)
    habits = Habits(
        chance.randint(26, 47), chance.randint(6, 7), _magic_score, _magic_worth,
        drops=0.04, missed=0.02, late=0.05, bye_score=(2, 0), second_day=day,
    )  # fmt: skip
    event = played(f"melee {seed}", habits)
    rows = magic_rows(event, cut_after=day[0], raw=raw_games)
    if numbered or "playoffs" in traits:
        top = [player for player, _ in rows][:8]
        knockout(event, top, chance, lambda c: c.choice([(2, 0), (2, 1), (1, 2)]))
    if drawn_final:
        last = event.cut[-1][0]
        event.cut[-1] = [last._replace(score=(1, 1), drawn=1)]
    names = event.names()
    rounds = [(f"Round {n}", games) for n, games in enumerate(event.swiss, start=1)]
    for number, games in enumerate(event.cut, start=len(rounds) + 1):
        rounds.append((f"Round {number}" if numbered else CUT_NAMES[len(games)], games))
    scale = 100 if "percent" in traits else 1
    document = {
        "Tournament": {
            "Date": "2023-04-01T00:00:00", "Name": f"Magic by chance {seed}",
            "Uri": f"https://melee.gg/Tournament/View/{seed}", "Formats": "Modern",
        },
        "Decks": [],
        "Rounds": [
            {"RoundName": name,
             "Matches": [m for game in games for m in _magic_match(names, game, chance)]}
            for name, games in rounds
        ],
        "Standings": [
            {"Rank": rank, "Player": names[player], "Points": row[0], "Wins": 0, "Losses": 0,
             "Draws": 0, "OMWP": round(float(row[1]) * scale, 6),
             "GWP": round(float(row[2]) * scale, 6), "OGWP": round(float(row[3]) * scale, 6)}
            for rank, (player, row) in enumerate(rows, start=1)
        ],
    }  # fmt: skip
    raw_differs = raw_games and any(row[2] < THIRD for _, row in rows)
    return ForeignFile(
        f"melee-{seed}", "melee", _json(document), ".json", 5 * len(rows), len(event.swiss),
        event.people, plain=not (day[0] or numbered or raw_differs), cut_after=day[0],
        playoffs=len(event.cut) if numbered else 0, raw_games=raw_differs, odd=int(drawn_final),
    )  # fmt: skip


# -- Netrunner: Cobra and AesopsTables -------------------------------------------------------------

NETRUNNER = [(6, 0), (3, 3), (4, 1), (3, 1), (2, 2), (3, 0)]


def _netrunner_score(chance: random.Random) -> tuple[tuple[int, int], int]:
    one, two = chance.choices(NETRUNNER, (8, 8, 3, 1, 1, 1))[0]
    return ((one, two) if chance.random() < 0.5 else (two, one)), 0


def _one_game_score(chance: random.Random) -> tuple[tuple[int, int], int]:
    return chance.choices([(3, 0), (0, 3), (1, 1)], (5, 5, 1))[0], 0


def netrunner_rows(
    event: Played, *, own_bye: bool = False
) -> list[tuple[int, tuple[int, Fraction, Fraction]]]:
    """Return points, strength of schedule and extended strength of schedule, ranked by them.

    The average of an opponent is points a round played, byes in both. With `own_bye` a bye is an
    opponent of 0, and the extended strength is made of rounded ones, as AesopsTables has it; else a
    bye is left out.
    """
    people = range(1, event.people + 1)
    games = {player: [g for g in event.games(player) if g.kind != "open"] for player in people}
    points = {player: sum(own_points(g, player) for g in games[player]) for player in people}

    def mean(values: dict[int, Fraction], player: int) -> Fraction:
        others = [values[g.other(player)] for g in games[player] if g.two]
        count = len(others) + own_bye * sum(g.kind == "bye" for g in games[player])
        return sum(others, Fraction(0)) / count if count else Fraction(0)

    averages = {p: Fraction(points[p], len(games[p]) or 1) for p in people}
    sos = {player: mean(averages, player) for player in people}
    if own_bye:
        sos = {player: Fraction(str(round(float(own), 3))) for player, own in sos.items()}
    extended = {player: mean(sos, player) for player in people}
    order = sorted(people, key=lambda p: (-points[p], -sos[p], -extended[p]))
    return [(player, (points[player], sos[player], extended[player])) for player in order]


def cobra(seed: int, *traits: str, bye: int = 6, top: int = 0) -> ForeignFile:
    """Return an export of Cobra.

    `traits` are: mixed-byes (the last one is worth less), beyond (tables with points that no match
    gives), running (a table of the last round waits) and drawn-final.
    """
    chance = random.Random(f"cobra {seed}")
    habits = Habits(
        chance.randint(9, 33), chance.randint(4, 6), _netrunner_score, own_points,
        drops=0.05, missed=0.01, late=0.05, bye_score=(bye, 0),
    )  # fmt: skip
    event = played(f"cobra {seed}", habits)
    adjusted = 0
    if "beyond" in traits:
        for at, score in enumerate(((7, 0), (0, 8), (9, 9))[: len(event.swiss)]):
            event.swiss[at][0] = event.swiss[at][0]._replace(score=score)
            adjusted += 1
    if "mixed-byes" in traits:
        _lower_the_last_bye(event, bye - 3)
    if "running" in traits:
        event.swiss[-1][0] = event.swiss[-1][0]._replace(kind="open", score=(0, 0))
    rows = netrunner_rows(event)
    if top:
        knockout(event, [player for player, _ in rows][:top], chance, _one_or_other)
    if "drawn-final" in traits:
        event.cut[-1] = [event.cut[-1][0]._replace(score=(3, 3))]
    names = event.names()
    ids = {player: 30_000 + 7 * player for player in range(1, event.people + 1)}
    winner = _winner(event)
    document = {
        "name": f"Cobra by chance {seed}", "date": "2023-09-30", "cutToTop": top,
        "preliminaryRounds": len(event.swiss),
        "players": [
            {"id": ids[player], "name": names[player], "rank": rank, "matchPoints": row[0],
             "strengthOfSchedule": repr(float(row[1])),
             "extendedStrengthOfSchedule": repr(float(row[2])),
             "corpIdentity": "NBN: Reality Plus", "runnerIdentity": None}
            for rank, (player, row) in enumerate(rows, start=1)
        ],
        "eliminationPlayers": [
            {"id": ids[player], "name": names[player], "seed": seed_,
             "rank": 1 if player == winner else 2}
            for seed_, player in enumerate(event.seeds, start=1)
        ],
        "rounds": [
            *([_cobra_table(n, g, ids) for n, g in enumerate(games, start=1)]
              for games in event.swiss),
            *([_cobra_final(n, g, ids) for n, g in enumerate(games, start=1)]
              for games in event.cut),
        ],
        "uploadedFrom": "Cobra",
        "links": [{"rel": "schemaderivedfrom",
                   "href": "http://steffens.org/nrtm/nrtm-schema.json"}],
    }  # fmt: skip
    return ForeignFile(
        f"cobra-{seed}", "cobra", _json(document), ".json", 4 * len(rows), len(event.swiss),
        event.people, adjusted=adjusted, odd=int("drawn-final" in traits),
    )  # fmt: skip


def _lower_the_last_bye(event: Played, worth: int) -> None:
    rounds = enumerate(event.swiss)
    byes = [(n, at) for n, games in rounds for at, game in enumerate(games) if game.kind == "bye"]
    if not byes:  # an even number played all of it
        return
    number, at = byes[-1]
    event.swiss[number][at] = event.swiss[number][at]._replace(score=(worth, 0))


def _one_or_other(chance: random.Random) -> tuple[int, int]:
    return chance.choice([(3, 0), (0, 3)])


def _winner(event: Played) -> int:
    last = event.cut[-1][0] if event.cut else Game(0)
    return last.one if last.score[0] >= last.score[1] else last.two


def _cobra_table(number: int, game: Game, ids: dict[int, int]) -> Json:
    is_open = game.kind == "open"
    sides: list[Json] = [
        {"id": ids.get(player), "combinedScore": None if is_open else score,
         "corpScore": None, "runnerScore": None}
        for player, score in zip((game.one, game.two), game.score, strict=True)
    ]  # fmt: skip
    return {
        "table": number, "player1": sides[0], "player2": sides[1], "eliminationGame": False,
        "intentionalDraw": False, "twoForOne": False,
    }  # fmt: skip


def _cobra_final(number: int, game: Game, ids: dict[int, int]) -> Json:
    drawn = game.score[0] == game.score[1]
    sides: list[Json] = [
        {"id": ids[player], "role": role, "winner": None if drawn else own > other}
        | ({"combinedScore": own} if drawn else {})
        for player, role, own, other in (
            (game.one, "corp", *game.score), (game.two, "runner", *game.score[::-1]),
        )
    ]  # fmt: skip
    return {"table": number, "player1": sides[0], "player2": sides[1], "eliminationGame": True}


def aesops(seed: int, *, top: int = 0) -> ForeignFile:
    """Return an export of AesopsTables, for which a bye is an opponent without points."""
    chance = random.Random(f"aesops {seed}")
    habits = Habits(
        chance.randint(9, 29), chance.randint(4, 6), _one_game_score, own_points,
        drops=0.05, bye_score=(3, 0),
    )  # fmt: skip
    event = played(f"aesops {seed}", habits)
    rows = netrunner_rows(event, own_bye=True)
    if top:
        knockout(event, [player for player, _ in rows][:top], chance, _one_or_other)
    names = event.names()
    document = {
        "name": f"Aesops by chance {seed}", "date": "2023-11-25", "cutToTop": top,
        "preliminaryRounds": len(event.swiss),
        "players": [
            {"id": player, "name": names[player], "rank": rank, "matchPoints": row[0],
             "strengthOfSchedule": round(float(row[1]), 3),
             "extendedStrengthOfSchedule": round(float(row[2]), 3), "sideBalance": 0,
             "corpIdentity": "NBN: Reality Plus", "runnerIdentity": "Lat: Ethical Freelancer"}
            for rank, (player, row) in enumerate(rows, start=1)
        ],
        "eliminationPlayers": [
            {"id": player, "name": names[player], "seed": seed_, "rank": seed_}
            for seed_, player in enumerate(event.seeds, start=1)
        ],
        "rounds": [
            *([_aesops_table(n, g) for n, g in enumerate(games, start=1)]
              for games in event.swiss),
            *([_aesops_final(n, g) for n, g in enumerate(games, start=1)] for games in event.cut),
        ],
        "uploadedFrom": "AesopsTables",
        "links": [{"rel": "schemaderivedfrom",
                   "href": "http://steffens.org/nrtm/nrtm-schema.json"}],
    }  # fmt: skip
    has_bye = any(game.kind == "bye" for round_ in event.swiss for game in round_)
    return ForeignFile(
        f"aesops-{seed}", "aesops", _json(document), ".json", 4 * len(rows), len(event.swiss),
        event.people, plain=not has_bye, own_bye=has_bye,
    )  # fmt: skip


def _aesops_table(number: int, game: Game) -> Json:
    return {
        "tableNumber": number, "corpPlayer": game.one, "runnerPlayer": game.two or "(BYE)",
        "corpScore": str(game.score[0]), "runnerScore": str(game.score[1]),
        "corpIdentity": "NBN: Reality Plus", "runnerIdentity": "",
    }  # fmt: skip


def _aesops_final(number: int, game: Game) -> Json:
    won = game.one if game.score[0] > game.score[1] else game.two
    return {
        "tableNumber": number, "corpPlayer": game.one, "runnerPlayer": game.two,
        "eliminationGame": True, "winner_id": won, "loser_id": game.other(won),
    }  # fmt: skip


# -- X-Wing: ListFortress --------------------------------------------------------------------------


def _xwing_score(chance: random.Random) -> tuple[tuple[int, int], int]:
    one, two = chance.randint(40, 200), chance.randint(0, 200)
    return (one, two + (one == two)), 0


def _to_that(
    low: tuple[int, int], high: tuple[int, int]
) -> Callable[[random.Random], tuple[int, int]]:
    def score(chance: random.Random) -> tuple[int, int]:
        more, less = chance.randint(*high), chance.randint(*low)
        return (more, less) if chance.random() < 0.5 else (less, more)

    return score


def _xwing_worth(game: Game, player: int) -> int:
    own, other = game.of(player)
    return int(game.kind == "bye" or own > other)


def xwing_rows(event: Played) -> list[tuple[int, tuple[int, int, Fraction]]]:
    """Return points, margin of victory and strength of schedule, ranked by them."""
    people = range(1, event.people + 1)
    games = {player: list(event.games(player)) for player in people}
    points = {p: sum(_xwing_worth(game, p) for game in games[p]) for p in people}
    margins = {
        p: sum(300 if g.kind == "bye" else 200 + g.of(p)[0] - g.of(p)[1]
               for g in games[p] if g.kind != "missed")
        for p in people
    }  # fmt: skip
    averages = {p: Fraction(points[p], len(games[p]) or 1) for p in people}
    sos = {}
    for player in people:
        others = [averages[g.other(player)] for g in games[player] if g.two]
        sos[player] = sum(others, Fraction(0)) / max(1, len(others))
    order = sorted(people, key=lambda p: (-points[p], -margins[p], -sos[p]))
    return [(player, (points[player], margins[player], sos[player])) for player in order]


def listfortress(
    seed: int, *, top: int = 0, epic: bool = False, drawn_final: bool = False
) -> ForeignFile:
    """Return an event of ListFortress; `epic` plays its elimination to 300 points."""
    chance = random.Random(f"fortress {seed}")
    habits = Habits(
        chance.randint(8, 26), chance.randint(3, 5), _xwing_score, _xwing_worth,
        drops=0.04, bye_score=(0, 0),
    )  # fmt: skip
    event = played(f"fortress {seed}", habits)
    rows = xwing_rows(event)
    if top:
        low, high = ((0, 199), (200, 200)) if not epic else ((50, 250), (300, 300))
        knockout(
            event, [player for player, _ in rows][:top], chance,
            _to_that(low, high),
        )  # fmt: skip
    if drawn_final:
        event.cut[-1] = [event.cut[-1][0]._replace(score=(120, 120))]
    names, counter = event.names(), iter(range(7_000, 99_999))
    ranks = {player: rank for rank, (player, _) in enumerate(rows, start=1)}
    winner = _winner(event)

    def match(game: Game) -> Json:
        own, other = game.score
        won = game.one if own > other else game.two if own < other else None
        is_bye = not game.two
        return {
            "id": next(counter), "player1_id": 100 + game.one,
            "player1_points": 0 if is_bye else own,
            "player2_id": 100 + game.two if game.two else None,
            "player2_points": None if is_bye else other,
            "result": "bye" if is_bye else "draw" if won is None else "win",
            "winner_id": 100 + game.one if is_bye else 100 + won if won else None,
        }  # fmt: skip

    listed = [(1, n, games) for n, games in enumerate(event.swiss, start=1)]
    listed += [(2, 2 * len(games), games) for games in event.cut]
    document = {
        "id": seed, "name": f"Fortress by chance {seed}", "date": "2019-04-20", "location": "",
        "state": None, "country": "US", "format_id": 1, "version_id": 1, "tournament_type_id": 2,
        "created_at": "2019-04-20T10:00:00Z", "updated_at": "2019-04-21T10:00:00Z",
        "participants": [
            {"id": 100 + player, "tournament_id": seed, "name": names[player], "score": row[0],
             "swiss_rank": ranks[player], "mov": row[1], "sos": f"{float(row[2]):.2f}",
             "top_cut_rank": (1 if player == winner else 2) if player in event.seeds else None,
             "dropped": player in event.dropped, "list_points": None, "list_json": None}
            for player, row in sorted(rows)
        ],
        "rounds": [
            {"id": number, "tournament_id": seed, "roundtype_id": kind, "round_number": place,
             "matches": [match(game) for game in reversed(games)]}
            for number, (kind, place, games) in enumerate(listed, start=1)
        ][::-1],
    }  # fmt: skip
    odd = sum(len(games) for games in event.cut) if epic else int(drawn_final)
    return ForeignFile(
        f"listfortress-{seed}", "listfortress", _json(document), ".json", 4 * len(rows),
        len(event.swiss), event.people, odd=odd,
    )  # fmt: skip


def foreign_files(seed: int = 0) -> list[ForeignFile]:
    """Return the whole set, 48 files; another `seed` gives as many other events."""
    at = 100 * seed
    found: list[ForeignFile] = [
        *(melee(at + n) for n in range(1, 4)),
        *(melee(at + n, "playoffs") for n in range(4, 6)),
        *(melee(at + n, "second-day") for n in range(6, 8)),
        *(melee(at + n, "numbered") for n in range(8, 10)),
        melee(at + 10, "second-day", "numbered"),
        melee(at + 11, "playoffs", "drawn-final"),
        melee(at + 12, "raw-games"),
        melee(at + 13, "raw-games", "second-day"),
        melee(at + 14, "percent"),
        *(cobra(at + n) for n in range(1, 3)),
        *(cobra(at + n, top=4) for n in range(3, 5)),
        cobra(at + 5, bye=3),
        cobra(at + 6, bye=7),
        cobra(at + 7, "beyond"),
        cobra(at + 8, "drawn-final", top=4),
        cobra(at + 9, "running"),
        cobra(at + 10, "mixed-byes"),
        cobra(at + 11, "mixed-byes", bye=7),
        *(aesops(at + n) for n in range(1, 4)),
        *(aesops(at + n, top=4) for n in range(4, 6)),
        *(listfortress(at + n) for n in range(1, 3)),
        *(listfortress(at + n, top=4) for n in range(3, 5)),
        listfortress(at + 5, top=4, epic=True),
        listfortress(at + 6, top=4, drawn_final=True),
        *(trf(at + n) for n in range(1, 4)),
        *(trf(at + n, newer=True) for n in range(4, 7)),
        trf(at + 7, odd=True),
        trf(at + 8, newer=True, odd=True),
        *(h9(at + n) for n in range(1, 4)),
        *(h9(at + n, forfeits=True) for n in range(4, 6)),
        opengotha(at + 1),
        opengotha(at + 2, forfeits=True),
    ]
    return [_named(file) for file in found]


def _named(file: ForeignFile) -> ForeignFile:
    said = {
        "second-day": file.cut_after, "numbered": file.playoffs, "own-bye": file.own_bye,
        "raw-games": file.raw_games, "forfeits": file.forfeits, "adjusted": file.adjusted,
        "odd": file.odd,
    }  # fmt: skip
    words = [word for word, is_so in said.items() if is_so]
    layout, _, number = file.name.partition("-")
    return replace(file, name="-".join([layout, *words, number]))


def _json(document: Json) -> bytes:
    return json.dumps(document, ensure_ascii=False, indent=1).encode()
