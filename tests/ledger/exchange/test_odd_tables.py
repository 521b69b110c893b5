"""Odd tables never refuse an event: what the rules do not give is adjusted, or not computed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger.exchange import NRTM
from ledger.exchange.foreign import cut_after
from ledger.exchange.importing import read_foreign
from ledger.exchange.programs import program_of, read_program
from ledger.exchange.programs.nrtm import read_nrtm
from ledger.rulesets import parse, text_of
from projections.published_tables import compared
from projections.reproduction import made
from tests.support.files.foreign_files import foreign_files, netrunner_rows, xwing_rows
from tests.support.files.nrtm_files import as_bytes, document, game, table
from tests.support.files.played_events import Game, Played
from tests.support.files.program_files import duel, fortress, gotha, melee, pilots, row, trf
from tests.support.shared import SHARED, TOURNAMENTS, needs_shared

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.exchange.foreign import ForeignTournament
    from tests.support.cli_desk import Desk
    from tests.support.files.played_events import ForeignFile

    Json = dict[str, Any]

FILES = foreign_files()
AESOPS = tuple(sorted((SHARED / "real" / "others").glob("aesops*.json")))
FORTRESSES = tuple(sorted((SHARED / "real" / "others").glob("listfortress*.json")))


def foreign_of(data: bytes) -> ForeignTournament:
    return read_foreign(program_of(data) or NRTM, data, None)


def check(file: ForeignFile) -> None:
    foreign = foreign_of(file.data)
    assert len(foreign.players) == file.players
    assert len(foreign.swiss) == file.rounds + file.playoffs
    assert len(foreign.not_computed) == file.odd
    notes = [note for note in foreign.notes if "adjusted by" in str(note)]
    assert len(notes) == file.adjusted
    assert all(table.words in foreign.notes for table in foreign.not_computed)
    found = compared(foreign, made(foreign))
    assert found.numbers == file.numbers
    assert (not found.wrong) == file.plain
    if file.cut_after and not (file.playoffs or file.raw_games):
        staged = cut_after(foreign, file.cut_after)
        assert not compared(staged, made(staged)).wrong


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_raw_file_goes_in_as_it_is(file: ForeignFile) -> None:
    """The plain reading follows, or does not, as the file's definition has it."""
    check(file)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_more_raw_files_go_in_as_they_are(seed: int) -> None:
    for file in foreign_files(seed):
        check(file)


# -- what is listed twice --------------------------------------------------------------------------


def turned_melee(match: Json) -> Json:
    one, two, *rest = match["Result"].split("-")
    if "-" in {match["Player1"], match["Player2"]}:
        return match
    sides = {"Player1": match["Player2"], "Player2": match["Player1"]}
    return {**match, **sides, "Result": "-".join([two, one, *rest])}


def turned_fortress(match: Json) -> Json:
    sides = {"player1_": "player2_", "player2_": "player1_"}
    if match["player2_id"] is None:
        return match
    return {sides.get(name[:8], name[:8]) + name[8:]: value for name, value in match.items()}


def turned_cobra(match: Json) -> Json:
    return {**match, "player1": match["player2"], "player2": match["player1"]}


def turned_aesops(match: Json) -> Json:
    sides = {"corp": "runner", "runn": "corp"}
    found = {}
    for name, value in match.items():
        side = sides.get(name[:4], "")
        rest = name.removeprefix("corp").removeprefix("runner")
        found[side + rest if side else name] = value
    return found


TURNED: dict[str, Callable[[Json], Json]] = {
    "melee": turned_melee, "listfortress": turned_fortress, "cobra": turned_cobra,
    "aesops": turned_aesops,
}  # fmt: skip


def twice(file: ForeignFile) -> bytes:
    """Return the file with every match of two players listed once more, from the other side."""
    content = json.loads(file.data)
    turn = TURNED[file.layout]
    for at, round_ in enumerate(content.get("Rounds", content.get("rounds"))):
        name = {"melee": "Matches", "listfortress": "matches"}.get(file.layout, "")
        listed = round_[name] if name else round_
        again = [turned for match in listed if (turned := turn(match)) != match]
        both = [*again, *listed] if file.layout == "listfortress" else [*listed, *again]
        if name:
            round_[name] = both
        else:
            content["rounds"][at] = both
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    "file", [each for each in FILES if each.layout in TURNED], ids=lambda file: file.name
)
def test_a_match_listed_from_both_sides_is_one_match(file: ForeignFile) -> None:
    once, again = foreign_of(file.data), foreign_of(twice(file))
    assert games(again) == games(once)
    assert any("both sides" in each.what for each in again.ignored)


def games(foreign: ForeignTournament) -> list[object]:
    """Every table and every round missed, without its place in the file."""
    return [
        (
            [(g.first, g.second, g.points, g.winner, g.result, g.adjusted) for g in round_.games],
            sorted(round_.absent),
        )
        for round_ in (*foreign.swiss, *foreign.elimination)
    ]


MATCHES = [("Ann", "Bob", "2-1-0"), ("Cid", "Dee", "1-1-1")]


@pytest.mark.parametrize(
    ("match", "said"),
    [
        (("Bob", "Ann", "2-1-0"), "Round 1, match 3: 2-1-0, but 2-1-0 at Round 1, match 1"),
        (("Ann", "Bob", "2-0-0"), "Round 1, match 3: 2-0-0, but 2-1-0 at Round 1, match 1"),
        (("Ann", "Eve", "2-0-0"), "Round 1, match 3: 2-0-0; Ann already sits at Round 1, match 1"),
        (("Ann", "-", "2-0-0"), "Round 1, match 3: 2-0-0; Ann already sits at Round 1, match 1"),
        (("-", "Ann", "2-0-0"), "Round 1, match 3: Ann missed the round, but has another row"),
        (("Eve", "Eve", "2-0-0"), "Round 1, match 3: Eve sits on both sides, 2-0-0"),
        (("Eve", "Fay", "win"), "Round 1, match 3: 'win' is not a result such as 2-1-0"),
        (("Eve", "Fay", "9-0-0"), "Round 1, match 3: games 9:0, drawn 0:0"),
        (("Eve", "Fay", "3-3-0"), "Round 1, match 3: games 3:3, drawn 0:0"),
    ],
)
def test_a_row_that_contradicts_another_is_named(match: tuple[str, str, str], said: str) -> None:
    foreign = foreign_of(as_bytes(melee([("Round 1", [*MATCHES, match])], [])))
    assert [str(each).startswith(said) for each in foreign.not_computed] == [True]
    tournament = made(foreign)
    assert tournament.rounds[0].matches[0].result is not None
    assert tournament.rounds[0].matches[0].result.facts["games"] == (2, 1)


# -- results that the rules do not give ------------------------------------------------------------

PILOTS = pilots((2, 1, "0", 1), (1, 1, "0", 2), (1, 1, "0", 3), (0, 1, "0", 4))
SWISS = (1, 1, [duel(101, 102, (200, 50), 101), duel(103, 104, (100, 0), 103)])


def final(match: Json, **places: int) -> ForeignTournament:
    rows = [{**row, "top_cut_rank": places.get(f"p{n}")} for n, row in enumerate(PILOTS, start=1)]
    semis = (2, 4, [duel(101, 104, (200, 0), 101), duel(102, 103, (9, 0), 102)])
    return foreign_of(as_bytes(fortress([SWISS, semis, (2, 2, [match])], rows)))


@pytest.mark.parametrize(
    ("match", "places", "winner", "said"),
    [
        (duel(101, 102, (300, 100), 101), {}, "101", "score 300:100"),
        (duel(101, 102, (300, 100), None), {}, "101", "score 300:100"),
        (duel(101, 102, (120, 120), None), {"p1": 2, "p2": 1}, "102", "score 120:120"),
        (duel(101, 102, (120, 120), None), {}, "", "score 120:120"),
        (duel(101, 102, (50, 200), 101), {}, "101", "score 50:200"),
        (
            duel(101, 102, (50, 200), 104),
            {},
            "102",
            "50:200, but the winner 104 does not play in it",
        ),
    ],
)
def test_a_final_is_entered_as_who_went_on(
    match: Json, places: dict[str, int], winner: str, said: str
) -> None:
    foreign = final(match, **places)
    assert foreign.elimination[-1].games[0].winner == winner
    assert [str(each.published).startswith(said) for each in foreign.not_computed] == [True]
    tournament = made(foreign)
    assert tournament.finished == bool(winner)


def test_a_semifinal_without_a_winner_is_decided_by_who_plays_on() -> None:
    rounds = [
        ("Round 1", [("A", "B", "2-0-0"), ("C", "D", "2-0-0")]),
        ("Semifinals", [("A", "D", "1-1-1"), ("D", "A", "1-1-1"), ("B", "C", "2-0-0")]),
        ("Finals", [("D", "B", "2-0-0")]),
    ]
    foreign = foreign_of(as_bytes(melee(rounds, [])))
    assert foreign.elimination[0].games[0].winner == foreign.elimination[1].games[0].first
    assert [str(each.entered) for each in foreign.not_computed] == ["D advances"]
    assert made(foreign).finished


@pytest.mark.parametrize("result", ["1-1-1", "win", "-"])
def test_nobody_plays_on_after_a_drawn_semifinal(result: str) -> None:
    """Neither of them is in the final, and no place is published: the event still goes in."""
    rounds = [
        ("Round 1", [("A", "B", "2-0-0"), ("C", "D", "2-0-0"), ("E", "F", "2-0-0")]),
        ("Semifinals", [("A", "D", result), ("B", "C", "2-0-0")]),
        ("Finals", [("E", "B", "2-0-0")]),
    ]
    foreign = foreign_of(as_bytes(melee(rounds, [])))
    assert len(made(foreign).rounds) == 3
    assert len(foreign.not_computed) == (result != "-")


def test_an_assigned_loss_in_the_elimination_is_left_out() -> None:
    rounds = [
        ("Round 1", [("A", "B", "2-0-0"), ("C", "D", "2-0-0")]),
        ("Semifinals", [("A", "D", "2-0-0"), ("-", "B", "2-0-0")]),
        ("Finals", [("A", "C", "2-0-0")]),
    ]
    foreign = foreign_of(as_bytes(melee(rounds, [])))
    assert [str(each.published) for each in foreign.not_computed] == ["B lost without an opponent"]
    assert len(made(foreign).rounds) == 3


@pytest.mark.parametrize(
    ("ranks", "winner"),
    [
        ([("C", 9), ("A", 12), ("B", 10), ("D", 11)], "C"),
        ([("A", 12), ("C", 9), ("B", 10), ("D", 11)], "A"),
        ([("A", 12), ("D", 11), ("B", 10), ("C", 9)], ""),
        ([("C", 12), ("A", 11), ("B", 10), ("D", 9)], ""),
    ],
)
def test_ranks_show_who_won_a_drawn_final_if_they_are_not_those_of_the_points(
    ranks: list[tuple[str, int]], winner: str
) -> None:
    rounds = [
        ("Round 1", [("A", "B", "2-0-0"), ("C", "D", "2-0-0")]),
        ("Semifinals", [("A", "D", "2-0-0"), ("C", "B", "2-0-0")]),
        ("Finals", [("A", "C", "0-0-3")]),
    ]
    rows = [row(rank, name, points, 0.5, 0.5, 0.5) for rank, (name, points) in enumerate(ranks, 1)]
    foreign = foreign_of(as_bytes(melee(rounds, rows)))
    entered = f"{winner} advances" if winner else "no result is entered"
    assert [str(each.entered) for each in foreign.not_computed] == [entered]


def test_a_drawn_final_of_decks_with_places() -> None:
    rounds = [("Round 1", [("A", "B", "2-0-0")]), ("Finals", [("A", "B", "0-0-3")])]
    content = melee(rounds, [])
    content["Decks"] = [
        {"Player": "B", "Result": "1st Place"},
        {"Player": "A", "Result": "2nd Place"},
    ]
    foreign = foreign_of(as_bytes(content))
    assert [str(each.entered) for each in foreign.not_computed] == ["B advances"]


@pytest.mark.parametrize("bye", [7, 1, 100])
def test_a_bye_has_the_points_of_its_file(bye: int) -> None:
    rounds = [
        [table(1, 2, 6, 0), table(3, None, 6, 0)],
        [table(1, 3, 3, 3), table(2, None, 6, 0)],
        [table(2, 3, 3, 3), table(1, None, bye, 0)],
    ]
    tournament = made(read_nrtm(as_bytes(document((1, 2, 3), rounds))))
    assert tournament.rounds[2].points[1] == bye
    assert [
        round_.points[player] for round_, player in zip(tournament.rounds, (3, 2), strict=False)
    ] == [6, 6]


def test_both_winners_of_a_final_are_not_computed() -> None:
    both = game(1, 3, 1)
    both["player2"]["winner"] = True
    content = document((1, 2, 3, 4), [[table(1, 2, 6, 0), table(3, 4, 6, 0)], [both]])
    foreign = read_nrtm(as_bytes(content))
    assert [str(each.published) for each in foreign.not_computed] == [
        "both sides are marked as the winner"
    ]
    assert not made(foreign).finished


PEOPLE = ("Ann", "Bob", "Cid", "Dee")


def report(*cells: str) -> ForeignTournament:
    """A report file of one round of four players, by their cells."""
    lines = [(name, "", 0, [cell]) for name, cell in zip(PEOPLE, cells, strict=True)]
    return foreign_of(trf(lines))


@pytest.mark.parametrize(
    ("one", "two", "points"),
    [
        ("1", "1", (2, 2)), ("0", "0", (0, 0)), ("=", "0", (1, 0)), ("1", "=", (2, 1)),
        ("+", "=", (2, 1)), ("1", "-", (2, 0)),
    ],
)  # fmt: skip
def test_both_sides_of_a_report_have_what_their_lines_give(
    one: str, two: str, points: tuple[int, int]
) -> None:
    foreign = report(f"   2 w {one}", f"   1 b {two}", "   4 w 1", "   3 b 0")
    result = made(foreign).rounds[0].matches[0].result
    assert result is not None
    assert result.counted == points
    assert not foreign.not_computed
    assert any("entered as" in str(note) for note in foreign.notes)


@pytest.mark.parametrize("letter", ["1", "=", "0", "+", "-", " "])
def test_a_game_that_only_one_line_has_is_a_bye_of_its_worth(letter: str) -> None:
    foreign = report(f"   3 w {letter}", "0000 - U", "   4 w 1", "   3 b 0")
    assert len(foreign.not_computed) == 1
    worth = {"1": 2, "+": 2, "=": 1}.get(letter, 0)
    assert made(foreign).rounds[0].points[1] == worth
    one_sided = report("   2 w 1", "   1 b  ", "   4 w 1", "   3 b 0")
    assert made(one_sided).rounds[0].points[1] == 2


def test_byes_that_a_ruleset_does_not_have_are_added_to_it() -> None:
    people = [
        ("Ann", "1.5", 1, ["   2 w 1", "0000 - H"]),
        ("Bob", "1.0", 2, ["   1 b 0", "0000 - F"]),
    ]
    data = trf(people)
    foreign = read_program("trf", data, text_of("swiss"))
    assert [each.name for each in parse(foreign.ruleset).byes] == ["bye of 1"]
    assert not compared(foreign, made(foreign)).wrong


def test_at_the_desk_an_odd_table_is_named(desk: Desk) -> None:
    match = duel(101, 102, (300, 100), 101)
    semis = (2, 4, [duel(101, 104, (200, 0), 101), duel(102, 103, (9, 0), 102)])
    content = fortress([SWISS, semis, (2, 2, [match])], PILOTS)
    (desk.folder / "x.json").write_bytes(as_bytes(content))
    answer = desk.done("import", "x.json")
    assert "score 300:100" in answer.err
    assert "advances" in answer.err


def test_nothing_of_a_document_is_passed_over_in_silence() -> None:
    data = next(file.data for file in FILES if file.layout == "opengotha")
    odd = data.replace(b"<Game ", b'<Game komi="6.5" ', 1)
    added = {each.what for each in foreign_of(odd).ignored} - {
        each.what for each in foreign_of(data).ignored
    }
    assert added == {"Game komi"}


# -- the definitions of the generator against real files -------------------------------------------


def cobra_event(content: Json) -> tuple[Played, list[Json]]:
    numbers = {each["id"]: n for n, each in enumerate(content["players"], start=1)}
    event = Played(len(numbers))
    for listed in content["rounds"]:
        if listed[0]["eliminationGame"]:
            continue
        event.swiss.append([])
        for each in listed:
            seats = [numbers.get(each[side]["id"], 0) for side in ("player1", "player2")]
            scores = [each[side]["combinedScore"] or 0 for side in ("player1", "player2")]
            if not seats[0]:
                seats, scores = seats[::-1], scores[::-1]
            kind = "played" if seats[1] else "bye"
            event.swiss[-1].append(Game(seats[0], seats[1], (scores[0], scores[1]), kind=kind))
    return event, content["players"]


@needs_shared
@pytest.mark.parametrize("path", TOURNAMENTS, ids=lambda path: path.stem)
def test_the_definition_of_cobra_gives_what_cobra_published(path: Path) -> None:
    event, listed = cobra_event(json.loads(path.read_bytes()))
    for number, own in netrunner_rows(event):
        published = listed[number - 1]
        assert own[0] == published["matchPoints"]
        assert float(own[1]) == pytest.approx(float(published["strengthOfSchedule"]))
        assert float(own[2]) == pytest.approx(float(published["extendedStrengthOfSchedule"]))


@needs_shared
@pytest.mark.parametrize("path", AESOPS, ids=lambda path: path.stem)
def test_the_definition_of_aesops_gives_what_aesops_published(path: Path) -> None:
    content = json.loads(path.read_bytes())
    numbers = {each["id"]: n for n, each in enumerate(content["players"], start=1)}
    event = Played(len(numbers))
    for listed in content["rounds"]:
        if "eliminationGame" in listed[0]:
            continue
        event.swiss.append([])
        for each in listed:
            seats = [numbers.get(each[side], 0) for side in ("corpPlayer", "runnerPlayer")]
            scores = [int(each[side] or 0) for side in ("corpScore", "runnerScore")]
            if not seats[0]:
                seats, scores = seats[::-1], scores[::-1]
            kind = "played" if seats[1] else "bye"
            event.swiss[-1].append(Game(seats[0], seats[1], (scores[0], scores[1]), kind=kind))
    for number, own in netrunner_rows(event, own_bye=True):
        published = content["players"][number - 1]
        assert own[0] == published["matchPoints"]
        assert float(own[1]) == pytest.approx(published["strengthOfSchedule"], abs=0.00051)
        assert float(own[2]) == pytest.approx(published["extendedStrengthOfSchedule"], abs=0.00051)


@needs_shared
@pytest.mark.parametrize("path", FORTRESSES, ids=lambda path: path.stem)
def test_the_definition_of_listfortress_gives_what_it_published(path: Path) -> None:
    content = json.loads(path.read_bytes())
    numbers = {each["id"]: n for n, each in enumerate(content["participants"], start=1)}
    event = Played(len(numbers))
    for round_ in content["rounds"]:
        if round_["roundtype_id"] == 1:
            event.swiss.append([
                Game(numbers[each["player1_id"]], numbers.get(each["player2_id"], 0),
                     (each["player1_points"] or 0, each["player2_points"] or 0),
                     kind="played" if each["player2_id"] else "bye")
                for each in round_["matches"]
            ])  # fmt: skip
    for number, (points, margin, sos) in xwing_rows(event):
        published = content["participants"][number - 1]
        assert (points, margin) == (published["score"], published["mov"])
        assert float(sos) == pytest.approx(float(published["sos"]), abs=0.0051)


# -- rounds without games, and cells that say nothing ----------------------------------------------

EMPTY = " " * 8
LEFT_OUT = "round 2 has no games: it is left out, and the next round takes its number"


def test_a_report_s_round_without_games_is_named_and_moves_no_points() -> None:
    """Record 299 is of the file's round 2, in which nobody had a game to adjust."""
    cells = (["   2 w 1", EMPTY, "   2 b 1"], ["   1 b 0", EMPTY, "   1 w 0"])
    players = [("Ann", "2.0", 1, cells[0]), ("Bob", "0.5", 2, cells[1])]
    data = trf(players, "299           0.5    2    2")
    foreign = foreign_of(data)
    assert LEFT_OUT in map(str, foreign.notes)
    assert "not entered: there is no game to adjust" in str(foreign.not_computed[0])
    tournament = made(foreign)
    assert tournament.finished
    results = [game.result for round_ in foreign.swiss for game in round_.games]
    assert {result.adjusted for result in results if result} == {(0, 0)}
    third = foreign_of(trf(players, "299           0.5    3    2"))
    result = third.swiss[1].games[0].result
    assert result
    assert result.adjusted == (1, 0)


def test_cells_and_records_that_say_nothing_are_named() -> None:
    players = [
        ("Ann", "1.0", 1, ["   2 w 1", "0000 - X"]),
        ("Bob", "0.0", 2, ["   1 b ?", "   3 w ?"]),
        ("Cid", "0.0", 3, ["0000 - Z", "   2 b ?"]),
    ]
    foreign = foreign_of(trf(players, "240 F   1    9    1", "240 H   5    2", "240 Q   1    3"))
    said = " ".join(map(str, foreign.not_computed))
    assert "Ann has 'x' without an opponent; entered as not paired" in said
    assert "Bob has '?', which is not a result" in said
    assert {each.what: each.count for each in foreign.ignored}["240"] == 4
    assert made(foreign).rounds[0].matches[0].result is not None


def test_a_document_s_round_without_games_refuses_nothing() -> None:
    people = [("Lee", "Ann", "5D"), ("Ray", "Bob", "4D"), ("Fox", "Dee", "1K")]
    games = [(1, "LEEANN", "RAYBOB", "RESULT_WHITEWINS"), (3, "FOXDEE", "LEEANN", "RESULT_EQUAL")]
    foreign = foreign_of(gotha(people, games).encode())
    assert LEFT_OUT in map(str, foreign.notes)
    assert len(made(foreign).rounds) == 2


def test_rounds_of_other_files_without_games_are_named() -> None:
    rounds = [
        ("Round 1", [("Ann", "Bob", "2-0-0")]),
        ("Round 2", []),
        ("Round 4", [("Ann", "Bob", "2-0-0")]),
    ]
    foreign = foreign_of(as_bytes(melee(rounds, [])))
    assert str(foreign.notes[0]).startswith("Round 2 has no games")
    assert str(foreign.notes[1]) == "Round 4 is entered as round 2, by the order of the file"
    nobody = table(None, None, 0, 0)
    listed = [[table(1, 2, 6, 0), nobody], [], [table(1, 2, 6, 0)]]
    foreign = read_nrtm(as_bytes(document((1, 2), listed)))
    assert LEFT_OUT in map(str, foreign.notes)
    assert "table without players" in {each.what for each in foreign.ignored}


def test_what_a_fortress_file_says_of_a_table_is_entered_or_named() -> None:
    rounds = [
        (1, 1, [duel(101, 102, (200, 100), 101), duel(103, 999, (150, 0), 103)]),
        (1, 2, [duel(101, 103, (150, None), None), duel(102, None, (0, None), None)]),
        (1, 3, [{**duel(101, 102, (0, 100), 102), "player1_points": "150.5"},
                {**duel(103, None, (None, 200), None), "result": "loss"}]),
    ]  # fmt: skip
    rows = pilots((1, 0, "0", 1), (1, 0, "0", 2), (1, 0, "0", 3))
    foreign = foreign_of(as_bytes(fortress(rounds, rows)))
    said = sorted(f"{each.published}; {each.entered}" for each in foreign.not_computed)
    assert said == [
        "150.5:100; missing points are entered as 0",
        "150:; no result is entered",
        ":200 and loss without an opponent; entered as a bye",
        "no participant has the id 999; entered as participant 999",
    ]
    assert len(foreign.players) == 4
    made(foreign)


def test_a_round_missed_may_be_listed_from_both_sides() -> None:
    rows = [("Ann", "Bob", "2-0-0"), ("Cid", "-", "0-2-0"), ("-", "Cid", "2-0-0")]
    foreign = foreign_of(as_bytes(melee([("Round 1", rows)], [])))
    assert not foreign.not_computed
    assert foreign.swiss[0].absent == ("cid",)
    assert "match listed from both sides" in {each.what for each in foreign.ignored}


def test_a_draw_without_an_opponent_is_named() -> None:
    foreign = foreign_of(
        as_bytes(melee([("Round 1", [("Ann", "-", "0-0-3"), ("B", "C", "2-0-0")])], []))
    )
    assert [str(each.published) for each in foreign.not_computed] == ["0-0-3 without an opponent"]


def test_level_games_beyond_the_rules_stay_a_draw() -> None:
    foreign = foreign_of(as_bytes(melee([("Round 1", [("Ann", "Bob", "3-3-0")])], [])))
    result = foreign.swiss[0].games[0].result
    assert result
    assert result.outcomes == ("draw", "draw")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("RESULT_EQUAL", "RESULT_MAYBE", "'RESULT_MAYBE' is not a result; no result is entered"),
        (
            '"RAYBOB"',
            '"NOBODY"',
            "a game of 'NOBODY', who is not a player of the file; the game is left out",
        ),
        ('roundNumber="2"', 'roundNumber="x"', "a game of round 'x'; the game is left out"),
    ],
)
def test_one_odd_game_of_a_document_refuses_nothing(old: str, new: str, said: str) -> None:
    people = [("Lee", "Ann", "5D"), ("Ray", "Bob", "4D"), ("Fox", "Dee", "1K")]
    games = [(1, "LEEANN", "RAYBOB", "RESULT_WHITEWINS"), (2, "FOXDEE", "LEEANN", "RESULT_EQUAL")]
    foreign = foreign_of(gotha(people, games).replace(old, new, 1).encode())
    assert [f"{each.published}; {each.entered}" for each in foreign.not_computed] == [said]
    made(foreign)


def test_final_places_that_contradict_the_final_are_named() -> None:
    rounds = [("Round 1", [("A", "B", "2-0-0")]), ("Finals", [("A", "B", "2-0-0")])]
    content = melee(rounds, [])
    content["Decks"] = [
        {"Player": "B", "Result": "1st Place"},
        {"Player": "A", "Result": "2nd Place"},
    ]
    foreign = foreign_of(as_bytes(content))
    said = [f"{each.published}; {each.entered}" for each in foreign.not_computed]
    assert said == ["A won, but the final places have B before A; A advances"]
    content["Decks"].reverse()
    content["Decks"][0]["Result"], content["Decks"][1]["Result"] = "1st Place", "2nd Place"
    assert not foreign_of(as_bytes(content)).not_computed
