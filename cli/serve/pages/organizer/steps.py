"""Steps of the day: the stepper, the one act that comes next, and why it is not possible yet.

The next act is the one that bare `tourney` names (`cli.desk.guide`). If results are missing, the
button of the act after them is shown, but disabled, with the reason.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import htpy

from cli.desk.guide import elimination_games, next_step, planned_rounds, round_to_act_on
from cli.input.find_people import labelled
from cli.languages.speaking import ENGLISH, marked, speaking, tr, tr_of
from cli.serve.pages.frame import from_base
from cli.serve.pages.organizer.answers import with_commands
from cli.serve.pages.organizer.day_forms import DAY_FORMS, SCENARIO_FORM, START_FORM
from cli.serve.pages.organizer.lines import (
    LINE_FORMS,
    NOTHING,
    act_form,
    carried,
    hidden,
    title_of,
)
from cli.terminal.visible import how_many
from cli.wording.phrases import table_in_words
from ledger.facts.list_rules import decks_failing, decks_unchecked
from ledger.tournament import progress
from ledger.tournament.disputes import unsettled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from htpy import Node

    from cli.serve.pages.organizer.lines import LineForm, Sight
    from ledger.tournament.state import Round, Stage, Tournament


class DayStep(NamedTuple):
    """One step of the day, as the stepper shows it."""

    title: str
    state: str
    """`done`, `now` or `later`."""


class NextAct(NamedTuple):
    """The act that comes next: its button, and why it is not possible yet."""

    title: str
    form: LineForm | None = None
    reason: str = ""
    to: str = ""
    """The page that solves the reason, or does the act."""
    given: Mapping[str, str] = NOTHING
    """Fields that the form does not ask for."""


SHOWN_MAX = 14
"""Steps that are shown; of more, those around the current one."""


def steps(tournament: Tournament) -> list[DayStep]:
    """Return the steps of the day, from the registration to the end."""
    titles = [tr("Registration")]
    reached = 0
    for stage in tournament.stages:
        if stage.number > 1 and stage.plan.entry != "all":
            titles.append(_cut_title(stage))
            reached = len(titles) - 1 if stage.cut_seq else reached
        for place, title in enumerate(_round_titles(tournament, stage)):
            titles.append(title)
            reached = len(titles) - 1 if place < len(stage.rounds) else reached
    titles.append(tr_of("step", "Finish"))
    now = len(titles) if tournament.finished else _now(tournament, reached)
    states = ("done" if at < now else "now" if at == now else "later" for at in range(len(titles)))
    return [DayStep(title, state) for title, state in zip(titles, states, strict=True)]


def _now(tournament: Tournament, reached: int) -> int:
    """Return the place of the current step, of the last one that has begun."""
    if not tournament.started:
        return 0
    played = progress.round_in_play(tournament)
    return reached if played is not None and played.unreported else reached + 1


def _cut_title(stage: Stage) -> str:
    count = _cut_size(stage)
    return tr("Cut to {count}", count=count) if count else tr_of("step", "Cut")


def _make_cut(stage: Stage) -> str:
    count = _cut_size(stage)
    return tr("Make the cut to {count}", count=count) if count else tr("Make the cut")


def _cut_size(stage: Stage) -> int:
    return stage.plan.size if stage.plan.entry == "top" else len(stage.seeds)


def _round_titles(tournament: Tournament, stage: Stage) -> Iterator[str]:
    """Yield the titles of a stage's rounds, including the planned ones."""
    before = tournament.stages[: stage.number - 1]
    first = 1 + sum(planned_rounds(tournament, stage) for stage in before)
    for place in range(planned_rounds(tournament, stage)):
        games = elimination_games(tournament, stage, place)
        yield _elimination_title(games) if games else tr("R{number}", number=first + place)


def _elimination_title(games: int) -> str:
    """Return the title of a round of a single elimination by its number of games."""
    if games in _LAST_ROUNDS:
        return tr(_LAST_ROUNDS[games])
    return tr("Round of {players}", players=2 * games)


_LAST_ROUNDS = {1: marked("Final"), 2: marked("Semifinals"), 4: marked("Quarterfinals")}


def stepper(tournament: Tournament) -> Node:
    """Return the steps as a list; the current one is marked for a screen reader, too."""
    listed = steps(tournament)
    now = next((place for place, step in enumerate(listed) if step.state == "now"), len(listed))
    begin = max(0, min(now - SHOWN_MAX // 2, len(listed) - SHOWN_MAX))
    part = listed[begin : begin + SHOWN_MAX]
    return htpy.ol(class_="stepper", aria_label=tr("Steps of the day"))[
        htpy.li["…"] if begin else None,
        (_step(step) for step in part),
        htpy.li["…"] if begin + SHOWN_MAX < len(listed) else None,
    ]


def _step(step: DayStep) -> Node:
    if step.state == "now":
        return htpy.li(aria_current="step")[htpy.span[step.title]]
    if step.state == "done":
        return htpy.li[htpy.span(class_="done")[step.title]]
    return htpy.li[htpy.span[step.title]]


_NEXT = re.compile(r"next: (.*)")


def next_act(tournament: Tournament) -> NextAct | None:
    """Return the act that comes next; None if only the words of the next step describe it."""
    with speaking(ENGLISH):  # a step is known by its words
        step = next_step(tournament)
    if tournament.finished:
        return NextAct(tr("Show the final standings"), to="/desk/standings")
    if not tournament.started:
        return _before_start(tournament)
    blocked = unsettled(tournament)
    played = progress.round_in_play(tournament)
    if played is not None and played.unreported:
        if step.startswith(("next: round start", "next: scenario draw")):
            return _named(tournament, step)
        open_tables = tr("{tables} open", tables=how_many(played.unreported, "table"))
        return NextAct(_after(tournament, played), None, open_tables, "/desk/round")
    if blocked:
        where = table_in_words(tournament, blocked[0].match)
        reason = tr("table {table} is disputed", table=where)
        return NextAct(_after(tournament, played), None, reason, "/judge")
    return _named(tournament, step)


def _before_start(tournament: Tournament) -> NextAct:
    count = len(tournament.active())
    if count <= 1:
        return NextAct(tr("Register players"), to="/desk/players")
    return NextAct(tr("Start the tournament"), START_FORM)


def _named(tournament: Tournament, step: str) -> NextAct | None:
    """Return the act whose line the next step begins with."""
    match = _NEXT.search(step)
    if not match:
        return None
    line = match[1].strip("`")
    forms = (*LINE_FORMS.values(), *DAY_FORMS.values())
    fitting = [form for form in forms if not form.fields and _begins(line, form.line)]
    if fitting:
        form = max(fitting, key=lambda option: len(option.line))
        return NextAct(_title(tournament, form), form)
    if line.startswith("lists check"):
        return _list_check(tournament)
    if line.startswith("scenario draw"):
        return NextAct(tr("Draw the scenario"), SCENARIO_FORM)
    if line.startswith("unpair"):
        return NextAct(tr("Undo the pairing"), LINE_FORMS["unpair"])
    return None


def _list_check(tournament: Tournament) -> NextAct | None:
    """Return the check of the first list or deck that holds the next round back."""
    waiting = decks_unchecked(tournament) or decks_failing(tournament)
    if not waiting:
        return None
    title = tr("Check the list of {player}", player=labelled(tournament, waiting[0]))
    form = LINE_FORMS["list-check"]._replace(title=title)
    return NextAct(title, form, given={"player": f"#{waiting[0]}"})


def _begins(line: str, words: str) -> bool:
    return re.match(rf"{re.escape(words)}(?![\w-])", line) is not None


def _title(tournament: Tournament, form: LineForm) -> str:
    """Return what the button of the next act says, with its round as the steps name it."""
    if form.name == "pair":
        return _pair(tournament, progress.next_stage(tournament))
    if form.name == "round-start":
        current = tournament.stages[tournament.rounds[-1].stage - 1]
        started = round_to_act_on(tournament, current, len(current.rounds) - 1)
        return tr("Start {round}", round=started)
    if form.name == "cut":
        stages = (stage for stage in tournament.stages if stage.number > 1 and not stage.cut_seq)
        stage = next((stage for stage in stages if stage.plan.entry != "all"), None)
        return _make_cut(stage) if stage else title_of(form)
    return title_of(form)


def _after(tournament: Tournament, played: Round | None) -> str:
    """Return the title of the act that follows the round in play."""
    if played is None:
        return tr("Pair the next round")
    stage = tournament.stages[played.stage - 1]
    if len(stage.rounds) < planned_rounds(tournament, stage):
        return _pair(tournament, stage)
    if stage.number == len(tournament.stages):
        return tr("Finish the tournament")
    following = tournament.stages[stage.number]
    is_cut = following.plan.entry != "all"
    return _make_cut(following) if is_cut else _pair(tournament, following)


def _pair(tournament: Tournament, stage: Stage | None) -> str:
    """Return the title of the act that pairs the next round, which is of a stage."""
    if stage is None:
        return tr("Pair the next round")
    return tr("Pair {round}", round=round_to_act_on(tournament, stage, len(stage.rounds)))


def primary(sight: Sight) -> Node:
    """Return the next act as the one button of the page, with the state of the day."""
    tournament = sight.tournament
    act, step = next_act(tournament), next_step(tournament, on_page=True)
    return htpy.div(class_="primary")[
        _button(sight, act) if act else None,
        htpy.p(class_="next", data_position=str(tournament.seq))[with_commands(step, sight.verbs)],
    ]


def _beside(sight: Sight, path: str) -> str:
    """Return the page that solves a reason; the tables, if that page is this one."""
    return "/desk" if sight.at.partition("?")[0] == path else path


def _button(sight: Sight, act: NextAct) -> Node:
    if act.form is None and act.reason:
        return htpy.p(class_="do-next")[
            htpy.button(type="button", class_="main", disabled=True, aria_describedby="why-not")[
                act.title
            ],
            htpy.a(href=from_base(_beside(sight, act.to)), id="why-not")[act.reason],
        ]
    if act.form is None:
        return htpy.p(class_="do-next")[
            htpy.a(href=from_base(act.to), class_="button main")[act.title]
        ]
    if act.form.fields:
        return htpy.div(class_="do-next")[act_form(sight, act.form, act.given)]
    return htpy.form(method="post", action="line", class_="act do-next")[
        hidden({"form": act.form.name, **carried(sight)}),
        htpy.button(type="submit", class_="main")[act.title],
    ]
