"""Pages outside a tournament: the open tournaments, a new one, and the view of a submitted log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import bidirectional
from urllib.parse import quote

import htpy

from cli.languages.speaking import marked, tr, tr_of
from cli.render.elements import told, tr_nodes
from cli.serve.forms import button, choice, text_field
from cli.serve.looking import FILE_MAX
from cli.serve.pages.frame import EventHeading, Surroundings, moment_in_words, own_page
from cli.serve.refusals import Malformed
from cli.terminal.visible import (
    capitalized,
    how_many,
    isolated,
    marking_names,
    short_id,
    visible,
    visible_lines,
)
from cli.wording.page_words import SHOWN_IN_WORDS
from ledger import rulesets
from ledger.errors import Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from htpy import Node

    from cli.serve.looking import ShownLog
    from ledger.rulesets.structures import Band, Structure, Structures

HEADING = EventHeading("tourney")
_LINKS = (
    ("events", marked("Tournaments")),
    ("events/new", marked("New")),
    ("events/look", marked("Look at a log")),
)
OWNERS = Surroundings("", _LINKS, "files", is_of_event=False, styles=("tabs",))
_PUBLIC = Surroundings(
    "", (("events", marked("Tournaments")),), "", is_of_event=False, styles=("tabs",)
)


class ListedEvent(NamedTuple):
    """A tournament in the list; `is_open` if it is served.

    `is_in_use` while it is open and not finished, or while pages follow it.
    """

    stream: str
    name: str
    date: str = ""
    is_open: bool = False
    is_in_use: bool = False


@marking_names()
def events_page(
    shown: Sequence[ListedEvent],
    problems: Sequence[str] = (),
    restored: Restoration | None = None,
    *,
    is_owner: bool = False,
    has_vault: bool = False,
) -> str:
    """Return the list of tournaments: those that are open, and for the owner all of the store.

    `problems` are why a form of the list was refused, `restored` is what a backup brought.
    `has_vault` if the folder has a league's vault, whose persons the owner decides on.
    """
    content: list[Node] = [_listed(each, is_owner=is_owner) for each in shown]
    if not shown:
        content = [htpy.p[tr("No tournament is open here.")]]
    if is_owner:
        content = [
            htpy.p[htpy.a(href="events/new", class_="button main")[tr("New tournament")]],
            content,
            htpy.h2[tr("A file that you were sent")],
            htpy.ul(class_="links")[
                htpy.li[htpy.a(href="events/look")[tr("Look at a log: replay it, check it")]],
                htpy.li[htpy.a(href="events/persons")[tr("Persons of the league")]]
                if has_vault
                else None,
            ],
            _file_form("restore", tr("Restore a backup"), tr("The file that “Back up” gave")),
        ]
    around = OWNERS if is_owner else _PUBLIC
    content = [_restored(restored) if restored else None, content]
    return own_page(HEADING, tr("Tournaments"), content, problems, around)


class RestoredLog(NamedTuple):
    """A tournament of a backup, and how many events the backup added to it."""

    name: str
    added: int


class Restoration(NamedTuple):
    """Restored tournaments, and the remarks of the verb, one per line."""

    logs: Sequence[RestoredLog]
    remarks: str = ""


def _restored(restoration: Restoration) -> Node:
    """Name the restored tournaments, and those that the backup did not change."""
    remarks = (line.removeprefix("tourney: ") for line in restoration.remarks.splitlines())
    return htpy.div(role="status")[
        (_restored_log(log) for log in restoration.logs),
        (
            htpy.p(class_="caveat")[visible(line)]
            for line in remarks
            if line.strip() and not line.startswith("restored from ")
        ),
    ]


def _restored_log(log: RestoredLog) -> Node:
    name = isolated(visible(log.name))
    if log.added:
        return htpy.p(class_="done")[
            tr(
                "{name} is restored, {events} added: open it in the list.",
                name=name,
                events=how_many(log.added, "event"),
            )
        ]
    return htpy.p(class_="caveat")[
        name,
        tr(
            " is already here with all that this backup has: nothing was changed. Open it in "
            "the list."
        ),
    ]


def _listed(event: ListedEvent, *, is_owner: bool) -> Node:
    place = f"e/{short_id(event.stream)}"
    name = isolated(visible(event.name))
    hidden = htpy.input(type="hidden", name="tournament", value=event.stream)
    if not event.is_open:
        return htpy.form(method="post", action="events/open", class_="act")[
            hidden, htpy.p[name, f" {event.date} ", button(tr("Open it"), kind="quiet")]
        ]
    closing: Node = htpy.form(method="post", action="events/close", class_="act")[
        hidden,
        htpy.p[
            tr(
                "Phones and screens will show that this tournament was closed, until you open it "
                "again. Nothing on record is lost."
            )
        ]
        if event.is_in_use
        else None,
        button(tr("Do it")) if event.is_in_use else button(tr("Close it"), kind="quiet"),
    ]
    if event.is_in_use:
        closing = htpy.details(class_="act")[htpy.summary[tr("Close it")], closing]
    return htpy.section(class_="event")[
        htpy.h2[name],
        htpy.p[htpy.a(href=f"{place}/desk", class_="button main")[tr("Desk")]]
        if is_owner
        else None,
        htpy.ul(class_="links")[
            htpy.li[htpy.a(href=f"{place}/pairings")[tr("Pairings")]],
            htpy.li[htpy.a(href=f"{place}/in")[tr("Sign in")]],
            _owners_work(event) if is_owner else None,
        ],
        closing if is_owner else None,
    ]


def _owners_work(event: ListedEvent) -> Node:
    """Return the owner's links of a tournament: its log, its public pages, a backup, a check."""
    asked = f"?tournament={short_id(event.stream)}"
    return [
        htpy.li[htpy.a(href=f"events/export{asked}")[tr("Export the log")]],
        htpy.li[htpy.a(href=f"events/publish{asked}")[tr("Public pages (zip)")]],
        htpy.li[htpy.a(href=f"events/backup{asked}")[tr("Back up (contains secrets)")]],
        htpy.li[htpy.a(href=f"events/verify{asked}")[tr("Verify")]],
    ]


@marking_names()
def verified_page(title: str, text: str) -> str:
    """Return what a check of a tournament's log says."""
    content = htpy.h2[isolated(visible(title))], _checks(text)
    return own_page(HEADING, tr("Verify"), content, (), OWNERS)


def _checks(text: str) -> Node:
    """Return the verdict of `verify` for a log that has passed, and below it each check."""
    checks, _, verdict = text.rpartition("\n")
    return [
        htpy.p[htpy.strong[told(visible(verdict.partition(" (")[0]))]],
        htpy.p(class_="hint")[
            tr(
                "No check below has failed. UNCHECKED marks a check that needs a further file, "
                "such as a policy or the signed head of the log."
            )
        ],
        htpy.pre[rows_in_order(checks)],
    ]


def _file_form(job: str, title: str, label: str) -> Node:
    """Return the form that sends a file of the owner's browser, by the script or by itself."""
    return htpy.form(
        method="post",
        action=f"events/files?job={quote(job)}",
        enctype="multipart/form-data",
        class_="act file",
        data_job=job,
        data_most=str(FILE_MAX),
    )[
        htpy.label(class_="field wide")[
            htpy.span[label], htpy.input(type="file", name="file", required=True)
        ],
        button(title),
        htpy.p(role="alert", class_="problems", hidden=True),
    ]


TIERS = (
    ("", marked("as the game has it")),
    ("relaxed", marked("relaxed")),
    ("formal", marked("formal")),
    ("premier", marked("premier")),
)


@marking_names()
def new_page(fields: Mapping[str, str], problem: str = "") -> str:
    """Return the form of a new tournament, with the words typed so far."""
    games = [(key, rulesets.load(key).ruleset.name) for key in rulesets.names()]
    form = htpy.form(method="post", action="events/new", class_="act")[
        text_field(tr("Name of the tournament"), "name", fields.get("name", ""), longest=100),
        choice(tr("Game"), "ruleset", games, fields.get("ruleset", "")),
        htpy.label(class_="field")[
            htpy.span[tr("Date (empty: today)")],
            htpy.input(type="date", name="date", value=visible(fields.get("date", ""))),
        ],
        choice(
            tr("Tier"), "tier", [(tier, tr(words)) for tier, words in TIERS], fields.get("tier", "")
        ),
        text_field(
            tr("Your name: you are its organizer"), "organizer", fields.get("organizer", "")
        ),
        choice(
            tr("Names on public pages"),
            "names",
            [(shown, tr(words)) for shown, words in SHOWN_IN_WORDS.items()],
            fields.get("names", "short"),
        ),
        button(tr("Make it"), kind="main"),
    ]
    content: Node = [
        form,
        htpy.h2[tr("Rounds and cut")],
        htpy.p(class_="hint")[tr("You choose at the start, when all players are registered.")],
        (_structures(key) for key, _ in games),
    ]
    return own_page(HEADING, tr("New tournament"), content, (problem,) if problem else (), OWNERS)


def _structures(key: str) -> Node:
    """Return the rounds and the cut of a game by the number of players; its script shows one game.

    Without the script each game is folded.
    """
    rules = rulesets.load(key).ruleset
    structures = rules.structures
    tables = [_structure(kind, table, structures) for kind, table in structures.tables.items()]
    return htpy.details(class_="structures", data_game=key)[
        htpy.summary[rules.name],
        tables,
        htpy.p[
            tr("Custom: you give the number of rounds, and the cut if there is one, at the start.")
            if structures.custom
            else None
        ],
    ]


def _structure(kind: str, table: Structure, structures: Structures) -> Node:
    usual = structures.tiers.usual.items() if structures.tiers else ()
    tiers = tr(" and ").join(tr(tier) for tier, structure in usual if structure == kind)
    title = tr("{kind} structure", kind=tr(kind))
    if tiers:
        title = tr("{kind} structure, usual for {tiers} events", kind=tr(kind), tiers=tiers)
    return [
        htpy.h3[f"{capitalized(title)} ({table.clause})"],
        htpy.table[
            htpy.thead[
                htpy.tr[
                    htpy.th[tr("players")],
                    htpy.th(class_="number")[tr_of("column", "rounds")],
                    htpy.th[tr("cut")],
                ]
            ],
            htpy.tbody[(_band(band) for band in table.bands)],
        ],
    ]


def _band(band: Band) -> Node:
    least = tr("at least {rounds}", rounds=band.rounds)
    rounds = least if band.at_least else str(band.rounds)
    return htpy.tr[
        htpy.th(scope="row")[_attendance(band)],
        htpy.td(class_="number", data_label=tr_of("column", "rounds"))[rounds],
        htpy.td(data_label=tr("cut"))[_cut(band)],
    ]


def _attendance(band: Band) -> str:
    most = band.players_max
    if most:
        return tr("{least} to {most}", least=band.players_min, most=most)
    return tr("{least} or more", least=band.players_min)


def _cut(band: Band) -> str:
    if not band.cut:
        return tr("none")
    return tr(" or ").join(str(cut) for cut in (band.cut, *band.cut_choices))


def words_for_new(fields: Mapping[str, str]) -> list[str]:
    """Return the line that makes a tournament as the form says.

    Raises:
        Malformed: a required field is empty.
    """
    given = {name: fields.get(name, "").strip() for name in ("name", "organizer")}
    if not all(given.values()):
        raise Malformed(phrase("fill in the name of the tournament and your own name"))
    game = fields.get("ruleset", "")
    if game not in rulesets.names():  # the verb takes a file, too: a page names none
        raise Refused(phrase("choose a game of the list"))
    words = ["new", "--json", f"--ruleset={game}", f"--organizer={given['organizer']}"]
    for option, name in (("date", "date"), ("tier", "tier"), ("public-names", "names")):
        if value := fields.get(name, "").strip():
            words.append(f"--{option}={value}")
    return [*words, "--", given["name"]]


def owner_page() -> str:
    """Return the page that a file of this computer leads to: its script signs the owner in."""
    content = htpy.form(method="post", action="owner", id="owner")[
        htpy.input(type="hidden", name="token", id="token"),
        htpy.p[tr("Signing in at this computer …")],
        htpy.noscript[htpy.p[tr("Signing in needs scripts: allow them for this page.")]],
    ]
    return own_page(HEADING, "", content, (), _PUBLIC._replace(script="owner"))


def refusal(text: str) -> str:
    """Return a page with the reason of a refusal."""
    return own_page(HEADING, tr("Not here"), None, (text,), _PUBLIC)


@marking_names()
def look_page(asked: Mapping[str, str], shown: ShownLog | None, problem: str = "") -> str:
    """Return the page of a log that was sent: its check, and its standings at a moment."""
    content: list[Node] = [
        _file_form(
            "look", tr("Look at it"), tr("A log, or the zip file of Export (nothing is stored)")
        )
    ]
    if shown is not None:
        content += [
            htpy.h2[tr("The check of the whole log")],
            _checks(shown.check),
            _file_form(f"diff {asked['file']}", tr("Compare"), tr("Another copy of it")),
        ]
        if shown.difference:
            content += [
                htpy.h2[tr("The two copies")],
                htpy.pre(class_="terminal", tabindex="0")[rows_in_order(shown.difference)],
            ]
        content += [
            htpy.h2[tr("As of event {seq} of {last}", seq=shown.seq, last=shown.last)],
            _moment_form(asked, shown),
            htpy.pre(class_="terminal", tabindex="0")[rows_in_order(shown.replayed)],
        ]
    return own_page(HEADING, tr("Look at a log"), content, (problem,) if problem else (), OWNERS)


def rows_in_order(text: str) -> str:
    """Return a text of several lines, each visible, its names in the order of their script."""
    return "\n".join(map(_in_order, visible_lines(text).split("\n")))


_CELL = re.compile(r"\S+(?: \S+)*")
"""What is in a column of a line: spaces divide the columns."""

COLUMNS_MIN = 3
"""Columns of a line that is a row: a line with fewer is a sentence."""


def _in_order(line: str) -> str:
    """Return a row with marks around each cell that is read from the right.

    Without them the numbers beside a Hebrew or an Arabic name would change their places.
    """
    if len(_CELL.findall(line)) < COLUMNS_MIN:
        return line
    return _CELL.sub(
        lambda cell: isolated(cell[0]) if _is_from_the_right(cell[0]) else cell[0], line
    )


def _is_from_the_right(text: str) -> bool:
    return any(bidirectional(letter) in {"R", "AL"} for letter in text)


def _moment_form(asked: Mapping[str, str], shown: ShownLog) -> Node:
    at = htpy.output(id="moment-at")[str(shown.seq)]
    return htpy.form(method="get", action="events/look#moment", class_="act", id="moment")[
        htpy.input(type="hidden", name="file", value=asked["file"]),
        htpy.label(class_="field wide")[
            htpy.span[tr_nodes("Up to event number {number}", number=at)],
            htpy.span[moment_in_words(shown.seq, shown.round, shown.time)],
            htpy.input(type="range", name="at", min="1", max=str(shown.last), value=str(shown.seq)),
        ],
        button(tr("Show that moment")),
    ]
