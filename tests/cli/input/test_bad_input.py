"""Bad input: one clear line, the right exit code, and a store that is as it was."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.cli_desk import typed_once
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

Case = tuple[str, int, str]

BROKEN = sorted((ROOT / "sample_logs" / "broken").glob("*.jsonl"))


@typed_once
def playing(desk: Desk) -> Desk:
    """Five players, round 1 paired, its table 1 reported; player 5 may or may not have the bye."""
    desk.open(5, "custom", "--rounds", "2", "--cut", "4")
    desk.done("pair")
    desk.done("report", "1", f"#{desk.seats(1)[0]}")
    return desk


PLAYING: list[Case] = [
    ("drop zzz", 3, 'no player "zzz"'),
    ("drop player", 3, "could be Player 01 (#1) or Player 02 (#2)"),
    ("drop 77", 3, "no player 77: 5 players registered"),
    ("report 9 1", 3, "round 1 has no table 9: its tables are 1 to 2"),
    ("explain pairing 1/4", 3, "its tables are 1 to 2"),
    ("report 4/1 1", 3, "there is no round 4"),
    ("report 0 1", 3, "no table 0"),
    ("report 1", 2, "give the table and the winner"),
    ("report 1 zzz", 3, "does not sit at this table"),
    ("report 1 player", 3, "could be both"),
    ("report 2 FIRST wn", 3, "no outcome 'wn'"),
    ("report 2 draw", 1, "no draw"),
    ("report 2 3-3", 1, "results of l5r are outcomes, not points"),
    ("report 2 no-show", 2, "name the absent player"),
    ("report 1 LOSER", 1, "has a result"),
    ("report BYE BYE", 3, "is a bye"),
    ("correct 2 FIRST --reason x", 1, "no result to correct"),
    ("correct 1 LOSER", 2, "needs --reason"),
    ("correct 1 no-show LOSER", 2, "a correction needs --reason"),
    ("correct 1 no-show 9 --reason x", 3, "9"),
    ("concede WINNER", 1, "has no open match"),
    ("pair", 1, "no result yet at table 2"),
    ("round close", 1, "no result yet at table 2"),
    ("round stop", 2, "did you mean close?"),
    ("unpair", 1, "has results"),
    ("swap WINNER FIRST --reason x", 1, "table 1 has a result"),
    ("swap FIRST FIRST --reason x", 1, "sit at the same table"),
    ("swap FIRST BYE", 2, "needs --reason"),
    ("cut", 1, "no result yet at table 2"),
    ("cut accept 1", 1, "no vacant place in a cut"),
    ("cut accept next", 1, "no vacant place in a cut"),
    ("cut decline next", 1, "no vacant place in a cut"),
    ("cut accept 1 --forfeit", 2, "no option --forfeit"),
    ("finish", 1, "no result yet at table 2"),
    ("rejoin zzz", 3, "no player"),
    ("disqualify 1", 2, "needs --reason"),
    ("start custom --rounds 3", 1, ""),
    ("start custom --rounds 1", 1, "a change needs a reason"),
    ("start custom --rounds x", 2, "--rounds must be a whole number"),
    ("start custom --stage swiss", 2, "the number of Swiss rounds"),
    ("start custom --stage heats", 2, "type a stage as"),
    ("start sideways", 2, "not a structure"),
    ("start", 2, "choose a structure; for 5 players"),
    ("start basic --rounds 3", 2, "the basic structure is fixed by the ruleset"),
    ("start custom", 2, "needs --rounds N"),
    ("post scores", 2, "only pairings or standings"),
    ("post pairings --round 2", 3, "there is no round 2"),
    ("pairings --round 2", 3, "there is no round 2"),
    ("pairings --round two", 2, "--round must be a whole number"),
    ("standings --round 7", 3, "there is no round 7"),
    ("standings --stage 7", 3, "no stage 7"),
    ("standings --stage 2", 3, "not played for points"),
    ("standings --at 9999", 3, "there is no event 9999"),
    ("standings --final --round 1", 2, "--final is about the whole tournament"),
    ("bracket --stage 1", 3, "played for points"),
    ("register", 2, "give one player"),
    ("register PLAYER-01", 1, "already registered"),
    ("register --file nowhere.csv", 3, "cannot be read"),
    ("official Pat", 2, "no act 'Pat'; known: add"),
    ("official add Pat --role jugde", 2, "did you mean judge?"),
    ("official add Pat --role organizer", 1, "exactly one organizer"),
    ("official --role judge", 2, "--role is an option of `official add`"),
    ("rename 1", 2, "rename: give PLAYER NAME, not only '1'"),
    ("undo --resaon x", 2, "no option --resaon; did you mean --reason?"),
    ("undo extra", 2, "steps must be a whole number"),
    ("standing", 2, "did you mean standings"),
    ("--nothing", 2, "no option --nothing"),
    ("list --store", 2, "--store needs a value"),
    ("list -t nothing", 3, "no tournament"),
    ("use nothing", 3, "no tournament"),
    ("drop 1 --as nobody", 3, "is not an official"),
    ("drop 1 --for nobody", 3, "no player"),
    ("drop 1 --no-show --unable", 2, "choose one of --no-show, --unable and --component"),
    ("import nowhere.json", 3, "there is no file"),
    ("import .", 3, "none of 1 file is a tournament"),
    ("replay nowhere.jsonl", 3, "there is no file"),
    ("replay .", 3, "is a directory"),
    ("verify .", 3, "directory"),
    ("restore .", 3, "is a directory"),
    ("list --id x/y", 2, "--id takes"),
    ("pair --table 1 2", 2, "a pairing by hand needs --reason"),
    ("pair --bye 1", 2, "a pairing by hand needs --reason"),
    ("pair --allow-rematch", 2, "--allow-rematch needs --reason"),
    ("pair --unchecked", 2, "--unchecked needs --reason"),
    ("pair --despite-dispute", 2, "--despite-dispute needs --reason"),
    ("cut --despite-dispute", 2, "--despite-dispute needs --reason"),
    ("cut take-back", 2, "undoing the cut needs --reason"),
    ("cut --reason x", 2, "--reason is only for"),
    ("finish --despite-dispute", 2, "--despite-dispute needs --reason"),
    ("finish --reason x", 2, "--reason is only for"),
    ("dispute withdraw 1", 2, "withdrawing a dispute needs --reason"),
    ("restore nowhere", 3, "there is no file"),
    ("restore .tourney", 1, "the record of the current tournament of a folder"),
    ("export -o .", 1, "is a directory"),
    ("export -o nowhere/x", 1, "cannot be written"),
    ("backup nowhere/x", 4, "cannot be written"),
    ("backup .tourney", 1, "is not a backup"),
    ("new Day", 2, "choose the game"),
    ("new Day --ruleset lr5", 3, "did you mean l5r?"),
    ("new Day --ruleset nowhere.toml", 3, "cannot be read"),
    ("new Day --ruleset .tourney", 2, "not valid TOML"),
    ("new Day --ruleset l5r --date tomorrow", 2, "--date must be a date"),
    ("new Day --ruleset l5r --date 2026-02-30", 2, "--date must be a date"),
    ("new Day --ruleset l5r --time-zone Mars/Base", 2, "--time-zone must be a name"),
    ("new Day --ruleset l5r --tier epic", 2, "known: relaxed"),
    ("ruleset show nothing", 3, "no ruleset"),
    ("ruleset check .tourney", 2, "not valid TOML"),
    ("ruleset check nowhere", 3, "cannot be read"),
    ("ruleset explain", 2, "known: show, check"),
    ("pair --table 1", 2, "--table needs two players"),
    ("list --store .", 4, "is a directory"),
    ("list --store nowhere/x.db", 3, "no store"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "code", "told"), PLAYING, ids=[case[0] for case in PLAYING])
def test_while_a_round_is_played(playing: Desk, line: str, code: int, told: str) -> None:
    games = playing.done("pairings", "--json").json
    bye = next(game for game in games if game["bye"])
    other = next(game for game in games[1:] if not game["bye"])
    known = {
        "WINNER": f"#{games[0]['players'][0]}",
        "LOSER": f"#{games[0]['players'][1]}",
        "FIRST": f"#{other['players'][0]}",
        "BYE": f"#{bye['players'][0]}",
        "PLAYER-01": "Player 01",
    }
    words = [known.get(word, word) for word in line.split()]
    if words[1:2] == ["2"]:
        words[1] = str(other["table"])
    told = told.replace("table 2", f"table {other['table']}")
    answer = playing.refused(*words)
    assert (answer.code, told in answer.err) == (code, True), answer.err


BEFORE_START: list[Case] = [
    ("pair", 1, "has not started"),
    ("report 1 1", 3, "no round is paired yet"),
    ("pairings", 3, "no round is paired yet"),
    ("round", 3, "no round is paired yet"),
    ("round start", 1, "no round is in play"),
    ("unpair", 1, "no round is in play"),
    ("finish", 1, "has not started"),
    ("bracket", 3, "no elimination is announced"),
    ("start", 2, "a start needs 2 players, but the tournament has 1 player"),
    ("start basic", 1, "a start needs at least 2 players, not 1"),
    ("start custom --rounds 1", 1, "a start needs at least 2 players, not 1"),
    ("start custom --rounds 1 --cut 1", 1, "at least 2 players"),
    ("start custom --stage double", 2, "type a stage as"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "code", "told"), BEFORE_START, ids=str)
def test_before_the_start(desk: Desk, line: str, code: int, told: str) -> None:
    desk.open(1)
    answer = desk.refused(*line.split())
    assert (answer.code, told in answer.err) == (code, True), answer.err


@pytest.mark.slow
def test_a_cut_larger_than_the_field(desk: Desk) -> None:
    desk.open(8, "custom", "--rounds", "1", "--cut", "8")
    desk.done("pair")
    desk.report_all()
    desk.done("drop", "1")
    assert "larger than the field of 7" in desk.refused("cut").err
    change = ("start", "custom", "--rounds", "1", "--cut", "16", "--reason", "why not")
    desk.done(*change)
    assert "larger than the field of 7" in desk.refused("cut").err


def test_a_second_bye(desk: Desk) -> None:
    desk.open(5, "custom", "--rounds", "3")
    desk.done("pair")
    bye = next(game for game in desk.done("pairings", "--json").json if game["bye"])
    desk.report_all()
    player = str(bye["players"][0])
    answer = desk.refused("pair", "--bye", player, "--reason", "asked for it")
    assert "has already had a bye" in answer.err
    others = [str(number) for number in range(1, 6) if str(number) != player]
    answer = desk.refused("pair", "--bye", others[0], "--bye", others[1], "--reason", "x")
    assert "at most one bye" in answer.err


def test_a_dropped_player(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    first, second = desk.seats(1)
    desk.done("drop", str(second))
    assert "has a result" in desk.refused("report", "1", f"#{second}").err
    assert desk.refused("concede", str(second)).code == 1
    desk.done("report", "2", f"#{desk.seats(2)[0]}")
    assert (
        "cannot be paired"
        in desk.refused(*("pair", "--table", str(first), str(second), "--reason", "x")).err
    )


def test_rejoin_after_disqualification_or_in_another_stage(desk: Desk) -> None:
    desk.open(6, "custom", "--rounds", "1", "--cut", "4")
    desk.done("drop", "1")
    desk.done("disqualify", "2", "--reason", "marked cards")
    desk.done("pair")
    desk.report_all()
    assert "FFG-REJOIN" in desk.refused("rejoin", "2").err
    desk.done("cut")
    assert "FFG-REJOIN" in desk.refused("rejoin", "1").err


AFTER_FINISH = (
    "pair",
    "report 1 LOSER",
    "register New",
    "drop 1",
    "cut",
    "start custom --rounds 9",
)


@pytest.mark.slow
@pytest.mark.parametrize("line", AFTER_FINISH)
def test_after_finish(desk: Desk, line: str) -> None:
    desk.open(2, "custom", "--rounds", "1")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    assert "nothing to change" in desk.done("finish").err
    loser = f"#{desk.seats(1)[1]}"
    assert desk.refused(*line.replace("LOSER", loser).split()).code == 1


def test_no_store_and_no_tournament(desk: Desk) -> None:
    answer = desk.refused("list")
    assert answer.code == 3
    assert "use `new NAME --ruleset GAME` or `restore FILE`" in answer.err
    assert not (desk.folder / "tourney.db").exists()


@pytest.mark.slow
@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_broken_logs(desk: Desk, path: Path) -> None:
    desk.open(2)
    for verb in ("replay", "import"):
        answer = desk.refused(verb, str(path))
        assert answer.code == 1
        assert path.name in answer.err
        assert len(answer.err) < 2_100


def test_a_line_of_100_megabytes_is_refused_early(desk: Desk) -> None:
    path = desk.folder / "long.jsonl"
    with path.open("wb") as file:
        file.write(b'{"seq":1,"id":"')
        file.truncate(100_000_000)
    assert desk.refused("replay", "long.jsonl").code == 1
    assert desk.refused("import", "long.jsonl").code == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read it all")
def test_a_file_without_permission(desk: Desk) -> None:
    path = desk.folder / "secret.jsonl"
    path.write_bytes(b"{}")
    path.chmod(0)
    assert desk.refused("replay", str(path)).code == 1
    assert desk.refused("import", str(path)).code == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk(desk: Desk) -> None:
    desk.open(2)
    assert desk.refused("export", "-o", "/dev/full").code == 1


def test_a_name_over_the_limit(desk: Desk) -> None:
    desk.open(2)
    assert "at most 1,000 characters" in desk.refused("register", "x" * 1_001).err
    assert "at most 64 characters" in desk.refused("register", "x", "--faction", "y" * 65).err
    assert desk.refused("register", " \u3000\u00a0").code == 1
    assert desk.refused("register", "half a pair \ud800").code == 1
    desk.done("register", "é" * 1_000)
    assert len(desk.done("list", "--json").json) == 3


def test_a_line_over_the_limit(desk: Desk) -> None:
    desk.open(2)
    many = [word for n in range(70) for word in ("--attribute", f"a{n}={'x' * 900}")]
    answer = desk.refused("register", "New", *many)
    assert "over the limit of 60,000" in answer.err


def test_two_desks_report_one_match(desk: Desk) -> None:
    """The second desk looked before the first one wrote: it is told why."""
    desk.open(4, "basic")
    desk.done("pair")
    first, second = desk.seats(1)
    lines = f"1 #{first}\n1 #{second}\n"
    answer = desk.type("report", stdin=lines)
    assert answer.code == 1
    assert "has a result" in answer.err
    results = [json.loads(line) for line in desk.log().splitlines()]
    assert sum(line["type"] == "ResultReported" for line in results) == 1
