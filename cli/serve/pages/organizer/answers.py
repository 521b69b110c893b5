"""Answers of officials' pages: what a line would do, what it did, and the way back.

A result at an open table lands at once, as in the loop of `report`, and `undo` takes it back. The
effect of any other line is shown first; the form below it carries out the act.

A command in a text is a link that is named as its form: to the form where some of its words are
still to be given, else to the field for lines, which then contains the command.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise, takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlencode

import htpy
import msgspec
from msgspec import structs

from cli import outside
from cli.desk.consequences import Behind, Forecast, consequences, forecast
from cli.desk.session import ReadingDesk
from cli.desk.undoing import is_undoable
from cli.input.arguments import UsageError
from cli.input.find_people import labelled, labels
from cli.languages.speaking import marked, tr, tr_of
from cli.render.elements import command_node, told, told_plainly, tr_nodes
from cli.serve.pages.clauses import linked
from cli.serve.pages.frame import from_base
from cli.serve.pages.organizer.day_forms import DAY_FORMS, form_named
from cli.serve.pages.organizer.lines import (
    DIGITS_MAX,
    LINE_FORMS,
    NOTHING,
    act_form,
    carried,
    hidden,
    one_tap,
    title_of,
)
from cli.serve.refusals import in_words
from cli.terminal.problems import COMMANDS, line_of, sentence_of
from cli.terminal.visible import isolated, marking_names, unmarked, visible, visible_lines
from cli.wording.event_words import acts_in_words
from cli.wording.phrases import result_in_words, waived
from ledger.errors import LedgerError, Refused
from ledger.facts.opening import TournamentFinished
from ledger.rules.results import Report, result_from
from projections.standings.bracket import winner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from htpy import Node

    from cli.desk.session import Desk, LineReader, PageVerbs, ReadLine
    from cli.serve.pages.organizer.lines import LineForm, Sight
    from cli.serve.visitors import Visitor
    from ledger.problems import Problem
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament


class SentLine(NamedTuple):
    """A line that a page sent: its words, and the last event that the page showed."""

    words: list[str]
    seen: int
    command_id: str
    is_confirmed: bool


class LineAnswer(NamedTuple):
    """The answer to a line: an act to carry out now, an act to confirm, or a text to show."""

    read: ReadLine
    is_due: bool
    ahead: Forecast | None = None


@marking_names()
def found_for(
    desk: Desk, visitor: Visitor, asked: SentLine, reader: LineReader, *, is_ahead: bool = True
) -> LineAnswer | None:
    """Return the answer to the words of a page, or None without words.

    With `is_ahead` the answer forecasts the effect of an act that must be confirmed.

    Raises:
        LedgerError: the words are refused; the error states the reason.
    """
    if not asked.words:
        return None
    command_id = visitor.command_id(asked.command_id)
    at = ReadingDesk.beside(desk, visitor.official, asked.seen, command_id)
    try:
        read = _without_marks(reader.read(at, asked.words))
    except UsageError as error:
        raise Refused(str(error)) from None
    if read.command is None or not is_ahead:
        return LineAnswer(read, is_due=False)
    has_landed = command_id in desk.book.tournament.ids
    if has_landed or asked.is_confirmed or _is_plain_report(desk, read.command):
        return LineAnswer(read, is_due=True)
    at.enter_as(read.by)
    return LineAnswer(read, is_due=False, ahead=forecast(at, read.command))


def _without_marks(read: ReadLine) -> ReadLine:
    """Return a line whose act has no marks around names: only a page has those marks."""
    if read.command is None:
        return read
    texts = {
        name: unmarked(value)
        for name, value in structs.asdict(read.command).items()
        if isinstance(value, str)
    }
    return read._replace(command=structs.replace(read.command, **texts))


def line_found(
    desk: Desk, visitor: Visitor, asked: SentLine, reader: LineReader
) -> LineAnswer | None:
    """Return the answer to a line at the reader's desk; see `found_for`."""
    return found_for(desk, visitor, asked, reader)


@marking_names()
def line_reading(desk: Desk, visitor: Visitor, asked: SentLine, reader: LineReader) -> str:
    """Return the reading of a line, or the reason that it is refused, as one line of text."""
    try:
        answer = found_for(desk, visitor, asked, reader, is_ahead=False)
    except LedgerError as error:
        return in_words(error, desk.book.tournament.names)
    return reading_of(desk, answer.read) if answer else ""


def _is_plain_report(desk: Desk, command: Command) -> bool:
    """Return whether a command is the first result of a table, the most frequent act."""
    match = desk.book.tournament.matches[command.match] if isinstance(command, Report) else None
    return match is not None and match.is_open


def reading_of(desk: Desk, read: ReadLine) -> str:
    """Return the reading of words in one line, with the named players, while an official types."""
    tournament, command = desk.book.tournament, read.command
    if command is None:
        return tr("press Enter to see it")
    if isinstance(command, Report):
        match = tournament.matches[command.match]
        result = result_from(tournament, match, command.result)
        return tr(
            "{label}: {text}",
            label=f"{match.round}/{match.table}",
            text=result_in_words(tournament, match, result),
        )
    named = [*_tables_in(tournament, command), *_players_in(tournament, command)]
    return "; ".join([*filter(None, [", ".join(named)]), tr("press Enter to see what it would do")])


def _tables_in(tournament: Tournament, command: Command) -> Iterator[str]:
    number = getattr(command, "match", 0)
    if number:
        match = tournament.matches[number]
        seated = labels(tournament, match.players, tr(" and "))
        yield f"{match.round}/{match.table} ({seated})"


def _players_in(tournament: Tournament, command: Command) -> Iterator[str]:
    players = getattr(command, "players", ()) or (getattr(command, "player", 0),)
    return (labelled(tournament, player) for player in players if player)


_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_BLANKS = frozenset(
    _CAPITALS.findall(re.sub(r"{(\w+)}", lambda name: name[1].upper(), " ".join(COMMANDS.values())))
)
"""Words in capitals, such as NAME, that a command has in the place of an unknown value."""

_GIVEN = frozenset({"table", "player"})
"""Fields that the address of a form can fill in."""


def with_commands(text: str, verbs: PageVerbs | None = None) -> list[Node]:
    """Return a text in which each command is a link; see `command_link`."""
    return told(visible(text), partial(command_link, verbs=verbs), linked)


def command_link(shown: str, verbs: PageVerbs | None = None) -> Node:
    """Return a command as a link to the place where an official carries it out.

    With the `verbs` of a page the link is named as that place: the title of a form, or the page
    that does the same as a command which only a terminal takes.
    """
    line = unmarked(shown).removeprefix("tourney ")
    words = line.split()
    if verbs is None:
        return htpy.a(href=f"desk?line={quote(line)}", class_="command")[shown]
    page = verbs.page_instead(words)
    path = _verb_of(words, verbs.paths())
    if page == "" or (page is None and not path):
        return command_node(shown)
    if page:
        return _quoted(from_base(page), tr(PAGE_TITLES.get(page, shown)))
    form = _form_for(words, path, verbs.paths())
    title = title_of(form) if form else _title_of_verb(words, path, verbs)
    if _BLANKS.isdisjoint(_CAPITALS.findall(line)):
        return _quoted(f"desk?line={quote(line)}", title)
    if form is None:
        return _quoted(f"desk/lines?{urlencode({'verb': path})}", title)
    return _quoted(
        f"desk/lines?{urlencode({'form': form.name, **_given(form, words, path)})}", title
    )


def _quoted(href: str, title: str) -> Node:
    return tr_nodes("“{title}”", title=htpy.a(href=href)[title])


PAGE_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "/desk/log": marked("Log"),
        "/desk/players": marked("Players"),
        "/desk/print": marked("Print"),
        "/desk/settings": marked("Settings"),
        "/events": marked("Tournaments"),
        "/events/look": marked("Look at a log"),
    }
)
"""Titles of the pages that do the same as a command of the terminal."""


def _verb_of(words: Sequence[str], paths: Sequence[str]) -> str:
    """Return the verb that a line begins with; empty for an option and for other words."""
    begun = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((path for path in begun if path in paths), "")


def _form_for(words: Sequence[str], path: str, paths: Sequence[str]) -> LineForm | None:
    """Return the desk's form of a line: one that has its options, and best its number of words."""
    arguments = words[len(path.split()) :]
    options = {word.partition("=")[0] for word in arguments if word.startswith("--")}
    placed = sum(
        not (word.startswith("--") or (before.startswith("--") and "=" not in before))
        for before, word in pairwise(["", *arguments])
    )
    fitting = [
        form
        for form in (*DAY_FORMS.values(), *LINE_FORMS.values())
        if _verb_of(form.line.split(), paths) == path
        and options <= _options_of(form)
        and (form.fields or form.line != path or not arguments)  # `undo 7` is not the last act
    ]
    return min(fitting, key=lambda form: _distance(form, path, options, placed), default=None)


def _distance(form: LineForm, path: str, options: set[str], placed: int) -> tuple[int, int]:
    """Return the distance of a form from a line: in arguments, then in options."""
    words = form.line.split()[len(path.split()) :]
    alone = sum(not word.startswith("--") for word in words)
    return abs(alone - placed), len(_options_of(form) - options)


def _title_of_verb(words: Sequence[str], path: str, verbs: PageVerbs) -> str:
    """Return what a verb does, with the fields of its form that a line fills in by an option."""
    title = told_plainly(verbs.summary_of(path).rstrip(".。"))
    options = dict.fromkeys(word.partition("=")[0] for word in words if word.startswith("--"))
    return f"{title} ({', '.join(options)})" if options else title


def _given(form: LineForm, words: Sequence[str], path: str) -> Mapping[str, str]:
    """Return the fields of a form that the address of its link fills in."""
    arguments = words[len(path.split()) :]
    given = {
        field.name: arguments[0] for field in form.fields[:1] if field.name in _GIVEN and arguments
    }
    return {name: value for name, value in given.items() if value not in _BLANKS}


def _options_of(form: LineForm) -> set[str]:
    """Return the options that a form can give: of its line, and those that its fields choose."""
    choices = (value for field in form.fields for value, _ in field.choices)
    words = (*form.line.split(), *choices)
    return {word.partition("=")[0] for word in words if word.startswith("--")}


def refusal_in_words(error: LedgerError, names: Mapping[str, str], form: LineForm | None) -> str:
    """Say why a form is refused; it is a tick of the form that helps, and not a command."""
    ticks = {field.after: tr(field.label) for field in form.fields if field.after} if form else {}

    def line(problem: Problem) -> str:
        tick = next((ticks[remedy.act] for remedy in problem.remedies if remedy.act in ticks), "")
        if not tick:
            return line_of(problem, names)
        return tr(
            "{sentence}; to confirm it, tick “{tick}” and send it again",
            sentence=sentence_of(problem, names),
            tick=tick,
        )

    return "; ".join(map(line, error.problems))


def undo_form(sight: Sight) -> Node:
    """Return the form that undoes the official's last act; None if that cannot be undone."""
    return act_form(sight, LINE_FORMS["undo"]) if may_undo(sight) else None


def may_undo(sight: Sight) -> bool:
    """Return whether the last act of the page's official can be undone."""
    return is_undoable(sight.desk.book, sight.visitor.by, outside.now())


def with_undo(sight: Sight) -> Node:
    """Return the answer to a posted form, with the button that undoes an act that has landed."""
    is_done = sight.said is not None and "done" in sight.words
    return [sight.said, undo_form(sight) if is_done else None]


def undo_of(sight: Sight) -> Node:
    """Return the button that undoes the act which led to the page; None if another act followed."""
    seq = _done_at(sight)
    book, by = sight.desk.book, sight.visitor.by
    if not 0 < seq <= len(book.lines):
        return None
    done_by = book.recorded_at(seq)
    last = book.tournament.last_act(by)
    if not last or last[0].command_id != done_by.command_id or not may_undo(sight):
        return None
    return one_tap(sight, LINE_FORMS["undo"], text=tr("Undo this"))


def said(
    sight: Sight, asked: SentLine, found: LineAnswer, fields: Mapping[str, str] = NOTHING
) -> Node:
    """Return what a line would do, with the form that does it; or what it shows.

    The form carries the `fields` that were filled in, to be shown again if the act is refused.
    """
    read, ahead = found.read, found.ahead
    warned = [htpy.p[with_commands(sentence, sight.verbs)] for sentence in read.said]
    if ahead is None:
        output = htpy.pre(tabindex="0")[visible_lines(read.shown)] if read.shown.strip() else None
        return htpy.section(class_="said", aria_label=tr("Answer"))[warned, output]
    if not ahead.acts:
        text = tr("This is already on record; nothing would be written.")
        return htpy.section(class_="said", aria_label=tr("Answer"))[warned, htpy.p[text]]
    words = msgspec.json.encode(asked.words).decode()
    typed = {name: visible(fields[name]) for name in fields.keys() - _OF_EVERY_FORM}
    return htpy.section(class_="said ahead", aria_label=tr("Effect of this line"))[
        htpy.h2[tr("This would be recorded")],
        warned,
        htpy.ul[(htpy.li[visible(act)] for act in ahead.acts)],
        (htpy.p[with_commands(sentence, sight.verbs)] for sentence in ahead.besides),
        htpy.p(class_="about")[with_commands(ahead.next, sight.verbs)],
        htpy.form(method="post", action="line")[
            hidden({"words": words, "confirmed": "1", **carried(sight), "id": asked.command_id}),
            hidden({name: typed[name] for name in sorted(typed) if typed[name]}),
            htpy.button(type="submit", class_="do", autofocus=True)[tr("Do it")],
            " ",
            htpy.a(href=from_base(sight.at))[tr("Cancel")],
        ],
    ]


_OF_EVERY_FORM = frozenset({"id", "at", "seen", "words", "confirmed", "left"})
"""Fields of a form that the page fills in."""


LEFT_MAX, LEFT_CHARACTERS_MAX = 6, 1_500
"""Maximum number and length of the unconfirmed acts that a page carries on."""


def acts_left(fields: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the acts that were shown and not confirmed, as a form or an address carries them."""
    text = fields.get("left", "")
    if not text or len(text) > LEFT_CHARACTERS_MAX:
        return []
    try:
        acts = msgspec.json.decode(text, type=list[dict[str, str]])
    except (msgspec.DecodeError, RecursionError):
        return []
    return [_typed(act) for act in acts[-LEFT_MAX:]]


def as_carried(acts: Sequence[Mapping[str, str]], fields: Mapping[str, str] = NOTHING) -> str:
    """Return acts as the forms of a page carry them, with the one that is shown now as the last."""
    carried_on = [dict(act) for act in acts] + ([_typed(fields)] if fields else [])
    while carried_on and len(msgspec.json.encode(carried_on)) > LEFT_CHARACTERS_MAX:
        carried_on.pop(0)
    return msgspec.json.encode(carried_on).decode() if carried_on else ""


def _typed(fields: Mapping[str, str]) -> dict[str, str]:
    names = sorted(fields.keys() - _OF_EVERY_FORM)
    return {name: fields[name] for name in names if fields[name].strip()}


def without_shown(
    acts: Sequence[dict[str, str]], fields: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return the acts except the one that was posted now."""
    return [act for act in acts if act != _typed(fields)]


def not_recorded(sight: Sight, acts: Sequence[Mapping[str, str]]) -> Node:
    """Return the acts that were not confirmed, each with the way back to it; None for none."""
    if not acts:
        return None

    def shown(act: Mapping[str, str]) -> Node:
        form = form_named(act.get("form", ""))
        values = ", ".join(value for name, value in act.items() if name != "form")
        words = f"{title_of(form)}: {values}" if form else values
        typed = {name: visible(value) for name, value in act.items()}
        pending = as_carried([other_act for other_act in acts if other_act != act])
        return htpy.form(method="post", action="line", class_="act inline")[
            hidden({**typed, **carried(sight._replace(pending=pending))}),
            htpy.p[tr_nodes("Not recorded: {act}", act=htpy.strong[isolated(visible(words))])],
            htpy.button(type="submit")[tr("Show it again")],
        ]

    return htpy.section(class_="said", aria_label=tr("Not recorded"))[map(shown, acts)]


def answer_of(sight: Sight, lines: Iterable[str]) -> Node:
    """Return what is answered in words."""
    return htpy.section(class_="said", aria_label=tr("Answer"), role="status")[
        (htpy.p[with_commands(line, sight.verbs)] for line in lines)
    ]


def done(sight: Sight) -> Node:
    """Return what the act did that led to the page, by its first event; nothing without one."""
    seq = _done_at(sight)
    if seq < 0:
        return None
    book, tournament = sight.desk.book, sight.tournament
    if not 0 < seq <= len(book.lines):
        return answer_of(sight, [tr("This was already on record; nothing was written.")])
    first = book.recorded_at(seq)
    following = (book.recorded_at(number) for number in range(seq, len(book.lines) + 1))
    act = list(takewhile(lambda recorded: recorded.command_id == first.command_id, following))
    besides = consequences(Behind(tournament, book.recorded_at), act)
    ended = next(
        (recorded.event for recorded in act if isinstance(recorded.event, TournamentFinished)), None
    )
    acts = htpy.ul[(htpy.li[visible(sentence)] for sentence in acts_in_words(act, tournament))]
    return htpy.section(class_="said", aria_label=tr_of("state", "Done"), role="status")[
        _finished(sight, ended) if ended else acts,
        (htpy.p[with_commands(sentence, sight.verbs)] for sentence in besides),
    ]


def _finished(sight: Sight, event: TournamentFinished) -> Node:
    """Return the result of the finish: the winner, the use of the keys, and a link to the files."""
    champion = winner(sight.tournament)
    name = labelled(sight.tournament, champion)
    end = (
        tr("{name} won the tournament.", name=name)
        if champion
        else tr("The tournament is over; no player won it.")
    )
    keys = tr(
        "The log now contains the keys of the draws, so that everyone can check that no "
        "draw was chosen."
    )
    files: Node = tr("The files are on the computer that serves, under “Tournaments”.")
    if sight.visitor.is_owner:
        files = htpy.a(href="/events", class_="button")[tr("Take the log and the public pages")]
    return [
        htpy.p(class_="result")[visible(end)],
        htpy.p[keys] if event.shuffle_key or event.hidden_key else None,
        htpy.p[files],
        htpy.p[visible(waived(event.waiver).lstrip("; "))] if event.waiver else None,
    ]


def _done_at(sight: Sight) -> int:
    """Return the place of the first event of the act that led to the page; -1 without one."""
    seq = sight.words.get("done", "")
    return int(seq) if seq.isascii() and seq.isdecimal() and len(seq) < DIGITS_MAX else -1
