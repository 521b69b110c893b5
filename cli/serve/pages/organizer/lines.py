"""Lines from the pages of officials: the forms that make a line.

Each act of a desk or a judge is one row of forms. The line of a form has its fields in braces. An
empty field leaves out its word and its option; a result is several words. So a page can ask only
for acts that can be typed, with the same meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

import htpy
from markupsafe import Markup

from cli import outside
from cli.desk.session import Desk
from cli.input.find_people import name_of
from cli.input.structures import can_begin
from cli.languages.speaking import ENGLISH, language, marked, tr, tr_of
from cli.render.elements import told
from cli.serve.pages.organizer.offers import reason_against
from cli.serve.pages.showing import ANNOUNCEMENT, announcement_form
from cli.terminal.visible import visible, visible_lines
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Iterator

    from htpy import Node

    from cli.desk.session import PageVerbs
    from cli.serve.pages.showing import Screens
    from cli.serve.visitors import Visitor
    from ledger.formats import CardFile


def _nowhere(_: str) -> str:
    return ""


class Sight(NamedTuple):
    """`at` is the page's own path, `words` those of the path and of the question.

    `said` answers what was posted from the page; `line` is shown in its field again.
    """

    desk: Desk
    screens: Screens
    visitor: Visitor
    at: str
    words: Mapping[str, str]
    said: Node = None
    line: str = ""
    story: Sequence[int] | None = ()
    """The places of the events of the page's match; None if they cannot be looked up now."""

    is_asking: bool = False
    """Whether the answer waits for a confirmation."""

    answers: str = ""
    """The id of the posted line that this page answers."""

    cards: CardFile | None = None
    """The card file of the hall, for the findings of lists."""
    verbs: PageVerbs | None = None
    """The verbs that a page takes, for the page of all lines."""

    filled: Mapping[str, str] = MappingProxyType({})
    """The fields of the form that is refused on this page."""

    refusal: str = ""
    """Why that form is refused, for a form that says it itself."""

    pending: str = ""
    """The acts that were shown and not confirmed, as the forms of the page carry them on."""

    remedies: frozenset[str] = frozenset()
    """The acts that help, as the refusal names them."""

    base: Callable[[str], str] = _nowhere
    """Return the address of the hall for the phone of a holder such as `p7`, without its last /."""

    code: str = ""
    """The code of the hall's address, which a page takes that lost its desk; "" without one."""

    is_private: bool = False
    """Whether no other person can hear the connection of this page."""

    @property
    def tournament(self) -> Tournament:
        """The tournament as it is now."""
        return self.desk.book.tournament


FieldKind = Literal[
    "player",
    "table",
    "text",
    "long",
    "words",
    "several",
    "number",
    "choice",
    "tick",
    "figures",
]
"""`words`: several words, such as a result; `long`: a text of some lines.

`several`: values of an option that is repeated, with commas between them. `tick`: a box that adds
its only choice. `figures`: numbers of a game that ends; a game without any has no such field.
"""


class LineField(NamedTuple):
    """What a form asks for; `choices` are values, and how each is called."""

    name: str
    label: str
    kind: FieldKind = "text"
    choices: tuple[tuple[str, str], ...] = ()
    is_needed: bool = True
    after: str = ""
    """The act that a refusal names as its remedy: only such a refusal brings the field up."""

    is_on_record: bool = False
    """Whether the field begins with the recorded value, so that an empty field removes it."""


class LineForm(NamedTuple):
    """An act: what its button says, the line that it makes, and what it asks for."""

    name: str
    title: str
    """A text for `tr_of("button", ...)`, as are the labels of fields and of choices for `tr`."""

    line: str
    fields: tuple[LineField, ...] = ()


_PLAYER = LineField("player", marked("Player"), "player")
_TABLE = LineField("table", marked("Table (4 or 2/7)"), "table")
_WHY = LineField("reason", marked("Why"))
_MINUTES = LineField("minutes", marked("Minutes"), "number")
_CLAUSE = LineField("clause", marked("Clause"), is_needed=False)
_RESULT = LineField("result", marked("Result (as in a report)"), "words")
GAME = LineField("fact", marked("Of the game in play"), "figures", is_needed=False)
_SAYS = LineField("text", marked("Decision and reason"), "long")
_ON_WORD_OF = LineField("player", marked("For which player"), "player")
_REQUEST = LineField("request", marked("Request"), "number")
_HOW_THEY_LEFT = (
    ("--conceded", marked("leaves; an open match is conceded")),
    ("--no-show", marked("did not come")),
    ("--unable", marked("cannot continue")),
)
_RULED = (
    ("--stands", marked("the result stays as reported")),
    ("", marked("as given below, or no result")),
)
_REVIEWED = (("--upheld", marked("upheld")), ("--overturned", marked("overturned")))
PENALTY_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "warning": marked("warning"),
        "corrected play": marked("corrected play"),
        "discard": marked("discard"),
        "game forfeit": marked("game forfeit"),
        "match loss": marked("match loss"),
        "removal": marked("removal"),
        "declared win": marked("declared win"),
        "declared draw": marked("declared draw"),
        "other": marked("other"),
    }
)
_PENALTIES = tuple((kind.replace(" ", "-"), words) for kind, words in PENALTY_KINDS.items())


def namesake(after: str) -> LineField:
    """Return the tick of a form that was refused because another person has the name."""
    return LineField(
        "namesake",
        marked("Another person of the same name"),
        "tick",
        (("--namesake", ""),),
        is_needed=False,
        after=after,
    )


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
    LineForm("round-start", marked("Start the round"), "round start"),
    LineForm("pair", marked("Pair the next round"), "pair"),
    LineForm("post-pairings", marked("Post the pairings"), "post pairings"),
    LineForm("post-standings", marked("Post the standings"), "post standings"),
    LineForm("time", marked("Call time"), "round time"),
    LineForm("pause", marked("Stop the clock"), "round pause --reason={reason}", (_WHY,)),
    LineForm("resume", marked("Resume the clock"), "round resume"),
    LineForm("unpair", marked("Undo the pairing"), "unpair --reason={reason}", (_WHY,)),
    LineForm("cut", marked("Make the cut"), "cut"),
    LineForm("cut-accept", marked("Next player accepts the place"), "cut accept next"),
    LineForm("cut-decline", marked("Next player declines the place"), "cut decline next"),
    LineForm("finish", marked("Finish the tournament"), "finish"),
    LineForm("undo", marked("Undo your last act"), "undo"),
)
DOOR_FORMS = (
    LineForm("check-in-open", marked("Open a check-in"), "check-in open"),
    LineForm("check-in-close", marked("Close the check-in"), "check-in close"),
    LineForm("check-in", marked("Check in a player"), "check-in {player}", (_PLAYER,)),
)
ANSWER_FORMS = (
    LineForm(
        "call-answer",
        marked("I am going"),
        "call answer {call}",
        (LineField("call", marked("Call")),),
    ),
    LineForm(
        "approve",
        marked("Register them"),
        "requests approve {request} {namesake}",
        (_REQUEST, namesake("register.namesake")),
    ),
    LineForm(
        "refuse", marked("Refuse"), "requests refuse {request} --reason={reason}", (_REQUEST, _WHY)
    ),
    LineForm("approve-all", marked("Register all"), "requests approve --all"),
    LineForm(
        "refuse-all", marked("Refuse all"), "requests refuse --all --reason={reason}", (_WHY,)
    ),
)
TABLE_FORMS = (
    LineForm(
        "correct",
        marked("Correct a result"),
        "correct {table} {result} --reason={reason}",
        (_TABLE, _RESULT, _WHY),
    ),
    LineForm(
        "extend",
        marked("More time"),
        "round extend {table} {minutes} --reason={reason}",
        (LineField("table", marked("Table, or all"), "table"), _MINUTES, _WHY),
    ),
    LineForm(
        "carry-out", marked("Enter the result of the ruling"), "correct --ruling={table}", (_TABLE,)
    ),
    LineForm("confirm", marked("Confirm a report"), "confirm {table}", (_TABLE,)),
    LineForm(
        "call",
        marked("Call a judge"),
        "call {table} {reason}",
        (_TABLE, LineField("reason", marked("Why"), is_needed=False)),
    ),
    LineForm(
        "note", marked("Record a note"), "note {text}", (LineField("text", marked("Note"), "long"),)
    ),
)
PEOPLE_FORMS = (
    LineForm(
        "drop",
        marked("Drop a player"),
        "drop {player} {how} --reason={note} --fact={fact}",
        (
            _PLAYER,
            LineField("how", marked("How"), "choice", _HOW_THEY_LEFT),
            LineField("note", marked("Note"), is_needed=False),
            GAME,
        ),
    ),
    LineForm(
        "rejoin",
        marked("Let a player return"),
        "rejoin {player} --reason={reason}",
        (_PLAYER, LineField("reason", marked("Why, if in a later stage"), is_needed=False)),
    ),
    LineForm(
        "disqualify",
        marked("Disqualify"),
        "disqualify {player} --reason={reason} --clause={clause} --fact={fact}",
        (_PLAYER, _WHY, _CLAUSE, GAME),
    ),
    LineForm(
        "register",
        marked("Register"),
        "register {name} {namesake}",
        (LineField("name", marked("Name")), namesake("register.namesake")),
    ),
    LineForm(
        "seat",
        marked("Seat a latecomer"),
        "late {player} {bye} --reason={reason}",
        (
            _PLAYER,
            LineField(
                "bye",
                marked("Where"),
                "choice",
                (("", marked("against the player with the bye")), ("--bye", marked("gets a bye"))),
            ),
            LineField("reason", marked("Reason, for a bye"), is_needed=False),
        ),
    ),
)
JUDGE_FORMS = (
    _decided(
        "rule", marked("Rule"), "stands", _RULED, marked("In a dispute"), marked("New result")
    ),
    LineForm(
        "appeal",
        marked("Appeal a ruling"),
        "appeal {table} --for={player} --reason={reason}",
        (_TABLE, _ON_WORD_OF, _WHY),
    ),
    _decided(
        "review",
        marked("Review a ruling"),
        "outcome",
        _REVIEWED,
        marked("Outcome"),
        marked("Result, if overturned"),
    ),
    LineForm(
        "penalty",
        marked("Give a penalty"),
        "penalty {player} {kind} --for-what={reason} --clause={clause} --fact={fact}",
        (_PLAYER, LineField("kind", marked("Kind"), "choice", _PENALTIES), _WHY, _CLAUSE, GAME),
    ),
    LineForm(
        "recommend",
        marked("Recommend a disqualification"),
        "recommend {player} --reason={reason} --clause={clause}",
        (_PLAYER, _WHY, _CLAUSE),
    ),
    LineForm(
        "list-check",
        marked("Check a list"),
        "lists check {player} --fails={fails} --note={note}",
        (
            _PLAYER,
            LineField("fails", marked("Problem that was found, if any"), is_needed=False),
            LineField("note", marked("Remark"), is_needed=False),
        ),
    ),
    LineForm(
        "player-note",
        marked("Note on a player"),
        "note {player} {text}",
        (_PLAYER, LineField("text", marked("Note"), "long")),
    ),
    LineForm(
        "dispute",
        marked("Dispute a result"),
        "dispute {table} {result} --for={player} --reason={reason}",
        (
            _TABLE,
            LineField("result", marked("Correct result, if known"), "words", is_needed=False),
            _ON_WORD_OF,
            LineField("reason", marked("Why"), is_needed=False),
        ),
    ),
)
LOOK_FORMS = (
    LineForm(
        "explain-pairing", marked("Why did these two meet?"), "explain pairing {table}", (_TABLE,)
    ),
    LineForm(
        "whatif",
        marked("What if the result were different?"),
        "whatif {table} {result}",
        (_TABLE, _RESULT),
    ),
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
    several = {field.name for field in form.fields if field.kind == "words"}
    on_record = {field.name for field in form.fields if field.is_on_record and field.name in fields}
    repeated = {field.name for field in form.fields if field.kind == "several"}
    for part in form.line.split():
        option, braces, name = part.rstrip("}").partition("{")
        value = fields.get(name, "").strip() if braces else ""
        if not braces:
            verb.append(part)
        elif not value and not (option and name in on_record):
            continue
        elif option and name in repeated:
            options += [option + each.strip() for each in value.split(",") if each.strip()]
        elif option or (value.startswith("--") and name in _choices(form)):
            options.append(option + value)
        else:
            rest += value.split() if name in several else [value]
    return [*verb, *options, *(["--", *rest] if rest else [])]


def _choices(form: LineForm) -> set[str]:
    return {field.name for field in form.fields if field.kind in {"choice", "tick"}}


WORDS_MAX = 100
WORD_CHARACTERS_MAX = 5_000


NAMES_MAX = 600
"""Players whose names a field offers; of more, they are typed."""

DIGITS_MAX = 12
NOTHING: Mapping[str, str] = MappingProxyType({})
_TYPES = {"number": "number"}


def hidden(fields: Mapping[str, str]) -> Iterable[Node]:
    """Return what a form sends unseen."""
    return (htpy.input(type="hidden", name=name, value=value) for name, value in fields.items())


def carried(sight: Sight) -> dict[str, str]:
    """Return what each form carries: its own id, where it stands, what its page knew."""
    pending = {"left": sight.pending} if sight.pending else {}
    return {"id": outside.draw_id(), "at": sight.at, "seen": str(sight.tournament.seq), **pending}


def act_form(
    sight: Sight,
    form: LineForm,
    given: Mapping[str, str] = NOTHING,
    on_record: Mapping[str, str] = NOTHING,
    *,
    is_open: bool = False,
) -> Node:
    """Return an act's form, folded if it has fields; what is `given` is not asked for.

    Fields begin with what is `on_record`. None for an act that cannot be used now, except on the
    page of the form, where it `is_open`, and where the form has just been refused.
    """
    filled = refilled(sight, form, given)
    if not (is_open or filled) and not is_offered(sight, form, given):
        return None
    asked = list(asked_of(sight, form, given))
    values = filled or on_record
    node = htpy.form(method="post", action="line", class_="act")[
        hidden({"form": form.name, **carried(sight), **given}),
        (labelled_field(each, values) for each in asked),
        htpy.button(type="submit")[title_of(form)],
    ]
    if not asked or is_open:
        return node
    return htpy.details(class_="act", open=bool(filled))[htpy.summary[title_of(form)], node]


def title_of(form: LineForm) -> str:
    """Return what the button of a form says."""
    return tr_of("button", form.title)


def is_offered(sight: Sight, form: LineForm, given: Mapping[str, str] = NOTHING) -> bool:
    """Return whether the state of the day allows an act."""
    return not reason_against(sight.tournament, form.name, given)


def not_now(sight: Sight, forms: Iterable[LineForm]) -> Node:
    """Return the acts that cannot be used now, folded, each with its reason; None for none."""
    against = {
        title_of(form): reason
        for form in forms
        if (reason := reason_against(sight.tournament, form.name, NOTHING))
    }
    if not against:
        return None
    return htpy.details(class_="act")[
        htpy.summary[tr("Not now ({count})", count=len(against))],
        htpy.ul[
            (
                htpy.li[tr("{label}: {text}", label=title, text=reason)]
                for title, reason in against.items()
            )
        ],
    ]


def asked_of(
    sight: Sight, form: LineForm, given: Mapping[str, str] = NOTHING
) -> Iterator[LineField]:
    """Yield the fields that a form asks for now, in the words of the game."""
    filled = refilled(sight, form, given)
    for field in form.fields:
        is_refused = bool(filled) and field.after in sight.remedies
        if field.name in given or (field.after and not (is_refused or filled.get(field.name, ""))):
            continue
        if field.name == "structure":
            open_now = [
                choice for choice in field.choices if can_begin(sight.tournament, choice[0])
            ]
            yield field._replace(choices=(*open_now,))
        elif field.kind != "figures":
            yield field
        elif example := figures_of(sight.tournament):
            label = tr("{field}, such as {example}", field=tr(field.label), example=example)
            yield field._replace(label=label)


def figures_of(tournament: Tournament) -> str:
    """Return an example of the numbers that a game asks for when an act ends it; "" for none."""
    declared = tournament.ruleset.derives
    names = (name for ending in declared.endings for name in ending.asks) if declared else ()
    name = next(iter(names), "")
    if declared is None or not name:
        return ""
    most = declared.labels[name].max
    return f"{name}={most // 2}:{most // 3}"


def refilled(sight: Sight, form: LineForm, given: Mapping[str, str] = NOTHING) -> Mapping[str, str]:
    """Return what a refused form was filled in with, to be shown in it again; or nothing."""
    return refilled_by(sight, form.name, given)


def refilled_by(sight: Sight, name: str, given: Mapping[str, str] = NOTHING) -> Mapping[str, str]:
    """Return what the refused form of a name was filled in with, as `refilled`."""
    fields = sight.filled
    is_same = fields.get("form") == name
    return fields if is_same and all(fields.get(key) == given[key] for key in given) else NOTHING


def announcement(sight: Sight) -> Node:
    """Return the form of an announcement, with the text that was refused."""
    typed = refilled_by(sight, ANNOUNCEMENT).get("text")
    return announcement_form(sight.screens.notice(), sight.at, typed)


def one_tap(
    sight: Sight, form: LineForm, given: Mapping[str, str] = NOTHING, *, text: str = ""
) -> Node:
    """Return an act as one button that lands without a question; `undo_of` gives the way back."""
    return htpy.form(method="post", action="line", class_="tap")[
        hidden({"form": form.name, "confirmed": "1", **carried(sight), **given}),
        htpy.button(type="submit")[text or title_of(form)],
    ]


def act_forms(sight: Sight, forms: Iterable[LineForm]) -> Sequence[Node]:
    """Return the forms of several acts, one after the other, of those that can be used now."""
    return [node for form in forms if (node := act_form(sight, form)) is not None]


def labelled_field(field: LineField, filled: Mapping[str, str] = NOTHING) -> Node:
    """Return the field of a form under its label, filled in as the form was."""
    value = filled.get(field.name)
    if field.kind == "tick":
        ((choice, _),) = field.choices
        box = htpy.input(
            type="checkbox",
            name=field.name,
            value=choice,
            checked=value == choice,
            autofocus=True,
        )
        return htpy.label(class_="choice")[box, htpy.span[told(tr(field.label))]]
    shown = None if value is None else visible_lines(value)
    return htpy.label[htpy.span[told(tr(field.label))], _input(field, shown)]


def _input(field: LineField, filled: str | None) -> Node:
    needed = field.is_needed and field.kind != "choice"
    if field.kind == "choice":
        return htpy.select(name=field.name)[
            (
                htpy.option(value=value, selected=value == filled)[tr(words) if words else None]
                for value, words in field.choices
            )
        ]
    if field.kind == "long":
        return htpy.textarea(name=field.name, rows="2", required=needed)[filled]
    names = "players" if field.kind == "player" else None
    kind = _TYPES.get(field.kind, "text")
    return htpy.input(
        type=kind,
        name=field.name,
        list=names,
        autocomplete="off",
        required=needed,
        value=filled or None,
    )


class _Offered:
    """The names as they were offered last: every page that is made of one state has the same."""

    def __init__(self) -> None:
        self._of: tuple[dict[str, str], int, str] = ({}, 0, ENGLISH)
        self._made: Node = None

    def of(self, tournament: Tournament) -> Node:
        """Return the names of a state; never those of another state."""
        names, seq, spoken = self._of
        if names is not tournament.names or (seq, spoken) != (tournament.seq, language()):
            self._made = _names(tournament)
            self._of = tournament.names, tournament.seq, language()
        return self._made


_OFFERED = _Offered()


def names_offered(sight: Sight) -> Node:
    """Return the names that fields for players offer, each by the number that is surely theirs."""
    return _OFFERED.of(sight.tournament)


def _names(tournament: Tournament) -> Node:
    players = [each.number for each in tournament.registered()]
    if len(players) > NAMES_MAX:
        return None
    names = htpy.datalist(id="players")[
        (
            htpy.option(value=f"#{player}")[visible(name_of(tournament, player))]
            for player in players
        )
    ]
    return Markup(names)  # noqa: S704 - made by htpy
