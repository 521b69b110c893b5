"""The desk's page of the acts that phones offered after a loss, and the sheet for the judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli import outside
from cli.input.find_people import labelled
from cli.input.moments import time_in
from cli.languages.speaking import marked, tr, tr_many
from cli.render.elements import tr_nodes
from cli.serve.pages.frame import Surroundings, way_to
from cli.serve.pages.restored.losses import event_in, judged, loss_of, match_of, waiting_in
from cli.wording.phrases import result_in_words
from ledger.rules.restoring import is_undo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htpy import Node

    from cli.desk.session import Desk
    from cli.serve.pages.restored.losses import Loss, Offer, OfferNow
    from ledger.facts.base import Event
    from ledger.facts.shared import Result
    from ledger.tournament.state import Match, Tournament

LINKS = (("desk", marked("Desk")), ("judge", marked("Judge")))
AROUND = Surroundings("desk", LINKS, "tabs", "staff", styles=("tabs", "lists"))


def words_panel(desk: Desk) -> Node:
    """Return the desk's panel about a loss: the words to compare, and the number of acts."""
    loss = loss_of(desk.book.stream)
    if loss is None:
        return None
    offers = waiting_in(desk.book.tournament, loss)
    return htpy.section(id="restored")[
        htpy.h2[tr("Restored from an older copy")],
        _words(loss),
        htpy.p[htpy.a(href="desk/offered", class_="button")[_counted(offers)]] if offers else None,
    ]


def _words(loss: Loss) -> Node:
    return [
        htpy.p[
            tr(
                "Phones saw log entries that are not here ({seen} against {here}). Each phone "
                "shows six words and asks to compare them. These are the right ones:",
                seen=loss.seen,
                here=loss.size,
            )
        ],
        htpy.p[
            tr_nodes(
                "{label}: {text}",
                label=tr("log entry {size}", size=loss.size),
                text=htpy.strong(class_="six")[" ".join(loss.words)],
            )
        ],
    ]


def _counted(offers: Sequence[Offer]) -> str:
    """Count the acts that phones offered, and these phones."""
    phones = tr_many("{count} phone", "{count} phones", len({offer.by for offer in offers}))
    return tr_many(
        "{count} act was entered after this backup, by {phones}",
        "{count} acts were entered after this backup, by {phones}",
        len(offers),
        phones=phones,
    )


def offered_page(desk: Desk, count_text: str) -> Node:
    """Return the page: offers that fit, with a box each, and offers that need a judge."""
    tournament, loss = desk.book.tournament, loss_of(desk.book.stream)
    offers = judged(desk.book, loss) if loss is not None else []
    fitting = [offer for offer in offers if not offer.why]
    others = [offer for offer in offers if offer.why]
    taken_count = (
        int(count_text)
        if count_text.isascii() and count_text.isdecimal() and len(count_text) < len("10000")
        else -1
    )
    return [
        way_to("desk", tr("Back to the desk")),
        htpy.p(class_="done")[tr_many("{count} act taken", "{count} acts taken", taken_count)]
        if taken_count > 0
        else None,
        _words(loss) if loss is not None else None,
        htpy.h2[_counted([offer_now.offer for offer_now in offers])]
        if offers
        else htpy.p(class_="empty")[tr("No phone offers acts.")],
        _form(tournament, fitting) if fitting else None,
        [
            htpy.h2[tr("For the judge ({count})", count=len(others))],
            _table(tournament, others),
            way_to("desk/offered/sheet", tr("Sheet for the judge, to print")),
        ]
        if others
        else None,
    ]


def _form(tournament: Tournament, fitting: Sequence[OfferNow]) -> Node:
    return htpy.form(method="post", action="desk/offered")[
        htpy.input(type="hidden", name="id", value=outside.draw_id()),
        htpy.input(type="hidden", name="at", value="/desk/offered"),
        _table(tournament, fitting, with_boxes=True),
        htpy.div(class_="row")[
            htpy.button(type="submit", name="what", value="all", class_="main")[
                tr("Take all that fit ({count})", count=len(fitting))
            ],
            htpy.button(type="submit", name="what", value="ticked")[tr("Take the ticked ones")],
            htpy.button(type="submit", name="what", value="none")[
                tr("Take none: leave them to the judge")
            ],
        ],
    ]


def sheet_page(desk: Desk, _: str) -> Node:
    """Return the offers that need a judge, each next to the result on record, by table."""
    tournament, loss = desk.book.tournament, loss_of(desk.book.stream)
    others = [offer for offer in judged(desk.book, loss) if offer.why] if loss is not None else []
    return [
        htpy.h2[tr("Acts from phones, for the judge")],
        htpy.p[
            tr(
                "Each was on record before an older copy was restored, and its receipt holds. "
                "Round, table and players are as the phone had them. Enter at the desk what is "
                "right."
            )
        ],
        _table(tournament, others),
    ]


def _table(tournament: Tournament, offers: Sequence[OfferNow], *, with_boxes: bool = False) -> Node:
    titles = (
        *((tr("take"),) if with_boxes else ()),
        *(tr("table"), tr("players"), tr("act"), tr("entered at"), tr("by")),
        *(() if with_boxes else (tr("why it is not taken"), tr("on record now"))),
    )
    return htpy.table[
        htpy.thead[htpy.tr[(htpy.th(scope="col")[title] for title in titles)]],
        htpy.tbody[
            (
                _row(tournament, offer, titles, with_boxes=with_boxes)
                for offer in sorted(offers, key=lambda now: (now.offer.round, now.offer.table))
            )
        ],
    ]


def _row(
    tournament: Tournament, offer_now: OfferNow, titles: Sequence[str], *, with_boxes: bool
) -> Node:
    offer, match = offer_now.offer, match_of(tournament, offer_now.offer)
    table_label = f"{offer.round}/{offer.table}" if offer.match else ""
    name = table_label or act_in_words(tournament, offer)
    box = htpy.input(type="checkbox", name=f"act-{offer.id}", value="1", aria_label=name)
    seated = [player for player in offer.players if 0 < player < len(tournament.players)]
    players = (
        ", ".join(labelled(tournament, player) for player in seated)
        if match is not None or not offer.match
        else ", ".join(f"#{player}" for player in offer.players)
    )
    now = (
        result_in_words(tournament, match, match.result)
        if match is not None and match.result is not None
        else ""
    )
    cells = (
        *((box,) if with_boxes else ()),
        *(table_label, players, act_in_words(tournament, offer), time_in(tournament, offer.at)),
        labelled(tournament, offer.player) if offer.player in seated else tr("an official"),
        *(() if with_boxes else (offer_now.why, now)),
    )
    return htpy.tr[
        (htpy.td(data_label=title)[cell] for title, cell in zip(titles, cells, strict=True))
    ]


def act_in_words(tournament: Tournament, offer: Offer) -> str:
    """Describe an offered act without the events that it names: here they may be others."""
    match, answered = match_of(tournament, offer), offer.answered
    words = []
    for line in offer.lines:
        event = event_in(line)
        undone = answered.event if answered is not None and is_undo(event) else None
        label = tr("undoing: {act}", act=_label(undone)) if undone else _label(event)
        result = getattr(event, "result", None) or getattr(event, "claim", None)
        if result:
            label = tr("{label}: {text}", label=label, text=_result(tournament, match, result))
        words.append(label)
    return "; ".join(words)


def _label(event: Event) -> str:
    return tr(type(event).recording.act)


def _result(tournament: Tournament, match: Match | None, result: Result) -> str:
    if match is not None:
        return result_in_words(tournament, match, result)
    return " - ".join(f"{outcome}" for outcome in result.outcomes)
