"""An older copy is restored: what phones offer is checked, and the desk takes all, some or none."""

from __future__ import annotations

import json
from contextlib import chdir
from typing import TYPE_CHECKING, Any

import pytest

from cli.serve import heads
from cli.serve.pages.restored import losses
from cli.serve.visitors import Visitor
from ledger.lines.line import decode
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint
from ledger.proof.notes import checkpoint_text, signed_note, signer
from ledger.store import open_store
from tests.cli.serve.phones.offered import (
    POST,
    browser_text,
    copied,
    first_round_of_eight,
    offer,
    receipts,
    report,
    take,
)
from tests.support.cli_desk import typed_once
from tests.support.hall import hall_open, official

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

day = typed_once(first_round_of_eight)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A head is signed whenever one is asked for."""
    monkeypatch.setattr(heads, "SIGN_SECONDS", 0.0)
    monkeypatch.setattr(heads, "RECEIPT_SECONDS", 0.0)


def lines_here() -> list[Any]:
    store = open_store("tourney.db")
    try:
        (stream,) = store.streams()
        return [decode(each) for each in store.lines(stream)]
    finally:
        store.close()


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
