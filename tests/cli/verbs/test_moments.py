"""Every view as it was: the moments that can be typed, and what is said of those that can not."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from cli import outside
from cli.verbs import VERBS, acts_of
from cli.verbs.catalogue import DAY, TABLE, VIEW
from cli.verbs.tree import command_of
from ledger.books.book import open_book
from ledger.fold import fold_lines
from ledger.rules.rounds import PostTable
from ledger.store import open_store
from projections.standings.table import as_json, everyone, ranking
from tests.support.cli_desk import desk, typed_once
from tests.support.sample_days import EARLIER

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.cli_desk import Desk

__all__ = ["desk"]

VIEWS = (
    "standings", "bracket", "pairings", "list", "lists", "log", "round", "explain 1", "disputes",
    "match 1/1", "audit", "whatif 1/1 none",
)  # fmt: skip
CHOOSE_A_ROUND = ("standings", "pairings", "whatif 1/1 none")
"""Views whose `--round` is a round to show, not a moment."""

MOMENTS = (("--at", "37"), ("--round", "2"), ("--at", "9:23"), ("--at", "posted"))
SAMPLE = EARLIER / "l5r" / "winter-court-24.jsonl"


def set_clock(desk: Desk, clock: Callable[[], str]) -> None:
    desk.patch.setattr(outside, "now", clock)


@typed_once
def played(desk: Desk) -> Desk:
    """A cut to four after two rounds, each act a minute after the one before, from 08:00 UTC."""
    minutes = iter(range(10_000))

    def now() -> str:
        minute = next(minutes)
        return f"2026-03-14T{8 + minute // 60:02}:{minute % 60:02}:30.500Z"

    set_clock(desk, now)
    desk.done(
        "new",
        "Night",
        "--ruleset",
        "l5r",
        "--organizer",
        "Kim",
        "--date",
        "2026-03-14",
        "--time-zone",
        "Europe/Berlin",
    )
    desk.done("register", "--file", "-", stdin="name\n" + "".join(f"P{n}\n" for n in range(1, 9)))
    desk.done("start", "custom", "--rounds", "2", "--cut", "4")
    for _ in range(2):
        desk.done("pair")
        desk.done("post", "pairings")
        desk.report_all()
        desk.done("post", "standings")
    desk.done("cut")
    desk.done("pair")
    desk.report_all()
    return desk


def lines_of(desk: Desk) -> list[bytes]:
    return desk.log().encode().splitlines()


@pytest.mark.slow
def test_every_view_is_there_at_every_moment(desk: Desk) -> None:
    """At every event of a whole day: the standings of the log up to there, and never a fault."""
    desk.done("import", str(SAMPLE))
    lines = SAMPLE.read_bytes().splitlines()
    for seq in (*range(1, len(lines), 6), len(lines)):
        tournament = fold_lines(lines[:seq])
        told = desk.done("standings", "--at", str(seq), "--json")
        expected = as_json(everyone(tournament), tournament.names)
        assert told.json == json.loads(json.dumps(expected))
        assert (f"as of event {seq}," in told.err) == (seq < len(lines))
        assert desk.done("log", "--at", str(seq), "--json").out.encode().splitlines() == lines[:seq]
        for view in VIEWS:
            assert desk.type(*view.split(), "--at", str(seq)).code in {0, 3}


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_the_moment_is_said_in_one_line_and_only_where_it_is_not_now(
    played: Desk, view: str
) -> None:
    size = len(lines_of(played))
    said = played.done(*view.split(), "--at", str(size - 1)).err.splitlines()
    assert said[0].startswith(f"as of event {size - 1}, 09:")
    assert said[0].endswith(f"; now there are {size} events")
    assert len([line for line in said if line.startswith("as of")]) == 1
    assert "as of" not in played.done(*view.split(), "--at", str(size)).err
    now = played.done(*view.split())
    assert played.done(*view.split(), "--at", "now") == now


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_takes_every_moment_and_one_at_a_time(played: Desk, view: str) -> None:
    words = view.split()
    for moment in MOMENTS:
        played.done(*words, *moment, "--json")
    for one, other in combinations(MOMENTS, 2):
        answer = played.type(*words, *one, *other)
        if "--round" in (*one, *other) and view in CHOOSE_A_ROUND:
            assert answer.code == 0, answer.err
        else:
            assert (answer.code, answer.err.count("\n")) == (2, 1), (one, other, answer.err)


def test_the_views_are_all_there_are() -> None:
    """Every verb that shows the day and changes nothing; what takes moments takes all of them."""
    taking = {name: {param.name for param in command_of(name).params} for name in VERBS}
    views = {view.split()[0] for view in VIEWS}
    acts = {"lists show", "explain pairing", "explain bye"}  # as `lists` and `explain`
    assert all({"at", "number"} <= taking.pop(one) for one in acts)
    of_days = {"season standings", "rating"}
    of_files = {"replay"}
    assert {name for name, has in taking.items() if "at" in has} - of_days - of_files == views
    assert all({"at", "number"} <= taking[name] for name in views)
    shows = {
        name
        for name, verb in VERBS.items()
        if not verb.writes and not acts_of(name) and name in {**DAY, **TABLE, **VIEW}
    }
    # Of the whole store; two moments are its words; what is handed on is as it is now.
    other = {"tournaments", "use", "diff", "evidence"}
    assert shows - views - acts - {"round watch"} == other


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_no_such_moment(played: Desk, view: str) -> None:
    size = len(lines_of(played))
    words = view.split()
    for typed, code, told in (
        (["--at", str(size + 1)], 3, f"there is no event {size + 1}: the log has {size}"),
        (["--at", "0"], 2, "whole number from 1"),
        (["--at", "9" * 30], 2, "whole number"),
        (["--at", "soon"], 2, "a moment must be SEQ"),
        (["--at", "round:9"], 3, "there is no round 9: 3 rounds paired so far"),
        (["--at", "25:61"], 2, "is not a valid time"),
        (["--at", "08:00"], 3, "no event by then: it begins at 09:00:30 (Europe/Berlin)"),
        (["--at", "2026-03-13"], 3, "no event by then: it begins at 09:00:30 (Europe/Berlin)"),
        (["--at", "3", "--at", "9:00"], 2, "--at is given twice"),
    ):
        answer = played.refused(*words, *typed)
        assert (answer.code, told in answer.err) == (code, True), (typed, answer.err)


@pytest.mark.slow
def test_a_difference_from_before_the_log(played: Desk) -> None:
    told = "no event by then: it begins at 09:00:30 (Europe/Berlin)"
    assert told in played.refused("diff", "08:00", "now").err
    assert told in played.refused("diff", "now", "2026-03-13").err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "clock"),
    [
        ("9:05", "2026-03-14T08:05:59.999Z"),
        ("09:05:30", "2026-03-14T08:05:30.999Z"),
        ("09:05:29", "2026-03-14T08:05:29.999Z"),
        ("2026-03-14 09:05", "2026-03-14T08:05:59.999Z"),
        ("2026-03-14T08:05Z", "2026-03-14T08:05:59.999Z"),
        ("2026-03-14T10:05+02:00", "2026-03-14T08:05:59.999Z"),
        ("2026-03-14", "2026-03-14T22:59:59.999Z"),
    ],
)
def test_a_time_is_of_the_day_and_the_zone_of_the_tournament(
    played: Desk, typed: str, clock: str
) -> None:
    lines = lines_of(played)
    seq = max(each["seq"] for each in map(json.loads, lines) if each["at"] <= clock)
    assert played.done("log", "--at", typed, "--json").out.encode().splitlines() == lines[:seq]


def test_the_hour_that_comes_twice_is_over_the_second_time(desk: Desk) -> None:
    set_clock(desk, lambda: "2026-10-25T01:30:00.000Z")  # 02:30, winter time
    zone = ("--time-zone", "Europe/Berlin", "--date", "2026-10-25")
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim", *zone)
    assert desk.done("list", "--at", "2:30")
    assert desk.refused("list", "--at", "2:29").code == 3


def test_a_round_as_corrected_and_as_it_stood(played: Desk) -> None:
    """`--round` of standings counts later corrections in, the moment of its end does not."""
    before = played.done("standings", "--at", "round:1", "--json").out
    assert before == played.done("standings", "--round", "1", "--json").out
    first, second = played.done("pairings", "--round", "1", "--json").json[0]["players"]
    played.done("correct", "1/1", str(second), "--reason", "the slip said otherwise")
    assert played.done("standings", "--at", "round:1", "--json").out == before
    after = {row["player"]: row for row in played.done("standings", "--round", "1", "--json").json}
    assert (after[first]["points"], after[second]["points"]) == (1, 10)
    posted = played.done("standings", "--at", "posted", "--round", "1", "--json")
    assert posted.out == before
    assert "the same as the standings of round 1, posted by event" in posted.err


def test_a_round_of_a_view_without_rounds_is_its_end(played: Desk) -> None:
    for view in ("list", "bracket", "log", "round"):
        one, other = (
            played.done(view, "--round", "2", "--json"),
            played.done(view, "--at", "round:2", "--json"),
        )
        assert one == other
    assert played.done("round", "--round", "2", "--json").json["status"] == "closed"
    assert played.done("round", "--round", "3").out == played.done("round").out


@pytest.mark.slow
@pytest.mark.parametrize("what", ["standings", "pairings"])
def test_what_was_posted_is_shown_again_and_proven(played: Desk, what: str) -> None:
    for number in ("1", "2"):
        shown = played.done(what, "--at", "posted", "--round", number)
        assert shown.err.splitlines()[-1].startswith(f"the same as the {what} of round {number}")
        assert "SHA-256" in shown.err
        assert shown.out.count("\n") == len(played.done(what, "--round", number).out.splitlines())
    assert (
        played.done(what, "--at", "posted").out
        == played.done(what, "--at", "posted", "--round", "2").out
    )


@pytest.mark.slow
def test_an_earlier_table_has_its_own_cut_line(played: Desk) -> None:
    """Who is in the cut after two rounds may have been last after the first."""
    for number in ("1", "2"):
        lines = played.done("standings", "--round", number).out.splitlines()
        assert [at for at, line in enumerate(lines) if "---" in line] == [5]


@pytest.mark.slow
@pytest.mark.parametrize("seen", [20, 0], ids=["of a round to come", "of another table"])
@pytest.mark.parametrize("what", ["standings", "pairings"])
def test_a_posting_that_the_log_does_not_give_is_complained_of(
    played: Desk, what: str, seen: int
) -> None:
    """Somebody posted a table of another program, or the log is not the one it was."""
    with open_store(str(played.folder / "tourney.db")) as store:
        book = open_book(store, store.streams()[0], ranking)
        command = PostTable(
            "standings" if what == "standings" else "pairings", 2, seen or len(book.lines), "f" * 64
        )
        book.act(command, by="o1", command_id="forged", at="2026-03-14T12:00:00.000Z")
    answer = played.refused(what, "--at", "posted")
    assert answer.code == 1
    assert re.search(r"do not match the log: .* SHA-256 ffff", answer.err)
    assert played.done(what, "--at", "posted", "--round", "1")


@pytest.mark.slow
def test_nothing_was_posted(desk: Desk) -> None:
    desk.open(4, "custom", "--rounds", "1")
    desk.done("pair")
    for view in VIEWS:
        answer = desk.refused(*view.split(), "--at", "posted")
        assert (answer.code, "posted" in answer.err) == (3, True)
    assert (
        "no standings of round 1 have been posted"
        in desk.refused("standings", "--at", "posted", "--round", "1").err
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "standings --at posted:standings:1 --round 2",
        "standings --at posted --final",
        "standings --at posted --stage 1",
        "pairings --at posted:pairings:1 --round 2",
        "pairings --at posted --slips",
        "round start --at 9",
        "round watch --at 9",
        "lists submit 1 x.txt --at 9",
        "list --round 1 --at 9",
        "log --round 1 --at 9",
    ],
)
def test_what_does_not_go_together(played: Desk, line: str) -> None:
    assert played.refused(*line.split()).code == 2


def test_a_time_after_the_last_event_is_now_and_says_so(played: Desk) -> None:
    """Else a table of today would be taken for one of another day."""
    now = played.done("standings", "--json")
    late = played.done("standings", "--json", "--at", "2030-01-01")
    assert late.out == now.out
    last = json.loads(played.done("log", "--json").out.splitlines()[-1])["seq"]
    assert f"nothing was entered later: this is the current state, after event {last}" in late.err
    assert "this is the current state" not in now.err


@pytest.mark.parametrize(
    ("old", "today"),
    [
        (("--time", "9:23"), ("--at", "9:23")),
        (("--time=9:23",), ("--at", "9:23")),
        (("--posted",), ("--at", "posted")),
    ],
)
def test_the_old_options_of_moments_work_and_name_those_of_today(
    played: Desk, old: tuple[str, ...], today: tuple[str, ...]
) -> None:
    answer = played.done("log", *old, "--json")
    assert answer.out == played.done("log", *today, "--json").out
    assert " is `--at" in answer.err.splitlines()[0]
    assert "no option" in played.refused("drop", "1", *old).err
    assert "` is `" not in played.refused("explain", "1", "--", "--posted").err


@pytest.mark.parametrize("what", ["standings", "pairings"])
def test_what_was_never_posted_is_posted_with_its_own_verb(desk: Desk, what: str) -> None:
    """The way out posts the table that was asked for, not another one."""
    desk.open(4, "custom", "--rounds", "2")
    desk.done("pair")
    assert f"`post {what}`" in desk.refused(what, "--at", "posted").err
    desk.done("post", what)
    desk.done(what, "--at", "posted")
