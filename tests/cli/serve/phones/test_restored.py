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
from cli.serve.pages.restored import losses
from cli.serve.visitors import Visitor
from ledger.lines.line import decode
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint
from ledger.proof.notes import base64_of, checkpoint_text, signed_note, signer
from ledger.store import open_store
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, hall_open, official

if TYPE_CHECKING:
    from pathlib import Path

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
        assert "1 result was reported after this backup, by 1 phone" in _desk(browser)
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
        assert "only results that p2 reported" in weighed["why"]
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


def play_a_loss(day: Desk, folder: Path, seed: int) -> None:
    """Play a day with a loss at a random moment, and hold what came of it to the oracle."""
    dice = random.Random(seed)
    copy, kept = folder / f"copy{seed}", dict[int, list[Any]]()
    said: dict[str, Any] = {}
    with hall_open() as browser:
        matches = list(browser.hall._tournament.rounds[-1].matches)
        dice.shuffle(matches)
        moment = dice.randrange(len(matches) + 1)
        for place, match in enumerate(matches):
            if place == moment:
                copied(day, copy)
            player = dice.choice((match.first, match.second))
            own = f"act{seed}-{place}-{player}"
            assert report(browser, player, dice.choice(("win", "loss")), own).status_code == 200
            kept[player] = [each["act"] for each in receipts(browser, player)["acts"]]
        if moment == len(matches):
            copied(day, copy)
        said = {each.id: each for each in lines_here() if each.type == "ResultReported"}
    with chdir(copy), hall_open() as browser:
        _go_on_and_offer(browser, dice, kept)
        before = {each.id for each in lines_here()}
        take(browser)
        take(browser)
        landed = [each for each in lines_here() if each.type == "ResultReported"]
        ids = [each.id for each in landed]
        sheet = browser_text(browser, "/desk/offered")
        for own, line in said.items():
            assert ids.count(own) <= 1, (seed, own)
            table = browser.hall._tournament.matches[line.event.match]
            is_before_judge = f"{table.round}/{table.table}" in sheet.partition("For the judge")[2]
            now = next((each for each in landed if each.id == own), None)
            is_so = table.result == line.event.result
            assert now is not None or is_so or is_before_judge, (seed, own)
            assert now is None or (now.event, now.at) == (line.event, line.at), (seed, own)
        assert {*ids} - before <= said.keys(), seed


def _go_on_and_offer(browser: Browser, dice: random.Random, kept: dict[int, list[Any]]) -> None:
    """Let the second desk report some tables itself, and phones offer, of whom some lie."""
    tournament = browser.hall._tournament
    for place, match in enumerate(list(tournament.rounds[-1].matches)):
        if match.result is None and dice.random() < 0.3:
            outcome = dice.choice(("win", "loss"))
            report(browser, match.first, outcome, f"second{place}-{match.first}")
    asked = [*kept.items(), *dice.sample(list(kept.items()), 2)]
    dice.shuffle(asked)
    for player, acts in asked:
        offered = [*acts]
        if offered and dice.random() < 0.5:
            offered.append(_lie(dice, dice.choice(offered), kept))
        answer = offer(browser, player, offered, f"nonce{dice.random()}")
        assert answer.status_code == 200, answer.text


def _lie(dice: random.Random, act: Any, kept: dict[int, list[Any]]) -> Any:  # noqa: ANN401 - JSON
    line = json.loads(act["line"])
    others = [each for acts in kept.values() for each in acts]
    turned = json.dumps(line | {"data": line["data"] | {"match": line["data"]["match"] % 4 + 1}})
    return dice.choice(
        [
            act | {"line": turned.replace(" ", "")},
            dice.choice(others),
            act | {"seat": act["seat"] | {"leaf": base64_of(bytes(32))}},
            act | {"table": act["table"] % 4 + 1},
            act | {"place": act["place"] + 1},
        ]
    )


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
        assert "the desk has enough results from phones" in refused.text


def test_an_answered_report_without_a_receipt_is_named_as_missing(
    day: Desk, tmp_path: Path
) -> None:
    """The phone sends it again, with its own id, and it lands once; a copy that has it says so."""
    copy = copied(day, tmp_path / "copy")

    def missing(browser: Browser, own: str) -> list[str]:
        browser.who = phone_of(browser, 1)
        found: list[str] = browser.get(f"/api/v1/receipts?have=&sent={own}").json()["missing"]
        return found

    with hall_open() as browser:
        assert report(browser, 1, "win", "abcdefgh1").status_code == 200
        assert missing(browser, "abcdefgh1") == []
        assert missing(browser, "abcdefgh2") == ["abcdefgh2"]
        browser.who = phone_of(browser, 2)
        value = browser.get("/api/v1/receipts?have=&sent=abcdefgh1").json()
        assert value["missing"] == ["abcdefgh1"], "an id counts for its own link only"
    with chdir(copy), hall_open() as browser:
        assert missing(browser, "abcdefgh1") == ["abcdefgh1"]
        assert report(browser, 1, "win", "abcdefgh1").status_code == 200
        assert missing(browser, "abcdefgh1") == []
        assert [each.id.endswith("-abcdefgh1") for each in lines_here()].count(True) == 1


@pytest.mark.usefixtures("day")
def test_a_report_lands_only_against_the_player_whom_its_page_named() -> None:
    with hall_open() as browser:
        browser.who = phone_of(browser, 1)
        matches = browser.hall._tournament.rounds[-1].matches
        match = next(each for each in matches if 1 in (each.first, each.second))
        opponent = match.second if match.first == 1 else match.first
        other = next(each for each in range(2, PLAYERS + 1) if each != opponent)
        asked = browser.get(f"/me?ask=report&match={match.number}&outcome=win").text
        assert f'name="against" value="{opponent}"' in asked
        fields = {"match": str(match.number), "outcome": "win", "to": "/me"}
        refused = browser.do("report", "abcdefgh1", **fields, against=str(other))
        assert refused.status_code == 409
        assert "your table has changed" in refused.text
        assert browser.do("report", "abcdefgh2", **fields, against=str(opponent)).is_redirect


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
