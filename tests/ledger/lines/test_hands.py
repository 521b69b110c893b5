"""The two parts of a list with hidden cards, and what of it has room in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import formats
from ledger.errors import Refused
from ledger.facts import hands
from ledger.facts.shared import FINDINGS_MAX, ListChecked, ListFinding
from ledger.formats.comparing import digest
from ledger.formats.play_lists import _SECOND, LIST_BYTES_MAX, Listed, PlayList, as_text, read_list
from ledger.lines.line import LINE_BYTES_MAX
from ledger.rules.lists import CheckList, SubmitList
from ledger.rules.opening import OpenTournament
from tests.ledger.formats.test_units import CARDS, UNITS
from tests.support.simulate import ORGANIZER, Day

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command


class LegionDay(Day):
    """A day whose opening names the format that hides sections."""

    def do(
        self, command: Command, *, by: str = ORGANIZER, command_id: str = "", at: str = ""
    ) -> list[Recorded]:
        """Do it; the opening with the format."""
        if isinstance(command, OpenTournament):
            text = formats.text_of("legion")
            command = msgspec.structs.replace(command, format=text, variant="")
        return super().do(command, by=by, command_id=command_id, at=at)


DAY = LegionDay(4, ruleset="legion")
NAMES = st.sampled_from(["command", "battle", "hand", "command hand", "group 2"])
LONE = UNITS.filter(lambda unit: not _SECOND.search(unit.name))
"""Units whose names a format takes: none that reads as a second unit on the line."""


@pytest.mark.slow
@given(
    st.lists(LONE, min_size=1, max_size=3),
    st.dictionaries(NAMES, st.lists(CARDS, max_size=3).map(tuple), max_size=3),
    st.integers(0, 900) | st.none(),
)
def test_both_parts_are_the_list(
    units: list[Listed], hidden: dict[str, tuple[Listed, ...]], total: int | None
) -> None:
    """Nothing is lost, nothing hidden is in the open part, and the parts part again as they are."""
    totals = dict.fromkeys(hidden, 7)
    held = PlayList("Ann", total, totals, {"plan": "none"}, {"units": tuple(units), **hidden})
    parts = hands.split(DAY.tournament, as_text(held))
    whole = read_list(hands.joined(parts).encode(), formats.load("legion").format.shape)
    assert whole == held
    assert digest(whole) == digest(held)
    assert hands.split(DAY.tournament, hands.joined(parts)) == parts
    seen = msgspec.structs.replace(held, totals={}, remarks={}, sections={"units": tuple(units)})
    assert parts.open == as_text(seen)


@pytest.mark.parametrize("section", ["units", "command"])
def test_the_longest_list_fits_into_a_line(section: str) -> None:
    """Whatever has to be escaped, and whichever part it is in."""
    day = LegionDay(4, ruleset="legion")
    line = "1x " + '"' * 190 + "\n"
    count = (LIST_BYTES_MAX - 100) // len(line)
    day.do(SubmitList(1, f"{section}\n{line * count}"))
    assert len(day.lines[-1]) <= LINE_BYTES_MAX
    with pytest.raises(Refused, match="more than 24,000 bytes"):
        day.do(SubmitList(1, f"{section}\n{line * (count + 2)}"))
    with pytest.raises(Refused, match="the full list has more than 24,000 bytes"):
        day.do(SubmitList(1, f"{section}\n" + "1 A\n" * 800 + line * (count - 17)))


def test_what_a_check_found_fits_into_a_line() -> None:
    """As many findings as there is room for; the others are counted in the seal."""
    day = LegionDay(4, ruleset="legion")
    found = tuple(
        ListFinding("SWL-ARMY", "\U0001f3b2" * 398 + f"{number:02}", "breaks")
        for number in range(FINDINGS_MAX + 5)
    )
    day.do(CheckList(1, None, found, "\x1b" * 1_000))
    (checked,) = [each.event for each in day.log if isinstance(each.event, ListChecked)]
    assert len(day.lines[-1]) <= LINE_BYTES_MAX
    seen = hands.found_of(day.tournament, day.context.hidden_key, 1)
    assert seen is not None
    assert 5 < len(seen.findings) == len(found) - seen.further
    assert checked.counts == (len(seen.findings), 0)
    with pytest.raises(Refused, match="a note can have at most 1,000 characters"):
        day.do(CheckList(1, None, found, "x" * 1_001))


def test_the_digest_is_of_what_is_listed() -> None:
    """However a list is written; upgrades with another unit are another list."""
    one = "Player: A\nUnits\n1 Guards\n- Scope\n2 Mines\n1 Guards\n"
    same = "Player: B\nUNITS:\n1 guards\n1x Guards\n   scope\n1 Mines\n1 Mines\n"
    other = "Units\n1 Guards\n2 Mines\n1 Guards\n- Scope\n- Scope\n"
    shape = formats.load("legion").format.shape
    first, second, third = (digest(read_list(text.encode(), shape)) for text in (one, same, other))
    assert first == second != third
