"""Foreign files through the store: what comes in exactly, and what can be done with it then."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ledger.books.book import Book, open_book
from ledger.books.vault import Secrets
from ledger.errors import Refused
from ledger.exchange import export_file, replay
from ledger.rules.elimination import FinishTournament, MakeCut
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.results import Report, StatedResult
from projections.standings.bracket import bracket
from projections.standings.table import ranking
from tests.support.files.imports import import_file
from tests.support.files.nrtm_files import Json, as_bytes, document, game, table
from tests.support.paths import ROOT
from tests.support.shared import texts_to_try

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.rules.command import Command
    from ledger.store import Store

AT = "2026-03-14T09:00:00.000Z"

HOSTILE = [
    " ",
    "\n",
    "\x00",
    "\x1b[2J\x1b]0;owned\x07",
    "\x9b31m",
    "\u202egnp.exe",
    "\u200b\ufeff",
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "Z̸̢̛a̴l̵g̶o̷",
    "👩‍👩‍👧‍👦",
    "\U0010ffff",
    "'; DROP TABLE tourney_events; --",
    "x" * 1_000,
]


def hostile_names() -> list[str]:
    """The published list where it is to be had, and some of our own."""
    return [name for name in texts_to_try() if name] + HOSTILE


def put(path: Path, content: Json) -> Path:
    path.write_bytes(as_bytes(content))
    return path


def with_cut(*cut: list[Json]) -> Json:
    swiss = [table(1, 2, 6, 0), table(3, 4, 4, 1)]
    return document((1, 2, 3, 4), [swiss, *cut], cutToTop=2)


@pytest.mark.slow
def test_hostile_names_are_exact_in_the_log(store: Store, tmp_path: Path) -> None:
    names = hostile_names()
    content = document(range(len(names)), [[table(1, 2, 3, 3)]])
    for player, name in zip(content["players"], names, strict=True):
        player |= {"name": name, "corpIdentity": name}
    taken = import_file(store, put(tmp_path / "event.json", content), ranking=ranking)
    export_file(open_book(store, taken.tournament, ranking), tmp_path / "log")
    replayed = replay(tmp_path / "log")
    assert len(replayed.entries) == taken.events
    told = replayed.tournament
    assert [told.names[f"p{number}"] for number in range(1, len(names) + 1)] == names
    assert [player.attributes["corp"] for player in told.registered()] == names


def test_the_id_is_the_hash_of_the_file(store: Store, tmp_path: Path) -> None:
    path = put(tmp_path / "event.json", with_cut())
    taken = import_file(store, path, ranking=ranking)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert taken.tournament == digest[:32]
    opening = open_book(store, taken.tournament, ranking).tournament.opening
    assert opening is not None
    assert opening.imported is not None
    assert (opening.imported.kind, opening.imported.sha256) == ("nrtm", digest)


def test_the_same_day_and_name_from_another_file_is_refused_unless_as_new(
    store: Store, tmp_path: Path
) -> None:
    import_file(store, put(tmp_path / "one.json", with_cut()), ranking=ranking)
    other = put(tmp_path / "two.json", {**with_cut(), "cutToTop": 3})
    with pytest.raises(Refused, match="both are 'Event' of 2024-02-29"):
        import_file(store, other, ranking=ranking)
    assert len(store.streams()) == 1
    assert import_file(store, other, ranking=ranking, as_new=True).added
    assert import_file(store, other, ranking=ranking).added == 0
    another_day = put(tmp_path / "three.json", {**with_cut(), "date": "2024-03-01"})
    assert import_file(store, another_day, ranking=ranking).added
    assert len(store.streams()) == 3


KEYS = Secrets(b"a key drawn at the desk, 32 byte", b"another key for what is hidden..")


def acting(book: Book, *wishes: Command) -> None:
    for wish in wishes:
        command_id = f"act{book.tournament.seq}"
        book.act(wish, by="o1", command_id=command_id, at=AT)


def test_an_announced_cut_is_made_and_played_here(store: Store, tmp_path: Path) -> None:
    taken = import_file(
        store, put(tmp_path / "event.json", with_cut()), ranking=ranking, secrets=KEYS
    )
    book = open_book(store, taken.tournament, ranking)
    acting(book, MakeCut(), PairRound())
    final = book.tournament.rounds[-1].matches[0]
    acting(book, Report(final.number, StatedResult("loss")), FinishTournament())
    assert [place.seat.player for place in bracket(book.tournament).ranking] == [3, 1]
    assert book.tournament.finished


def test_a_result_that_was_missing_is_reported_here(store: Store, tmp_path: Path) -> None:
    content = document((1, 2), [[table(1, 2, None, None)]])
    taken = import_file(store, put(tmp_path / "event.json", content), ranking=ranking, secrets=KEYS)
    book = open_book(store, taken.tournament, ranking)
    acting(book, Report(1, StatedResult(points=(2, 4))), FinishTournament())
    assert ranking(book.tournament) == [2, 1]


def test_a_recorded_elimination_is_not_paired_here(store: Store, tmp_path: Path) -> None:
    cut = [game(1, 4, 1), game(2, 3, 3)]
    taken = import_file(store, put(tmp_path / "event.json", with_cut(cut)), ranking=ranking)
    book = open_book(store, taken.tournament, ranking)
    with pytest.raises(Refused, match="recorded elimination, which tourney cannot pair"):
        acting(book, PairRound())
    with pytest.raises(Refused, match="not all announced rounds have been played"):
        acting(book, FinishTournament())


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_the_order_of_hashing(tmp_path: Path) -> None:
    rounds = [
        [table(f"k{one}", f"k{one + 1}", 6, 0) for one in range(0, 20, 2)],
        [table(f"k{one}", f"k{one + 4}", 3, 3) for one in range(2, 6)],
        [game("k2", "k3", "k3"), game("k7", "k11", "k7")],
    ]
    path = put(tmp_path / "event.json", document([f"k{n}" for n in range(22)], rounds))
    script = (
        "import sys, hashlib, pathlib\n"
        "from ledger.exchange.programs.nrtm import read_nrtm\n"
        "from ledger.exchange.translating import translate\n"
        "from projections.standings.table import ranking\n"
        "told = translate(read_nrtm(pathlib.Path(sys.argv[1]).read_bytes()), ranking)\n"
        "print(hashlib.sha256(b'\\n'.join(line for _, line in told)).hexdigest())\n"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script, str(path)],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(digests) == 1


def test_a_running_tournament_is_drawn_on_here(store: Store, tmp_path: Path) -> None:
    content = document((1, 2, 3, 4), [[table(1, 2, 6, 0), table(3, 4, 4, 1)]], preliminaryRounds=2)
    path = put(tmp_path / "event.json", content)
    taken = import_file(store, path, ranking=ranking, secrets=KEYS)
    others = Secrets(b"another key".ljust(32), b"and another".ljust(32))
    assert import_file(store, path, ranking=ranking, secrets=others).added == 0
    book = open_book(store, taken.tournament, ranking)
    acting(book, RegisterPlayers((Entry("Late"),)), PairRound())
    first = {frozenset(match.players) for match in book.tournament.rounds[0].matches}
    second = {frozenset(match.players) for match in book.tournament.rounds[1].matches}
    assert not first & second
    for match in book.tournament.rounds[1].matches:
        if match.is_open:
            acting(book, Report(match.number, StatedResult(points=(3, 3))))
    acting(book, FinishTournament())
    revealed = book.tournament.shuffle_key, book.tournament.hidden_key
    assert tuple(map(bytes.fromhex, revealed)) == KEYS


def test_a_finished_tournament_commits_to_no_key(store: Store, tmp_path: Path) -> None:
    content = document((1, 2), [[table(1, 2, 6, 0)]])
    path = put(tmp_path / "event.json", content)
    taken = import_file(store, path, ranking=ranking, secrets=Secrets(b"k" * 32, b"h" * 32))
    assert store.vault_items(taken.tournament) == {}
    opening = open_book(store, taken.tournament, ranking).tournament.opening
    assert opening is not None
    assert opening.commitment == ""
