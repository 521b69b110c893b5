"""A tournament as go's programs take it: the h9 of the European Go Federation, OpenGotha's XML."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ledger.exchange.own_record import last_day_of, own_lines
from ledger.exchange.programs.building import printable
from ledger.exchange.programs.go_documents import LOWEST, key_of
from ledger.exchange.programs.written import FIRST, marks_of, swiss_rounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.exchange.programs.written import Mark, WrittenRow
    from ledger.tournament.state import Player, Round, Tournament

SIGNS = {"win": "+", "loss": "-", "draw": "=", "came": "+", "absent": "-", "open": "?"}
ALONE = {"bye": "0+", "full": "0+", "half": "0=", "zero": "0-"}
COLUMNS_MIN = 4
"""How many columns of numbers OpenGotha has at least, by filling with zeros."""

RESULTS = {
    "win": "RESULT_WHITEWINS", "loss": "RESULT_BLACKWINS", "draw": "RESULT_EQUAL",
    "open": "RESULT_UNKNOWN",
}  # fmt: skip
NOT_PLAYED = {
    ("came", "absent"): "RESULT_WHITEWINS_BYDEF", ("absent", "came"): "RESULT_BLACKWINS_BYDEF",
    ("absent", "absent"): "RESULT_BOTHLOSE_BYDEF",
}  # fmt: skip
HEADINGS = {"SOSM": "SOSM", "SOSOSM": "SOSOSM", "SODOSM": "SODOSM", "SOSW": "SOSW"}


def write_h9(tournament: Tournament, rows: Sequence[WrittenRow]) -> bytes:
    """Write a line for each player in the order of the standings."""
    lines = list(_lines(tournament, rows))
    places = {row.player: str(place) for place, row in enumerate(rows, start=1)}
    unit = tournament.ruleset.full_win.points or 1
    lines += own_lines("; ", tournament, places.__getitem__, lines, unit)
    return "".join(f"{line}\n" for line in lines).encode()


def _lines(tournament: Tournament, rows: Sequence[WrittenRow]) -> Iterator[str]:
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - the first event brings it
    codes = [code for code in HEADINGS if rows and code in rows[0].tiebreakers]
    yield "; CL[]"
    yield f"; EV[{printable(opening.name)}]"
    yield f"; DT[{opening.date},{last_day_of(tournament) or opening.date}]"
    yield f"; PB[tourney, event {opening.tournament}, {tournament.seq} events]"
    yield f"; Pl Name                            Rk Co Club  MMS {' '.join(codes)}".rstrip()
    places = {row.player: place for place, row in enumerate(rows, start=1)}
    marks = [marks_of(tournament, each) for each in swiss_rounds(tournament)]
    unit = tournament.ruleset.full_win.points or 1
    for place, row in enumerate(rows, start=1):
        player = tournament.players[row.player]
        about = (("rank", "30K"), ("country", "XX"), ("club", "xxxx"))
        labels = [_word(player.attributes.get(each, ""), empty) for each, empty in about]
        name = " ".join(printable(tournament.names.get(f"p{row.player}", "")).split()) or "x"
        numbers = [
            _number(Fraction(row.points, unit)),
            *(_number(row.tiebreakers[c]) for c in codes),
        ]
        numbers += ["0"] * (COLUMNS_MIN - len(numbers))
        games = [_mark(each.get(row.player), places) for each in marks]
        yield f"{place:>4} {name:<30} {' '.join(labels)} {' '.join(numbers)} {' '.join(games)}"


def _word(text: str, empty: str) -> str:
    return "".join(printable(text).split()) or empty


def _number(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.4f}".rstrip("0")


def _mark(mark: Mark | None, places: dict[int, int]) -> str:
    if mark is None:
        return "0-"
    if not mark.other:
        return ALONE[mark.kind]
    between = "!" if mark.kind in {"came", "absent"} else "/"
    return f"{places[mark.other]}{SIGNS[mark.kind]}{between}{'bw'[mark.seat == FIRST]}{mark.stones}"


def write_opengotha(tournament: Tournament, _rows: Sequence[WrittenRow]) -> bytes:
    """Write the players, the games and the byes as OpenGotha's XML has them."""
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - as above
    people = {each.number: each for each in tournament.registered()}
    names = {number: _first_and_last(tournament, number) for number in people}
    rounds = swiss_rounds(tournament)
    games = [
        line
        for number, each in enumerate(rounds, start=1)
        for line in _games(tournament, number, each, names)
    ]
    about = _element(
        "GeneralParameterSet", name=printable(opening.name), beginDate=opening.date,
        endDate=last_day_of(tournament) or opening.date, numberOfRounds=len(rounds),
        genMMBar="9D", genMMFloor="30K",
    )  # fmt: skip
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<Tournament dataVersion="201">',
        "<Players>",
        *(_person(each, names[each.number]) for each in people.values()),
        "</Players>",
        "<Games>",
        *(line for line in games if line.startswith("<Game ")),
        "</Games>",
        "<ByePlayers>",
        *(line for line in games if line.startswith("<ByePlayer ")),
        "</ByePlayers>",
        "<TournamentParameterSet>",
        about,
        "</TournamentParameterSet>",
        "</Tournament>",
    ]
    keys = {number: key_of(*parts) for number, parts in names.items()}
    lines += own_lines("<!-- ", tournament, keys.__getitem__, lines)
    return "".join(f"{line}\n" for line in lines).encode()


def _games(
    tournament: Tournament, number: int, round_: Round, names: Mapping[int, tuple[str, str]]
) -> Iterator[str]:
    """Yield an element for each game and each bye of a round."""
    marks = marks_of(tournament, round_)
    for match in round_.matches:
        keys = [key_of(*names[player]) for player in match.players]
        if len(keys) == 1:
            yield _element("ByePlayer", player=keys[0], roundNumber=number)
        elif keys:
            result = _result(marks[match.first].kind, marks[match.second].kind)
            yield _element(
                "Game", roundNumber=number, tableNumber=match.table, whitePlayer=keys[0],
                blackPlayer=keys[1], handicap=marks[match.first].stones, knownColor="true",
                result=result,
            )  # fmt: skip


def _first_and_last(tournament: Tournament, number: int) -> tuple[str, str]:
    """Return the name as the games call it, in two parts, of which none may be empty."""
    *first, last = printable(tournament.names.get(f"p{number}", "")).split() or ["x"]
    return (" ".join(first), last) if first else (last, f"p{number}")


def _person(player: Player, names: tuple[str, str]) -> str:
    start = player.numbers.get("mms")
    rank = player.attributes.get("rank", "") or "30K"
    if start is not None:
        level = start + LOWEST
        rank = f"{-level}K" if level < 0 else f"{level + 1}D"
    return _element(
        "Player", name=names[0], firstName=names[1], rank=rank, grade=rank,
        country=player.attributes.get("country", ""), club=player.attributes.get("club", ""),
        rating=player.numbers.get("rating", 0), egfPin=player.league_id, smmsCorrection=0,
    )  # fmt: skip


def _result(first: str, second: str) -> str:
    if (first, second) in NOT_PLAYED:
        return NOT_PLAYED[first, second]
    return RESULTS[first]


def _element(tag: str, **values: object) -> str:
    said = "".join(f" {name}={_quoted(printable(str(value)))}" for name, value in values.items())
    return f"<{tag}{said}/>"


def _quoted(text: str) -> str:
    for letter, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(letter, entity)
    return f'"{text}"'
