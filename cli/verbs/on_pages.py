"""Lines that a page of the hall takes, and the place of every verb that it does not take.

A page takes each verb that an official needs on a day. A verb stays out if it needs a file of the
server, a key with a passphrase, a terminal, or another store. `ELSEWHERE` gives the reason, and
the page that does the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from cli.languages.speaking import marked, tr
from cli.verbs import RENAMED, VERBS, path_of

_FILE = marked("it reads or writes a file on the server's computer")
_KEY = marked("it needs a private key on the computer of its owner")
_STORE = marked("it works on another tournament or store")
_TERMINAL = marked("it needs a terminal until Ctrl-C")
_SEASON = marked("it works on a season, not on this tournament")

_OUT_OF_REACH = {
    "key": _KEY,
    "sign": _KEY,
    "witness": _KEY,
    "checkpoint": _KEY,
    "receipt": _KEY,
    "diff": _FILE,
    "verify": _FILE,
    "backup": _FILE,
    "restore": _FILE,
    "merge": _FILE,
    "export": _FILE,
    "import": _FILE,
    "publish": _FILE,
    "replay": _FILE,
    "reproduce": _FILE,
    "ruleset": _FILE,
    "format": _FILE,
    "new": _STORE,
    "tournaments": _STORE,
    "use": _STORE,
    "demo": _STORE,
    "rehearse": _STORE,
    "serve": _TERMINAL,
    "follow": _TERMINAL,
    "take-over": _KEY,
    "season": _SEASON,
    "stats": _SEASON,
    "rating": _SEASON,
    "query": _SEASON,
}

_REFUSED_BY_THE_GATE = {
    "links": marked("it shows the browsers of links, which pages list in one place"),
    "links print": _KEY,
    "links new": _KEY,
    "evidence": _KEY,
    "round watch": _TERMINAL,
    "start cosigned": _FILE,
    "lists submit": _FILE,
}
"""Reason by verb, for verbs whose other acts work on a page."""

_PLACES = {
    "key": marked("/desk/settings lists the keys and what waits for them"),
    "sign": marked("/desk/settings lists what waits for a signature"),
    "links": marked("/desk/settings lists the links"),
    "links print": marked("/desk/players and /desk/settings show links; /desk/print prints badges"),
    "links new": marked("/desk/players and /desk/settings issue new links"),
    "diff": marked("/desk/log shows any moment of the day"),
    "lists submit": marked("a player hands a list in at /me/list"),
    "evidence": marked("/judge has the history of each match"),
    "start cosigned": marked("the terminal of the server takes the witness's answer"),
    "lists check": marked("/desk/players shows the status of each list"),
    "lists correct": marked("a leader corrects a list at a terminal"),
    "register": marked("/desk/players registers one player after another"),
    "round watch": marked("/clock shows the clock"),
    "ruleset": marked("/clause shows the clauses"),
    **dict.fromkeys(
        ("export", "publish", "backup", "verify", "restore", "new", "tournaments", "use"),
        marked("the page /events does it on the computer that serves"),
    ),
    "replay": marked("the page /events/look does it on the computer that serves"),
}
"""The page that does the same as a verb which is not typed there."""

ELSEWHERE: Mapping[str, str] = MappingProxyType(_OUT_OF_REACH)
"""Reason by verb: all acts of the verb stay out, too."""

ONLY_AT_A_TERMINAL: Mapping[str, str] = MappingProxyType(_OUT_OF_REACH | _REFUSED_BY_THE_GATE)
"""Reason by verb, with the single acts that stay out."""

PRINTED: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(("--print", "--slips"), marked("/desk/print has the pages to print"))
    | {"--csv": marked("the pages have the same tables"), "--json": marked("/api/v1 gives JSON")}
    | dict.fromkeys(("--help", "-h"), marked("/desk/lines describes each line"))
    | {"--sweep": marked("it takes long")}
)
"""Options that a page does not take, each with the page to use instead."""

FIRST_WORDS = frozenset(
    old_or_new
    for path in VERBS
    if (first := path.partition(" ")[0]) not in ELSEWHERE
    for old_or_new in (first, *(old for old, new in RENAMED.items() if new == first))
) - {"report", "undo"}
"""First words of the lines that a page gives to their verb."""


def place_of(words: Sequence[str]) -> str:
    """Return the page that does what a line asks for, as a sentence without its capital; or ""."""
    place = _place_of(words)
    return tr(place) if place else ""


def _place_of(words: Sequence[str]) -> str:
    """Return the same in English, or ""."""
    return next((_PLACES[name] for name in _upwards(path_of(words)) if name in _PLACES), "")


def page_instead(words: Sequence[str]) -> str | None:
    """Return the path of the page for a line that a page refuses for its verb or its file.

    "" where no page of the desk does the same; None for a line that a page takes.
    """
    is_taken = not out_of_reach(words) and path_of(words) not in _REFUSED_BY_THE_GATE
    if is_taken and "--file" not in words:
        return None
    parts = _place_of(words).split()
    return next((part for part in parts if part.startswith(("/desk", "/events"))), "")


def out_of_reach(words: Sequence[str]) -> str:
    """Return why a page does not take a line, and where its act is done; empty if it takes it."""
    path = path_of(words)
    if options := sorted(PRINTED.keys() & {word.partition("=")[0] for word in words}):
        places = "; ".join(dict.fromkeys(tr(PRINTED[name]) for name in options))
        return tr(
            "{options} can be used only at a terminal: {places}",
            options=", ".join(options),
            places=places,
        )
    reason = next((ELSEWHERE[name] for name in _upwards(path) if name in ELSEWHERE), "")
    if path == "links":
        reason = _REFUSED_BY_THE_GATE[path]
    if not reason:
        return ""
    place = place_of(words)
    text = tr("{command} can be used only at a terminal: {reason}", command=path, reason=tr(reason))
    return f"{text}; {place}" if place else text


def is_on_pages(path: str) -> bool:
    """Return whether a page takes a verb."""
    first = path.partition(" ")[0]
    is_taken = first in FIRST_WORDS or path in {"undo", "report"}
    return is_taken and path not in _REFUSED_BY_THE_GATE


@cache
def page_verbs() -> tuple[str, ...]:
    """Return the verbs that a page takes, in the order of the help."""
    return tuple(filter(is_on_pages, VERBS))


def summary_of(path: str) -> str:
    """Return what a verb does, in one sentence."""
    return tr(VERBS[path].summary)


def printed() -> Mapping[str, str]:
    """Return the options that a page does not take."""
    return PRINTED


def only_at_a_terminal() -> Mapping[str, str]:
    """Return the verbs that no page takes, each with its reason."""
    return {path: tr(reason) for path, reason in ONLY_AT_A_TERMINAL.items()}


def why_elsewhere(path: str) -> str:
    """Return why a page does not take a verb; empty if it takes it."""
    if is_on_pages(path):
        return ""
    return next(ONLY_AT_A_TERMINAL[each] for each in _upwards(path) if each in ONLY_AT_A_TERMINAL)


def _upwards(path: str) -> list[str]:
    """Return a verb and the verbs that it is an act of, the longest first."""
    words = path.split()
    return [" ".join(words[:count]) for count in range(len(words), 0, -1)]
