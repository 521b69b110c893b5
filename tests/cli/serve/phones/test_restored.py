"""An older copy is restored: what phones offer comes back once, and no lie lands.

The oracle is written from the issue: a result that was answered, and whose receipt a phone has, is
in the log again or before the judge; no act is there twice; nothing else has landed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from contextlib import chdir
from typing import TYPE_CHECKING, Any

import pytest

from cli.serve import heads
from cli.serve.forms import FORMS
from cli.serve.pages.restored import losses
from cli.serve.pages.restored import receipts as receipts_of
from cli.serve.visitors import Visitor
from ledger.facts.disputes import ResultConfirmed, ResultDisputed
from ledger.facts.lists import ListSubmitted
from ledger.facts.people import PlayerDropped
from ledger.facts.results import ResultReported
from ledger.facts.rounds import CheckedIn
from ledger.facts.shared import JudgeCalled, RegistrationAsked
from ledger.facts.undo import ActWithdrawn
from ledger.facts.vocabulary import EVENTS
from ledger.lines.line import decode
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint
from ledger.proof.notes import base64_of, checkpoint_text, signed_note, signer
from ledger.rules.restoring import AGAIN, NOT_KEPT
from ledger.store import open_store
from ledger.tournament.disputes import has_confirmed
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, hall_open, official

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.facts.base import Event
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

PLAYERS = 8
POST = {"origin": HERE}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A head is signed whenever one is asked for."""
    monkeypatch.setattr(heads, "SIGN_SECONDS", 0.0)
    monkeypatch.setattr(heads, "RECEIPT_SECONDS", 0.0)


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(PLAYERS, "custom", "--rounds", "3")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("links", "print", "-o", "badges.html")
    return desk


def phone_of(browser: Browser, number: int) -> Visitor:
    """A player's phone, let in by the link of their badge."""
    links = browser.hall.links.values()
    link = next(each.number for each in links if each.of == f"p{number}" and not each.until)
    return Visitor(f"p{number}", player=number, link=link)


def report(browser: Browser, player: int, outcome: str, own: str) -> Any:  # noqa: ANN401 - an answer
    browser.who = phone_of(browser, player)
    tournament = browser.hall._tournament
    match = next(
        each for each in tournament.rounds[-1].matches if player in (each.first, each.second)
    )
    result = {"outcome": outcome} if player == match.first else {"outcome": _other(outcome)}
    return browser.act({"type": "Report", "match": match.number, "result": result}, own)


def _other(outcome: str) -> str:
    return {"win": "loss", "loss": "win"}[outcome]


def receipts(browser: Browser, player: int, have: str = "") -> Any:  # noqa: ANN401 - an answer
    browser.who = phone_of(browser, player)
    return browser.get(f"/api/v1/receipts?have={have}").json()


def offer(browser: Browser, player: int, acts: list[Any], nonce: str = "abcdefgh") -> Any:  # noqa: ANN401
    browser.who = phone_of(browser, player)
    value = {"nonce": nonce, "acts": acts}
    return browser.post("/api/v1/offers", json=value, headers=POST)


def take(browser: Browser, what: str = "all", *ids: str) -> Any:  # noqa: ANN401 - an answer
    browser.who = official(1)
    data = {"id": "takeitall", "what": what, **{f"act-{each}": "1" for each in ids}}
    return browser.post("/desk/offered", data=data, headers=POST)


def lines_here() -> list[Any]:
    store = open_store("tourney.db")
    try:
        (stream,) = store.streams()
        return [decode(each) for each in store.lines(stream)]
    finally:
        store.close()


def copied(desk: Desk, to: Path) -> Path:
    return shutil.copytree(desk.folder, to, dirs_exist_ok=True)


def test_a_result_comes_back_once_with_its_time(day: Desk, tmp_path: Path) -> None:
    copy = copied(day, tmp_path / "copy")
    with hall_open() as browser:
        assert report(browser, 1, "win", "abcdefgh1").status_code == 200
        (kept,) = receipts(browser, 1)["acts"]
        before = lines_here()[-1]
    with chdir(copy), hall_open() as browser:
        browser.who = official(1)
        assert "Restored from" not in browser.get("/desk").text
        answer = offer(browser, 1, [kept["act"]])
        assert [each["state"] for each in answer.json()["acts"]] == ["waits"]
        assert "1 act was entered after this backup, by 1 phone" in _desk(browser)
        assert take(browser).status_code == 200
        assert take(browser).status_code == 200
        after = [each for each in lines_here() if each.id == before.id]
        assert [(each.event, each.at) for each in after] == [(before.event, before.at)]
        assert after[0].by == "o1/p1"
        assert offer(browser, 1, [kept["act"]]).json()["acts"][0]["state"] == "recorded"
        day.done("verify")


def _desk(browser: Browser) -> str:
    browser.who = official(1)
    return browser.get("/desk").text


def test_none_and_ticked(day: Desk, tmp_path: Path) -> None:
    copy = copied(day, tmp_path / "copy")
    with hall_open() as browser:
        players = [each.first for each in browser.hall._tournament.rounds[-1].matches]
        kept = {}
        for place, player in enumerate(players):
            report(browser, player, "win", f"abcdefgh{place}")
            kept[player] = receipts(browser, player)["acts"][-1]["act"]
    with chdir(copy), hall_open() as browser:
        for player, act in kept.items():
            offer(browser, player, [act])
        ids = [json.loads(act["line"])["id"] for act in kept.values()]
        take(browser, "ticked", ids[0])
        assert [each for each in ids if each in browser.hall._tournament.ids] == ids[:1]
        take(browser, "none")
        take(browser)
        assert [each for each in ids if each in browser.hall._tournament.ids] == ids[:1]
        sheet = browser.get("/desk/offered/sheet").text
        assert sheet.count("left to the judge") == 3


def test_what_is_forged_is_refused_in_words(day: Desk, tmp_path: Path) -> None:
    """Another head, another person's act, another line, another tournament: nothing is kept."""
    copy = copied(day, tmp_path / "copy")
    with hall_open() as browser:
        report(browser, 1, "win", "abcdefgh1")
        good = receipts(browser, 1)["acts"][0]["act"]
    line = good["line"]
    forged = line.replace('"points":[', '"points":[9', 1)
    alone = Prover([line.encode()])
    stranger = signer(f"tourney/{_stream(copy)}", bytes(32))
    text = checkpoint_text(Checkpoint(stranger.key.name, 1, alone.root(1)))
    own_head = signed_note(text, stranger).decode()
    lies = {
        "does not cover the act": good | {"line": forged},
        "did not sign its head": good | {"note": own_head, "place": 0, "proof": []},
        "another tournament": good | {"note": good["note"].replace("tourney/", "tourney/0", 1)},
        "it has no signed head": good | {"note": "no note"},
        "a hash in it is damaged": good | {"proof": ["x"]},
    }
    with chdir(copy), hall_open() as browser:
        for why, lie in lies.items():
            (weighed,) = offer(browser, 1, [lie]).json()["acts"]
            assert weighed["state"] == "refused", why
            assert why in weighed["why"], weighed
        (weighed,) = offer(browser, 2, [good]).json()["acts"]
        assert "only acts that p2 entered" in weighed["why"]
        assert losses.loss_of(browser.hall.event) is None
        browser.who = Visitor()
        assert browser.post("/api/v1/offers", json={}, headers=POST).status_code == 401
        assert offer(browser, 1, [good] * 1000).status_code == 413
        assert offer(browser, 1, [good] * 21).status_code == 400
        assert offer(browser, 1, [{}]).status_code == 400
        assert offer(browser, 1, [good] * 20).status_code == 200
        loss = losses.loss_of(browser.hall.event)
        assert loss is not None
        assert len(loss.offers) == 1


def _stream(folder: Path) -> str:
    with chdir(folder):
        store = open_store("tourney.db")
        (stream,) = store.streams()
        store.close()
    return str(stream)


def test_an_act_that_a_judge_corrected_does_not_come_back(day: Desk, tmp_path: Path) -> None:
    """The phone drops it; one that kept it is contradicted by the correction on the other phone."""
    copy = copied(day, tmp_path / "copy")
    with hall_open() as browser:
        report(browser, 1, "win", "abcdefgh1")
        (kept,) = receipts(browser, 1)["acts"]
        match = browser.hall._tournament.matches[json.loads(kept["act"]["line"])["data"]["match"]]
        other = match.second if match.first == 1 else match.first
        where = f"{match.round}/{match.table}"
        day.done("correct", where, f"#{other}", "--reason", "the judge saw it")
        found = receipts(browser, 1, kept["key"])
        assert found["undone"] == [kept["key"]]
        (correction,) = receipts(browser, other)["acts"]
        assert [each["key"] for each in found["acts"]] == [correction["key"]]
    with chdir(copy), hall_open() as browser:
        offer(browser, 1, [kept["act"]])  # a phone that did not drop it
        (weighed,) = offer(browser, other, [correction["act"]]).json()["acts"]
        assert weighed["state"] == "waits", weighed
        take(browser)
        assert not [each for each in lines_here() if each.type == "ResultReported"]
        sheet = browser_text(browser, "/desk/offered/sheet")
        assert "an official corrected this result later" in sheet
        assert "enter it at the desk" in sheet


def test_a_receipt_after_another_pairing_is_for_the_judge(day: Desk, tmp_path: Path) -> None:
    with hall_open() as browser:
        for match in browser.hall._tournament.rounds[-1].matches:
            day.done("report", str(match.table), f"#{match.first}")
    copy = copied(day, tmp_path / "copy")
    day.done("round", "close")
    day.done("pair")
    day.done("round", "start")
    with hall_open() as browser:
        player = browser.hall._tournament.rounds[-1].matches[0].first
        report(browser, player, "win", "abcdefgh1")
        kept = receipts(browser, player)["acts"][-1]["act"]
    with chdir(copy), hall_open() as browser:
        offer(browser, player, [kept])
        assert "paired or seated again" in browser_text(browser, "/desk/offered/sheet")
        day.done("round", "close")
        day.done("pair")
        day.done("round", "start")
        take(browser)
        assert "paired or seated again" in browser_text(browser, "/desk/offered/sheet")
        assert not [each for each in lines_here() if each.id.endswith("abcdefgh1")]


def browser_text(browser: Browser, path: str) -> str:
    browser.who = official(1)
    return browser.get(path).text


def test_a_phone_shows_its_head_and_gets_the_place_of_the_words(day: Desk, tmp_path: Path) -> None:
    copy = copied(day, tmp_path / "copy")
    with hall_open() as browser:
        day.done("note", "what is lost")
        note = browser.get("/api/v1/head").json()["note"]
        said = browser.post("/api/v1/restored", json={"kept": note}, headers=POST)
        assert said.status_code == 409
        assert "nothing was restored" in said.text
    with chdir(copy), hall_open() as browser:
        place = browser.post("/api/v1/restored", json={"kept": note}, headers=POST).json()
        day.done("note", "what came after")
        again = browser.post("/api/v1/restored", json={"kept": note}, headers=POST).json()
        assert again == place
        whole = browser.get(f"/api/v1/witness?kept={place['size']}").json()
        assert whole["size"] == place["size"] + 1
        assert whole["proof"]
        loss = losses.loss_of(browser.hall.event)
        assert loss is not None
        assert " ".join(loss.words) in browser_text(browser, "/desk/offered")
        assert browser.post("/api/v1/restored", json={"kept": "no"}, headers=POST).status_code > 399


def test_a_stream_beyond_the_log_says_so_at_once(day: Desk) -> None:
    del day
    with hall_open() as browser:
        here = browser.hall.position
        browser.hall.closing = True  # so that the stream ends behind what it says at once
        said = browser.get(f"/api/v1/stream?after={here + 5}").text
        assert f'id: {here}\nevent: beyond\ndata: {{"seen":{here + 5},"here":{here}}}' in said
        assert '"parts":["pairings"' in said
        said = browser.get("/screen/1/stream", headers={"Last-Event-ID": str(here + 9)}).text
        assert f'"seen":{here + 9}' in said
        assert "beyond" not in browser.get(f"/api/v1/stream?after={here}").text


def opponent(browser: Browser, player: int) -> tuple[Any, int]:
    """The match of a player in the last round, and the other player."""
    matches = browser.hall._tournament.rounds[-1].matches
    match = next(each for each in matches if player in (each.first, each.second))
    return match, match.second if player == match.first else match.first


def do(browser: Browser, player: int, form: str, own: str, **fields: object) -> None:
    """Post a form of a player's phone, which must be done."""
    browser.who = phone_of(browser, player)
    answer = browser.do(form, own, to="/me", **{name: str(fields[name]) for name in fields})
    assert answer.status_code == 303, answer.text


def act_after(browser: Browser, dice: random.Random, player: int, own: str) -> None:
    """Let phones do what follows a report: its answer, a change of mind, a departure."""
    match, other = opponent(browser, player)
    number, claim = match.number, {"outcome": dice.choice(("win", "loss"))}
    answers, changes = ("confirm", "dispute", "settle", "withdraw"), ("take-back", "again")
    what = dice.choice((*answers, *changes, "leave", "call", ""))
    if what in {"confirm", "call"}:
        do(browser, other, what, f"{own}-1", match=number)
    elif what in {"dispute", "settle", "withdraw"}:
        do(browser, other, "dispute", f"{own}-1", match=number, reason="not so")
        if what == "withdraw":
            command = {"type": "WithdrawDispute", "match": number, "reason": "it was so"}
            assert browser.act(command, f"{own}-2").status_code == 200
        if what == "settle":
            do(browser, other, "confirm", f"{own}-2", match=number)
    elif what in {"take-back", "again"}:
        do(browser, player, "take-back", f"{own}-1", match=number)
        if what == "again":
            browser.who = phone_of(browser, other)
            browser.act({"type": "Report", "match": number, "result": claim}, f"{own}-2")
    elif what == "leave":
        do(browser, other, "leave", f"{own}-1", match=number)


def played(day: Desk, copy: Path, dice: random.Random, seed: int) -> dict[int, list[Any]]:
    """Play a round with a backup at a random moment; return what each phone keeps at the end.

    Some phones were away for a while, so they keep what was undone since.
    """
    kept = dict[int, list[Any]]()
    with hall_open() as browser:
        matches = list(browser.hall._tournament.rounds[-1].matches)
        dice.shuffle(matches)
        moment = dice.randrange(len(matches) * 2 + 1)
        for place, match in enumerate(matches):
            if place * 2 == moment:
                copied(day, copy)
            player, own = dice.choice((match.first, match.second)), f"act-no-{seed}-{place}"
            has_left = dice.random() < 0.1
            if has_left:
                do(browser, player, "leave", f"{own}-l", match=match.number)
            else:
                assert report(browser, player, dice.choice(("win", "loss")), own).status_code == 200
            if dice.random() < 0.3:
                kept[player] = [each["act"] for each in receipts(browser, player)["acts"]]
            if place * 2 + 1 == moment:
                copied(day, copy)
            if not has_left:
                act_after(browser, dice, player, own)
        if not copy.exists():
            copied(day, copy)
        for player in range(1, PLAYERS + 1):
            if player not in kept or dice.random() < 0.8:
                kept[player] = [each["act"] for each in receipts(browser, player)["acts"]]
    return kept


def lines_of(act: Any) -> list[Any]:  # noqa: ANN401 - JSON
    return [json.loads(each["line"]) for each in (act, *act["rest"])]


REFERENCES = {"confirms", "disputes", "withdraws", "ruling", "reason"}
"""Members that name an event, which may be another number here, and a text that is not kept."""


def is_as_it_was(line: Any, now: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether a line is here with the same words and the same time."""
    data, data_now = (
        {name: value for name, value in each["data"].items() if name not in REFERENCES}
        for each in (line, now)
    )
    own = line["by"].split("/")[-1]
    same = (line["type"], line["at"], data) == (now["type"], now["at"], data_now)
    return same and now["by"].split("/")[-1] == own


def is_so(tournament: Any, act: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether what an act asked for is so here, by whatever act."""
    (line, *_), number = lines_of(act), int(lines_of(act)[0]["by"].rpartition("p")[2])
    data, players = line["data"], tournament.players
    match = tournament.matches[data.get("match", 1)]
    if line["type"] == "PlayerDropped" or len(lines_of(act)) > 1:
        return bool(players[number].status == "dropped")
    if line["type"] == "ResultReported":
        return bool(match.result and list(match.result.outcomes) == data["result"]["outcomes"])
    if line["type"] == "ResultConfirmed":
        return has_confirmed(tournament, match.number, number)
    if line["type"] == "ActWithdrawn":
        answered = json.loads(act["answers"]["line"])
        return answered["id"] not in tournament.ids
    return False


def play_a_loss(day: Desk, folder: Path, seed: int) -> None:
    """Play a day with a loss at a random moment, and hold what came of it to the oracle."""
    dice, copy = random.Random(seed), folder / f"copy{seed}"
    kept = played(day, copy, dice, seed)
    honest = {line["id"]: line for acts in kept.values() for act in acts for line in lines_of(act)}
    with chdir(copy), hall_open() as browser:
        second = _go_on_and_offer(browser, dice, kept)
        before = {each["id"] for each in json_here()}
        take(browser)
        take(browser)
        after, tournament = json_here(), browser.hall._tournament
        ids = [each["id"] for each in after]
        sheet = browser_text(browser, "/desk/offered").partition("For the judge")[2]
        assert len(ids) == len(set(ids)), seed
        for line in after:
            if line["id"] not in before:
                assert line["id"] in honest, (seed, line)
                assert is_as_it_was(honest[line["id"]], line), (seed, line)
        for player, acts in kept.items():
            for act in acts:
                whole = [line["id"] in ids for line in lines_of(act)]
                is_before_judge = any(
                    f"(#{player})" in row and LABELS[lines_of(act)[-1]["type"]] in row
                    for row in sheet.split("<tr>")
                )
                assert all(whole) or is_so(tournament, act) or is_before_judge, (seed, act)
        landed = [each for each in after if each["id"] not in before]
        times = [each["at"] for each in landed]
        assert times == sorted(times), seed
    assert second is not None
    day.done("verify")


LABELS = {
    "ResultReported": "reporting a result",
    "ResultConfirmed": "confirming a result",
    "ResultDisputed": "disputing a result",
    "PlayerDropped": "dropping a player",
    "ActWithdrawn": "undoing",
}


def json_here() -> list[Any]:
    """The lines of the store here, as JSON."""
    store = open_store("tourney.db")
    try:
        (stream,) = store.streams()
        return [json.loads(each) for each in store.lines(stream)]
    finally:
        store.close()


def _go_on_and_offer(browser: Browser, dice: random.Random, kept: dict[int, list[Any]]) -> int:
    """Let the second desk report some tables itself, and phones offer, of whom some lie."""
    tournament, count = browser.hall._tournament, 0
    for place, match in enumerate(list(tournament.rounds[-1].matches)):
        if match.result is None and dice.random() < 0.3:
            outcome = dice.choice(("win", "loss"))
            report(browser, match.first, outcome, f"second{place}-{match.first}")
            count += 1
    asked = [*kept.items(), *dice.sample(list(kept.items()), 2)]
    dice.shuffle(asked)
    for player, acts in asked:
        offered = [*acts]
        if offered and dice.random() < 0.5:
            offered.append(_lie(dice, dice.choice(offered), kept))
        answer = offer(browser, player, offered, f"nonce{dice.random()}")
        assert answer.status_code == 200, answer.text
    return count


def _lie(dice: random.Random, act: Any, kept: dict[int, list[Any]]) -> Any:  # noqa: ANN401 - JSON
    line = json.loads(act["line"])
    others = [each for acts in kept.values() for each in acts]
    moved = {name: value % 4 + 1 for name, value in line["data"].items() if name in PLACES}
    turned = json.dumps(line | {"data": line["data"] | moved})
    other = dice.choice(others)
    answers = {name: other[name] for name in ("line", "place", "proof")}
    return dice.choice(
        [
            act | {"line": turned.replace(" ", "")},
            other,
            other | {"answers": answers},
            act | {"answers": None, "rest": [answers]},
            act | {"answers": answers},
            act | {"seat": act["seat"] | {"leaf": base64_of(bytes(32))}},
            act | {"seat": dice.choice(others)["seat"]},
            act | {"table": act["table"] % 4 + 1},
            act | {"players": act["players"][::-1]},
            act | {"place": act["place"] + 1},
        ]
    )


PLACES = {"match", "player", "confirms", "disputes", "withdraws"}


FORM_ACTS: dict[str, tuple[type[Event], ...]] = {
    "report": (ResultReported, ResultConfirmed, ResultDisputed),
    "confirm": (ResultConfirmed,),
    "take-back": (ActWithdrawn,),
    "dispute": (ResultDisputed,),
    "concede": (ResultReported,),
    "leave": (PlayerDropped, ResultReported),
    "call": (JudgeCalled,),
    "check-in": (CheckedIn,),
    "list": (ListSubmitted,),
    "join": (RegistrationAsked,),
}
"""What each form of a phone puts on record."""


def test_every_act_of_a_phone_is_kept_or_says_why_not() -> None:
    """A new form, or a new event that players enter, has its row in KEPT or in NOT_KEPT."""
    assert set(FORM_ACTS) == set(FORMS)
    by_programs = {kind for kind in EVENTS.values() if kind.recording.by_players}
    assert {*by_programs, *(kind for kinds in FORM_ACTS.values() for kind in kinds)} == {
        *receipts_of.KEPT,
        *receipts_of.NOT_KEPT,
    }
    assert set(receipts_of.KEPT) == set(AGAIN)
    assert not set(receipts_of.KEPT) & set(receipts_of.NOT_KEPT)
    assert all(reason.strip() for reason in receipts_of.NOT_KEPT.values())


LIST = "Provinces:\n1 A Province\nConflict deck:\n3 Banzai!\n"


def offer_all(browser: Browser, player: int, acts: list[Any]) -> list[str]:
    return [each["state"] for each in offer(browser, player, acts).json()["acts"]]


def test_a_list_and_a_check_in_come_back(desk: Desk, tmp_path: Path) -> None:
    desk.open(4)
    desk.done("links", "print", "-o", "badges.html")
    copy, kept = copied(desk, tmp_path / "copy"), []
    with hall_open() as browser:
        do(browser, 1, "list", "abcdefgh1", text=LIST)
        handed = json_here()[-1]["data"]
        kept += receipts(browser, 1)["acts"]
    with chdir(copy), hall_open() as browser:
        assert offer_all(browser, 1, [each["act"] for each in kept]) == ["waits"]
        take(browser)
        assert json_here()[-1]["data"] == handed
    desk.done("start", "custom", "--rounds", "2")
    desk.done("check-in", "open")
    later, closed = copied(desk, tmp_path / "later"), copied(desk, tmp_path / "closed")
    with hall_open() as browser:
        do(browser, 1, "check-in", "abcdefgh2")
        kept = receipts(browser, 1)["acts"]
        assert [lines_of(each["act"])[0]["type"] for each in kept] == ["ListSubmitted", "CheckedIn"]
    with chdir(later), hall_open() as browser:
        assert offer_all(browser, 1, [each["act"] for each in kept]) == ["recorded", "waits"]
        take(browser)
        assert list(browser.hall._tournament.floor.check_ins[-1].present) == [1]
    with chdir(closed):
        desk.done("check-in", "close")
        with hall_open() as browser:
            offer_all(browser, 1, [each["act"] for each in kept])
            take(browser)
            assert "the check-in is closed" in browser_text(browser, "/desk/offered/sheet")


def answered_report(form: str, **fields: object) -> tuple[Any, list[Any], list[Any]]:
    """Report table 1 and answer it; return its match, and what both phones keep."""
    with hall_open() as browser:
        match = browser.hall._tournament.rounds[-1].matches[0]
        report(browser, match.first, "win", "abcdefgh1")
        do(browser, match.second, form, "abcdefgh2", match=match.number, **fields)
        first, second = (
            [each["act"] for each in receipts(browser, player)["acts"]]
            for player in (match.first, match.second)
        )
    return match, first, second


def test_a_confirmation_lands_behind_its_report_and_not_without(day: Desk, tmp_path: Path) -> None:
    copy, without = copied(day, tmp_path / "copy"), copied(day, tmp_path / "without")
    match, first, second = answered_report("confirm")
    with chdir(copy), hall_open() as browser:
        for player, acts in ((match.second, second), (match.first, first)):
            assert offer_all(browser, player, acts) == ["waits"]
        assert "Take all that fit (2)" in browser_text(browser, "/desk/offered")
        take(browser)
        tournament = browser.hall._tournament
        assert has_confirmed(tournament, match.number, match.second)
        assert tournament.floor.confirmed[match.number][0].at == json.loads(second[0]["line"])["at"]
    with chdir(without), hall_open() as browser:
        offer_all(browser, match.second, second)
        take(browser)
        assert "act answers is not the result of 1/1 here" in browser_text(
            browser, "/desk/offered/sheet"
        )
        report(browser, match.first, "loss", "abcdefgh1")  # the same id, with another result
        take(browser)
        assert not browser.hall._tournament.floor.confirmed.get(match.number)


def test_a_dispute_comes_back_without_its_words(day: Desk, tmp_path: Path) -> None:
    copy = copied(day, tmp_path / "copy")
    match, first, second = answered_report("dispute", reason="Player 07 moved twice")
    assert "Player" not in json.dumps(second)
    with chdir(copy), hall_open() as browser:
        offer_all(browser, match.second, second)
        offer_all(browser, match.first, first)
        take(browser)
        (dispute,) = browser.hall._tournament.floor.disputes
        assert dispute.match == match.number
        assert dispute.against.player == match.second
        assert dispute.reason == NOT_KEPT


def test_a_departure_lands_whole_and_once(day: Desk, tmp_path: Path) -> None:
    """Its concession comes with it; who has left already has no second departure."""
    copy, left = copied(day, tmp_path / "copy"), copied(day, tmp_path / "left")
    with hall_open() as browser:
        match = browser.hall._tournament.rounds[-1].matches[0]
        do(browser, match.first, "leave", "abcdefgh1", match=match.number)
        (kept,) = receipts(browser, match.first)["acts"]
    half = kept["act"] | {"rest": []}
    with chdir(copy), hall_open() as browser:
        assert offer_all(browser, match.first, [half, kept["act"], half]) == ["waits"] * 3
        take(browser)
        take(browser)
        here = [line for line in json_here() if line["id"].endswith(("abcdefgh1", "abcdefgh1.1"))]
        assert [line["type"] for line in here] == ["ResultReported", "PlayerDropped"]
        assert browser.hall._tournament.players[match.first].status == "dropped"
    with chdir(left), hall_open() as browser:
        day.done("drop", f"#{match.first}")
        offer_all(browser, match.first, [kept["act"]])
        take(browser)
        assert sum(line["type"] == "PlayerDropped" for line in json_here()) == 1


def test_what_a_player_undid_is_undone_again(day: Desk, tmp_path: Path) -> None:
    with hall_open() as browser:
        match = browser.hall._tournament.rounds[-1].matches[0]
        report(browser, match.first, "win", "abcdefgh1")
        copy = copied(day, tmp_path / "copy")
        do(browser, match.first, "take-back", "abcdefgh2", match=match.number)
        kept = [each["act"] for each in receipts(browser, match.first)["acts"]]
        assert [lines_of(act)[0]["type"] for act in kept] == ["ActWithdrawn"]
    with chdir(copy), hall_open() as browser:
        offer_all(browser, match.first, kept)
        assert "undoing: reporting a result" in browser_text(browser, "/desk/offered")
        take(browser)
        assert browser.hall._tournament.matches[match.number].result is None


def test_an_appeal_lands_if_its_ruling_is_here(day: Desk, tmp_path: Path) -> None:
    day.done("official", "add", "Pat Jones", "--role", "judge")
    before = copied(day, tmp_path / "before")
    match, _, _ = answered_report("dispute", reason="no")
    day.done("rule", "1", "It is so", "--result", f"#{match.first}", "--as", "pat")
    copy = copied(day, tmp_path / "copy")
    with hall_open() as browser:
        browser.who = phone_of(browser, match.second)
        (ruling,) = browser.hall._tournament.floor.rulings
        appeal = {"type": "Appeal", "ruling": ruling.seq, "reason": "it does not"}
        assert browser.act(appeal, "abcdefgh3").status_code == 200
        kept = [each["act"] for each in receipts(browser, match.second)["acts"]][-1:]
    for folder, appeals in ((copy, 1), (before, 0)):
        with chdir(folder), hall_open() as browser:
            assert offer_all(browser, match.second, kept) == ["waits"]
            take(browser)
            assert sum(line["type"] == "AppealMade" for line in json_here()) == appeals


def test_a_player_withdraws_a_dispute_by_a_line_that_every_reader_takes(day: Desk) -> None:
    match, _, _ = answered_report("dispute", reason="no")
    with hall_open() as browser:
        browser.who = phone_of(browser, match.second)
        assert browser.act({"type": "Undo"}, "abcdefgh3").status_code == 403
        command = {"type": "WithdrawDispute", "match": match.number, "reason": "it was so"}
        assert browser.act(command, "abcdefgh4").status_code == 200
        assert browser.hall._tournament.floor.disputes[0].closed
    day.done("verify")


@pytest.mark.parametrize("seed", range(4))
def test_no_loss_loses_or_doubles_an_act(day: Desk, tmp_path: Path, seed: int) -> None:
    play_a_loss(day, tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_no_loss_of_many_loses_or_doubles_an_act(day: Desk, tmp_path: Path, seed: int) -> None:
    play_a_loss(day, tmp_path, seed)
    os.chdir(day.folder)


def test_receipts_by_the_key_before_a_renewal_hold(day: Desk, tmp_path: Path) -> None:
    """The copy does not know the renewed key; the phone has the line by which it was signed for."""
    copy = copied(day, tmp_path / "copy")
    day.done("key", "renew", "--reason", "the laptop was sold")
    with hall_open() as browser:
        report(browser, 1, "win", "abcdefgh1")
        (kept,) = receipts(browser, 1)["acts"]
        assert len(kept["act"]["renewed"]) == 1
    with chdir(copy), hall_open() as browser:
        (weighed,) = offer(browser, 1, [kept["act"] | {"renewed": []}]).json()["acts"]
        assert weighed["state"] == "refused"
        assert offer(browser, 1, [kept["act"]]).json()["acts"][0]["state"] == "waits"


def test_what_is_kept_is_bounded_and_has_no_names(
    day: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = copied(day, tmp_path / "copy")
    with hall_open() as browser:
        players = [each.first for each in browser.hall._tournament.rounds[-1].matches][:2]
        kept = []
        for place, player in enumerate(players):
            report(browser, player, "win", f"abcdefgh{place}")
            kept.append(receipts(browser, player)["acts"][-1]["act"])
    assert not any("Player" in each["line"] for each in kept)
    monkeypatch.setattr(losses, "OFFERS_MAX", 1)
    with chdir(copy), hall_open() as browser:
        assert offer(browser, players[0], kept[:1]).status_code == 200
        refused = offer(browser, players[1], kept[1:])
        assert refused.status_code == 409
        assert "the desk has enough acts from phones" in refused.text


def test_after_the_final_head_nothing_is_kept(day: Desk) -> None:
    with hall_open() as browser:
        for number in range(1, 4):
            if number > 1:
                day.done("pair")
                day.done("round", "start")
            browser.get("/api/v1/head")
            for match in browser.hall._tournament.rounds[-1].matches:
                day.done("report", str(match.table), f"#{match.first}")
            day.done("round", "close")
            assert not receipts(browser, 1)["final"]
        day.done("finish")
        assert receipts(browser, 1)["final"]
