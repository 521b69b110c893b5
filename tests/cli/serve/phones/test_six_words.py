"""The six words of a posting: one list, one way to derive them, the same in every place."""

from __future__ import annotations

import base64
import hashlib
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ledger.proof.evidence.prover import Prover
from ledger.proof.evidence.six_words import list_of_words, six_words, words_file
from ledger.proof.formats import Checkpoint
from tests.cli.serve.phones.phone import Phone, needs_node
from tests.support.cli_desk import typed_once
from tests.support.hall import hall_open, player

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

LIST_SHA256 = "c780b2665bd19e1674d8596345de0f6594cbbbcf04e051d916a0163e82f581bf"
SHOWN = re.compile(r'id="words" class="words"(?: hidden)?><span>([^<]*)</span> <strong>([^<]*)<')


@typed_once
def day(desk: Desk) -> Desk:
    desk.open(4, "custom", "--rounds", "2")
    return desk


# --- the list


def test_the_list_is_as_it_was_and_its_words_are_told_apart() -> None:
    """No word is another with a letter more, less, other or swapped; no two begin alike."""
    words = list_of_words()
    assert hashlib.sha256(words_file()).hexdigest() == LIST_SHA256
    assert len(words) == len(set(words)) == 2_048
    assert list(words) == sorted(words)
    assert all(re.fullmatch(r"[a-z]{4,8}", each) for each in words)
    assert len({each[:4] for each in words}) == len(words)
    known, masked = set(words), set[str]()
    for word in words:
        blanks = {f"{word[:i]}_{word[i + 1 :]}" for i in range(len(word))}
        assert not masked & blanks, word
        masked |= blanks
        assert not any(each.replace("_", "") in known for each in blanks), word
        for one, other in pairwise(range(len(word))):
            swapped = [*word]
            swapped[one], swapped[other] = swapped[other], swapped[one]
            assert "".join(swapped) == word or "".join(swapped) not in known


# --- the derivation


def test_the_words_are_those_of_the_page_on_checking() -> None:
    """A second derivation, by CHECKING.md: arithmetic on the whole digest."""
    for number in range(8):
        head = Checkpoint(f"tourney/{number:032x}", number + 1, bytes([number]) * 32)
        root = base64.b64encode(head.root).decode()
        digest = hashlib.sha256(f"{head.origin}\n{head.size}\n{root}\n".encode()).digest()
        for _ in range(16_384):
            digest = hashlib.sha256(digest).digest()
        bits = int.from_bytes(digest, "big") >> 190
        places = [bits >> 11 * place & 2047 for place in (5, 4, 3, 2, 1, 0)]
        assert [list_of_words()[each] for each in places] == list(six_words(head))


@needs_node
def test_a_phone_derives_the_same_words(tmp_path: Path) -> None:
    phone, asked, expected = Phone(tmp_path), [], []
    for number in range(5):
        head = Checkpoint(f"tourney/{number:032x}", 10**number, bytes([number + 7]) * 32)
        root = base64.b64encode(head.root).decode()
        asked.append([list_of_words(), {"origin": head.origin, "size": head.size, "root": root}])
        expected.append(list(six_words(head)))
    assert phone.ask("words", *asked) == expected


# --- the posting


def words_on(path: str) -> tuple[str, str]:
    """The place and the words on a page, as a browser without a script shows them."""
    with hall_open(player(1)) as browser:
        found = SHOWN.search(browser.get(path).text)
        assert found is not None, path
        return found[1], found[2]


def test_they_are_of_the_pairing_until_something_is_posted_and_then_of_the_posting(
    day: Desk,
) -> None:
    assert words_on("/pairings") == ("", "")
    assert day.done("--json").json["words"] is None
    day.done("pair")
    paired = words_on("/pairings")
    assert paired[0].startswith("Round 1, event ")
    for words in (("round", "start"), ("note", "quiet")):
        day.done(*words)
        assert words_on("/standings") == paired
    day.done("post", "pairings")
    posted = words_on("/standings")
    assert (posted != paired, posted[0].startswith("Round 1, event ")) == (True, True)
    day.report_all()
    assert words_on("/standings") == posted
    day.done("pair")
    assert words_on("/standings") == posted
    day.done("post", "standings", "--round", "1")
    later = words_on("/standings")
    assert later != posted
    day.done("note", "still")
    assert words_on("/standings") == later


def test_they_follow_from_the_lines_up_to_the_posting(day: Desk) -> None:
    day.done("pair")
    day.done("post", "pairings")
    value = day.done("--json").json
    day.done("note", "quiet")
    lines = [each.encode() for each in day.log().splitlines()]
    shown = value["words"]
    assert '"type":"Posted"' in lines[shown["event"] - 1].decode()
    root = Prover(lines).root(shown["event"])
    assert shown["root"] == root.hex()
    head = Checkpoint(f"tourney/{value['tournament']}", shown["event"], root)
    assert shown["words"] == list(six_words(head))
    assert words_on("/pairings")[1].split() == shown["words"]
