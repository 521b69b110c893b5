"""Lists on the day: handed in, checked, corrected; what is enforced and what is flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger import formats
from ledger.lines.line import LINE_BYTES_MAX
from ledger.rules.lists import is_significant
from tests.support.days.list_desk import CARDS, GOOD, L5R, check_all, opened

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def test_the_format_stands_in_the_opening_event(desk: Desk) -> None:
    """The whole text and the variant, so that the log replays alone."""
    opened(desk)
    document = desk.done("log", "--json").out.splitlines()[0]
    assert '"key":"ashes:built"' in document
    assert formats.load("ashes").document.sha256 in document
    answer = desk.refused("new", "X", "--ruleset", "l5r", "--format", "ashes:bult")
    assert (answer.code, "did you mean built" in answer.err) == (3, True)


def test_leg_variant_is_told_with_its_optional_rules(desk: Desk) -> None:
    """LEG-VARIANT: in the log, the audit, a replay, and where tournaments are listed."""
    desk.done("new", "Clan War", "--ruleset", "l5r", "--format", "l5r-legacy:bigdeck")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCem\nDov\n")
    assert desk.done("tournaments", "--json").json[0]["format"] == "l5r-legacy:bigdeck"
    assert "l5r-legacy:bigdeck" in desk.done("tournaments").out
    desk.done("export", "-o", "out.jsonl")
    for way in (("log",), ("audit",), ("replay", "out.jsonl")):
        answer = desk.done(*way)
        said = " ".join((answer.out + answer.err).split())
        assert "l5r-legacy:bigdeck" in said, way
        for rule in ("No Cycle", "Seppuku, as an open action", "by agreement: "):
            assert rule in said, way
        assert "as a reaction" not in said
    for asked in (("audit", "--json"), ("replay", "out.jsonl", "--json"), ("--json",)):
        held = desk.done(*asked).json["format"]
        assert (held["key"], "No Cycle" in held["in_force"]) == ("l5r-legacy:bigdeck", True)
    desk.done("audit", "--html", "audit.html")
    assert "No Cycle" in (desk.folder / "audit.html").read_text()


def test_ffg_list_is_handed_in_before_the_start(desk: Desk) -> None:
    """FFG-LIST: a later one replaces it until then; FFG-LIST-FIXED: not afterwards."""
    opened(desk)
    desk.done("lists", "submit", "ann", "other.txt")
    desk.done("lists", "submit", "ann", "good.txt")
    again = desk.done("lists", "submit", "ann", "good.txt")
    assert "nothing to change" in again.err
    desk.done("start", "basic")
    answer = desk.refused("lists", "submit", "ann", "other.txt")
    assert (answer.code, "(FFG-LIST, AOP-DECK)" in answer.err) == (1, True)
    assert desk.done("lists", "show", "ann").out == GOOD


@pytest.mark.slow
def test_aop_exclusive_nothing_is_added_or_removed(desk: Desk) -> None:
    """AOP-EXCLUSIVE: in time a Phoenixborn given out may be listed, after the start not."""
    opened(desk)
    text = GOOD.replace("1 Ysolde Marr", "1 Ember Queen Sael").replace(
        "Marr Family Blade", "Kiln Golem"
    )
    (desk.folder / "queen.txt").write_text(f"Given out: Ember Queen Sael\n{text}")
    desk.done("lists", "submit", "ann", "queen.txt")
    answer = desk.type("lists", "check", "ann", "--cards", CARDS)
    assert answer.code == 1
    assert "AOP-EXCLUSIVE  Ember Queen Sael was not given out to the player" in answer.out
    desk.done("lists", "give", "ann", "Ember Queen Sael")
    desk.done("lists", "check", "ann", "--cards", CARDS)
    desk.done("lists", "submit", "ben", "good.txt")
    desk.done("start", "basic")
    for player, file in (("ann", "good.txt"), ("ben", "queen.txt")):
        for more in ((), ("--clerical",)):
            act = ("correct", player, file, "--reason", "the sheet", *more)
            assert "(AOP-EXCLUSIVE)" in desk.refused("lists", *act).err
        assert "(FFG-LIST, AOP-DECK)" in desk.refused("lists", "submit", player, file).err


@pytest.mark.slow
def test_aop_deckcheck_before_the_first_round(desk: Desk) -> None:
    """AOP-DECKCHECK: every deck, list or no list; a corrected list is checked again."""
    opened(desk)
    desk.done("lists", "submit", "ann", "good.txt")
    desk.done("start", "custom", "--rounds", "2")
    answer = desk.refused("pair")
    assert "Ann (#1)" in answer.err
    assert "(AOP-DECKCHECK)" in answer.err
    desk.done("lists", "check", "ann", "--cards", CARDS)
    check_all(desk, "ben", "cem")
    assert "not yet checked: Dov (#4) (AOP-DECKCHECK)" in desk.refused("pair").err
    desk.done("drop", "dov")
    desk.done("lists", "correct", "ann", "clear.txt", "--clerical", "--reason", "the sheet")
    assert "not yet checked: Ann (#1) (AOP-DECKCHECK)" in desk.refused("pair").err
    desk.done("lists", "check", "ann", "--cards", CARDS)
    desk.done("pair")


@pytest.mark.slow
def test_aop_deckcheck_holds_late_entrants_and_can_be_waived(desk: Desk) -> None:
    """AOP-DECKCHECK, FFG-LIST: who comes late hands in once, and is checked before playing."""
    opened(desk)
    desk.done("drop", "cem")
    desk.done("start", "custom", "--rounds", "3")
    assert "--unchecked needs --reason" in desk.type("pair", "--unchecked").err
    desk.done("pair", "--unchecked", "--reason", "the hall closes at ten")
    line = desk.log().splitlines()[-1]
    assert '"waiver":{"clauses":["AOP-DECKCHECK"],"reason":"sealed:' in line
    (table,) = [each for each in desk.done("pairings", "--json").json if not each["bye"]]
    desk.done("report", "1", table["names"][0])
    desk.done("register", "Eva")
    told = desk.refused("pair").err
    assert "Eva (#5) (AOP-DECKCHECK); use `lists check 5` or `pair --unchecked" in told
    desk.done("lists", "submit", "eva", "good.txt")
    assert "(FFG-LIST, AOP-DECK)" in desk.refused("lists", "submit", "eva", "clear.txt").err
    desk.done("lists", "check", "eva", "--cards", CARDS)
    desk.done("pair")
    assert "waiver" not in desk.log().splitlines()[-1]


def test_ffg_list_comes_late_where_none_was_asked_for(desk: Desk) -> None:
    """FFG-LIST: lists are due where the event requires them; the first one only is late."""
    opened(desk)
    desk.done("start", "basic")
    desk.done("lists", "submit", "ann", "good.txt")
    late = desk.refused("lists", "submit", "ann", "other.txt").err
    assert "the list of Ann (#1) (FFG-LIST, AOP-DECK); use `lists correct 1 FILE" in late
    desk.done("new", "Strict", "--ruleset", "l5r", "--format", "ashes", "--lists")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCem\nDov\n")
    for player in ("1", "2", "3"):
        desk.done("lists", "submit", player, "good.txt")
    desk.done("lists", "check", "dov")
    desk.done("start", "basic")
    assert "(FFG-LIST, AOP-DECK)" in desk.refused("lists", "submit", "dov", "good.txt").err


@pytest.mark.slow
def test_ffg_list_where_the_event_requires_lists(desk: Desk) -> None:
    """FFG-LIST: nobody plays without a list, unless a leader has seen what is played."""
    desk.done("new", "Court", "--ruleset", "l5r", "--format", "l5r", "--lists")
    (desk.folder / "list.txt").write_text("provinces:\n1 Shore\n")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCem\nDov\n")
    for player in ("ann", "ben"):
        desk.done("lists", "submit", player, "list.txt")
    told = desk.refused("start", "basic").err
    assert "missing: Cem (#3), Dov (#4) (FFG-LIST)" in told
    desk.done("lists", "submit", "cem", "list.txt")
    desk.done("lists", "check", "dov", "--note", "no paper; the deck was seen")
    desk.done("start", "basic")
    desk.done("register", "Eva")
    assert "missing: Eva (#5) (FFG-LIST)" in desk.refused("pair").err
    desk.done("lists", "submit", "eva", "list.txt")
    desk.done("start", "basic")
    desk.done("pair")


def test_without_a_deck_check_in_the_format_nobody_waits(desk: Desk) -> None:
    """AOP-DECKCHECK is of the format, not of every event."""
    desk.done("new", "Court", "--ruleset", "l5r", "--format", "l5r")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCem\nDov\n")
    desk.done("start", "basic")
    desk.done("pair")


def test_a_check_records_its_findings_and_its_cards(desk: Desk) -> None:
    """LEG-ORACLE and FFG-LIST: what was found, by which text of the cards."""
    opened(desk)
    (desk.folder / "bad.txt").write_text(GOOD.replace("4 Tide die", "5 Tide die"))
    desk.done("lists", "submit", "ann", "bad.txt")
    answer = desk.type("lists", "check", "ann", "--cards", CARDS)
    assert (answer.code, "AOP-DECK" in answer.out) == (1, True)
    line = desk.log().splitlines()[-1]
    assert '"clause":"AOP-DECK","text":"11 dice: exactly 10 allowed","state":"breaks"' in line
    assert '"version":"2"' in line
    overview = desk.done("lists", "--json").json
    assert [(each["player"], each["checked"]) for each in overview] == [
        (1, True),
        (2, False),
        (3, False),
        (4, False),
    ]
    assert "2 findings" in desk.done("lists").out


def test_ffg_list_a_correction_keeps_the_list_and_is_flagged(desk: Desk) -> None:
    """FFG-LIST: other cards are flagged for investigation, clearer names are not."""
    opened(desk)
    desk.done("lists", "submit", "ann", "clear.txt")
    desk.done("start", "basic")
    answer = desk.refused("lists", "correct", "ann", "good.txt")
    assert (answer.code, "needs --reason" in answer.err) == (2, True)
    clearer = desk.done("lists", "correct", "ann", "good.txt", "--reason", "whole name")
    assert "investigated" not in clearer.err
    other = desk.done("lists", "correct", "ann", "other.txt", "--clerical", "--reason", "the sheet")
    assert "to be investigated" in other.err
    assert "deck     Kiln Golem         0    3" in other.out
    back = desk.done(
        *("lists", "correct", "ann", "good.txt", "--clerical", "--reason", "x", "--no-advantage")
    )
    assert "investigated" not in back.err
    [flag] = desk.done("lists", "--json").json[0]["flagged"]
    log = desk.log().splitlines()
    assert "Kiln Golem" in log[flag - 1]
    assert sum("Hearth" in line and '"type":"ListSubmitted"' in line for line in log) == 1


def test_aop_deck_what_is_played_stays(desk: Desk) -> None:
    """AOP-DECK: after the start only an error of the sheet is mended, and audit shows each card."""
    opened(desk)
    desk.done("lists", "submit", "ann", "good.txt")
    (desk.folder / "born.txt").write_text(GOOD.replace("1 Ysolde Marr", "1 Ember Queen Sael"))
    desk.done("start", "basic")
    assert "nothing found" in desk.done("audit").err
    for file in ("other.txt", "born.txt"):
        refused = desk.refused("lists", "correct", "ann", file, "--reason", "the right one")
        assert "is fixed for the whole tournament" in refused.err
        assert "(AOP-DECK); use `lists correct 1 FILE --clerical" in refused.err
    act = ("lists", "correct", "ann", "other.txt", "--clerical", "--reason", "copied wrongly")
    desk.done("official", "add", "Pat", "--role", "scorekeeper")
    assert "Pat is scorekeeper" in desk.refused(*act, "--as", "Pat").err
    desk.done(*act)
    assert "list corrected: other cards: Ann (#1), deck: Hearth" in desk.done("audit").out
    [finding] = desk.done("audit", "--json").json["findings"]
    assert finding["cards"] == ["deck: Hearth Guard 3 to 0", "deck: Kiln Golem 0 to 3"]


def test_ffg_list_only_a_leader_corrects_and_checks(desk: Desk) -> None:
    """FFG-LIST: a scorekeeper takes lists in, and no more."""
    opened(desk)
    desk.done("official", "add", "Pat", "--role", "scorekeeper")
    desk.done("lists", "submit", "ann", "good.txt", "--as", "Pat")
    for act in (["check", "ann"], ["correct", "ann", "other.txt", "--reason", "x"]):
        assert desk.refused("lists", *act, "--as", "Pat").code == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["submit", "ann", "big.txt"], 1, "the list has more than 24,000 bytes"),
        (["submit", "ann", "none.txt"], 3, "cannot be read"),
        (["submit", "ann"], 2, "give the player and the file: lists submit ann ann.txt"),
        (["check", "ann", "--cards", CARDS], 1, "Ann (#1) has submitted no list"),
        (
            ["correct", "ann", "good.txt", "--reason", "x"],
            1,
            "Ann (#1) has submitted no list to correct",
        ),
        (["show", "ann"], 1, "Ann (#1) has submitted no list"),
        (["submit", "zoe", "good.txt"], 3, "zoe"),
    ],
)
def test_what_is_refused_is_one_line(desk: Desk, words: list[str], code: int, told: str) -> None:
    opened(desk)
    (desk.folder / "big.txt").write_bytes(b"Deck\n" + b"1 Aki\n" * 1_700_000)
    answer = desk.refused("lists", *words)
    assert answer.code == code
    assert told in answer.err


def test_the_longest_list_fits_into_a_line(desk: Desk) -> None:
    """Of quotes alone, which double when they are written down."""
    opened(desk)
    lines = "\n".join(f"1 {n:03}{chr(34) * 190}" for n in range(122))
    text = f"Deck\n{lines}\n"
    text += "#" * (formats.LIST_BYTES_MAX - len(text))
    (desk.folder / "long.txt").write_text(text, newline="\n")  # which CRLF would make longer
    desk.done("lists", "submit", "ann", "long.txt")
    line = desk.log().splitlines()[-1]
    assert 45_000 < len(line.encode()) <= LINE_BYTES_MAX
    (desk.folder / "long.txt").write_text(text + "#")
    assert "24,000" in desk.refused("lists", "submit", "ann", "long.txt").err


def test_a_log_with_lists_goes_out_and_in_again(desk: Desk) -> None:
    """Export and import pass through the same rules."""
    opened(desk)
    desk.done("lists", "submit", "ann", "clear.txt")
    desk.done("start", "basic")
    desk.done("lists", "correct", "ann", "other.txt", "--clerical", "--reason", "in play")
    check_all(desk, "ann", "ben", "cem", "dov")
    desk.done("pair")
    desk.done("export", "-o", "out.jsonl")
    log = (desk.folder / "out.jsonl").read_text()
    desk.done("replay", "out.jsonl")
    desk.done("import", "out.jsonl", "--store", "other.db")
    forged = log.replace('"significant":true,', "", 1)
    assert forged != log
    (desk.folder / "forged.jsonl").write_text(forged)
    answer = desk.type("replay", "forged.jsonl", "--unsigned", "its rules are checked")
    assert answer.code == 1
    assert "(FFG-LIST)" in answer.err


@pytest.mark.parametrize(
    ("change", "significant"),
    [
        (("3 Amber Ferryman", "3 Amber"), True),
        (("3 Amber Ferryman", "3 Amber Ferryman (First Light)"), False),
        (("3 Amber Ferryman", "3 Old Amber Ferryman"), False),
        (("3 Amber Ferryman", "2 Amber Ferryman\n1 Amber Ferryman"), False),
        (("3 Amber Ferryman", "2 Amber Ferryman"), True),
        (("3 Amber Ferryman", "3 Amber Ferryman\n1 Spare"), True),
        (("Player: Ann Lee", "Player: Ann B. Lee"), False),
        (("Role\n1 Warden of the Tides\n", ""), True),
    ],
)
def test_ffg_list_what_is_significant(change: tuple[str, str], *, significant: bool) -> None:
    """FFG-LIST: other things listed, against names that only became clearer."""
    assert change[0] in L5R
    assert is_significant(L5R, L5R.replace(*change, 1)) is significant
