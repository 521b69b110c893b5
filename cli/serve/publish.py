"""The public view of the tournament as files for any web host: pages, log, tiles and signed head.

The pages are made of the parts that the hall shows, from a state whose names are cut already. Each
page is complete and needs no script; links between pages are relative. On the page of the head a
reader compares a head that they kept with the published log. This page is on another host than the
hall: a person who changed the hall's server did not change this host.

The names in the log are sealed, and the keys of all names are published only if pages show the
names whole. A log with open names is published only then.

The folder changes as a whole: readers find the previous files or the present files, never both. The
new folder is made next to the present folder, and the two change places. The folder lists its files
in a file: a folder with any other file was not made here and is left unchanged.
"""

from __future__ import annotations

import os
import shutil
import time
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import htpy
import msgspec
from markupsafe import Markup
from msgspec import Struct

from cli.input.moments import time_in
from cli.languages.speaking import language, tr
from cli.machine.keyring import key_is_missing
from cli.machine.posted_words import COMPARE, posted_words
from cli.machine.renewals import log_keys
from cli.render.brackets import order_columns
from cli.render.codes import svg_code
from cli.render.elements import records_table, tr_nodes, web_page
from cli.render.game_tables import pairing_columns
from cli.serve.pages.script_texts import texts_call
from cli.serve.parts import PARTS, round_and_status
from cli.terminal.output import say
from cli.terminal.visible import how_many, isolated, marking_names, visible, visible_lines
from cli.wording.page_words import public_view
from cli.wording.phrases import game_in_words
from ledger.errors import LedgerError, NotFound, Refused
from ledger.files.access import first_bytes, make_folder, refuse_to_replace, sync_folder
from ledger.files.locks import alone, lock_beside
from ledger.files.system import exchange_folders, rename_file
from ledger.problems import phrase
from ledger.proof.notes import vkey
from projections.standings.bracket import finishing_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from threading import Event

    from htpy import Node

    from cli.desk.session import Desk
    from cli.machine.checkpoint_file import StoredCheckpoint
    from cli.machine.posted_words import PostedWords
    from ledger.books.book import Book
    from ledger.tournament.state import Round, Tournament

STYLE = """
.files li { margin: .6rem 0; }
pre { overflow-x: auto; white-space: pre-wrap; }
textarea { font: inherit; width: 100%; color: inherit; background: var(--band); }
button { font: inherit; min-height: var(--touch); padding: 0 1.2rem; }
.good { color: var(--good); font-weight: 600; }
"""
ENTRY = "index.html"


class PublicPage(NamedTuple):
    """One page: the name of its file, what it is called, and what is on it."""

    file: str
    title: str
    content: Node
    script: str = ""


def pages(
    tournament: Tournament,
    at: str,
    record: Node,
    further: Sequence[PublicPage],
    words: PostedWords | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Yield every page; `record` says on the first one what of the log lies beside it.

    `words` are the six words of the latest posting.
    """
    with marking_names():
        foot = _foot(tournament, at, words)
        sheets = [*_parts(tournament), *_rounds(tournament), *further]
        entry = PublicPage(ENTRY, tr("Tournament"), [_about(tournament), _contents(sheets), record])
        written = [
            (sheet.file, _page(tournament, foot, sheet, (entry, *sheets)).encode())
            for sheet in (entry, *sheets)
        ]
    yield from written


def _parts(tournament: Tournament) -> Iterator[PublicPage]:
    """Yield what the hall shows and does not run on by itself, as far as it is there."""
    for name in ("pairings", "standings", "bracket"):
        part = PARTS[name]
        try:
            yield PublicPage(f"{name}.html", tr(part.title), part.html(tournament))
        except LedgerError:
            continue
    if tournament.finished:
        order = finishing_order(tournament)
        columns = order_columns(tournament, order)
        yield PublicPage(
            "final.html", tr("Final places"), records_table(columns, order, heading="player")
        )


def _rounds(tournament: Tournament) -> Iterator[PublicPage]:
    for played in tournament.rounds:
        yield PublicPage(
            f"round-{played.number}.html",
            tr("Round {number}", number=played.number),
            _round(tournament, played),
        )


def _round(tournament: Tournament, played: Round) -> Node:
    matches = [match for match in played.matches if match.players]
    return [
        htpy.p(class_="about")[round_and_status(tournament, played)],
        records_table(pairing_columns(tournament, for_players=True), matches, heading="player"),
    ]


def _about(tournament: Tournament) -> Node:
    opening = tournament.opening
    if opening is None:
        return None
    players = sum(1 for _ in tournament.registered())
    return htpy.p[
        visible(f"{opening.date}, {game_in_words(opening)}, {how_many(players, 'player')}")
    ]


def _contents(sheets: Sequence[PublicPage]) -> Node:
    if not sheets:
        return htpy.p[tr("No round is paired yet.")]
    links = (htpy.li[htpy.a(href=each.file)[each.title]] for each in sheets)
    return htpy.ul(class_="links")[links]


def _foot(tournament: Tournament, at: str, words: PostedWords | None) -> Node:
    """Return what is below every page: up to which event it goes, and the six words."""
    return [
        htpy.p[tr("As of event {seq}, {time}.", seq=tournament.seq, time=time_in(tournament, at))],
        htpy.p(class_="words")[f"{tr(COMPARE)}: {words.place}: ", htpy.strong[words.text]]
        if words
        else None,
    ]


def _page(
    tournament: Tournament, foot: Node, sheet: PublicPage, sheets: Sequence[PublicPage]
) -> str:
    name = isolated(visible(tournament.opening.name)) if tournament.opening else ""
    body = [
        htpy.header(class_="top")[
            htpy.h1[name],
            htpy.nav(aria_label=tr("Pages"))[htpy.ul[(_link(each, sheet) for each in sheets)]],
        ],
        htpy.main[htpy.h2[sheet.title], sheet.content],
        htpy.footer[foot],
    ]
    return web_page(f"{sheet.title}: {name}", STYLE, body, script=sheet.script)


def _link(each: PublicPage, here: PublicPage) -> Node:
    is_here = each.file == here.file
    return htpy.li[htpy.a(href=each.file, aria_current="page" if is_here else None)[each.title]]


SCRIPTS = ("check.js", "trees.js", "heads.js", "ed25519.js", "sha2.js", "texts.js")
"""The first one is the page's; it takes the others from beside it."""


def scripts() -> dict[str, bytes]:
    """Return the page's own code, as a phone runs it."""
    static = files("cli.serve").joinpath("static")
    found = {name: static.joinpath(name).read_bytes() for name in SCRIPTS}
    return found | {"texts.js": found["texts.js"] + texts_call(language())}


def head_page(note: str, book: Book) -> PublicPage:
    """Return the page of a head: as text, as a code, and a field for one that was kept."""
    code = Markup(svg_code(note.encode()))  # noqa: S704 - drawn here, of bytes
    keys = " ".join(vkey(key) for key in log_keys(book))
    content = [
        htpy.p[tr("The log's latest signed head, which covers every line up to this point:")],
        htpy.pre[visible_lines(note)],
        htpy.div(class_="code")[code],
        htpy.h2[tr("Check a head that you kept")],
        htpy.form(id="check", hidden=True, data_keys=keys)[
            htpy.p[htpy.label(for_="kept")[tr("The text of the code in the hall")]],
            htpy.textarea(id="kept", rows="7", spellcheck="false"),
            htpy.p[htpy.button(type="submit")[tr("Check it")]],
        ],
        htpy.p(id="found", role="status", hidden=True),
        htpy.p[
            tr_nodes(
                "If the organizer gave you a policy before play, you can check it without this "
                "page: {command}.",
                command=htpy.code["tourney diff FILE log.jsonl --policy POLICY"],
            )
        ],
    ]
    return PublicPage("head.html", tr("Signed head"), content, SCRIPTS[0])


LOG = "log.jsonl"


class Site(NamedTuple):
    """Every file by its name, and what is said of it at the desk."""

    files: dict[str, bytes]
    said: list[str]


def site(desk: Desk) -> Site:
    """Make every file of what everybody may see now; NotFound where keys of names are away."""
    from cli.machine.trust import head_of_all

    book, said = desk.book, list[str]()
    tournament = public_view(book.tournament)
    head = head_of_all(desk)
    files: dict[str, bytes] = {}
    if not (tournament.is_sealed or tournament.public_names == "full"):
        text = tr(
            "the log is not published: its lines contain names, and `names` is not set to full"
        )
        said.append(text)
    else:
        files |= _record(book, head, names=tournament.public_names == "full")
        said += (
            []
            if head
            else [
                tr(
                    "no signed head is published: {reason}",
                    reason=key_is_missing(book.tournament),
                )
            ]
        )
    at = book.recorded_at(tournament.seq).at
    checked = [head_page(head.note, book)] if head and LOG in files else []
    files |= scripts() if checked else {}
    files |= pages(tournament, at, _record_in_words(files), checked, posted_words(book))
    return Site(files, said)


def _record(book: Book, head: StoredCheckpoint | None, *, names: bool) -> dict[str, bytes]:
    from ledger.exchange import export
    from ledger.proof.evidence import Prover, tiles
    from ledger.proof.heads import CHECKPOINT, HASHES

    try:
        found = {LOG: b"".join(export(book, names=names and book.tournament.is_sealed))}
    except NotFound as error:
        raise NotFound(
            phrase("{reason}: for public pages, set `names short`", reason=str(error))
        ) from None
    if head is None:
        return found
    prover, note = Prover(book.lines), head.note.encode()
    found[LOG + CHECKPOINT] = note
    found[LOG + HASHES] = b"".join(prover.levels[0])
    return found | dict(tiles(prover, book.lines, note))


def _record_in_words(files: dict[str, bytes]) -> Node:
    """Say on the first page what lies beside it, and how it is checked."""
    if LOG not in files:
        return None
    return [htpy.h2[tr("The record")], htpy.ul(class_="files")[_of_record(files)]]


def _of_record(files: dict[str, bytes]) -> Iterator[Node]:
    yield htpy.li[
        tr_nodes(
            "{file}: every act of the tournament, in the order entered.", file=htpy.a(href=LOG)[LOG]
        )
    ]
    if f"{LOG}.checkpoint" not in files:
        return
    yield htpy.li[
        tr_nodes(
            "{head} and {hashes}: its signed head, and a hash of every line. With these three "
            "files in one folder, {command} checks them. If the organizer gave you a policy before "
            "play, add {option}: the head is then checked against the key that the policy names.",
            head=htpy.a(href=f"{LOG}.checkpoint")[f"{LOG}.checkpoint"],
            hashes=htpy.a(href=f"{LOG}.hashes")[f"{LOG}.hashes"],
            command=htpy.code[f"tourney verify {LOG}"],
            option=htpy.code["--policy FILE"],
        )
    ]
    yield htpy.li[
        tr_nodes(
            "{head} and tile/: the same for programs that read C2SP's tlog-tiles.",
            head=htpy.a(href="checkpoint")["checkpoint"],
        )
    ]


MARK = ".tourney-published"
MARK_BYTES_MAX = 1 << 24


class Published(Struct, frozen=True, forbid_unknown_fields=True):
    """What a folder holds, and of which tournament."""

    tournament: str
    files: tuple[str, ...]


def write_site(folder: Path, tournament: str, files: Iterable[tuple[str, bytes]]) -> int:
    """Put files in the place of all that a folder has; returns how many. Refused, as it was."""
    place = folder.resolve()
    part = place.with_name(f".{place.name}.part")
    try:
        make_folder(place.parent)
        with alone(lock_beside(place, "published")):
            refuse_other_folders(place, tournament)
            _clear(part, tournament)
            count = _write_all(part, tournament, files)
            _take_place(part, place)
            sync_folder(place.parent)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Refused(
            phrase(
                "{folder} cannot be written: {reason}; it is unchanged",
                folder=str(folder),
                reason=reason,
            )
        ) from None
    return count


def refuse_other_folders(folder: Path, tournament: str) -> None:
    """Refuse a folder that was not published of this tournament, or has anything else in it."""
    if not folder.is_dir():
        refuse_to_replace(folder)
        if folder.exists():
            raise Refused(phrase("{folder} is a file: choose a folder", folder=str(folder)))
        return
    found = _files_in(folder)
    if not found:
        return
    published = _published(folder)
    if published is None:
        raise Refused(
            phrase(
                "{folder} is not empty, and was not published by tourney: choose another",
                folder=str(folder),
            )
        )
    if published.tournament != tournament:
        raise Refused(
            phrase(
                "{folder} was published for another tournament: choose another", folder=str(folder)
            )
        )
    if others := sorted(found - {MARK, *published.files}):
        raise Refused(
            phrase(
                "{folder} contains {file}, which was not published by tourney: remove it",
                folder=str(folder),
                file=others[0],
            )
        )


def _published(folder: Path) -> Published | None:
    try:
        data = first_bytes(folder / MARK, MARK_BYTES_MAX)
        return msgspec.json.decode(data, type=Published)
    except (OSError, msgspec.DecodeError):
        return None


def _files_in(folder: Path) -> set[str]:
    """List all files below a folder, links and empty folders too."""
    found: set[str] = set()
    for above, folders, names in os.walk(folder):
        linked = [each for each in folders if os.path.islink(os.path.join(above, each))]  # noqa: PTH114, PTH118 - as os.walk has them
        empty = [] if folders or names else [""]
        for name in (*names, *linked, *empty):
            found.add(os.path.relpath(os.path.join(above, name), folder))  # noqa: PTH118 - as above
    return found - {"."}


def _clear(part: Path, tournament: str) -> None:
    """Remove what a process left that was killed while it wrote."""
    if part.exists():
        refuse_other_folders(part, tournament)
        shutil.rmtree(part)


def _write_all(part: Path, tournament: str, files: Iterable[tuple[str, bytes]]) -> int:
    made = dict(files)
    mark = msgspec.json.encode(Published(tournament, tuple(sorted(made))))
    try:
        for name, data in ((MARK, mark), *made.items()):
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return len(made)


def _take_place(part: Path, place: Path) -> None:
    """Let the new folder have the place of the old one, which is removed."""
    if not place.exists():
        rename_file(part, place)
        return
    if not exchange_folders(part, place):
        old = place.with_name(f".{place.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        rename_file(place, old)
        rename_file(part, place)
        part = old
    shutil.rmtree(part, ignore_errors=True)


POLL_SECONDS = 0.5
"""How often the store is asked for what other desks have written."""


REST = 4
"""How many times as long as a writing took nothing is written: the hall has the processor first."""


def write(desk: Desk, folder: Path) -> int:
    """Write the files once; returns how many there are, and says what is left out."""
    made = site(desk)
    count = write_site(folder, desk.book.stream, made.files.items())
    for text in made.said:
        say(f"{folder}: {text}")
    return count


def follow(desk: Desk, folder: Path, ended: Event, written: int) -> None:
    """Write again whenever the log has grown beyond an event, until `ended` is set."""
    problem, took = "", 0.0
    while not ended.wait(max(POLL_SECONDS, REST * took)):
        begun, took = time.monotonic(), 0.0
        try:
            book = desk.book.refresh()
            if len(book.lines) == written:
                continue
            made, written = site(desk), len(book.lines)
            write_site(folder, book.stream, made.files.items())
            problem, took = "", time.monotonic() - begun
        except LedgerError as error:
            if problem != str(error):
                say(f"{folder}: {error}")
            problem, written = str(error), 0
