"""A form and what is posted with it; fields are read by name, and said if they are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias
from urllib.parse import parse_qsl

from cli.serve.refusals import Malformed
from cli.serve.visitors import Visitor  # noqa: TC001 - a NamedTuple's
from ledger.problems import problem
from ledger.rules.command import Command, Seen
from ledger.tournament.state import Tournament

FIELDS_MAX = 200
NUMBER_DIGITS = 9

Fields: TypeAlias = Mapping[str, str]


class ActForm(NamedTuple):
    """What `/do/NAME` carries out; `command_of` raises LedgerError where the fields make none."""

    name: str
    command_of: Callable[[Fields, Tournament, Visitor], Command]
    for_newcomers: bool = False
    """Whether it is for who came by the event's own link, and for nobody else."""


def fields_of(body: bytes) -> dict[str, str]:
    """Read what a form posts; of a name that comes twice the last counts; or Malformed."""
    try:
        text = body.decode("utf-8")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=FIELDS_MAX, errors="strict")
    except ValueError:
        raise Malformed("this form has too many fields, or no text in them") from None
    return {name: value.replace("\r\n", "\n") for name, value in pairs}


def number(fields: Fields, name: str, default: int | None = None) -> int:
    """Return a field that is a whole number, perhaps below 0; or Malformed."""
    text = fields.get(name, "").strip()
    if not text and default is not None:
        return default
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= NUMBER_DIGITS):
        raise Malformed(problem("form.number", "{field}: a whole number is missing", field=name))
    return int(text)


def seen(fields: Fields, *matches: int) -> Seen | None:
    """Return up to which event the form's page knew these matches."""
    return Seen(matches, number(fields, "seen")) if fields.get("seen") else None


def own_path(fields: Fields, name: str = "to") -> str:
    """Return the page that a form leads to, of this server alone; the first page otherwise."""
    path = fields.get(name, "")
    is_own = path.startswith("/") and not path.startswith("//") and "\\" not in path
    is_plain = path.isascii() and path.isprintable() and len(path) <= FIELDS_MAX
    return path if is_own and is_plain else "/"
