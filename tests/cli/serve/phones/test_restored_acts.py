"""An older copy is restored: every act of a phone comes back once, and no lie lands.

The oracle is written from the issue: an act that was answered, and whose receipt a phone has, is
in the log again or before the judge; no act is there twice; nothing else has landed.
"""

from __future__ import annotations

import json
import os
import random
from contextlib import chdir
from typing import TYPE_CHECKING, Any

import pytest

from cli.serve import heads
from cli.serve.forms import FORMS
from ledger.facts.disputes import ResultConfirmed, ResultDisputed
from ledger.facts.lists import ListSubmitted
from ledger.facts.people import PlayerDropped
from ledger.facts.results import ResultReported
from ledger.facts.rounds import CheckedIn
from ledger.facts.shared import JudgeCalled, RegistrationAsked
from ledger.facts.undo import ActWithdrawn
from ledger.facts.vocabulary import EVENTS
from ledger.proof.notes import base64_of
from ledger.rules.restoring import KEPT, LEFT_OUT, NOT_KEPT
from ledger.tournament.disputes import has_confirmed
from tests.cli.serve.phones.offered import (
    PLAYERS,
    browser_text,
    copied,
    do,
    first_round_of_eight,
    json_here,
    lines_of,
    offer,
    phone_of,
    receipts,
    report,
    take,
)
from tests.support.cli_desk import typed_once
from tests.support.hall import hall_open

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.facts.base import Event
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser

day = typed_once(first_round_of_eight)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A head is signed whenever one is asked for."""
    monkeypatch.setattr(heads, "SIGN_SECONDS", 0.0)
    monkeypatch.setattr(heads, "RECEIPT_SECONDS", 0.0)


def opponent(browser: Browser, player: int) -> tuple[Any, int]:
    """The match of a player in the last round, and the other player."""
    matches = browser.hall._tournament.rounds[-1].matches
    match = next(each for each in matches if player in (each.first, each.second))
    return match, match.second if player == match.first else match.first


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
        *KEPT,
        *NOT_KEPT,
    }
    assert not set(KEPT) & set(NOT_KEPT)
    assert all(reason.strip() for reason in NOT_KEPT.values())


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
        assert dispute.reason == LEFT_OUT


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
