"""What phones believe of a take-over: an act by a key that they knew before, and nothing else.

The answers are those of real halls, changed by an attacker; the phone's own script judges in node.
"""

from __future__ import annotations

import json
from contextlib import chdir
from typing import TYPE_CHECKING, Any

import pytest

from cli.machine.keyring import key_path, unlocked
from cli.serve import heads
from cli.serve.door import followers
from ledger.facts.keys import DeskTakenOver, KeyRegistered
from ledger.facts.office import NoteTaken
from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint, Tree
from ledger.proof.notes import Signer, base64_of, checkpoint_text, signed_note, signer, vkey
from ledger.proof.signatures import origin_of, possession
from tests.cli.serve.phones.phone import Phone, needs_node
from tests.cli.succession.two_desks import signed_line, two_desks
from tests.support.cli_desk import Desk
from tests.support.hall import HERE, hall_open

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.succession.two_desks import TwoDesks

pytestmark = needs_node
ELSEWHERE = "0" * 32


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits, and a head is signed whenever one is asked for."""
    monkeypatch.setattr(followers, "WAIT_SECONDS", 0.0)
    monkeypatch.setattr(heads, "SIGN_SECONDS", 0.0)


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Phone:
    return Phone(tmp_path_factory.mktemp("phone"))


@pytest.fixture
def two(desk: Desk) -> Iterator[TwoDesks]:
    with two_desks(desk) as found:
        yield found


class Witness:
    """A phone: what it keeps, and what it says of each answer."""

    def __init__(self, script: Phone) -> None:
        self.script = script
        self.kept: dict[str, Any] = {}
        self.last: dict[str, Any] = {}

    def judge(self, answer: dict[str, Any]) -> tuple[str, str]:
        """Judge an answer; return the colour and the line."""
        (self.last,) = self.script.ask("judged", [answer, self.kept])
        if "keep" in self.last:
            self.kept[answer["origin"]] = self.last["keep"]
        return self.last["kind"], self.last["text"]

    @property
    def size(self) -> int:
        """Up to which event its head goes."""
        entries = list(self.kept.values())
        return int(entries[0]["note"].split("\n")[1]) if entries else 0


def asked(browser: Any, kept: int) -> dict[str, Any]:  # noqa: ANN401 - a browser
    answer = browser.get(f"/api/v1/witness?kept={kept}" if kept else "/api/v1/witness")
    value: dict[str, Any] = answer.json()
    return value


def look_at_one(two: TwoDesks, phone: Witness) -> tuple[str, str]:
    with chdir(two.one):
        return phone.judge(asked(two.browser, phone.size))


def answer_of_two(two: TwoDesks, kept: int) -> dict[str, Any]:
    with chdir(two.two), hall_open() as browser:
        return asked(browser, kept)


@pytest.fixture
def phone(script: Phone) -> Witness:
    return Witness(script)


@pytest.fixture
def left(two: TwoDesks, phone: Witness) -> TwoDesks:
    """The second desk follows; then two acts are seen by a phone alone, and the first is gone."""
    assert look_at_one(two, phone)[0] == "about"
    two.follow()
    with chdir(two.two):
        two.desk.done("use", two.stream[:8])
    kind, text = look_at_one(two, phone)
    assert kind == "about"
    assert "second computer follows" in text
    for table in (1, 2):
        two.desk.done("report", str(table), f"#{two.desk.seats(table)[0]}", "10-1")
    assert look_at_one(two, phone)[0] == "about"
    assert phone.size == len(two.lines_of_two()) + 2
    return two


def former_key(two: TwoDesks) -> Signer:
    with chdir(two.one):
        return unlocked(key_path("log", two.stream))


def test_a_phone_accepts_a_shorter_history_by_a_key_that_it_knew(
    left: TwoDesks, phone: Witness
) -> None:
    two, entry = left, dict(phone.kept)
    two.done_on_two("take-over")
    kind, text = phone.judge(answer_of_two(two, phone.size))
    assert kind == "notable"
    assert "Another computer took over Night" in text
    assert "last 2 events" in text
    assert "fork" not in phone.last
    assert entry != phone.kept
    kind, text = phone.judge(answer_of_two(two, phone.size))
    assert kind == "about"
    assert text.startswith("Log checked")
    with chdir(two.two):
        two.desk.report_all()
    assert phone.judge(answer_of_two(two, phone.size))[0] == "about"


def test_a_key_that_is_renewed_after_it_took_over_is_followed(
    left: TwoDesks, phone: Witness
) -> None:
    two = left
    two.done_on_two("take-over")
    two.done_on_two("key", "renew", "--reason", "a new key for the new laptop")
    kind, text = phone.judge(answer_of_two(two, phone.size))
    assert kind == "notable"
    assert "Another computer took over" in text
    assert phone.judge(answer_of_two(two, phone.size))[0] == "about"


def test_a_phone_that_saw_nothing_more_says_what_happened_and_goes_on(
    two: TwoDesks, phone: Witness
) -> None:
    two.follow()
    with chdir(two.two):
        two.desk.done("use", two.stream[:8])
    look_at_one(two, phone)
    two.done_on_two("take-over")
    kind, text = phone.judge(answer_of_two(two, phone.size))
    assert kind == "notable"
    assert "Another computer took over" in text
    assert "Log checked" in text


def test_a_revoked_key_of_a_follower_is_not_believed_again(
    two: TwoDesks, phone: Witness, script: Phone
) -> None:
    """The thief of the second laptop signs the head of a copy, and names its key beside it."""
    two.follow()
    look_at_one(two, phone)
    keys = two.desk.done("key", "--json").json
    (key,) = (each["key"] for each in keys if not each["here"])
    two.desk.done("key", "revoke", key, "--lost", "--reason", "the second laptop was stolen")
    with chdir(two.one):
        assert phone.judge(asked(two.browser, phone.size))[0] == "about"
        copy = asked(two.browser, phone.size)
    (entry,) = phone.kept.values()
    thief = two.key_of_two()
    lines = two.lines_of_one()
    forged = [*lines, lines[-1]]
    prover = Prover(forged)
    copy |= {
        "size": len(forged),
        "root": base64_of(prover.root(len(forged))),
        "proof": [base64_of(each) for each in prover.consistency(phone.size, len(forged))],
    }
    text = checkpoint_text(Checkpoint(copy["origin"], len(forged), prover.root(len(forged))))
    head = copy["head"]
    assert any(json.loads(each["line"])["seq"] <= phone.size for each in head["renewed"])
    for keys in ([vkey(thief.key)], [vkey(thief.key), *head["keys"]]):
        copy["head"] = head | {"note": signed_note(text, thief).decode(), "keys": keys, "proof": []}
        kind, said = phone.judge(copy)
        assert kind == "notable", said
        assert "keep" not in phone.last
    assert phone.kept == {copy["origin"]: entry}
    asking = [entry["keys"], copy["origin"], head["renewed"], phone.size]
    (found,) = script.ask("keys", asking)
    assert base64_of(thief.key.public) not in found


def test_a_phone_brings_the_act_to_the_first_desk(left: TwoDesks, phone: Witness) -> None:
    two = left
    two.done_on_two("take-over")
    phone.judge(answer_of_two(two, phone.size))
    kind, text = look_at_one(two, phone)
    assert kind == "notable"
    assert "took over Night from this one" in text
    with chdir(two.one):
        carried = phone.last["carry"]
        answer = two.browser.post("/api/v1/taken-over", json=carried, headers={"origin": HERE})
        assert answer.json() == {"kept": True}
        assert "took over" in two.browser.get("/standings").text
    assert look_at_one(two, phone)[0] == "notable"


def test_without_the_act_a_shorter_history_stays_a_breach(left: TwoDesks, phone: Witness) -> None:
    two, before = left, dict(phone.kept)
    two.done_on_two("take-over")
    answer = answer_of_two(two, phone.size)
    kind, text = phone.judge({**answer, "takeover": None})
    assert kind == "breach"
    assert "fewer events" in text
    assert "fork" in phone.last
    assert before == phone.kept


def test_a_phone_that_knew_no_key_of_the_follower_is_not_convinced(
    left: TwoDesks, phone: Witness
) -> None:
    """A key that is registered only behind the fork, or that this phone saw under no head."""
    two = left
    two.done_on_two("take-over")
    answer = answer_of_two(two, phone.size)
    (entry,) = phone.kept.values()
    own = vkey(key_in(two))
    for changed in (
        {**entry, "keys": [each for each in entry["keys"] if each != own]},
        {**entry, "renewed": []},
        {**entry, "renewed": [behind_the_head(each, phone.size) for each in entry["renewed"]]},
    ):
        doubtful = Witness(phone.script)
        doubtful.kept = {answer["origin"]: changed}
        assert doubtful.judge(answer)[0] == "breach"


def behind_the_head(renewal: dict[str, str], size: int) -> dict[str, str]:
    line = json.loads(renewal["line"])
    text = renewal["line"].replace(f'"seq":{line["seq"]},', f'"seq":{size + 1},')
    assert text != renewal["line"]
    return {**renewal, "line": text}


def key_in(two: TwoDesks) -> Any:  # noqa: ANN401 - a Key
    with chdir(two.two):
        return unlocked(key_path("log", two.stream)).key


class Forged:
    """A hall that shows another history, with whatever keys an attacker has."""

    def __init__(self, two: TwoDesks, before: list[bytes], act: bytes, by: Signer) -> None:
        self.lines, self.by, self.two = [*before, act], by, two

    def answer(self, honest: dict[str, Any], kept: int) -> dict[str, Any]:
        """An honest answer with these lines, their heads and proofs in its place."""
        prover = Prover(self.lines)
        size = len(self.lines)
        root = base64_of(prover.root(size))
        head = Checkpoint(origin_of(self.two.stream), size, prover.root(size))
        note = signed_note(checkpoint_text(head), self.by).decode()

        def proof(old: int) -> list[str]:
            return [base64_of(each) for each in prover.consistency(old, size)] if old else []

        event = size
        since = next(json.loads(each["line"])["seq"] for each in honest["head"]["renewed"])
        return {
            **honest,
            "size": size,
            "root": root,
            "posting": None,
            "proof": proof(kept) if kept <= size else None,
            "head": {**honest["head"], "note": note, "proof": [], "keys": [vkey(self.by.key)]},
            "takeover": {
                "line": self.lines[-1].decode(),
                "root": base64_of(prover.root(event - 1)),
                "proof": proof(event - 1),
                "registered": proof(since - 1) if since - 1 < size else [],
            },
        }


def test_no_other_signature_is_believed(left: TwoDesks, phone: Witness) -> None:
    """Unsigned, by the log's old key, an official's, a thief's; for another log, or changed."""
    two = left
    lines, former, own = two.lines_of_two(), former_key(two), two.key_of_two()
    two.desk.done("key", "new")
    (path,) = (two.one / ".tourney-keys").glob("o1-*.key")
    officials, thief = unlocked(path), signer(origin_of(two.stream), b"t" * 32)
    root = Tree().add_lines(lines).root().hex()
    act = DeskTakenOver(len(lines), root, base64_of(former.key.public))
    two.done_on_two("take-over")
    honest = answer_of_two(two, phone.size)

    def colour(line: bytes, before: list[bytes] = lines, by: Signer = own) -> str:
        doubtful = Witness(phone.script)
        doubtful.kept = dict(phone.kept)
        return doubtful.judge(Forged(two, before, line, by).answer(honest, phone.size))[0]

    good = signed_line(lines, act, own, two.stream)
    assert colour(good) == "notable", "the forger's tools make what is right as well"
    assert colour(good, by=former) == "breach", "a head by the key that is revoked"
    assert colour(good, by=thief) == "breach"
    assert colour(good.rpartition(b',"sig"')[0] + b"}") == "breach", "unsigned"
    for who in (former, officials, thief):
        assert colour(signed_line(lines, act, who, two.stream)) == "breach"
        assert colour(signed_line(lines, act, who, two.stream), by=who) == "breach"
    assert colour(signed_line(lines, act, own, ELSEWHERE)) == "breach", "replayed elsewhere"
    for changed in (
        DeskTakenOver(act.size - 1, act.root, act.public),
        DeskTakenOver(act.size, "0" * 64, act.public),
        DeskTakenOver(act.size, act.root, base64_of(own.key.public)),
        DeskTakenOver(act.size, act.root, base64_of(thief.key.public)),
    ):
        assert colour(signed_line(lines, changed, own, two.stream)) == "breach"
    cut = lines[:-3]  # from before the key was registered: the follower's own past as well
    act = DeskTakenOver(len(cut), Tree().add_lines(cut).root().hex(), act.public)
    assert colour(signed_line(cut, act, own, two.stream), cut) == "breach"
    other = [*lines[:2], lines[2].replace(b'"by":"o1"', b'"by":"o2"'), *lines[3:]]
    act = DeskTakenOver(len(other), Tree().add_lines(other).root().hex(), act.public)
    assert colour(signed_line(other, act, own, two.stream), other) == "breach", "another past"


def test_a_strangers_act_behind_the_head_that_a_phone_keeps_is_not_called_a_take_over(
    two: TwoDesks, phone: Witness
) -> None:
    """No event is missing there, but the key of the act and of its head is anybody's."""
    two.follow()
    with chdir(two.two):
        two.desk.done("use", two.stream[:8])
    assert look_at_one(two, phone)[0] == "about"
    lines, former, own = two.lines_of_two(), former_key(two), two.key_of_two()
    assert phone.size == len(lines)
    root = Tree().add_lines(lines).root().hex()
    act = DeskTakenOver(len(lines), root, base64_of(former.key.public))
    two.done_on_two("take-over")
    honest = answer_of_two(two, phone.size)
    thief, before = signer(origin_of(two.stream), b"t" * 32), dict(phone.kept)
    for by, is_told in ((thief, False), (own, True)):
        forged = Forged(two, lines, signed_line(lines, act, by, two.stream), by)
        doubtful = Witness(phone.script)
        doubtful.kept = dict(before)
        kind, text = doubtful.judge(forged.answer(honest, phone.size))
        assert (kind, "took over" in text) == ("notable", is_told), text
        assert (doubtful.kept == before) == (not is_told)


def test_a_phone_that_missed_two_take_overs_believes_the_chain(
    left: TwoDesks, phone: Witness
) -> None:
    """A third computer followed the second one, and took over from it, before the phone asks."""
    two, kept, size = left, dict(phone.kept), phone.size
    two.done_on_two("take-over")
    old = answer_of_two(two, size)
    with chdir(two.two):
        second = Desk(two.two, two.desk.patch)
        second.report_all()
        with two_desks(second) as last:
            last.follow()
            with chdir(last.two):
                second.done("use", two.stream[:8])
            last.done_on_two("take-over")
            answer = answer_of_two(last, size)
            (earlier,) = answer["takeover"]["earlier"]
            assert earlier["line"] == old["takeover"]["line"]
            kind, text = phone.judge(answer)
            assert kind == "notable"
            assert "last 2 events" in text
            assert phone.judge(answer_of_two(last, phone.size))[0] == "about"
            witness_of_two = Witness(phone.script)
            witness_of_two.kept = kept
            witness_of_two.judge(old)
            assert witness_of_two.judge(answer_of_two(last, witness_of_two.size))[0] == "notable"
            for hall in (two, last):
                bring_the_act(hall, phone)


def bring_the_act(two: TwoDesks, phone: Witness) -> None:
    """A desk that another one replaced gets the act that revoked its own key."""
    kind, text = look_at_one(two, phone)
    assert kind == "notable"
    assert "from this one" in text
    with chdir(two.one):
        carried, headers = phone.last["carry"], {"origin": HERE}
        answer = two.browser.post("/api/v1/taken-over", json=carried, headers=headers)
        assert answer.json() == {"kept": True}


class Chain:
    """Lines that an attacker writes behind those of the second desk, and the answer about them."""

    def __init__(self, two: TwoDesks, honest: dict[str, Any]) -> None:
        self.lines, self.stream, self.honest = two.lines_of_two(), two.stream, honest
        self.renewed = list(honest["head"]["renewed"])
        self.taken: dict[int, int] = {}
        self.since = {two.key_of_two().key.public: json.loads(self.renewed[0]["line"])["seq"]}

    def add(self, event: Any, by: Signer, of: str = "") -> str:  # noqa: ANN401 - an Event
        """Put an event behind the lines, signed by a key; return the root before it."""
        root = Tree().add_lines(self.lines).root()
        self.lines.append(signed_line(self.lines, event, by, of or self.stream))
        return base64_of(root)

    def register(self, new: Signer, by: Signer, of: str = "", holder: int = 0) -> Chain:
        """Register a key of the log, signed for by another key."""
        public = base64_of(new.key.public)
        proof = base64_of(new.sign(possession(self.stream, holder, public)))
        root = self.add(KeyRegistered(holder, public, proof), by, of)
        self.renewed.append({"line": self.lines[-1].decode(), "root": root})
        self.since[new.key.public] = len(self.lines)
        return self

    def take_over(self, former: Signer, by: Signer, of: str = "") -> Chain:
        """Let a key take over from another one."""
        size, root = len(self.lines), Tree().add_lines(self.lines).root()
        self.add(DeskTakenOver(size, root.hex(), base64_of(former.key.public)), by, of)
        self.taken[len(self.lines)] = self.since.get(by.key.public, 2)
        return self

    def answer(self, kept: int, by: Signer, *more: Signer) -> dict[str, Any]:
        """Return the answer of a hall with these lines, whose head a key signed."""
        prover, size = Prover(self.lines), len(self.lines)
        head = Checkpoint(origin_of(self.stream), size, prover.root(size))

        def proof(old: int) -> list[str]:
            return [base64_of(each) for each in prover.consistency(old, size)]

        shown = [
            {
                "line": self.lines[event - 1].decode(),
                "root": base64_of(prover.root(event - 1)),
                "proof": proof(event - 1),
                "registered": proof(since - 1),
            }
            for event, since in self.taken.items()
        ]
        return {
            **self.honest,
            "size": size,
            "root": base64_of(head.root),
            "posting": None,
            "proof": proof(kept) if kept <= size else None,
            "head": {
                "note": signed_note(checkpoint_text(head), by).decode(),
                "keys": [vkey(each.key) for each in (by, *more)],
                "renewed": self.renewed,
                "proof": [],
            },
            "takeover": {**shown[-1], "earlier": shown[:-1]},
        }


class Forger:
    """An attacker with keys of many kinds, and the honest keys to compare with."""

    def __init__(self, two: TwoDesks, phone: Witness) -> None:
        origin = origin_of(two.stream)
        self.two, self.size = two, phone.size
        self.former, self.own = former_key(two), two.key_of_two()
        self.last, self.renewed, self.thief = (
            signer(origin, each * 32) for each in (b"2", b"3", b"t")
        )
        two.desk.done("key", "new")
        (path,) = (two.one / ".tourney-keys").glob("o1-*.key")
        with chdir(two.one):
            self.official, self.honest = unlocked(path), asked(two.browser, phone.size)

    def chain(self) -> Chain:
        """Lines without a take-over."""
        return Chain(self.two, self.honest)

    def first(self) -> Chain:
        """Lines with the take-over by the key that the phone knew."""
        return self.chain().take_over(self.former, self.own)

    def linked(self) -> Chain:
        """Lines in which the key that took over then signs for the last key."""
        return self.first().register(self.last, self.own)

    def good(self) -> Chain:
        """Lines with two take-overs that a phone believes."""
        return self.linked().take_over(self.own, self.last)

    def ended(self, chain: Chain, by: Signer | None = None, *more: Signer) -> dict[str, Any]:
        """The answer about lines, whose head a key signed: by default the last one."""
        return chain.answer(self.size, by or self.last, *more)

    def believed(self) -> dict[str, dict[str, Any]]:
        """Chains in which each act is signed by a key that is trusted by then."""
        own, last, renewed = self.own, self.last, self.renewed
        longer = self.first().register(renewed, own).register(last, renewed)
        third = self.linked().register(renewed, own).take_over(own, last)
        return {
            "a chain of two": self.ended(self.good()),
            "by way of a renewed key": self.ended(longer.take_over(renewed, last)),
            "a chain of three": self.ended(third.take_over(last, renewed), renewed),
        }

    def broken(self) -> dict[str, dict[str, Any]]:
        """A good answer whose middle is unsigned, doubled, left out, or no act."""
        answer = self.ended(self.good())
        (middle,) = answer["takeover"]["earlier"]
        bare = middle["line"].rpartition(',"sig"')[0] + "}"
        acts: tuple[Any, ...] = ([], [{**middle, "line": bare}], [middle] * 2, [{}], 1, "x", [None])
        return {
            f"middle: {wrong}": {**answer, "takeover": {**answer["takeover"], "earlier": wrong}}
            for wrong in (*acts, [{**middle, "proof": []}])
        }

    def wrong_acts(self) -> dict[str, dict[str, Any]]:
        """Chains with an act, or a head, by a key that is not trusted by then."""
        former, own, last, official = self.former, self.own, self.last, self.official
        first, linked, chain, ended = self.first, self.linked, self.chain, self.ended
        revoked = linked().take_over(own, last).take_over(last, own).register(self.renewed, own)
        alone = chain().take_over(former, former).register(last, own)
        replayed = chain().take_over(former, own, of=ELSEWHERE).register(last, own)
        late = padded(chain(), own, self.size).take_over(former, own).register(last, own)
        by_official = chain().take_over(former, official).register(last, official)
        return {
            "head by the former key": ended(self.good(), own),
            "head by a thief": ended(self.good(), self.thief),
            "a revoked key is still shown": ended(self.good(), last, own),
            "first act by the revoked key": ended(alone.take_over(own, last)),
            "act by the key that the first act revoked": ended(
                first().take_over(own, former), former
            ),
            "act by the key that the act before it revoked": ended(revoked, self.renewed),
            "middle by an official": ended(by_official, official),
            "last act by an official": ended(first().take_over(own, official), official),
            "act of another tournament": ended(linked().take_over(own, last, of=ELSEWHERE)),
            "middle of another tournament": ended(replayed.take_over(own, last)),
            "from a desk that did not sign": ended(linked().take_over(self.thief, last)),
            "from the desk of before": ended(linked().take_over(former, last)),
            "first act behind what was seen": ended(late.take_over(own, last)),
        }

    def wrong_keys(self) -> dict[str, dict[str, Any]]:
        """Chains whose last key nothing links to a key that the phone trusts by then."""
        own, last, first = self.own, self.last, self.first
        early = self.chain().register(last, own).take_over(self.former, own)
        chains = {
            "signed for by the revoked key": first().register(last, self.former),
            "signed for by an official": first().register(last, self.official),
            "an official's": first().register(last, own, holder=1),
            "without a link": first().register(last, self.thief),
            "signed for by itself": first().register(last, last),
            "registered before its signer took over": early,
            "of another tournament": first().register(last, own, of=ELSEWHERE),
        }
        behind = first().take_over(own, last).register(last, own)
        found = {why: self.ended(chain.take_over(own, last)) for why, chain in chains.items()}
        return found | {"registered behind its own act": self.ended(behind)}


def test_a_chain_counts_only_if_each_act_is_signed_by_a_key_that_is_trusted_by_then(
    left: TwoDesks, phone: Witness
) -> None:
    forger = Forger(left, phone)
    believed = forger.believed()
    cases = believed | forger.broken() | forger.wrong_acts() | forger.wrong_keys()
    verdicts = phone.script.ask("judged", *([each, phone.kept] for each in cases.values()))
    for why, verdict in zip(cases, verdicts, strict=True):
        assert verdict["kind"] == ("notable" if why in believed else "breach"), why


def padded(chain: Chain, by: Signer, size: int) -> Chain:
    """Fill lines up to a size with acts that no phone has seen."""
    while len(chain.lines) < size:
        chain.add(NoteTaken("filled"), by)
    return chain


def test_a_take_over_is_no_leave_to_go_back_later(left: TwoDesks, phone: Witness) -> None:
    """The second desk goes back behind what phones saw of it: its own act is no excuse."""
    two = left
    two.done_on_two("take-over")
    early = answer_of_two(two, 0)
    phone.judge(answer_of_two(two, phone.size))
    with chdir(two.two):
        two.desk.report_all()
    assert phone.judge(answer_of_two(two, phone.size))[0] == "about"
    assert phone.size > early["size"]
    kind, text = phone.judge({**early, "proof": None})
    assert kind == "breach"
    assert "fewer events" in text


def test_a_damaged_act_changes_nothing(left: TwoDesks, phone: Witness) -> None:
    two = left
    two.done_on_two("take-over")
    answer = answer_of_two(two, phone.size)
    wrongs: list[Any] = [1, "x", {}, {"line": 1, "root": 2}, {"line": "{}", "root": ""}, []]
    for wrong in wrongs:
        doubtful = Witness(phone.script)
        doubtful.kept = dict(phone.kept)
        assert doubtful.judge({**answer, "takeover": wrong})[0] == "breach", wrong


def test_a_key_that_nobody_trusted_signed_for_is_not_kept(left: TwoDesks, phone: Witness) -> None:
    """An answer may name a stranger's key beside the log's own keys."""
    two = left
    two.done_on_two("take-over")
    answer = answer_of_two(two, phone.size)
    stranger = vkey(signer(answer["origin"], bytes(range(32))).key)
    answer["head"]["keys"].append(stranger)
    kind, text = phone.judge(answer)
    assert kind == "notable"
    assert "Another computer took over" in text
    assert answer["head"]["keys"][0] in phone.kept[answer["origin"]]["keys"]
    assert stranger not in phone.kept[answer["origin"]]["keys"]
