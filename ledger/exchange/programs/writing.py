"""Tournaments written for other programs: TRF16, TRF26, h9, OpenGotha's XML, NRTM, a CSV sheet.

What a format has no column for goes where other programs look for nothing. In a report file of
chess a remark is a line of `### tourney` and an object: the full name of a player, the table of two
players with its result as the log has it, and the rounds of an elimination. This program reads
names and tables back. Lines of `### tourney-record` have the whole event.

The first rows of a sheet have `event` for a round: the name of the event, its day and its game. The
last ones have the record of the event, which counts as long as the other rows are unchanged.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger import problems
from ledger.errors import Refused
from ledger.exchange.own_record import last_day_of, own_lines, parts_of
from ledger.exchange.programs.building import STONES, printable
from ledger.exchange.programs.go import LOWEST, key_of
from ledger.exchange.programs.nrtm import RECORD_MEMBER, as_sorted
from ledger.exchange.programs.trf import NAME_WIDTH, REMARK, codes_records, unit_of, worths_record
from ledger.exchange.sheets.reading import DATE, EVENT, NAME, RECORD, RULESET, about_of
from ledger.facts.results import UNPLAYED
from ledger.files.kinds import marked
from ledger.problems import phrase, problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.facts.shared import Result
    from ledger.tournament.state import Match, Player, Round, Tournament

FIRST, SECOND = 0, 1


class WrittenRow(Struct, frozen=True):
    """A row of the standings that goes into a file."""

    rank: int
    player: int
    points: int
    tiebreakers: dict[str, Fraction]


class Mark(Struct, frozen=True):
    """What a Swiss round was to a player: whom they met, in which seat, and how it ended.

    `kind` is `win`, `loss`, `draw`, `came`, `absent`, `open`; without an opponent `bye`, `full`,
    `half` or `zero`.
    """

    other: int
    seat: int
    kind: str
    stones: int = 0
    """Of the handicap, that White gave."""


def swiss_rounds(tournament: Tournament) -> list[Round]:
    """Return the rounds that are played for points."""
    return [each for each in tournament.rounds if tournament.stages[each.stage - 1].is_swiss]


def marks_of(tournament: Tournament, round_: Round) -> dict[int, Mark]:
    """Return everybody's mark of a round; who was not paired has none."""
    found: dict[int, Mark] = {}
    for match in round_.matches:
        if match.is_bye:
            for player in match.players:
                found[player] = Mark(0, FIRST, _bye(tournament, match))
            continue
        kinds = _kinds(tournament, match)
        given = match.result.fields.get(STONES[0], (0, 0)) if match.result else (0, 0)
        found[match.first] = Mark(match.second, FIRST, kinds[0], max(given))
        found[match.second] = Mark(match.first, SECOND, kinds[1], max(given))
    return found


def _kinds(tournament: Tournament, match: Match) -> tuple[str, str]:
    if match.result is None:
        return "open", "open"
    letters = [tournament.ruleset.records[each] for each in match.result.outcomes]
    if match.result.manner in UNPLAYED:
        first, second = ("came" if letter == "W" else "absent" for letter in letters)
        return first, second
    names = {"W": "win", "L": "loss", "D": "draw"}
    return names.get(letters[0], "open"), names.get(letters[1], "open")


def _bye(tournament: Tournament, match: Match) -> str:
    rules = tournament.ruleset
    if not match.named:
        return "bye"
    win, own = rules.full_win.points or 0, rules.worth_of_bye(match.named).points
    return "full" if own >= win else "half" if own else "zero"


NUMBER_MAX = 9_999
OF_TRF26 = "142"
POINTS_WIDTH = 4
TRF_RESULTS = {
    "win": "1", "loss": "0", "draw": "=", "came": "+", "absent": "-", "open": " ", "bye": "U",
    "full": "F", "half": "H", "zero": "Z",
}  # fmt: skip


def write_trf16(tournament: Tournament, rows: Sequence[WrittenRow]) -> bytes:
    """Write TRF16, the number of rounds by the code that pairing programs use."""
    return _trf(tournament, rows, "XXR")


def write_trf26(tournament: Tournament, rows: Sequence[WrittenRow]) -> bytes:
    """Write TRF26."""
    return _trf(tournament, rows, OF_TRF26)


def _trf(tournament: Tournament, rows: Sequence[WrittenRow], rounds: str) -> bytes:
    ranks = {row.player: row.rank for row in rows}
    if len(tournament.players) > NUMBER_MAX:
        raise Refused(
            phrase(
                "a report file can have at most {number_max} players", number_max=f"{NUMBER_MAX:,}"
            )
        )
    unit = unit_of(tournament.ruleset)
    points = {row.player: _points_text(Fraction(row.points, unit)) for row in rows}
    lines = [
        *_heads(tournament, rounds), *_players(tournament, ranks, points), *_remarks(tournament),
    ]  # fmt: skip
    lines += own_lines("### ", tournament, str, lines, unit)
    return "".join(f"{line}\r\n" for line in lines).encode()


def _heads(tournament: Tournament, rounds: str) -> Iterator[str]:
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - the first event brings it
    people = list(tournament.registered())
    planned = sum(each.plan.rounds for each in tournament.stages if each.is_swiss)
    yield f"012 {printable(opening.name)}"
    yield f"042 {opening.date.replace('-', '/')}"
    yield f"052 {(last_day_of(tournament) or opening.date).replace('-', '/')}"
    yield f"062 {len(people)}"
    yield f"072 {sum(bool(each.numbers.get('rating')) for each in people)}"
    yield "092 Individual: Swiss-System"
    yield f"{rounds} {max(planned, len(swiss_rounds(tournament)))}"
    if rounds == OF_TRF26:
        yield from filter(None, [worths_record(tournament.ruleset)])
        yield from codes_records(tournament.ruleset)


def _points_text(points: Fraction) -> str:
    text = f"{float(points):.1f}"
    return text if len(text) <= POINTS_WIDTH else f"{float(points):.0f}"


def _players(
    tournament: Tournament, ranks: Mapping[int, int], points: Mapping[int, str]
) -> Iterator[str]:
    marks = [marks_of(tournament, each) for each in swiss_rounds(tournament)]
    for player in tournament.registered():
        number, labels = player.number, player.attributes
        rating = player.numbers.get("rating", 0) or labels.get("rating", "")
        cells = "  ".join(_trf_cell(each.get(number)) for each in marks)
        name = printable(tournament.names.get(f"p{number}", ""))[:NAME_WIDTH]
        yield (
            f"001 {number:>4}  {printable(labels.get('title', ''))[:3]:>3} {name:<{NAME_WIDTH}} "
            f"{str(rating or '')[:4]:>4} {printable(labels.get('federation', ''))[:3]:>3} "
            f"{printable(labels.get('fide id', ''))[:11]:>11} {'':10} {points.get(number, ''):>4} "
            f"{ranks.get(number, ''):>4}  {cells}"
        ).rstrip()


def _trf_cell(mark: Mark | None) -> str:
    if mark is None:
        return "0000 - Z"
    if not mark.other:
        return f"0000 - {TRF_RESULTS[mark.kind]}"
    return f"{mark.other:>4} {'bw'[mark.seat == FIRST]} {TRF_RESULTS[mark.kind]}"


def _remarks(tournament: Tournament) -> Iterator[str]:
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - as above
    yield _remark(
        about="event", tournament=opening.tournament, events=tournament.seq,
        ruleset=opening.ruleset.key, edition=opening.ruleset.edition, tier=opening.tier,
    )  # fmt: skip
    yield from (_player_remark(tournament, each) for each in tournament.registered())
    for round_ in tournament.rounds:
        for match in round_.matches:
            yield _remark(
                about="table", round=round_.number, stage=round_.stage, table=match.table,
                players=match.players, result=match.result,
            )  # fmt: skip


def _player_remark(tournament: Tournament, player: Player) -> str:
    return _remark(
        about="player", player=player.number, name=tournament.names.get(f"p{player.number}", ""),
        faction=player.faction, league_id=player.league_id, attributes=player.attributes,
        numbers=player.numbers, status=player.status,
    )  # fmt: skip


def _remark(**about: object) -> str:
    text = msgspec.json.encode(about).decode()
    return REMARK + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


SIGNS = {"win": "+", "loss": "-", "draw": "=", "came": "+", "absent": "-", "open": "?"}
ALONE = {"bye": "0+", "full": "0+", "half": "0=", "zero": "0-"}
COLUMNS_MIN = 4
"""How many columns of numbers OpenGotha has at least, by filling with zeros."""

XML_RESULTS = {
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
    lines = list(_h9_lines(tournament, rows))
    places = {row.player: str(place) for place, row in enumerate(rows, start=1)}
    unit = tournament.ruleset.full_win.points or 1
    lines += own_lines("; ", tournament, places.__getitem__, lines, unit)
    return "".join(f"{line}\n" for line in lines).encode()


def _h9_lines(tournament: Tournament, rows: Sequence[WrittenRow]) -> Iterator[str]:
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
        games = [_h9_mark(each.get(row.player), places) for each in marks]
        yield f"{place:>4} {name:<30} {' '.join(labels)} {' '.join(numbers)} {' '.join(games)}"


def _word(text: str, empty: str) -> str:
    return "".join(printable(text).split()) or empty


def _number(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.4f}".rstrip("0")


def _h9_mark(mark: Mark | None, places: dict[int, int]) -> str:
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
        for line in _game_elements(tournament, number, each, names)
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
        *(_player_element(each, names[each.number]) for each in people.values()),
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


def _game_elements(
    tournament: Tournament, number: int, round_: Round, names: Mapping[int, tuple[str, str]]
) -> Iterator[str]:
    """Yield an element for each game and each bye of a round."""
    marks = marks_of(tournament, round_)
    for match in round_.matches:
        keys = [key_of(*names[player]) for player in match.players]
        if len(keys) == 1:
            yield _element("ByePlayer", player=keys[0], roundNumber=number)
        elif keys:
            result = _xml_result(marks[match.first].kind, marks[match.second].kind)
            yield _element(
                "Game", roundNumber=number, tableNumber=match.table, whitePlayer=keys[0],
                blackPlayer=keys[1], handicap=marks[match.first].stones, knownColor="true",
                result=result,
            )  # fmt: skip


def _first_and_last(tournament: Tournament, number: int) -> tuple[str, str]:
    """Return the name as the games call it, in two parts, of which none may be empty."""
    *first, last = printable(tournament.names.get(f"p{number}", "")).split() or ["x"]
    return (" ".join(first), last) if first else (last, f"p{number}")


def _player_element(player: Player, names: tuple[str, str]) -> str:
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


def _xml_result(first: str, second: str) -> str:
    if (first, second) in NOT_PLAYED:
        return NOT_PLAYED[first, second]
    return XML_RESULTS[first]


def _element(tag: str, **values: object) -> str:
    said = "".join(f" {name}={_quoted(printable(str(value)))}" for name, value in values.items())
    return f"<{tag}{said}/>"


def _quoted(text: str) -> str:
    for letter, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(letter, entity)
    return f'"{text}"'


NRTM_FIGURES = {"SOS": "strengthOfSchedule", "ESOS": "extendedStrengthOfSchedule"}
UPLOADED_FROM = "tourney"


def write_nrtm(tournament: Tournament, rows: Sequence[WrittenRow]) -> bytes:
    """Write players with their standings, and the tables of each round."""
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - the first event brings it
    if tournament.ruleset.scoring.kind != "reported":
        text = problems.marked("{game} does not report match points, which an NRTM file needs")
        raise Refused(problem("export.no_points", text, game=tournament.ruleset.key))
    swiss = sum(each.plan.rounds for each in tournament.stages if each.is_swiss)
    cut = next((each for each in tournament.stages if not each.is_swiss), None)
    seeds = cut.seeds or cut.entrants if cut else []
    value = {
        "name": opening.name,
        "date": opening.date,
        "cutToTop": len(seeds) or (cut.plan.size if cut else 0),
        "preliminaryRounds": swiss,
        "players": [_nrtm_player(tournament, row) for row in rows],
        "eliminationPlayers": [
            {"id": player, "name": tournament.names.get(f"p{player}", ""), "seed": seed}
            for seed, player in enumerate(seeds, start=1)
        ],
        "rounds": [
            [*_nrtm_tables(tournament, round_)] for round_ in tournament.rounds
        ],
        "uploadedFrom": UPLOADED_FROM,
    }  # fmt: skip
    record = parts_of(tournament, str, [as_sorted(value)])
    return msgspec.json.encode(value | {RECORD_MEMBER: record}) + b"\n"


def _nrtm_player(tournament: Tournament, row: WrittenRow) -> dict[str, object]:
    player = tournament.players[row.player]
    labels = {"corp": "corpIdentity", "runner": "runnerIdentity"}
    return {
        "id": row.player,
        "name": tournament.names.get(f"p{row.player}", ""),
        "rank": row.rank,
        **{labels[each]: player.attributes.get(each) for each in labels},
        "matchPoints": row.points,
        **{
            member: repr(float(row.tiebreakers[code]))
            for code, member in NRTM_FIGURES.items()
            if code in row.tiebreakers
        },
    }


def _nrtm_tables(tournament: Tournament, round_: Round) -> Iterator[dict[str, object]]:
    elimination = not tournament.stages[round_.stage - 1].is_swiss
    for match in round_.matches:
        bye = tournament.ruleset.worth_of_bye(match.named).points
        yield _nrtm_table(match, bye, elimination=elimination)
    for player in sorted(round_.missed):  # a table of one player, and no points
        alone = {"id": player, "combinedScore": 0}, {"id": None, "combinedScore": 0}
        yield {"player1": alone[0], "player2": alone[1], "eliminationGame": elimination}


def _nrtm_table(match: Match, bye: int, *, elimination: bool) -> dict[str, object]:
    sides: list[dict[str, object]] = []
    for place, player in enumerate((match.first, match.second)):
        side: dict[str, object] = {"id": player or None}
        if elimination:
            won = match.result.outcomes[place] == "win" if match.result else None
            side["winner"] = won
        else:
            side["combinedScore"] = _nrtm_score(match, place, bye)
        sides.append(side)
    return {
        "table": match.table, "player1": sides[0], "player2": sides[1],
        "eliminationGame": elimination,
    }  # fmt: skip


def _nrtm_score(match: Match, place: int, bye: int) -> int | None:
    if match.is_bye:
        return bye if (match.first, match.second)[place] else 0
    if match.result is None:
        return None
    return match.result.points[place] + match.result.adjusted[place]


Cells = dict[str, str]


def write_rounds(tournament: Tournament, _rows: Sequence[WrittenRow]) -> bytes:
    """Write a row for each table of each round, with a byte order mark, as spreadsheets take it."""
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - the first event brings it
    about = {NAME: opening.name, DATE: opening.date, RULESET: opening.ruleset.key}
    rows = [_event_row(what, text) for what, text in about.items()]
    rows += _roster(tournament)
    for round_ in tournament.rounds:
        rows += _sheet_rows(tournament, round_)
    fixed = ("round", "stage", "table", "player1", "player2", "result", "winner", "ended", "tier")
    used = dict.fromkeys(column for row in rows for column in row)
    titles = [column for column in fixed if column in used or column == "player2"]
    titles += [column for column in used if column not in fixed]
    plain = _as_csv(titles, rows)
    parts = parts_of(tournament, "p{}".format, about_of(plain).rest)
    return _as_csv(titles, [*rows, *(_event_row(RECORD, part) for part in parts)])


def _as_csv(titles: Sequence[str], rows: Iterable[Cells]) -> bytes:
    out = io.StringIO()
    sheet = csv.DictWriter(out, titles, lineterminator="\r\n")
    sheet.writeheader()
    for row in rows:
        sheet.writerow({column: marked(text) for column, text in row.items()})
    return out.getvalue().encode("utf-8-sig")


def _event_row(what: str, text: str) -> Cells:
    return {"round": EVENT, "player1": what, "player2": text}


def _roster(tournament: Tournament) -> Iterator[Cells]:
    """Yield everybody as entered, with what the log knows of them."""
    opening = tournament.opening
    for player in tournament.registered():
        cells = {
            "round": "0", "player1": tournament.names.get(f"p{player.number}", ""),
            "faction1": player.faction, "league_id1": player.league_id,
            "tier": opening.tier if opening else "",
        }  # fmt: skip
        cells |= {f"{label}1": text for label, text in player.attributes.items()}
        yield {column: text for column, text in cells.items() if text}


def _sheet_rows(tournament: Tournament, round_: Round) -> Iterator[Cells]:
    stage = tournament.stages[round_.stage - 1]
    common = {"round": str(round_.number), "stage": str(round_.stage) if stage.is_swiss else "cut"}
    for match in round_.matches:
        names = [tournament.names.get(f"p{player}", "") for player in match.players]
        cells = common | {"table": str(match.table), "player1": names[0]}
        if match.is_bye:
            yield cells | {"result": "bye"}
            continue
        result = _result_cells(tournament, match.result, is_swiss=stage.is_swiss)
        yield cells | {"player2": names[1]} | result
    for player in sorted(round_.missed):
        yield common | {"player1": tournament.names.get(f"p{player}", ""), "result": "missed"}


def _result_cells(tournament: Tournament, result: Result | None, *, is_swiss: bool) -> Cells:
    if result is None:
        return {}
    letters = [tournament.ruleset.records[each] for each in result.outcomes]
    if result.manner == "no-show":
        gone = [letter == "L" for letter in letters]
        return {"result": "no-show" if all(gone) else f"no-show{1 + gone.index(True)}"}
    if result.facts or result.ending:
        cells = {"ended": result.ending}
        for label, pair in result.facts.items():
            cells |= {f"{label}{side}": str(own) for side, own in enumerate(pair, start=1)}
        return cells
    if tournament.ruleset.scoring.kind == "reported" and (is_swiss or any(result.points)):
        return {f"points{side}": str(own) for side, own in enumerate(result.points, start=1)}
    return {"result": result.outcomes[0]}


WRITERS: Mapping[str, Callable[[Tournament, Sequence[WrittenRow]], bytes]] = MappingProxyType(
    {
        "trf16": write_trf16,
        "trf26": write_trf26,
        "h9": write_h9,
        "opengotha": write_opengotha,
        "nrtm": write_nrtm,
        "rounds": write_rounds,
    }
)
"""What writes each, by the name of the form."""
