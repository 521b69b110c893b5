"""Forms for every verb that a page takes: those of the desk's pages, and the form of each verb.

The form of a verb has a field for each of its words and options, with the text of the verb's help.
So every act has a form as soon as it has a verb. `/desk/lines` shows them all.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args

from cli.input.options import REQUIRED, options_of, words_of
from cli.serve.pages.lines import LINE_FORMS, FieldKind, LineField, LineForm
from cli.verbs import VERBS
from cli.verbs.on_pages import PRINTED, is_on_pages
from cli.verbs.tree import command_of
from ledger.facts.base import PublicNames

PLAYER = LineField("player", "Player", "player")
REASON = LineField("reason", "Why")
MAY_SAY_WHY = LineField("reason", "Why", is_needed=False)

START_FORM = LineForm(
    "start",
    "Start the tournament",
    "start {structure} --rounds={rounds} --cut={cut} --word={word} --reason={reason}",
    (
        LineField(
            "structure",
            "Structure",
            "choice",
            (("basic", "basic"), ("advanced", "advanced"), ("custom", "custom: as given below")),
        ),
        LineField("rounds", "Swiss rounds, if custom", "number", is_needed=False),
        LineField("cut", "Players in the cut, if custom", "number", is_needed=False),
        LineField("word", "A word called out in the room", is_needed=False),
        LineField("reason", "Why fewer rounds, or a change", is_needed=False),
    ),
)
RESULT_FORM = LineForm(
    "result",
    "Report a result",
    "report {table} {result}",
    (
        LineField("table", "Table (4 or 2/7)", "table"),
        LineField("result", "Result", "words"),
    ),
)
SWAP_FORM = LineForm(
    "swap",
    "Swap two players",
    "swap {player} {other} --reason={reason}",
    (PLAYER, LineField("other", "With", "player"), REASON),
)
PLAYER_FORMS = (
    LineForm(
        "rename", "Correct the name", "rename {player} {name}", (PLAYER, LineField("name", "Name"))
    ),
    LineForm(
        "amend",
        "Correct faction or league ID",
        "amend {player} --faction={faction} --league-id={league} --attribute={attribute}",
        (
            PLAYER,
            LineField("faction", "Faction", is_needed=False),
            LineField("league", "League ID", is_needed=False),
            LineField("attribute", "Attribute, such as club=Altona", is_needed=False),
        ),
    ),
    LineForm(
        "unregister",
        "Withdraw the registration",
        "unregister {player} --reason={reason}",
        (PLAYER, REASON),
    ),
    LineForm(
        "disqualify",
        "Disqualify",
        "disqualify {player} --reason={reason} --clause={clause} --fact={fact}",
        (
            PLAYER,
            REASON,
            LineField("clause", "Clause", is_needed=False),
            LineField("fact", "Of the game in play, such as wounds=4:3", is_needed=False),
        ),
    ),
    LineForm("forget", "Erase the name permanently", "forget {player}", (PLAYER,)),
)
REGISTER_FORM = LineForm(
    "register-player",
    "Register",
    "register {name} --faction={faction} --league-id={league}",
    (
        LineField("name", "Name"),
        LineField("faction", "Faction", is_needed=False),
        LineField("league", "League ID", is_needed=False),
    ),
)
MORE_ROUND_FORMS = (
    LineForm("close", "Close the round", "round close"),
    LineForm(
        "left",
        "Announce the time left",
        "round time --left={left}",
        (LineField("left", "Minutes left", "number"),),
    ),
    LineForm(
        "start-minutes",
        "Start the round with another length",
        "round start {minutes}",
        (LineField("minutes", "Minutes", "number"),),
    ),
    LineForm("take-back-cut", "Undo the cut", "cut take-back --reason={reason}", (REASON,)),
    LineForm("forfeit", "Leave the place in the cut empty", "cut forfeit"),
    LineForm("repair-look", "Preview the repair", "repair-round"),
    LineForm(
        "repair",
        "Repair the round",
        "repair-round --do={stop} --reason={reason}",
        (LineField("stop", "Tables to stop", "number"), REASON),
    ),
)
OFFICE_FORMS = (
    LineForm(
        "names",
        "Choose",
        "names {shown}",
        (
            LineField(
                "shown",
                "Names on public pages",
                "choice",
                tuple(
                    (
                        value,
                        {"short": "short: Ann L.", "number": "number: no name"}.get(value, value),
                    )
                    for value in get_args(PublicNames)
                ),
            ),
        ),
    ),
    LineForm(
        "appoint",
        "Appoint an official",
        "official add {name} --role={role}",
        (
            LineField("name", "Name, or the number of an official"),
            LineField("role", "Roles: judge, marshal, co-organizer, scorekeeper", "several"),
        ),
    ),
    LineForm(
        "hand-over",
        "Hand over the tournament",
        "official hand-over {who} {now}",
        (
            LineField("who", "Official"),
            LineField(
                "now", "How long", "choice", (("--for-now", "until I resume"), ("", "permanently"))
            ),
        ),
    ),
    LineForm(
        "revoke",
        "Revoke a link",
        "links revoke {who} --reason={reason}",
        (LineField("who", "Of whom (#7, o2, s3 or e1)"), MAY_SAY_WHY),
    ),
    LineForm(
        "plain-http",
        "Choose",
        "links plain-http {choice} --reason={reason}",
        (
            LineField(
                "choice",
                "Officials over plain HTTP",
                "choice",
                (("refuse", "only read"), ("allow", "may act")),
            ),
            MAY_SAY_WHY,
        ),
    ),
)

DAY_FORMS = {
    form.name: form
    for form in (
        *(START_FORM, RESULT_FORM, SWAP_FORM, REGISTER_FORM),
        *(*PLAYER_FORMS, *MORE_ROUND_FORMS, *OFFICE_FORMS),
    )
}
"""Further forms of the desk's pages, by name."""

OF_A_VERB = "verb:"
"""Beginning of the name of a verb's form."""


def form_named(name: str) -> LineForm | None:
    """Return the form of a name; None if there is none."""
    if name.startswith(OF_A_VERB):
        path = name.removeprefix(OF_A_VERB)
        return form_of_verb(path) if path in page_verbs() else None
    return LINE_FORMS.get(name) or DAY_FORMS.get(name)


@cache
def page_verbs() -> tuple[str, ...]:
    """Return the verbs that a page takes, in the order of the help."""
    return tuple(filter(is_on_pages, VERBS))


@cache
def form_of_verb(path: str) -> LineForm:
    """Return the form of a verb: a field for each word and option that a page may give."""
    command, parts, fields = command_of(path), [path], list[LineField]()
    for param in words_of(command):
        fields.append(_word_field(param))
        parts.append(f"{{{param.name}}}")
    for param in options_of(command):
        spelled = max(param.opts, key=len)
        if spelled in PRINTED or spelled in {"--output", "--file", "--cards", "--help"}:
            continue
        fields.append(_option_field(param, spelled))
        parts.append(f"{{{param.name}}}" if param.is_flag else f"{spelled}={{{param.name}}}")
    return LineForm(
        f"{OF_A_VERB}{path}", VERBS[path].summary.rstrip("."), " ".join(parts), (*fields,)
    )


_CHOICE = re.compile(r"\[?([a-z-]+(?:\|[a-z-]+)+)\]?")
_ONE_TEXT = re.compile("PLAYER|NAME|TEXT|OFFICIAL|WORD$")
"""Words of a verb that it joins with spaces: one field, one word of the line."""


def _word_field(param: Any) -> LineField:  # noqa: ANN401 - typer's own type
    metavar = param.metavar or param.name.upper()
    label = f"{metavar.strip('[].')}: {param.help}" if param.help else metavar.strip("[].")
    needed = bool(param.required)
    if choice := _CHOICE.fullmatch(metavar):
        values = choice[1].split("|")
        none = () if needed else (("", "-"),)
        return LineField(
            param.name, label, "choice", (*none, *((value, value) for value in values))
        )
    if param.nargs == -1 and not _ONE_TEXT.search(metavar):
        return LineField(param.name, label, "words", is_needed=needed)
    kind: FieldKind = "player" if metavar.strip("[]") in {"PLAYER", "A", "B"} else "text"
    return LineField(param.name, label, kind, is_needed=needed)


def _option_field(param: Any, spelled: str) -> LineField:  # noqa: ANN401 - as above
    text = param.help or ""
    needed = text.startswith(REQUIRED)
    label = f"{spelled}: {text.removeprefix(REQUIRED)}"
    if param.is_flag:
        return LineField(param.name, label, "choice", (("", "no"), (spelled, "yes")))
    kind: FieldKind = "several" if param.multiple else "text"
    return LineField(param.name, label, kind, is_needed=needed)
