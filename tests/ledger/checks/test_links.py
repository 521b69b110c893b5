"""Links: who may give one out, whose it is, and what an id that names one is held to."""

from __future__ import annotations

from hashlib import sha256

import pytest

from ledger.errors import Refused
from ledger.rules.keys import IssueLinks, NoteGuesses, RevokeLink
from ledger.rules.office import TakeNote
from ledger.rules.opening import AppointOfficial
from ledger.tournament.table_records import link_in, link_of, link_over
from tests.support.simulate import Day


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@pytest.fixture
def day() -> Day:
    """Links for two players, the organizer and a screen, in this order: 1 to 4."""
    day = Day(4)
    day.do(AppointOfficial("Sue", ("scorekeeper",)))
    day.do(AppointOfficial("Jo", ("judge",)))
    day.do(IssueLinks(tuple((of, digest(of)) for of in ("p1", "p2", "o1", "s1"))))
    return day


def why(day: Day, by: str, command_id: str, command: object) -> str:
    """Why an act of that id is refused; empty where it lands."""
    try:
        day.do(command, by=by, command_id=command_id)  # type: ignore[arg-type]
    except Refused as error:
        return error.problems[0].code
    return ""


def test_another_link_ends_the_one_before(day: Day) -> None:
    links = day.tournament.floor.links
    assert [(each.number, each.of, each.until) for each in links.values()] == [
        *((1, "p1", 0), (2, "p2", 0), (3, "o1", 0), (4, "s1", 0)),
    ]
    day.do(IssueLinks((("p1", digest("another")),)))
    assert links[1].until == links[5].seq
    assert link_of(links, "p1") == links[5]
    before = day.tournament.seq
    day.do(IssueLinks((("p1", digest("another")),)))
    assert day.tournament.seq == before


def test_an_officials_link_is_the_organizers_to_give_or_their_own(day: Day) -> None:
    assert why(day, "o2", "a1", IssueLinks((("o1", digest("x")),))) == "authority.role"
    assert why(day, "o2", "a2", IssueLinks((("o3", digest("x")),))) == "authority.role"
    assert why(day, "o2", "a3", IssueLinks((("o2", digest("x")),))) == ""
    assert why(day, "o2", "a4", IssueLinks((("p1", digest("y")),))) == ""
    assert why(day, "p1", "a5", IssueLinks((("p1", digest("z")),))) == "authority.official"


def test_a_link_is_for_somebody_who_is_here(day: Day) -> None:
    assert why(day, "o1", "b1", IssueLinks((("p5", digest("x")),))) == "player.unknown"
    assert why(day, "o1", "b2", IssueLinks((("o9", digest("x")),))) == "official.unknown"
    assert why(day, "o1", "b3", IssueLinks((("p3", digest("p1")),))) == "link.secret_twice"
    assert why(day, "o1", "b5", RevokeLink(9)) == "link.unknown"


def test_an_id_that_names_a_link_is_of_who_has_it(day: Day) -> None:
    note = TakeNote("quiet")
    assert why(day, "o1", "w3-abc", note) == ""
    assert why(day, "o1/p1", "w3-abd", note) == ""
    assert why(day, "o2", "w3-abe", note) == "link.others"
    assert why(day, "o1", "w1-abf", note) == "link.others"
    assert why(day, "o1/p1", "w1-abj", note) == ""  # from a code that p1's phone showed
    assert why(day, "o1/p2", "w1-abk", note) == "link.others"
    assert why(day, "o1", "w5-abg", note) == "link.unknown_in_id"
    assert why(day, "o1", "w03-abh", note) == ""
    day.do(RevokeLink(3, "lost"))
    assert why(day, "o1", "w3-abi", note) == "link.ended_in_id"
    assert why(day, "o1", "w3", note) == ""


def test_a_log_without_links_knows_no_such_ids() -> None:
    """Logs of before may have any id; they replay as before."""
    day = Day(4)
    assert why(day, "o1", "w3-abc", TakeNote("quiet")) == ""
    assert link_over(day.tournament.floor.links, "w3-abc") == 0


def test_guesses_are_on_record(day: Day) -> None:
    day.do(NoteGuesses(40, "10.0.0.9"))
    assert why(day, "p1", "g1", NoteGuesses(40)) == "authority.official"


def test_which_link_an_id_names() -> None:
    ids = {"w7-a": 7, "w7": 0, "w0-a": 0, "w12-": 12, "xw7-a": 0, "w99999999-a": 0}
    assert {each: link_in(each) for each in ids} == ids
