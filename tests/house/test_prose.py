"""Plain English and names with a meaning: what is left may only become less.

`prose.toml` has a budget for each package. `pytest tests/house/test_prose.py --update-golden`
lowers the budgets to today's counts and raises none. `python -m tests.house.test_prose` lists the
places.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from cli.verbs import VERBS
from cli.verbs.catalogue import function_of
from tests.house.prose import (
    ODD,
    Text,
    entries,
    is_tournament_called_event,
    odd_constructions,
    texts,
    vague_names,
)
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BUDGETS = ROOT / "tests" / "house" / "prose.toml"
HEADING = "# The most odd constructions (prose.py lists them) and vague names that are left.\n"


def counted() -> dict[str, dict[str, int]]:
    """Return what is there now, by kind and package."""
    odd = Counter((text.kind, text.package) for text, _ in odd_constructions())
    found: dict[str, dict[str, int]] = {"messages": {}, "prose": {}}
    for (kind, package), number in sorted(odd.items()):
        found[kind][package] = number
    return {**found, "names": dict(sorted(vague_names().items()))}


def over(
    now: Mapping[str, Mapping[str, int]], budgets: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """Name each budget that is exceeded."""
    return [
        f"{kind} of {package}: {number}, and {budgets[kind].get(package, 0)} at most"
        for kind, numbers in now.items()
        for package, number in numbers.items()
        if number > budgets[kind].get(package, 0)
    ]


@pytest.mark.slow
def test_odd_constructions_and_vague_names_only_become_fewer(
    request: pytest.FixtureRequest,
) -> None:
    now = counted()
    budgets: dict[str, dict[str, int]] = tomllib.loads(BUDGETS.read_text("utf-8"))
    if request.config.getoption("--update-golden"):
        budgets = {
            kind: {name: min(number, now[kind].get(name, 0)) for name, number in numbers.items()}
            for kind, numbers in budgets.items()
        }
        blocks = (
            f"\n[{kind}]\n" + "".join(f"{name} = {number}\n" for name, number in numbers.items())
            for kind, numbers in budgets.items()
        )
        BUDGETS.write_text(HEADING + "".join(blocks), "utf-8")
    assert over(now, budgets) == []


def test_a_further_odd_construction_exceeds_its_budget() -> None:
    assert over({"prose": {"cli": 3}}, {"prose": {"cli": 3}}) == []
    assert over({"prose": {"cli": 4}}, {"prose": {"cli": 3}})
    assert over({"prose": {"new": 1}}, {"prose": {"cli": 3}})


@pytest.mark.parametrize(
    "text",
    [
        "it is no number from 1",
        "What signs the head",
        "The reason of what was done",
        "An error where the file is lost",
        "the log says that play is over",
        "3 results of round 1 to come",
        "nobody waits for an official",
        "a head beside the log",
        "players alone may do that",
    ],
)
def test_an_odd_construction_is_noticed(text: str) -> None:
    assert [instead for instead, pattern in ODD.items() if pattern.search(text)]


@pytest.mark.parametrize(
    "text",
    [
        "the date must be YYYY-MM-DD",
        "Return whether a rule applies to this log.",
        "row 2, round: '2nd' is not a whole number of 1 or more",
        "3 of 4 results of round 1 are missing",
        "players cannot join an elimination stage: the bracket is fixed",
        "Which official enters the result?",
    ],
)
def test_plain_english_passes(text: str) -> None:
    assert [instead for instead, pattern in ODD.items() if pattern.search(text)] == []


def read_by_users() -> Iterator[Text]:
    """Yield the texts of the program and its pages, and the help of each verb as a message."""
    for text in (*texts(), *entries()):
        is_page = ".md:" in text.place or text.package in {"cli", "projections"}
        if is_page or text.kind == "messages":
            yield text
    for path, verb in VERBS.items():
        yield Text("messages", "cli", f"help of {path}", function_of(verb).__doc__ or "")


def test_an_event_is_a_line_of_the_log_and_never_the_tournament() -> None:
    """Write "tournament", or, for a line, add the phrase to `OF_A_LINE` in `prose.py`."""
    misnamed = [
        f"{text.place}: {text.words[:160]}"
        for text in read_by_users()
        if is_tournament_called_event(text.words, is_message=text.kind == "messages")
    ]
    assert misnamed == []


@pytest.mark.parametrize(
    "text",
    [
        "Close play of the event.",
        "Views of the event in hand.",
        "The event is at http://127.0.0.1:8600/",
        "how the event went",
        "players play the whole event with what they listed",
        "the event's format is missing",
        "there are no types of event: leave --type out",
        "players must arrive before the event",
        "an event of another structure than its tier's",
    ],
)
def test_a_tournament_that_is_called_an_event_is_noticed(text: str) -> None:
    assert is_tournament_called_event(text, is_message=True)
    assert is_tournament_called_event(text, is_message=False)
    tournament = text.replace("event", "tournament")
    assert not is_tournament_called_event(tournament, is_message=True)


@pytest.mark.parametrize(
    "text",
    [
        "event {event} is not a ruling",
        "state after event SEQ",
        "the last event of the log, as of event 57",
        "its first {} events are not those",
        "{table} is disputed (event {event}): {who} must rule on it",
        "Equal event points are split by blood points.",
    ],
)
def test_a_line_of_the_log_is_an_event(text: str) -> None:
    assert not is_tournament_called_event(text, is_message=True)


def test_a_message_with_an_event_of_no_known_phrase_is_noticed() -> None:
    text = "{player} cannot join an event twice"
    assert is_tournament_called_event(text, is_message=True)
    assert not is_tournament_called_event(text, is_message=False)


if __name__ == "__main__":
    for shown, correction in odd_constructions():
        print(f"{shown.place}: {correction}: {shown.kind}: {shown.words[:160]}")  # noqa: T201
    print(sum(text.words.count(" ") + 1 for text in texts()), "words")  # noqa: T201
