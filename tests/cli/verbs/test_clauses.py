"""`tourney clause`, and the clauses that an official may cite with `--clause`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


def last(desk: Desk) -> str:
    return desk.log().splitlines()[-1]


def test_clauses_are_looked_up_without_a_store(desk: Desk) -> None:
    """FFG-MISSED: its words find it, and its ID in any case."""
    found = desk.done("clause", "missed opportunity").out
    assert "FFG-MISSED" in found
    alone = desk.done("clause", "ffg-missed").out
    assert "consent" in alone
    assert "Missed Opportunities" in alone
    assert "`rule`" in alone
    assert len(desk.done("clause", "--json").json) == 159


def test_a_lookup_without_a_match_or_without_a_text_is_honest(desk: Desk) -> None:
    assert "FFG-MISSED" in desk.refused("clause", "FFG-MISED").err
    assert "no text of this clause is stored" in desk.done("clause", "XW2-MOV").out
    assert desk.done("clause", "XW2-MOV", "--json").json[0]["asks"] is None


def test_an_event_s_own_clauses_are_listed_and_come_first(desk: Desk) -> None:
    """AOP-MISSED, not FFG-MISSED, in an event of Ashes; another game's are found all the same."""
    desk.open(4, ruleset="ashes")
    listed = {clause["id"] for clause in desk.done("clause", "--json").json}
    assert "AOP-MISSED" in listed
    assert "FFG-REJOIN" in listed  # by a reading of its ruleset
    assert not {"FFG-MISSED", "FFG-RULING", "L5R-TIME"} & listed
    assert next(c["id"] for c in desk.done("clause", "missed", "--json").json) == "AOP-MISSED"
    assert [c["id"] for c in desk.done("clause", "L5R-TIME", "--json").json] == ["L5R-TIME"]


def test_a_format_s_clauses_are_the_event_s(desk: Desk) -> None:
    """LEG-SAME, L5R-DECK: clauses of the event's format may be cited."""
    desk.done("new", "Legacy", "--ruleset", "swiss", "--format", "l5r-legacy", "--organizer", "Kim")
    desk.done("register", "Ann")
    desk.done("penalty", "ann", "warning", "--for-what", "four copies", "--clause", "leg-same")
    assert '"clause":"LEG-SAME"' in last(desk)


@pytest.mark.parametrize(
    ("ruleset", "clause"),
    [("l5r", "FFG-MISSED"), ("runewars", "FFG-MISSED"), ("ashes", "AOP-MISSED")],
)
def test_a_ruling_on_a_missed_opportunity_takes_two_words(
    desk: Desk, ruleset: str, clause: str
) -> None:
    """FFG-MISSED and AOP-MISSED: `--clause missed` is the game's own."""
    desk.open(4, ruleset=ruleset)
    desk.done("rule", "0", "it stays forgotten", "--clause", "missed")
    assert f'"clause":"{clause}"' in last(desk)


@pytest.mark.parametrize(
    ("ruleset", "word", "clause"),
    [
        ("l5r", "shuffle", "L5R-SHUFFLE"),
        ("l5r", "notes", "FFG-NOTES"),
        ("l5r", "settle", "FFG-SETTLE"),
        ("legion", "margin", "FFG-MARGIN"),
        ("runewars", "margin", "FFG-MARGIN"),
        ("ashes", "mandatory", "AOP-MANDATORY"),
        ("ashes", "notes", "AOP-NOTES"),
        ("ashes", "shuffle", "AOP-SHUFFLE"),
        ("ashes", "hidden", "AOP-HIDDEN"),
        ("ashes", "cheat", "AOP-CHEAT"),
    ],
)
def test_what_happens_at_the_table_is_cited_by_a_word(
    desk: Desk, ruleset: str, word: str, clause: str
) -> None:
    """FFG-MARGIN, FFG-NOTES, FFG-SETTLE, L5R-SHUFFLE, AOP-MANDATORY and others.

    AOP-NOTES, AOP-SHUFFLE, AOP-HIDDEN, AOP-CHEAT.
    """
    desk.open(4, ruleset=ruleset)
    desk.done("rule", "0", "so be it", "--clause", word)
    assert f'"clause":"{clause}"' in last(desk)


CITING = [
    ("rule", "0", "it stays"),
    ("penalty", "1", "warning", "--for-what", "late"),
    ("recommend", "1", "--reason", "two decks"),
    ("disqualify", "1", "--reason", "two decks"),
]


@pytest.mark.parametrize("line", CITING, ids=lambda line: line[0])
def test_only_a_clause_of_the_event_s_game_is_cited(desk: Desk, line: tuple[str, ...]) -> None:
    """AOP-MODERATE is not in L5R; FFG-MISSED is."""
    desk.open(4)
    refused = desk.refused(*line, "--clause", "AOP-MODERATE").err
    assert "not a clause of l5r" in refused
    assert "`other: words`" in refused
    assert "FFG-MISSED" in desk.refused(*line, "--clause", "FFG-MISED").err
    assert "L5R-SHUFFLE" in desk.refused(*line, "--clause", "AOP-SHUFFLE").err
    desk.refused(*line, "--clause", "FFG-MARGIN")  # of the two games with models
    desk.refused(*line, "--clause", "other:")
    desk.done(*line, "--clause", "ffg-missed")
    assert '"clause":"FFG-MISSED"' in last(desk)


@pytest.mark.parametrize("line", CITING, ids=lambda line: line[0])
def test_other_words_are_cited_as_such(desk: Desk, line: tuple[str, ...]) -> None:
    desk.open(4)
    desk.done(*line, "--clause", "other: house rule 4")
    assert '"clause":"other: house rule 4"' in last(desk)
    assert desk.refused(*line, "--clause", f"other: {'x' * 60}").code


def test_a_shared_clause_that_ashes_has_itself_is_refused_with_its_own(desk: Desk) -> None:
    """AOP-AUTH stands for FFG-RULING in the map of Ashes."""
    desk.open(4, ruleset="ashes")
    refused = desk.refused("rule", "0", "it stays", "--clause", "FFG-RULING").err
    assert "AOP-AUTH" in refused


def test_conduct_cites_a_clause_of_the_game(desk: Desk) -> None:
    """FFG-CONDUCT-KIND: conduct names its clause like a penalty does."""
    desk.open(4)
    line = ("conduct", "1", "stalling", "--remedy", "a warning")
    desk.refused(*line, "--clause", "AOP-CONDUCT")
    desk.done(*line, "--clause", "ffg-conduct-kind")
    assert '"clause":"FFG-CONDUCT-KIND"' in last(desk)
    assert "FFG-CONDUCT-KIND" in desk.done("conduct").out


def test_conduct_of_a_spectator_and_a_breach_that_one_reported(desk: Desk) -> None:
    """FFG-SPECTATOR: a spectator disturbs a game, and another reports a breach."""
    desk.open(4)
    remedy = ("--remedy", "asked to leave")
    desk.done("conduct", "help", "--spectator", "in a red coat", *remedy, "--clause", "spectators")
    assert '"player":0' in last(desk)
    assert '"clause":"FFG-SPECTATOR"' in last(desk)
    (noted,) = desk.done("conduct", "--json").json
    assert (noted["player"], noted["spectator"]) == (None, "in a red coat")
    assert "in a red" in desk.done("conduct").out
    assert "spectator (in a red coat)" in desk.done("log").out
    desk.refused("conduct", "1", "other", "--spectator", "in a red coat", *remedy)
    desk.done("rule", "0", "a card too many", "--spectator", "--clause", "spectators")
    assert desk.done("rule", "--json").json[0]["raised"] == "spectator"


def test_ashes_has_its_own_kinds_of_conduct(desk: Desk) -> None:
    """AOP-CONDUCT: seven kinds, two of them only here, and without those of other games."""
    desk.open(4, ruleset="ashes")
    remedy = ("--remedy", "a warning")
    desk.done("conduct", "1", "dramatic", *remedy, "--clause", "conduct")
    assert '"clause":"AOP-CONDUCT"' in last(desk)
    desk.done("conduct", "1", "confusing", *remedy)
    assert "confusing others" in desk.refused("conduct", "1", "collusion", *remedy).err


def test_other_games_keep_their_kinds_of_conduct(desk: Desk) -> None:
    """FFG-CONDUCT-KIND has nine kinds, and no body language."""
    desk.open(4)
    refused = desk.refused("conduct", "1", "dramatic", "--remedy", "a warning").err
    assert "notes or outside material" in refused
