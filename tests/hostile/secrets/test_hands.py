"""Hidden hands: every way by which an opponent might see them before the end (SWL-HIDDEN)."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from typing import TYPE_CHECKING

import duckdb
import pytest

from ledger import formats
from ledger.books.vault import HIDDEN_KEY
from ledger.lines.line import decoded
from projections.audit.report import audit_of
from tests.support.cli_desk import UNSIGNED
from tests.support.days.vaults import STORE, destroy
from tests.support.files.format_lists import SAMPLES, sample_list
from tests.truth.sealing_truth import siv_decrypt

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

CARDS = str(SAMPLES / "cards" / "legion.json")
OUTPOST = sample_list("legion")
HAND = OUTPOST[OUTPOST.index("Command (7)") :]
SECRET = tuple(line[2:] for line in HAND.splitlines() if line[:2] == "1 ")[1:]
"""The names of the command and the battle cards; Standing Orders is in every hand."""

REMARKS = "# Double Time last\nPlan: Hold the Ridge, then Night March\n"
JUDGES = (("Jo Mo", "judge"), ("Ira Ott", "scorekeeper"))


def opened(desk: Desk, *more: str) -> None:
    """An event of four players, whose lists are handed in: the first one's with remarks."""
    desk.done("new", "Dust Cup", "--ruleset", "legion", "--format", "legion", *more)
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCem\nDov\n")
    for name, role in JUDGES:
        desk.done("official", "add", name, "--role", role)
    lists = {"ann": REMARKS + OUTPOST, "ben": OUTPOST, "worse": OUTPOST}
    lists["other"] = OUTPOST.replace("1 First Volley", "1 Sudden Storm")
    lists["moved"] = OUTPOST.replace("- Field Scope\n", "", 1)
    for name, text in lists.items():
        (desk.folder / f"{name}.txt").write_text(text)


def handed_in(desk: Desk, *more: str) -> None:
    """Two lists, one of them checked, one corrected."""
    opened(desk, *more)
    desk.done("lists", "submit", "ann", "ann.txt")
    desk.done("lists", "submit", "ben", "ben.txt")
    desk.done("lists", "check", "ann", "--cards", CARDS, "--note", "First Volley is bent")
    desk.done("start", "basic")
    desk.done("lists", "correct", "ben", "other.txt", "--reason", "one card twice")
    assert desk.type("lists", "check", "ben", "--cards", CARDS).code == 1


def played_out(desk: Desk) -> None:
    """Play every round of the event, and end it."""
    for _ in range(2):
        desk.done("pair", "--unchecked", "--reason", "the hand is mended at the table")
        desk.report_all()
        desk.type("round", "close")
    desk.done("finish")


def gives_away(text: str) -> list[str]:
    """The hidden cards that a text names."""
    return [name for name in SECRET if name.casefold() in text.casefold()]


WAYS = (
    ("lists", "show", "ann"),
    ("lists", "show", "ann", "--json"),
    ("lists", "show", "ben"),
    ("lists", "show", "ann", "--at", "9"),
    ("lists",),
    ("lists", "--json"),
    ("log",),
    ("log", "--json"),
    ("export",),
    ("export", "--without-names"),
    ("audit",),
    ("audit", "--json"),
    ("match", "1"),
    ("match", "1", "--json"),
    ("lists", "show", "ann", "--print"),
    ("diff", "12", "16"),
    ("disputes", "--json"),
    ("tournaments", "--json"),
    ("season", "add", "s.duckdb", "."),
    ("list", "--json"),
    ("standings", "--json"),
    ("whatif", "ann", "dropped", "0"),
    ("explain", "ann"),
    ("verify",),
)


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--open-names",)], ids=["sealed", "open names"])
def test_no_way_shows_an_opponent_the_hand(desk: Desk, more: tuple[str, ...]) -> None:
    """SWL-HIDDEN: an opponent sees the units and no card of a hand, in sealed and open logs."""
    handed_in(desk, *more)
    for way in WAYS:
        answer = desk.type("--as", "p3", *way)
        assert not gives_away(answer.out + answer.err), way
    for_a_player = desk.done("--for", "cem", "lists", "show", "ann")
    assert not gives_away(for_a_player.out + for_a_player.err)
    if more:
        act = ("correct", "ben", "ben.txt", "--reason", "Sudden  Storm was one too many")
        assert (
            "must not name the hidden card Sudden Storm (SWL-HIDDEN)"
            in desk.refused("lists", *act).err
        )
    seen = desk.done("--as", "p3", "lists", "show", "ann")
    assert "Commander Vey Tarsk\n- 1x Field Scope" in seen.out
    assert "hidden from opponents until `finish` (SWL-HIDDEN)" in seen.err


@pytest.mark.slow
@pytest.mark.parametrize("who", ["o1", "o2", "o3", "p1"])
def test_who_may_see_a_hand(desk: Desk, who: str) -> None:
    """SWL-HIDDEN: the organizer, a judge, the scorekeeper, and the player whose it is."""
    handed_in(desk)
    shown = desk.done("--as", who, "lists", "show", "ann").out
    assert gives_away(shown) == list(SECRET)
    assert "plan: Hold the Ridge" in shown


def test_a_leader_who_plays_or_stood_down_is_an_opponent(desk: Desk) -> None:
    """SWL-HIDDEN: who plays is not told what an official is, while another official does not."""
    opened(desk, "--tier", "relaxed")
    desk.done("lists", "submit", "ann", "ann.txt")
    desk.done("official", "add", "Pia", "--role", "judge")
    desk.done("official", "plays", "Pia", "dov")
    for way in (("lists", "show", "ann"), ("lists", "--json")):
        assert not gives_away(desk.type("--as", "o4", *way).out)
    assert gives_away(desk.done("--as", "o2", "lists", "show", "ann").out)
    for act in (("check", "ann", "--cards", CARDS), ("correct", "ann", "ben.txt", "--reason", "x")):
        refused = desk.refused("--as", "o4", "lists", *act)
        assert "(SWL-HIDDEN)" in refused.err
        assert not gives_away(refused.out + refused.err)
    desk.done("official", "stand-down", "Jo Mo")
    assert not gives_away(desk.type("--as", "o2", "lists", "show", "ann").out)


@pytest.mark.slow
@pytest.mark.parametrize("who", ["p3", "p2"])
def test_guessing_a_list_is_not_answered(desk: Desk, who: str) -> None:
    """Neither `nothing to change` nor a flag says that a guess was right."""
    handed_in(desk)
    answers = []
    for guess in ("ann.txt", "worse.txt", "other.txt"):
        submitted = desk.refused("--as", who, "lists", "submit", "ann", guess)
        corrected = desk.refused("--as", who, "lists", "correct", "ann", guess, "--reason", "so")
        checked = desk.refused("--as", who, "lists", "check", "ann", "--cards", CARDS)
        answers.append((submitted.err, corrected.err, checked.err))
        assert not any("already" in each for each in answers[-1])
    assert len(set(answers)) == 1


def seals(desk: Desk, *names: str) -> list[str]:
    """The seals of lists and checks in the log, in its order."""
    events = map(json.loads, desk.log().splitlines())
    return [
        each["data"]["hidden"]
        for each in events
        if each["type"] in (names or ("ListSubmitted", "ListCorrected", "ListChecked"))
    ]


@pytest.mark.slow
def test_a_season_of_running_events_has_no_hand(desk: Desk) -> None:
    """A league takes the counts of a check alone, before the end and after it."""
    handed_in(desk)
    (desk.folder / "running.jsonl").write_text(desk.log())
    desk.done("season", "add", "running.jsonl", *UNSIGNED)
    with duckdb.connect(str(desk.folder / "season.duckdb")) as season:
        rows = season.execute(
            "SELECT player, breaks, not_checked FROM lists ORDER BY seq"
        ).fetchall()
        assert rows == [(1, 0, 0), (2, None, None), (2, 1, 0)]
        tables = [
            name for (name,) in season.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        ]
        held = [season.execute(f'SELECT * FROM "{name}"').fetchall() for name in tables]
    assert not gives_away(repr(held).replace(formats.text_of("legion"), ""))


@pytest.mark.slow
def test_a_stranger_opens_and_checks_a_hand_at_the_end(desk: Desk) -> None:
    """From the page on the proof alone, with AES by the block: key, places and filling."""
    handed_in(desk)
    played_out(desk)
    events = [json.loads(line) for line in desk.log().splitlines()]
    opening, end = events[0]["data"], events[-1]["data"]
    key = hmac.digest(bytes.fromhex(end["hidden_key"]), b"tourney hidden 2", "sha512")
    assert hashlib.sha256(bytes.fromhex(end["hidden_key"])).hexdigest() == opening["hidden"]
    counts: Counter[tuple[str, int]] = Counter()
    for event in events:
        kind = {"ListSubmitted": "list", "ListCorrected": "list", "ListChecked": "check"}.get(
            event["type"]
        )
        if kind is None:
            continue
        data = event["data"]
        counts[kind, data["player"]] += 1
        places = (
            opening["tournament"],
            f"{kind} {counts[kind, data['player']]}",
            str(data["player"]),
        )
        seal = bytes.fromhex(data["hidden"])
        filled = siv_decrypt(key, [place.encode() for place in places], seal)
        assert filled is not None
        assert len(filled) % 512 == 0
        plain = filled.rstrip(b"\0").removesuffix(b"\x80").decode()
        if kind == "list":
            assert "1x Standing Orders\n" in plain
            assert not gives_away(data["text"])
        else:
            assert set(json.loads(plain)) == {"findings", "further", "note"}
    assert sum(counts.values()) == 5


@pytest.mark.slow
def test_the_same_hand_sealed_twice_looks_different(desk: Desk) -> None:
    """Handed in again, by another player, or checked again: no two seals are alike."""
    opened(desk)
    for who, guess in (("ann", "ben"), ("ben", "ben"), ("ann", "moved"), ("ann", "ben")):
        desk.done("lists", "submit", who, f"{guess}.txt")
    for _ in range(2):
        desk.done("lists", "check", "ann", "--cards", CARDS)
        desk.done("lists", "submit", "ann", "moved.txt")
        desk.done("lists", "submit", "ann", "ben.txt")
    found = seals(desk)
    assert len(found) == len(set(found)) == 10
    handed = seals(desk, "ListSubmitted")
    assert len({len(each) for each in handed}) == 1


@pytest.mark.slow
def test_a_seal_exchanged_between_players_is_refused(desk: Desk) -> None:
    """The player and the number of the list are bound into the seal: `finish` does not open it."""
    corrected(desk, "ann", "ben")
    played_out(desk)
    log = desk.log()
    ann, ben = seals(desk, "ListCorrected")
    forged = log.replace(ann, "?").replace(ben, ann).replace("?", ben)
    (desk.folder / "forged.jsonl").write_text(forged)
    answer = desk.refused("replay", "forged.jsonl", *UNSIGNED)
    assert answer.code == 1
    assert "the hidden part of the list of player 1 does not open" in answer.err
    (desk.folder / "true.jsonl").write_text(log)
    desk.done("replay", "true.jsonl", *UNSIGNED)


@pytest.mark.slow
def test_a_hand_of_an_earlier_list_is_refused(desk: Desk) -> None:
    """A player's own older seal does not open in the place of the newer one."""
    corrected(desk, "ann", "ann")
    played_out(desk)
    older, newer = seals(desk, "ListCorrected")
    (desk.folder / "forged.jsonl").write_text(desk.log().replace(newer, older))
    assert "does not open" in desk.refused("replay", "forged.jsonl", *UNSIGNED).err


def corrected(desk: Desk, *players: str) -> None:
    """Correct lists once play began: the head of the start covers those handed in before."""
    opened(desk)
    desk.done("lists", "submit", "ann", "ann.txt")
    desk.done("lists", "submit", "ben", "ben.txt")
    desk.done("start", "basic")
    for player, file in zip(players, ("other.txt", "ann.txt"), strict=True):
        desk.done("lists", "correct", player, file, "--reason", "another army")


@pytest.mark.slow
def test_a_flag_that_is_wrong_is_found_at_the_end(desk: Desk) -> None:
    """FFG-LIST: another hand, said to be no change, is refused when the key is revealed."""
    handed_in(desk)
    played_out(desk)
    log = desk.log()
    forged = log.replace('"significant":true,', "", 1)
    assert forged != log
    (desk.folder / "forged.jsonl").write_text(forged)
    assert (
        "the log misstates whether the correction changes the list of player 2 (FFG-LIST)"
        in desk.refused("replay", "forged.jsonl", *UNSIGNED).err
    )


@pytest.mark.slow
def test_a_wrong_flag_of_a_replaced_list_is_in_the_audit(desk: Desk) -> None:
    """FFG-LIST: what `finish` passes over, as nobody could mend it any more, is a finding."""
    handed_in(desk)
    desk.done("lists", "correct", "ben", "ben.txt", "--reason", "as it was")
    played_out(desk)
    kinds = [each["kind"] for each in desk.done("audit", "--json").json["findings"]]
    assert "hidden-list" not in kinds
    forged = desk.log().replace('"significant":true,', "", 1)
    (desk.folder / "forged.jsonl").write_text(forged)
    desk.forget_what_was_seen()  # else what this desk saw refuses it, before the flag is read
    desk.done("standings", "--log", "forged.jsonl", *UNSIGNED)
    audit = audit_of(decoded(line.encode() for line in forged.splitlines()))
    assert [each.players for each in audit.findings if each.kind == "hidden-list"] == [(2,)]


@pytest.mark.slow
def test_a_lost_key_leaves_hands_sealed_for_good(desk: Desk) -> None:
    """Another key takes its place: what was sealed is not looked at, what is sealed now is."""
    handed_in(desk)
    destroy(str(desk.folder / STORE), HIDDEN_KEY)
    assert not gives_away(desk.done("lists", "show", "ann").out)
    assert "its key is not on this computer (SWL-HIDDEN)" in desk.done("lists", "show", "ann").err
    refused = desk.refused("lists", "correct", "ann", "moved.txt", "--reason", "found in play")
    assert "hidden key" in refused.err
    desk.done("key", "hidden", "--reason", "a bad disk")
    desk.done("lists", "correct", "ann", "moved.txt", "--reason", "found in play")
    assert gives_away(desk.done("lists", "show", "ann").out)
    played_out(desk)
    (desk.folder / "out.jsonl").write_text(desk.log())
    desk.done("replay", "out.jsonl", *UNSIGNED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            (r'1x Hull Cutter\\n"', r'1x Hull Cutter\\ncommand\\n1x Standing Orders\\n"'),
            "must be hidden",
        ),
        (
            (r'1x Hull Cutter\\n"', r'1x Hull Cutter\\nhand\\n1x Standing Orders\\n"'),
            "must be hidden",
        ),
        (
            (r'"text":"player', r'"text":"# Standing Orders\\nplayer'),
            "only player, points and cards",
        ),
        (
            (r'"text":"player', r'"text":"plan: Standing Orders\\nplayer'),
            "only player, points and cards",
        ),
        ((r',"hidden":"[0-9a-f]+"', ""), "must be sealed with the key"),
    ],
)
def test_a_line_that_shows_a_hand_is_refused(
    desk: Desk, change: tuple[str, str], told: str
) -> None:
    """A desk of its own make that writes hidden cards into the open part finds no reader."""
    opened(desk)
    desk.done("lists", "submit", "ann", "ben.txt")
    lines = desk.log().splitlines()
    place = next(n for n, line in enumerate(lines) if '"ListSubmitted"' in line)
    forged = re.sub(change[0], change[1], lines[place], count=1)
    assert forged != lines[place]
    (desk.folder / "forged.jsonl").write_text("\n".join([*lines[:place], forged]) + "\n")
    answer = desk.refused("replay", "forged.jsonl", *UNSIGNED)
    assert told in answer.err
    assert "(SWL-HIDDEN)" in answer.err


@pytest.mark.slow
def test_open_findings_are_refused(desk: Desk) -> None:
    """Findings name cards: in the open they are no line of such an event."""
    handed_in(desk)
    lines = desk.log().splitlines()
    place = next(n for n, line in enumerate(lines) if '"ListChecked"' in line)
    finding = (
        '"findings":[{"clause":"SWL-COMMAND","text":"Standing Orders","state":"breaks"}],"hidden":'
    )
    forged = lines[place].replace('"hidden":', finding)
    assert forged != lines[place]
    (desk.folder / "forged.jsonl").write_text("\n".join([*lines[:place], forged]) + "\n")
    assert (
        "findings of a check must be sealed"
        in desk.refused("replay", "forged.jsonl", *UNSIGNED).err
    )


def test_a_heading_that_nobody_knows_is_hidden(desk: Desk) -> None:
    """A hand below a heading of the player's own is not taken for an open section."""
    opened(desk)
    text = OUTPOST.replace("Command (7)", "Command hand").replace("Battle (12)", "  Battle deck")
    (desk.folder / "own.txt").write_text(text)
    desk.done("lists", "submit", "ann", "own.txt")
    assert not gives_away(desk.done("--as", "p3", "lists", "show", "ann").out)
    assert not gives_away(desk.log())
    assert gives_away(desk.done("lists", "show", "ann").out) == list(SECRET)


def test_without_a_format_the_whole_list_is_hidden(desk: Desk) -> None:
    """SWL-HIDDEN: nobody knows which sections are open."""
    desk.done("new", "Dust Cup", "--ruleset", "legion")
    desk.done("register", "--file", "-", stdin="name\nAnn\nBen\nCem\nDov\n")
    (desk.folder / "ann.txt").write_text(OUTPOST)
    desk.done("lists", "submit", "ann", "ann.txt")
    assert "Vey Tarsk" not in desk.log()
    assert "Vey Tarsk" in desk.done("lists", "show", "ann").out


@pytest.mark.slow
def test_everybody_sees_the_hands_at_the_end(desk: Desk) -> None:
    """The last event reveals the key; each reader of the export opens and checks them."""
    handed_in(desk)
    played_out(desk)
    assert gives_away(desk.done("--as", "p3", "lists", "show", "ann").out) == list(SECRET)
    shown = json.loads(desk.done("--as", "p3", "lists", "--json").out)
    assert "Sudden Storm" in json.dumps(shown)
    assert not gives_away(desk.log())
