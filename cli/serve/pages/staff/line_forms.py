"""Forms that make a line, as it would be typed: each act of a desk or a judge in one row.

A form's line has its fields in braces. An empty field leaves its word out, with its option; a
result is several words. So a page can ask for nothing that cannot be typed, and means the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from ledger.events.office import PenaltyKind

Kind = Literal["player", "table", "text", "long", "words", "number", "choice"]
"""`words`: several words, such as a result; `long`: a text of some lines."""


class LineField(NamedTuple):
    """What a form asks for; `choices` are values, and how each is called."""

    name: str
    label: str
    kind: Kind = "text"
    choices: tuple[tuple[str, str], ...] = ()
    is_needed: bool = True


class LineForm(NamedTuple):
    """An act: what its button says, the line that it makes, and what it asks for."""

    name: str
    title: str
    line: str
    fields: tuple[LineField, ...] = ()


_PLAYER = LineField("player", "Player", "player")
_TABLE = LineField("table", "Table, as 4 or 2/7", "table")
_WHY = LineField("reason", "Why")
_MINUTES = LineField("minutes", "Minutes", "number")
_CLAUSE = LineField("clause", "Clause", is_needed=False)
_RESULT = LineField("result", "Result, as for a report", "words")
_SAYS = LineField("text", "What was decided, and why", "long")
_ON_WORD_OF = LineField("player", "On whose word", "player")
_REQUEST = LineField("request", "Request", "number")
_HOW_THEY_LEFT = (
    ("--conceded", "leaves, an open match is conceded"),
    ("--no-show", "did not come"),
    ("--unable", "cannot play on"),
)
_RULED = (("--stands", "the result stays as reported"), ("", "as below, or none"))
_REVIEWED = (("--upheld", "the ruling stands"), ("--overturned", "it does not"))
_PENALTIES = tuple((each.replace(" ", "-"), each) for each in get_args(PenaltyKind))


def _decided(
    verb: str, title: str, key: str, kinds: tuple[tuple[str, str], ...], label: str, result: str
) -> LineForm:
    """Return the form of what was decided at a table: a text, which kind it is, and a result."""
    return LineForm(
        verb,
        title,
        f"{verb} {{table}} {{text}} {{{key}}} --result={{result}} --clause={{clause}}",
        (
            _TABLE,
            _SAYS,
            LineField(key, label, "choice", kinds),
            LineField("result", result, is_needed=False),
            _CLAUSE,
        ),
    )


ROUND_FORMS = (
    LineForm("round-start", "Start the round", "round start"),
    LineForm("pair", "Pair the next round", "pair"),
    LineForm("post-pairings", "Post the pairings", "post pairings"),
    LineForm("post-standings", "Post the standings", "post standings"),
    LineForm("time", "Call time", "round time"),
    LineForm("pause", "Stop the clock", "round pause --reason={reason}", (_WHY,)),
    LineForm("resume", "Let the clock go on", "round resume"),
    LineForm("unpair", "Take the pairing back", "unpair --reason={reason}", (_WHY,)),
    LineForm("cut", "Make the cut", "cut"),
    LineForm("cut-accept", "The next one accepts the place", "cut accept next"),
    LineForm("cut-decline", "The next one declines the place", "cut decline next"),
    LineForm("finish", "Finish the event", "finish"),
    LineForm("undo", "Undo your last act", "undo"),
)
DOOR_FORMS = (
    LineForm("check-in-open", "Open a check-in", "check-in open"),
    LineForm("check-in-close", "Close the check-in", "check-in close"),
    LineForm("check-in", "Somebody is here", "check-in {player}", (_PLAYER,)),
)
ANSWER_FORMS = (
    LineForm("call-answer", "I go there", "call answer {call}", (LineField("call", "Call"),)),
    LineForm("approve", "Register them", "requests approve {request}", (_REQUEST,)),
    LineForm("refuse", "Refuse", "requests refuse {request} --reason={reason}", (_REQUEST, _WHY)),
    LineForm("refuse-all", "Refuse all", "requests refuse --all --reason={reason}", (_WHY,)),
)
TABLE_FORMS = (
    LineForm(
        "correct",
        "Correct a result",
        "correct {table} {result} --reason={reason}",
        (_TABLE, _RESULT, _WHY),
    ),
    LineForm(
        "extend",
        "More time",
        "round extend {table} {minutes} --reason={reason}",
        (LineField("table", "Table, or all", "table"), _MINUTES, _WHY),
    ),
    LineForm("carry-out", "Enter what was ruled", "correct --ruling={table}", (_TABLE,)),
    LineForm("confirm", "Confirm a report", "confirm {table}", (_TABLE,)),
    LineForm(
        "call",
        "Call a judge",
        "call {table} {reason}",
        (_TABLE, LineField("reason", "Why", is_needed=False)),
    ),
    LineForm("note", "Put a note on record", "note {text}", (LineField("text", "Note", "long"),)),
)
PEOPLE_FORMS = (
    LineForm(
        "drop",
        "Drop a player",
        "drop {player} {how} --note={note}",
        (
            _PLAYER,
            LineField("how", "How", "choice", _HOW_THEY_LEFT),
            LineField("note", "Note", is_needed=False),
        ),
    ),
    LineForm("rejoin", "Let a player return", "rejoin {player}", (_PLAYER,)),
    LineForm("register", "Register", "register {name}", (LineField("name", "Name"),)),
    LineForm(
        "seat",
        "Seat who came late",
        "seat {player} {bye} --reason={reason}",
        (
            _PLAYER,
            LineField("bye", "Where", "choice", (("", "opposite the bye"), ("--bye", "as a bye"))),
            LineField("reason", "Why, for a bye", is_needed=False),
        ),
    ),
)
JUDGE_FORMS = (
    _decided("rule", "Rule", "stands", _RULED, "Of a dispute", "The result that it has"),
    LineForm(
        "appeal",
        "Appeal a ruling",
        "appeal {table} --for={player} --reason={reason}",
        (_TABLE, _ON_WORD_OF, _WHY),
    ),
    _decided(
        "review", "Review a ruling", "outcome", _REVIEWED, "Outcome", "Overturned: the result"
    ),
    LineForm(
        "penalty",
        "Give a penalty",
        "penalty {player} {kind} --for-what={reason} --clause={clause}",
        (_PLAYER, LineField("kind", "Kind", "choice", _PENALTIES), _WHY, _CLAUSE),
    ),
    LineForm(
        "dispute",
        "Dispute a result",
        "dispute {table} {result} --for={player} --reason={reason}",
        (
            _TABLE,
            LineField("result", "How it was, if known", "words", is_needed=False),
            _ON_WORD_OF,
            LineField("reason", "Why", is_needed=False),
        ),
    ),
)
LOOK_FORMS = (
    LineForm("explain-pairing", "Why did these two meet?", "explain pairing {table}", (_TABLE,)),
    LineForm("whatif", "What if it were otherwise?", "whatif {table} {result}", (_TABLE, _RESULT)),
)
_ALL = (
    *(*ROUND_FORMS, *DOOR_FORMS, *ANSWER_FORMS, *TABLE_FORMS),
    *(*PEOPLE_FORMS, *JUDGE_FORMS, *LOOK_FORMS),
)
LINE_FORMS: Mapping[str, LineForm] = MappingProxyType({each.name: each for each in _ALL})


def words_for(form: LineForm, fields: Mapping[str, str]) -> list[str]:
    """Return the line that a form makes of what was filled in: verb, options, then the words."""
    verb: list[str] = []
    options: list[str] = []
    rest: list[str] = []
    several = {each.name for each in form.fields if each.kind == "words"}
    for part in form.line.split():
        option, braces, name = part.rstrip("}").partition("{")
        value = fields.get(name, "").strip() if braces else ""
        if not braces:
            verb.append(part)
        elif not value:
            continue
        elif option or (value.startswith("--") and name in _choices(form)):
            options.append(option + value)
        else:
            rest += value.split() if name in several else [value]
    return [*verb, *options, *(["--", *rest] if rest else [])]


def _choices(form: LineForm) -> set[str]:
    return {each.name for each in form.fields if each.kind == "choice"}
