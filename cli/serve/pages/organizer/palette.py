"""All lines that a page takes, each with its form: what can be typed can be clicked.

The form of a verb has a field for each of its words and options, with the text of the verb's help.
So every act has a form as soon as it has a verb. `/desk/lines` shows them all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import htpy

from cli.input.matches import find_match
from cli.input.options import REQUIRED, options_of, words_of
from cli.languages.speaking import marked, tr
from cli.render.elements import COMMAND, told, told_plainly, tr_nodes
from cli.serve.pages.organizer.day_forms import DAY_FORMS, form_named
from cli.serve.pages.organizer.desk import tabbed
from cli.serve.pages.organizer.lines import (
    LINE_FORMS,
    FieldKind,
    LineField,
    LineForm,
    act_form,
    title_of,
)
from cli.serve.pages.organizer.results import correction, is_chosen
from cli.terminal.visible import visible, visible_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from htpy import Node

    from cli.desk.session import PageVerbs
    from cli.serve.pages.organizer.lines import Sight


OF_A_VERB = "verb:"
"""Beginning of the name of a verb's form."""


def lines_page(sight: Sight) -> Node:
    """Return the page: the form of the chosen verb, and the list of all verbs."""
    form, verbs = _chosen(sight), _verbs(sight)
    of_game = verbs.of_game(sight.tournament)
    listed = [path for path in verbs.paths() if path in of_game]
    return tabbed(
        sight,
        "/desk/lines",
        (_correction(sight, form) or _form(sight, form)) if form else None,
        htpy.h2[tr("All lines")],
        htpy.p(class_="hint")[
            tr("Each line leads to its form. Ctrl-K opens the field to type it.")
        ],
        htpy.ul(class_="verbs", id="verbs")[
            (
                htpy.li[
                    htpy.code[path]
                    if path == sight.words.get("verb")
                    else htpy.a(href=f"desk/lines?verb={path.replace(' ', '+')}")[htpy.code[path]],
                    " ",
                    told(verbs.summary_of(path)),
                ]
                for path in listed
            )
        ],
        htpy.h2[tr("Only at a terminal")],
        htpy.ul(class_="verbs")[_elsewhere(verbs)],
    )


def _verbs(sight: Sight) -> PageVerbs:
    assert sight.verbs is not None  # noqa: S101 - the desk's own pages have them
    return sight.verbs


def _chosen(sight: Sight) -> LineForm | None:
    """Return the form that the address asks for: of a verb, or one of the desk's."""
    path, verbs = sight.words.get("verb", ""), _verbs(sight)
    if path in verbs.paths():
        return form_of_verb(path, verbs)
    name = sight.words.get("form", "")
    return None if name.startswith(OF_A_VERB) else form_named(name)


def _correction(sight: Sight, form: LineForm) -> Node:
    """Return the form of a correction with its results to choose from, for a named table."""
    where = sight.words.get("table", "")
    if form.name != "correct" or not where:
        return None
    match = find_match(sight.tournament, where)
    return correction(sight, match) if is_chosen(sight.tournament, match) else None


def _form(sight: Sight, form: LineForm) -> Node:
    path = form.name.removeprefix(OF_A_VERB)
    names = {field.name for field in form.fields}
    values = {name: sight.words[name] for name in ("table", "player") if name in sight.words}
    verbs = _verbs(sight)
    help_text = verbs.command_of(path).help if path in verbs.paths() else ""
    return htpy.section(class_="panel", aria_label=title_of(form))[
        htpy.h2[title_of(form)],
        htpy.p(class_="about")[tr_nodes("Makes the line {line}", line=htpy.code[form.line])],
        act_form(
            sight,
            form,
            {name: visible(value) for name, value in values.items() if name in names},
            is_open=True,
        ),
        htpy.pre(tabindex="0")[visible_lines(help_text)] if help_text else None,
    ]


def _elsewhere(verbs: PageVerbs) -> Iterator[Node]:
    for path, reason in verbs.elsewhere().items():
        yield htpy.li[htpy.code[path], ": ", told(reason)]


def form_of(name: str, verbs: PageVerbs) -> LineForm | None:
    """Return the form of a name, of the desk's or of a verb; None if there is none."""
    if name.startswith(OF_A_VERB):
        path = name.removeprefix(OF_A_VERB)
        return form_of_verb(path, verbs) if path in verbs.paths() else None
    return form_named(name)


def form_of_verb(path: str, verbs: PageVerbs) -> LineForm:
    """Return the form of a verb: a field for each word and option that a page may give."""
    command, parts, fields = verbs.command_of(path), [path], list[LineField]()
    for param in words_of(command):
        fields.append(_word_field(param))
        parts.append(f"{{{param.name}}}")
    for param in options_of(command):
        spelled = max(param.opts, key=len)
        if spelled in verbs.printed() or spelled in {"--output", "--file", "--cards", "--help"}:
            continue
        fields.append(_option_field(param, spelled))
        parts.append(f"{{{param.name}}}" if param.is_flag else f"{spelled}={{{param.name}}}")
    return LineForm(
        f"{OF_A_VERB}{path}",
        told_plainly(verbs.summary_of(path).rstrip(".。")),
        " ".join(parts),
        (*fields,),
    )


_CHOICE = re.compile(r"\[?([a-z-]+(?:\|[a-z-]+)+)\]?")
_ONE_TEXT = re.compile("PLAYER|NAME|TEXT|OFFICIAL|WORD$")
"""Words of a verb that it joins with spaces: one field, one word of the line."""


def _word_field(param: Any) -> LineField:  # noqa: ANN401 - typer's own type
    metavar = param.metavar or param.name.upper()
    label = f"{metavar.strip('[].')}: {tr(param.help)}" if param.help else metavar.strip("[].")
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
    said = tr(text).removeprefix(tr(REQUIRED)) if text else ""
    label = f"{spelled}: {said}"
    if param.is_flag:
        return LineField(
            param.name, label, "choice", (("", marked("no")), (spelled, marked("yes")))
        )
    kind: FieldKind = "several" if param.multiple else "text"
    return LineField(param.name, label, kind, is_needed=needed)


_OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*)(?:[ =][A-Z]+\b)?")


def in_fields(text: str, form: LineForm) -> str:
    """Return the reason of a refusal with the form's fields in place of its line's words.

    An option is named as the label of its field, and a line of the form's verb as what to fill in.
    An option without a field leads to the form that has all fields of the verb.
    """
    others = {each.line for each in (*DAY_FORMS.values(), *LINE_FORMS.values())} - {form.line}
    text = COMMAND.sub(
        lambda line: line[0] if line[1] in others else _filled_in(line[1], form) or line[0], text
    )
    labels = {option: tr(field.label) for option, field in _options(form).items()}
    verb = form.line.partition(" {")[0].partition(" --")[0]

    def named(option: re.Match[str]) -> str:
        label = labels.get(option[1])
        return f"“{label}”" if label else f"`{verb} {option[1]} WHAT`"

    parts = COMMAND.split(text)
    return "".join(
        f"`{part}`" if place % 2 else _OPTION.sub(named, part) for place, part in enumerate(parts)
    )


def _options(form: LineForm) -> dict[str, LineField]:
    """Return the field of each option in a form's line."""
    fields = {field.name: field for field in form.fields}
    parts = (part.rstrip("}").partition("={") for part in form.line.split())
    return {option: fields[name] for option, _, name in parts if name in fields}


def _filled_in(line: str, form: LineForm) -> str:
    """Return in words how a form is filled in to make a line; empty if it makes no such line."""
    verb = form.line.partition(" {")[0].partition(" --")[0]
    options = _options(form)
    placed = [field for field in form.fields if f" {{{field.name}}}" in form.line]
    words = re.findall(r'"[^"]*"|\S+', line.removeprefix(verb).replace("=", " "))
    if not _is_verb(line, verb):
        return ""
    filled: list[str] = []
    while words:
        word, field = words.pop(0), None
        if word.startswith("--"):
            field = options.get(word)
        elif placed:
            field = placed.pop(0)
        value = words.pop(0) if field and word.startswith("--") and words else word
        if field is None or value.startswith("--"):
            return ""
        filled.append(tr("{value} under “{field}”", value=value, field=tr(field.label)))
    return tr(" and ").join(filled)


def _is_verb(line: str, verb: str) -> bool:
    return line == verb or line.startswith(f"{verb} ")
