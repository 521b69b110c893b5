"""Decks before a round: a folder of lists, checks of the whole field, by lot and by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.support.days.list_desk import CARDS, FORMAT, GOOD, L5R, check_all, opened
from tests.support.files.format_lists import SAMPLES

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def test_aop_deckcheck_a_deck_that_fails_is_not_paired_in_silence(desk: Desk) -> None:
    """AOP-DECKCHECK, FFG-LIST: the desk is told, and goes on with a reason, which audit shows."""
    for ruleset, clause in (("l5r", "AOP-DECKCHECK"), ("legion", "FFG-LIST")):
        desk.done("new", ruleset, "--ruleset", ruleset, *FORMAT[clause])
        desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCem\nDov\n")
        desk.done("start", "basic")
        check_all(desk, "ben", "cem", "dov")
        failed = desk.type("lists", "check", "ann", "--fails", "31 cards", "--fails", "no sleeves")
        assert (failed.code, "no sleeves" in failed.out) == (1, True)
        assert "2 findings, 0 not checked by hand" in desk.done("lists").out
        told = desk.refused("pair").err
        assert (
            f"whose deck failed the check cannot play: Ann (#1) ({clause}); use `lists check 1` "
            "or `pair --unchecked" in told
        )
        desk.done("pair", "--unchecked", "--reason", "one card taken out")
        assert f'"clauses":["{clause}"]' in desk.log().splitlines()[-1]
        assert desk.done("log").out.count("one card taken out") == 1
        [over] = desk.done("audit", "--json").json["findings"]
        assert (over["kind"], over["round"], over["names"]) == ("over-decks", 1, ["Ann"])
        assert over["reason"] == "one card taken out"
        desk.report_all()
        desk.done("pair")
        desk.done("unpair")
        assert desk.type("lists", "check", "ann", "--fails", "31 cards", "--fails", "x").code == 1
        assert f"({clause})" in desk.refused("pair").err


def test_ffg_list_of_another_player_or_game(desk: Desk) -> None:
    """FFG-LIST: refused when it is handed in; a name that nobody has is told."""
    opened(desk)
    (desk.folder / "bens.txt").write_text(GOOD.replace("Pat Stein", "ben"))
    told = desk.refused("lists", "submit", "ann", "bens.txt").err
    assert "the list names Ben (#2), not Ann (#1) (FFG-LIST)" in told
    (desk.folder / "l5r.txt").write_text(L5R.replace("Ann Lee", "Dov"))
    told = desk.refused("lists", "submit", "dov", "l5r.txt").err
    assert "the list of Dov (#4) is for l5r, but the tournament plays ashes" in told
    assert "the list names 'Pat Stein'" in desk.done("lists", "submit", "ann", "good.txt").err
    desk.done("drop", "cem")
    refused = desk.refused("lists", "submit", "3", "good.txt")
    assert "Cem (#3) has left the tournament" in refused.err


def test_a_folder_of_lists_is_handed_in_at_once(desk: Desk) -> None:
    """FFG-LIST: each file's player is named in it, or by it; with a problem none goes in."""
    opened(desk)
    folder = desk.folder / "lists"
    folder.mkdir()
    assert "contains no list" in desk.refused("lists", "submit", "lists").err
    for name, player in (("a", "Ann"), ("ben", "Somebody"), ("cem", "")):
        (folder / f"{name}.txt").write_text(GOOD.replace("Pat Stein", player))
    desk.done("lists", "submit", "lists")
    handed = [each["seq"] is not None for each in desk.done("lists", "--json").json]
    assert handed == [True, True, True, False]
    (folder / "two.txt").write_text(GOOD.replace("Pat Stein", "Ann"))
    (folder / "zoe.txt").write_text(GOOD)
    (folder / "big.txt").write_bytes(b"Deck\n" + b"1 Aki\n" * 1_700_000)
    before = desk.log()
    told = desk.type("lists", "submit", "lists")
    assert (told.code, desk.log()) == (1, before)
    for each in ("a.txt and two.txt are both lists of Ann (#1)", "zoe.txt: no player", "24,000"):
        assert each in told.err


def test_every_list_is_checked_at_once(desk: Desk) -> None:
    """LEG-ORACLE: one act, a row for each player, and the counts of a list that is legal."""
    opened(desk)
    (desk.folder / "bad.txt").write_text(GOOD.replace("4 Tide die", "5 Tide die"))
    for player, file in (("ann", "good.txt"), ("ben", "bad.txt")):
        desk.done("lists", "submit", player, file)
    assert "needs the card file" in desk.type("lists", "check", "--all").err
    told = desk.type("lists", "check", "--all", "--cards", CARDS)
    assert told.code == 1
    assert "Ben (#2)       2            0  dice is declared with 10 cards and has 11" in told.out
    assert "no list: Cem (#3)\nno list: Dov (#4)" in told.out
    assert desk.log().splitlines()[-1].count("ListChecked") == 1
    one = desk.type("lists", "check", "ann", "--cards", CARDS)
    assert (one.code, "nothing to change" in one.err) == (0, True)


def test_a_deck_check_holds_what_is_found_to_the_list(desk: Desk) -> None:
    """AOP-DECKCHECK: found against listed, and a page to count by."""
    opened(desk)
    desk.done("lists", "submit", "ann", "good.txt")
    told = desk.type("lists", "check", "ann", "--found", "other.txt")
    assert told.code == 1
    assert "deck: Hearth Guard: 3 listed, 0 found" in told.out
    assert "deck: Kiln Golem: 0 listed, 3 found" in desk.log().splitlines()[-1]
    page = desk.done("lists", "show", "ann", "--print").out
    assert "DECK (30)" in page
    assert "[ ][ ][ ]      3 Hearth Guard" in page


def test_a_deck_check_draws_its_tables_on_record(desk: Desk) -> None:
    """AOP-DECKCHECK: by the log's key, none twice, and derived again once the key is revealed."""
    opened(desk)
    names = "name\n" + "".join(f"P{n}\n" for n in range(5, 12))
    desk.done("register", "--file", "-", stdin=names)
    desk.done("start", "custom", "--rounds", "1")
    assert desk.refused("lists", "draw", "2").code == 1
    desk.done("pair", "--unchecked", "--reason", "the hall closes")
    first = desk.done("lists", "draw", "2")
    assert len(first.out.splitlines()) == 3
    desk.done("lists", "draw", "2", "--json")
    told = desk.refused("lists", "draw", "2").err
    assert "tables of round 1 left to draw for deck checks: 1 (AOP-DECKCHECK)" in told
    assert "from 1, not" in desk.type("lists", "draw", "0").err
    drawn = [json.loads(line)["data"] for line in desk.log().splitlines()[-2:]]
    assert [each["draw"] for each in drawn] == [1, 2]
    assert len({*drawn[0]["tables"], *drawn[1]["tables"]}) == 4
    assert "drawn for deck checks in round 1: table" in desk.done("log").out
    desk.report_all()
    desk.done("round", "close")
    desk.done("finish")
    log = desk.log()
    (desk.folder / "out.jsonl").write_text(log)
    assert "draws" in desk.done("verify").out
    wrong = {1, 2, 3, 4, 5} - set(drawn[0]["tables"])
    swapped = json.dumps(sorted(wrong)[:2]).replace(" ", "")
    own = json.dumps(drawn[0]["tables"]).replace(" ", "")
    forged = log.replace(f'"draw":1,"tables":{own}', f'"draw":1,"tables":{swapped}')
    assert forged != log
    (desk.folder / "forged.jsonl").write_text(forged)
    assert desk.type("verify", "forged.jsonl").code == 1


def test_aop_deckcheck_holds_without_a_format(desk: Desk) -> None:
    """AOP-DECKCHECK, AOP-DECK: it is the game's rule, whichever lists the event names."""
    desk.done("new", "Red Rains", "--ruleset", "ashes")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCem\nDov\n")
    (desk.folder / "good.txt").write_text(GOOD)
    (desk.folder / "other.txt").write_text(GOOD.replace("3 Hearth Guard", "3 Kiln Golem"))
    desk.done("lists", "submit", "ann", "good.txt")
    desk.done("start", "basic")
    assert "Cem (#3), Dov (#4) (AOP-DECKCHECK)" in desk.refused("pair").err
    told = desk.refused("lists", "correct", "ann", "other.txt", "--reason", "so").err
    assert "(AOP-DECK); use `lists correct 1 FILE --clerical" in told
    check_all(desk, "ann", "ben", "cem", "dov")
    desk.done("pair")


def test_a_list_shows_what_it_counts_to(desk: Desk) -> None:
    """L5R-DECK, SWL-ARMY: cards, characters, influence, army total, units per rank."""
    counts = {
        "l5r": ("cards in the dynasty deck: 4", "influence: ", "characters in the conflict deck: "),
        "legion": ("points: 800, at most 800 (SWL-ARMY)", "rank: ", "command cards: 7, exactly 7"),
        "runewars": ("points: ", "unique units: ", "terrain cards: 4, exactly 4 (RW-ARMY)"),
        "ashes": ("cards in the deck: 30, exactly 30 (AOP-DECK)", "dice: 10, exactly 10"),
    }
    for key, lines in counts.items():
        (card_file,) = (SAMPLES / "cards").glob(f"{key}.*")
        listed = str(SAMPLES / "lists" / f"{key}.txt")
        told = desk.type("format", "check", key, listed, "--cards", str(card_file))
        assert told.code == 0, told.err
        for line in lines:
            assert line in told.out, (key, told.out)


def test_aop_deckcheck_is_the_next_step_until_every_deck_is_checked(desk: Desk) -> None:
    """AOP-DECKCHECK: the hint never says `pair` where that would be refused."""
    opened(desk)
    said = desk.done("start", "custom", "--rounds", "2").err
    for name in ("Ann", "Ben", "Cem", "Dov"):
        assert f'next: lists check "{name}" (decks must be checked before play' in said
        assert "), then pair (round 1)" in said
        assert "use `lists check" in desk.refused("pair").err
        check_all(desk, name)
        said = desk.done().out
    assert "next: pair (round 1)" in said
    assert desk.type("lists", "check", "ann", "--fails", "31 cards").code == 1
    assert 'next: lists check "Ann" (players whose deck failed' in " ".join(desk.done().out.split())


def test_ffg_list_submitted_is_the_next_step_until_every_list_is_in(desk: Desk) -> None:
    """FFG-LIST: a list that is required is named before `pair` is."""
    opened(desk, "--lists")
    (desk.folder / "good.txt").write_text(GOOD.replace("Pat Stein", ""))
    for name in ("Ann", "Ben", "Cem"):
        desk.done("lists", "submit", name, "good.txt")
    assert "use `lists submit 4 FILE`" in desk.refused("start", "custom", "--rounds", "2").err
    desk.done("lists", "submit", "Dov", "good.txt")
    desk.done("start", "custom", "--rounds", "2")
    desk.done("register", "Eva")
    assert 'next: lists submit "Eva" FILE (lists must be submitted' in desk.done().out
    assert "use `lists submit 5 FILE`" in desk.type("pair").err


def test_several_lists_are_checked_by_hand_in_one_act(desk: Desk) -> None:
    """AOP-DECKCHECK: of each player that is named, or of none."""
    opened(desk)
    desk.done("start", "basic")
    assert 'no player "zz"' in desk.refused("lists", "check", "1", "zz", "3").err
    for more in (("--fails", "31 cards"), ("--found", "good.txt")):
        assert "name one player" in desk.refused("lists", "check", "1", "2", *more).err
    desk.done("lists", "check", "1", "ben", "cem", "1")
    kinds = [json.loads(line)["type"] for line in desk.log().splitlines()[-3:]]
    assert kinds == ["ListChecked"] * 3
    assert "not yet checked: Dov (#4) (AOP-DECKCHECK)" in desk.refused("pair").err


def test_several_lists_are_checked_against_the_format(desk: Desk) -> None:
    """AOP-DECKCHECK: a row each; a player without a list stops them all."""
    opened(desk)
    desk.done("lists", "submit", "ann", "good.txt")
    desk.done("lists", "submit", "ben", "good.txt")
    refused = desk.refused("lists", "check", "ann", "cem", "--cards", CARDS)
    assert "Cem (#3) has submitted no list" in refused.err
    told = desk.type("lists", "check", "ann", "ben", "--cards", CARDS).out
    assert [line.split()[:2] for line in told.splitlines()[1:]] == [
        ["Ann", "(#1)"],
        ["Ben", "(#2)"],
    ]
