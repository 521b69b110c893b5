"""The owner's page of persons: proposals to decide, decisions to undo, merging and splitting.

Verbs do all of it, each in a process, as at a terminal: this server reads no vault and keeps no
name. The vault and the season are those of the folder in which the server was started.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy
import msgspec

from cli.languages.speaking import tr, tr_many
from cli.serve.door.owner import run_verb
from cli.serve.forms import button, choice, folded, text_field
from cli.serve.pages.entry import HEADING, OWNERS
from cli.serve.pages.frame import own_page
from cli.serve.refusals import Malformed
from cli.terminal.visible import isolated, marking_names, short_id, visible
from ledger.errors import NotFound
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htpy import Node

    from cli.serve.forms import Fields

ENTRIES_SHOWN = 8
NAMES_SHOWN = 4
PERSONS = "events/persons"
VAULT = Path("league.db")
PROPOSALS_SHOWN = 12
ACTS_SHOWN = 15
WORD_MAX = 200
PEOPLE = ("season", "people")
DO = "do "
"""Beginning of the name of a field that decides a proposal; its key follows."""


class ShownPersons(NamedTuple):
    """Proposals and acts for the page, as `--json` gives them; only the first and the latest."""

    proposals: list[dict[str, Any]]
    waiting: int
    acts: list[dict[str, Any]]


def has_vault() -> bool:
    """Return whether the folder of this server has a league's vault."""
    return VAULT.exists()


def shown_persons() -> ShownPersons:
    """Return what the page shows.

    Raises:
        NotFound: the folder has no vault.
        Refused: the vault cannot be read.
    """
    if not has_vault():
        raise NotFound(phrase("the league vault {file} is missing", file=str(VAULT)))
    proposals = _records("match", "--json")
    acts = _records("acts", "--json")
    undone = {act["undoes"] for act in acts}
    acts = [act for act in acts if act["number"] not in undone]
    return ShownPersons(proposals[:PROPOSALS_SHOWN], len(proposals), acts[: -ACTS_SHOWN - 1 : -1])


def _records(*words: str) -> list[dict[str, Any]]:
    return msgspec.json.decode(run_verb([*PEOPLE, *words]), type=list[dict[str, Any]])


def decide_persons(fields: Fields) -> None:
    """Run the verb of a posted form.

    Raises:
        Malformed: a field is missing, or the form belongs to another page.
        Refused: the verb refused.
    """
    before, words = _line_of(fields)
    reason = _word(fields, "reason", tr("decided on the page of persons"))
    run_verb([*before, *PEOPLE, *words, f"--by={_word(fields, 'by')}", f"--reason={reason}"])


def _line_of(fields: Fields) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words before the verb and those of the verb."""
    job = fields.get("job")
    if job == "decide":
        chosen = [
            f"--{answer}={name.removeprefix(DO)}"
            for name, answer in fields.items()
            if name.startswith(DO) and answer in {"accept", "apart"}
        ]
        if not chosen:
            raise Malformed(phrase("nothing is decided: choose an answer for a proposal"))
        return (), ("match", *chosen)
    if job == "undo":
        return (), ("undo", _word(fields, "act"))
    if job == "merge":
        return (), ("merge", _word(fields, "person"), _word(fields, "into"))
    if job == "split":
        tournament = _word(fields, "tournament", " ").strip()
        return ("-t", tournament) if tournament else (), ("split", _word(fields, "person"))
    raise Malformed(phrase("this form does not come from this page: open the page again"))


def _word(fields: Fields, name: str, missing: str = "") -> str:
    """Return a field as a word of a line.

    Raises:
        Malformed: it is empty, too long or begins like an option.
    """
    word = fields.get(name, "").strip() or missing
    if not word or len(word) > WORD_MAX or word.startswith("-") or not word.isprintable():
        raise Malformed(
            phrase("{field} must be one line of text that does not begin with -", field=name)
        )
    return word


@marking_names()
def persons_page(shown: ShownPersons | None, problems: Sequence[str] = (), by: str = "") -> str:
    """Return the page; without a vault it has only the problem."""
    content: list[Node] = []
    if shown is not None:
        content = [
            htpy.p[
                tr(
                    "Names are read from the vault of this folder, and only this computer shows "
                    "them. Of a hundred proposals with a confidence of 90 %, ninety are right."
                )
            ],
            _proposals(shown, by),
            folded(tr("Merge two persons, or split"), _by_hand(by), key="hand"),
            _acts(shown.acts, by),
        ]
    return own_page(HEADING, tr("Persons"), content, problems, OWNERS)


def _form(job: str, by: str, *content: Node) -> Node:
    return htpy.form(method="post", action=PERSONS, class_="act")[
        htpy.input(type="hidden", name="job", value=job),
        content,
        text_field(tr("Who decides"), "by", by, longest=WORD_MAX),
        text_field(tr("Why"), "reason", longest=WORD_MAX),
        button(tr("Put on record"), kind="main"),
    ]


def _proposals(persons: ShownPersons, by: str) -> Node:
    if not persons.proposals:
        return htpy.p[tr("No proposals are waiting.")]
    count = tr_many("{count} proposal is waiting", "{count} proposals are waiting", persons.waiting)
    return [
        htpy.h2[count],
        _form("decide", by, [_proposal(proposal) for proposal in persons.proposals]),
    ]


def _proposal(proposal: dict[str, Any]) -> Node:
    names = " / ".join(isolated(visible(name)) for name in proposal["names"][:NAMES_SHOWN])
    share = f"{min(99.99, 100 * proposal['confidence']):.2f} %"
    answers = (
        ("", tr("Later")),
        ("accept", tr("One person")),
        ("apart", tr("Not the same")),
    )
    entries = proposal["entries"]
    more = len(entries) - ENTRIES_SHOWN
    return htpy.fieldset[
        htpy.legend[names, f" · {share}"],
        htpy.ul[(htpy.li[visible(reason)] for reason in proposal["evidence"])],
        folded(
            tr_many("{count} entry", "{count} entries", len(entries)),
            htpy.ul[(htpy.li[_entry(entry)] for entry in entries[:ENTRIES_SHOWN])],
            htpy.p[tr("and {more} more", more=more)] if more > 0 else None,
            key=f"of-{proposal['key']}",
        ),
        choice(tr("Answer"), f"{DO}{proposal['key']}", answers),
    ]


def _entry(entry: dict[str, Any]) -> Node:
    words = [entry["day"] or "", entry["game"], entry["region"]]
    place = " · ".join(visible(word) for word in words if word)
    return [
        isolated(visible(entry["name"])),
        f" · {place} · ",
        htpy.code[_shown_id(entry["person"])],
    ]


def _shown_id(person: str) -> str:
    """Return a pseudonym or guest as it may be typed, the tournament cut short."""
    id_, slash, player = person.partition("/")
    return visible(f"{short_id(id_)}{slash}{player}")


def _by_hand(by: str) -> Node:
    longest = WORD_MAX
    return [
        _form(
            "merge",
            by,
            text_field(tr("This person"), "person", longest=longest),
            text_field(tr("is the same as"), "into", longest=longest),
        ),
        _form(
            "split",
            by,
            text_field(tr("Split off this person"), "person", longest=longest),
            text_field(tr("Only in this tournament"), "tournament", longest=longest),
        ),
    ]


def _acts(acts: Sequence[dict[str, Any]], by: str) -> Node:
    if not acts:
        return None
    return [
        htpy.h2[tr("The latest decisions")],
        htpy.ul(class_="rows")[(htpy.li[_act(act, by)] for act in acts)],
    ]


def _act(act: dict[str, Any], by: str) -> Node:
    about = [_shown_id(act[side]) for side in ("league_id", "person") if act[side]]
    number = f"#{act['number']} {act['kind']}"
    words = [number, *about, act["made_at"][:10], isolated(visible(act["made_by"]))]
    text = " · ".join([*words, isolated(visible(act["reason"]))])
    if act["kind"] == "forget":
        return text
    return [
        text,
        htpy.form(method="post", action=PERSONS, class_="act")[
            htpy.input(type="hidden", name="job", value="undo"),
            htpy.input(type="hidden", name="act", value=str(act["number"])),
            htpy.input(type="hidden", name="by", value=by or act["made_by"]),
            button(tr("Undo {number}", number=f"#{act['number']}"), kind="quiet"),
        ],
    ]
