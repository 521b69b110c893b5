"""Persons of the league's vault, decided by the owner of this computer in a browser.

Everything is done by verbs in processes of their own, as at a terminal: this server reads no vault
and keeps no name. The vault and the season are those of the folder in which the server was started.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cli.languages.speaking import tr
from cli.serve.door.owner import run_verb
from cli.serve.refusals import Malformed
from ledger.errors import NotFound
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.serve.forms import Fields

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
        raise NotFound(phrase("there is no league vault {file}", file=str(VAULT)))
    proposals = _records("match", "--json")
    acts = _records("acts", "--json")
    undone = {act["undoes"] for act in acts}
    acts = [act for act in acts if act["number"] not in undone]
    return ShownPersons(proposals[:PROPOSALS_SHOWN], len(proposals), acts[: -ACTS_SHOWN - 1 : -1])


def _records(*words: str) -> list[dict[str, Any]]:
    return msgspec.json.decode(run_verb([*PEOPLE, *words]), type=list[dict[str, Any]])


def decide_persons(fields: Fields) -> None:
    """Carry out a form of the page.

    Raises:
        Malformed: the form lacks a field, or it is not of this page.
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
