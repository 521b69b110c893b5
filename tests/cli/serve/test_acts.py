"""Acts that come in over the hall: the same checks as at the desk, each once, and durable."""

from __future__ import annotations

import asyncio
from itertools import product
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.machine.checkpoint_file import NotAsSigned
from cli.machine.checkpoints import Checkpoints
from cli.serve import commands
from cli.serve.door import guard
from cli.serve.visitors import Visitor
from ledger.errors import LedgerError, StoreUnavailable
from ledger.problems import phrase
from ledger.rules.results import Report, StatedResult
from ledger.store.sqlite import SQLiteStore
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, hall_open, official, opened, player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.lines.recorded import Recorded
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser


@typed_once
def day(desk: Desk) -> Desk:
    """Eight players, the first round running."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    for name in ("Ann", "Ben", "Cleo", "Dana", "Eve", "Finn", "Gus", "Hal"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "3")
    desk.done("pair")
    desk.done("round", "start")
    return desk


@pytest.fixture
def browser(day: Desk) -> Iterator[Browser]:
    del day
    with hall_open() as asking:
        yield asking


def at(desk: Desk, table: int) -> tuple[int, int]:
    """Who sits at a table."""
    first, second = desk.done("pairings", "--json").json[table - 1]["players"]
    return first, second


def won(match: int = 1, outcome: str = "win") -> dict[str, object]:
    return {"type": "Report", "match": match, "result": {"outcome": outcome}}


def test_an_act_lands_as_one_typed_at_the_desk(day: Desk, browser: Browser) -> None:
    first, _ = at(day, 1)
    browser.who = player(first)
    answer = browser.act(won(), "first-report")
    assert answer.status_code == 200, answer.text
    (landed,) = answer.json()["events"]
    assert landed["type"] == "ResultReported"
    line = day.done("log", "--json").out.splitlines()[-1]
    assert '"id":"first-report","type":"ResultReported"' in line
    assert f'"by":"p{first}"' in line
    assert browser.get("/api/v1/standings").json()[0]["player"] == first
    day.done("verify")


def test_the_same_id_lands_once_and_gives_the_first_answer_again(
    day: Desk, browser: Browser
) -> None:
    browser.who = player(at(day, 1)[0])
    answers = [browser.act(won(), "again-and-again").json() for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["events"]
    other = browser.act(won(outcome="loss"), "again-and-again")
    assert other.status_code == 409
    assert other.json()["problems"][0]["code"] == "id.used"


def test_a_refused_act_is_problem_details_with_its_problems(day: Desk, browser: Browser) -> None:
    stranger = next(each for each in range(1, 9) if each not in at(day, 1))
    browser.who = player(stranger)
    before = day.log()
    answer = browser.act(won())
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    (problem,) = answer.json()["problems"]
    assert problem["code"] == "authority.not_at_match"
    assert "does not play this match" in problem["sentence"]
    assert day.log() == before


def test_who_has_no_link_only_looks(browser: Browser) -> None:
    assert browser.act(won()).status_code == 401
    assert browser.do("report", match="1", outcome="win").status_code == 401
    browser.who = Visitor(link=3, is_screen=True)
    assert browser.act(won()).status_code == 401


def test_a_player_speaks_for_themselves_and_an_official_for_a_player(
    day: Desk, browser: Browser
) -> None:
    first, second = at(day, 1)
    browser.who = player(first)
    assert browser.act(won(), **{"for": f"p{second}"}).status_code == 403
    assert browser.act(won(), **{"for": "o1"}).status_code == 403
    browser.who = official(1)
    assert browser.act(won(), **{"for": f"p{second}"}).status_code == 200
    assert f'"by":"o1/p{second}"' in day.done("log", "--json").out.splitlines()[-1]


NO_ACTS = (
    b"",
    b"{",
    b"[]",
    b'{"id":"abcdefgh"}',
    b'{"id":"a b","command":{"type":"CloseRound"}}',
    b'{"id":"abcdefgh","command":{"type":"OpenTournament"}}',
    b'{"id":"abcdefgh","command":{"type":"Undo","events":[]}}',
    b'{"id":"abcdefgh","command":{"type":"Report","match":"1","result":{}}}',
    b'{"id":"abcdefgh","command":{"type":"Report","match":1,"result":{},"by":"o1"}}',
    b'{"id":"abcdefgh","command":{"type":"Report","match":%s,"result":{}}}' % (b"9" * 5_000),
    b'{"id":"abcdefgh","command":' + b"[" * 50_000,
    b"\xff\xfe",
)


def test_what_is_no_act_is_said_to_be_none(browser: Browser) -> None:
    browser.who = official(1)
    headers = {"origin": HERE, "content-type": "application/json"}
    for text in NO_ACTS:
        answer = browser.post("/api/v1/acts", content=text, headers=headers)
        assert answer.status_code == 400, (text, answer.text)
        assert len(answer.text) < 1_000
        assert answer.json()["problems"]


def test_numbers_that_name_nothing_are_refused_whatever_the_act(
    day: Desk, browser: Browser
) -> None:
    """No command that may be sent breaks the hall; each either lands or is refused."""
    browser.who = official(1)
    before = day.log()
    for number, place, kind in product((-1, 0, 99, 2**40, 2**63 - 1), range(2), commands.SENT):
        fields = {name: number for name, type_ in kind.__annotations__.items() if type_ == "int"}
        seen = {"seen": {"matches": [number], "seq": number}} if place else {}
        if fields and kind is not commands.UndoLast:
            command = {"type": kind.__struct_config__.tag, **fields, **seen}
            answer = browser.act(command, f"{kind.__name__}-{place}{number}"[:48])
            assert answer.status_code in (200, 400, 404, 409), (command, answer.text)
    assert browser.act(won(), "still-here").status_code == 200
    assert day.log().startswith(before)
    day.done("verify")


def test_what_needs_the_desks_machine_is_not_sent() -> None:
    """Keys, files and secrets; nor does anybody send events of their own making."""
    sent = {each.__name__ for each in commands.SENT}
    assert not sent & {
        *("AcceptFork", "OpenTournament", "RegisterKey", "ReplaceHiddenKey", "ReplaceShuffleKey"),
        *("RevokeKey", "TakeOver", "CosignHead", "ForgetPerson", "BeginSlipAudit", "Undo"),
        "IssueLinks",
    }
    tags = [each.__struct_config__.tag for each in commands.SENT]
    assert len(set(tags)) == len(tags)


def test_many_acts_at_once_are_one_transaction_and_hinder_no_other(day: Desk) -> None:
    async def sent() -> tuple[list[list[Recorded] | BaseException], int]:
        hall = opened()
        await hall.open()
        turns = 0
        transact = hall._desk.store().transact

        def counted(*words: object) -> object:
            nonlocal turns
            turns += 1
            return transact(*words)  # type: ignore[arg-type]

        hall._desk.store().transact = counted  # type: ignore[assignment,method-assign]
        acts = [
            hall.act(official(1), f"act-{match}-12345", Report(match=match, result=result))
            for match in (1, 99, 2, 3, -7, 4)
            for result in (StatedResult("win"),)
        ]
        answers = await asyncio.gather(*acts, return_exceptions=True)
        await hall.close()
        return answers, turns

    answers, turns = asyncio.run(sent())
    assert turns == 1
    assert [isinstance(each, LedgerError) for each in answers] == [0, 1, 0, 0, 1, 0]
    assert all(row["result"] for row in day.done("pairings", "--json").json)


def test_an_act_is_guarded_as_a_typed_one_and_its_head_is_signed(
    day: Desk, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written behind lines that are not those that were signed."""
    browser.who = official(1)
    for match in range(1, 5):
        browser.act(won(match), f"report-of-{match}")
    before = day.log()

    def changed(*_: object) -> None:
        raise NotAsSigned(phrase("the lines are not those that were signed"), 3)

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoints, "guard", changed)
        answer = browser.act({"type": "CloseRound"}, "close-round-1")
        assert answer.status_code == 503
        assert "not those that were signed" in answer.json()["detail"]
    assert day.log() == before
    answer = browser.act({"type": "CloseRound"}, "close-round-1")
    (head,) = (day.folder / ".tourney-keys").glob("checkpoints/*.json")
    assert f'"size":{answer.json()["events"][-1]["seq"]},' in head.read_text("utf-8")


def test_news_of_an_act_comes_at_once(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at the next look into the store."""
    del day
    monkeypatch.setattr("cli.serve.writing.POLL_SECONDS", 3_600)

    async def heard() -> tuple[str, ...]:
        hall = opened()
        await hall.open()
        following = asyncio.create_task(hall.follow())
        await asyncio.sleep(0)
        news = asyncio.create_task(hall.news_after(hall.position, 5))
        await hall.act(official(1), "act-12345", Report(match=1, result=StatedResult("win")))
        said = await news
        await hall.close()
        following.cancel()
        assert said is not None
        return said.parts

    assert "pairings" in asyncio.run(heard())


def test_a_store_that_gives_no_answer_is_said_and_nothing_of_it_is_shown(
    day: Desk, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away_after(self: SQLiteStore, stream: str, known: int, decide: object) -> object:
        with monkeypatch.context() as patch:
            patch.setattr(SQLiteStore, "transact", transact)
            kept: list[object] = []

            def decided(unread: object) -> list[object]:
                kept.extend(decide(unread))  # type: ignore[operator]
                return []

            self.transact(stream, known, decided)  # type: ignore[arg-type]
        assert kept
        raise StoreUnavailable("the store is away")

    transact = SQLiteStore.transact
    browser.who = official(1)
    with monkeypatch.context() as patch:
        patch.setattr(SQLiteStore, "transact", away_after)
        answer = browser.act(won(), "while-away")
        assert answer.status_code == 503
        assert answer.json()["detail"] == "the store is away"
        assert browser.get("/api/v1/pairings").json()[0]["result"] is None
    assert browser.act(won(), "while-away").status_code == 200
    assert day.done("pairings", "--json").json[0]["result"]


def test_a_form_leads_to_its_page_and_a_double_click_is_one_act(
    day: Desk, browser: Browser
) -> None:
    browser.who = player(at(day, 1)[0])
    before = day.log().count("\n")
    for _ in range(2):
        answer = browser.do("report", match="1", outcome="win", to="/standings")
        assert (answer.status_code, answer.headers["location"]) == (303, "/standings")
    assert day.log().count("\n") == before + 1


def test_a_form_that_is_refused_says_why(day: Desk, browser: Browser) -> None:
    browser.who = player(at(day, 1)[0])
    answer = browser.do("report", match="1", outcome="<b>triumph", to="/pairings")
    assert answer.status_code == 404
    assert 'role="alert"' in answer.text
    assert "<b>" not in answer.text
    assert browser.do("report", match="x").status_code == 400
    assert browser.do("nothing").status_code == 404
    assert browser.do("report", "short", match="1", outcome="win").status_code == 400


def test_a_form_leads_to_this_server_alone(day: Desk, browser: Browser) -> None:
    browser.who = player(at(day, 1)[0])
    for to in ("//evil.example", "https://evil.example", "/\\evil", "x", "/a\nb"):
        assert browser.do("report", match="1", outcome="win", to=to).headers["location"] == "/"


def test_an_old_form_does_not_hit_a_table_that_was_paired_again(
    day: Desk, browser: Browser
) -> None:
    old = str(day.log().count("\n"))
    day.done("undo")
    day.done("unpair")
    day.done("pair")
    browser.who = official(1)
    answer = browser.do("report", match="1", outcome="win", seen=old)
    assert answer.status_code in (404, 409)
    assert "has been undone" in answer.text or "changed" in answer.text


POSTS: tuple[tuple[dict[str, str], int], ...] = (
    ({}, 403),
    ({"origin": "http://evil.example"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": "http://127.0.0.1:8601"}, 403),
    ({"origin": "https://127.0.0.1:8600"}, 403),
    ({"origin": HERE, "sec-fetch-site": "cross-site"}, 403),
    ({"origin": HERE, "sec-fetch-site": "same-site"}, 403),
    ({"origin": HERE, "content-type": "text/plain"}, 415),
    ({"origin": HERE, "content-length": "300000"}, 413),
    ({"origin": HERE}, 200),
    ({"sec-fetch-site": "same-origin"}, 200),
)


def test_only_the_halls_own_pages_post(browser: Browser) -> None:
    browser.who = official(1)
    content = b'{"id":"abcdefgh","command":{"type":"Report","match":1,"result":{"outcome":"win"}}}'
    for headers, status in POSTS:
        sent = {"content-type": "application/json"} | headers
        answer = browser.post("/api/v1/acts", content=content, headers=sent)
        assert answer.status_code == status, (headers, answer.text)


def test_a_request_that_never_ends_is_ended(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sends a byte now and then keeps nothing open for long."""
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.05)
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/do/report",
        "raw_path": b"/do/report",
        "scheme": "http",
        "query_string": b"",
        "headers": [
            (b"host", b"127.0.0.1:8600"),
            (b"origin", HERE.encode()),
            (b"content-type", b"application/x-www-form-urlencoded"),
        ],
    }
    sent: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    asyncio.run(browser.app(scope, receive, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 408


def test_ten_megabytes_are_not_read_to_their_end(browser: Browser) -> None:
    taken = 0

    def chunks() -> Iterator[bytes]:
        nonlocal taken
        for _ in range(160):
            taken += 1
            yield b"x" * 65_536

    headers = {"origin": HERE, "content-type": "application/json"}
    assert browser.post("/api/v1/acts", content=chunks(), headers=headers).status_code == 413
