"""Links of officials: revoked by themselves or by a higher office, and without acts meanwhile."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from ledger.rules.keys import IssueLinks, RevokeLink
from ledger.rules.office import Resume, StandDown, TakeNote
from ledger.rules.people import DisqualifyPlayer
from ledger.rules.results import Report, StatedResult
from ledger.tournament.table_records import link_of
from tests.support.simulate import Day
from tests.support.staff import ASHES, appoint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.facts.base import Role

ROLES: tuple[Role, ...] = ("organizer", "marshal", "judge", "scorekeeper")
"""The offices of most games, from the highest one on."""


def with_links(day: Day, holders: Iterable[str]) -> dict[str, int]:
    """Give links out; return the number of each."""
    day.do(IssueLinks(tuple((of, sha256(of.encode()).hexdigest()) for of in holders)))
    links = day.tournament.floor.links
    return {link.of: link.number for link in links.values()}


def offices(day: Day) -> dict[str, int]:
    """Appoint o2 to o5: marshal, judge, scorekeeper and another judge; all have links."""
    for role in (*ROLES[1:], "judge"):
        appoint(day, f"The {role} {len(day.tournament.officials)}", role)
    return with_links(day, ["o1", "o2", "o3", "o4", "o5", "p1", "s1", "e1"])


MAY = {
    "o1": {"o1", "o2", "o3", "o4", "o5", "p1", "s1", "e1"},
    "o2": {"o2", "o3", "o4", "o5", "p1", "s1", "e1"},
    "o3": {"o3", "o4", "p1", "s1", "e1"},
    "o4": {"o4", "p1", "s1", "e1"},
    "o5": {"o5", "o4", "p1", "s1", "e1"},
}
"""Whose links each official may revoke."""


@pytest.mark.parametrize("by", MAY)
def test_only_a_higher_office_revokes_the_link_of_another_official(by: str) -> None:
    for of in MAY["o1"]:
        day = Day(4)
        number = offices(day)[of]
        if of in MAY[by]:
            day.do(RevokeLink(number), by=by)
            assert link_of(day.tournament.floor.links, of) is None
        else:
            assert "higher official" in day.refused(RevokeLink(number), by=by)


def test_a_game_with_other_offices_has_their_order() -> None:
    day = Day(4, floor=ASHES)
    appoint(day, "Co", "co-organizer")
    appoint(day, "Co Two", "co-organizer")
    appoint(day, "Score", "scorekeeper")
    links = with_links(day, ["o1", "o2", "o3", "o4"])
    for by, of in (("o2", "o1"), ("o2", "o3"), ("o4", "o2")):
        assert "higher official" in day.refused(RevokeLink(links[of]), by=by)
    day.do(RevokeLink(links["o4"]), by="o2")
    day.do(RevokeLink(links["o3"]), by="o1")


def test_the_undoing_of_a_link_is_its_revoking() -> None:
    """`undo` of "a link was given out" is a LinkRevoked, too, and is checked the same way."""
    day = Day(4)
    links = offices(day)
    again = RevokeLink(links["o1"], "it was a mistake")
    assert "higher official" in day.refused(again, by="o4")


def test_an_earlier_log_keeps_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.rules.opening.RULES", 2)
    day = Day(4)
    number = offices(day)["o1"]
    day.do(RevokeLink(number), by="o4")


def test_nothing_is_entered_over_a_link_that_rests() -> None:
    day = Day(4)
    links = offices(day)
    over = f"w{links['o3']}-"
    day.do(TakeNote("in office"), by="o3", command_id=f"{over}first")
    day.do(StandDown(3))
    refusals = (
        TakeNote("out of office"),
        Resume(3),
        IssueLinks((("o3", "0" * 64),)),
    )
    for number, command in enumerate(refusals):
        with pytest.raises(Exception, match=r"not taking part|stood down"):
            day.do(command, by="o3", command_id=f"{over}later{number}")
    day.do(Resume(3), by="o3")
    day.do(TakeNote("in office again"), by="o3", command_id=f"{over}again")


def test_an_official_enters_no_act_of_a_removed_players_link() -> None:
    day = Day(4)
    day.start(2)
    day.pair()
    links = offices(day)
    match = next(match for match in day.tournament.matches[1:] if 1 in match.players)
    day.do(DisqualifyPlayer(1, "cheating"))
    report = Report(match.number, StatedResult("win"))
    with pytest.raises(Exception, match="not taking part"):
        day.do(report, by="o1/p1", command_id=f"w{links['p1']}-carried")
