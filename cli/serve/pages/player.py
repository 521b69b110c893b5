"""Pages of a player: the day, the standing, the list, and the registration of a newcomer.

Each number of the standing leads to its exact terms. A list is submitted from the phone and checked
by the format. By the link of the tournament, a person who does not take part asks to be registered.
A form that is refused shows its page again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import htpy

from cli.input.find_people import bare_name, shown_name
from cli.languages.speaking import marked, tr
from cli.render.elements import tr_nodes
from cli.render.game_tables import counted_in_words, standings_columns
from cli.render.trees import phrase
from cli.serve.forms import act_form, button, choice, folded, held_to, text_field
from cli.serve.pages.clauses import linked
from cli.serve.pages.frame import HallPage, Surroundings, from_base, way_to
from cli.serve.pages.table import changes_of, conceded_facts, my_table, open_match
from cli.serve.parts import TABLES
from cli.serve.refusals import NotSignedIn
from cli.terminal.problems import said
from cli.terminal.visible import how_many, ordinal, visible
from cli.wording.phrases import result_in_words
from ledger.errors import LedgerError
from ledger.facts import hands
from ledger.facts.list_rules import given_to
from ledger.problems import problem
from ledger.rules.lists import too_late
from ledger.tournament.progress import check_in_now, latest_match_of, round_in_play
from projections.explain import explain
from projections.standings.bracket import finishing_order, winner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from htpy import Node

    from cli.serve.pages.frame import Visit
    from ledger.facts.shared import ListFinding
    from ledger.formats import CardFile, Finding
    from ledger.tournament.state import Match, Tournament
    from ledger.tournament.table_records import SubmittedList
    from projections.explain import Explanation

_LEFT_OUT = frozenset({"#", "player", "byes", ""})
_COLUMN = {"W-L-D": "record"}
LEVELS = 12
"""How deep a number is taken apart on a page."""

NODES_MAX = 2_000


Made = TypeVar("Made")


class _Latest(Generic[Made]):
    """The latest value, which every page after one act shares."""

    def __init__(self, make: Callable[[Tournament], Made]) -> None:
        self._make = make
        self._key: tuple[str, int] | None = None
        self._value: Made

    def of(self, tournament: Tournament) -> Made:
        key = (tournament.opening.tournament if tournament.opening else "", tournament.seq)
        if key != self._key:
            self._value, self._key = self._make(tournament), key
        return self._value


class _Ending(NamedTuple):
    """The winner, 0 if no player won, and the final rank of each player who has one."""

    winner: int
    ranks: Mapping[int, int]


def _ending(tournament: Tournament) -> _Ending:
    order = finishing_order(tournament)
    return _Ending(winner(tournament), {place.player: place.rank for place in order if place.rank})


_LATEST = _Latest(TABLES.everyone)
_ENDING = _Latest(_ending)


def my_standing(tournament: Tournament, player: int) -> Node:
    """Return the player's row of the standings, each number a link to how it is made up."""
    if not tournament.rounds:
        return None
    table = _LATEST.of(tournament)
    row = next((standing for standing in table.rows if standing.player == player), None)
    if row is None:
        return None
    columns = [
        column
        for column in standings_columns(tournament, table)
        if column.only != "program" and column.title not in _LEFT_OUT
    ]
    return htpy.section[
        htpy.h2[tr("My standing")],
        htpy.p(class_="about")[counted_in_words(tournament, table)],
        htpy.ul(class_="numbers")[
            (
                htpy.li[
                    htpy.a(href=f"me/why/{_COLUMN.get(column.title, column.title)}")[
                        htpy.span[visible(column.shown_title)],
                        " ",
                        htpy.strong[column.text_of(row)],
                    ]
                ]
                for column in columns
            )
        ],
    ]


def why(visit: Visit) -> Node:
    """Return one of the player's numbers, taken apart into its terms.

    Raises:
        NotFound: the standings have no such number.
    """
    player = own_player(visit)
    root = explain(visit.tournament, player, visit.words["column"])
    budget = [NODES_MAX]
    return [
        way_to("me", tr("Back to my table")),
        htpy.ul(class_="terms")[_node(root, None, visit.tournament, budget, 0)],
    ]


def _node(
    node: Explanation,
    parent: Explanation | None,
    tournament: Tournament,
    budget: list[int],
    level: int,
) -> Node:
    """Return a term and, folded under it, its own terms; no more of them than a phone holds."""
    budget[0] -= 1
    text = visible(phrase(node, parent, tournament))
    events = (
        "".join(tr(", event {event}", event=seq) for seq in node.seqs) if not node.terms else ""
    )
    if not node.terms or level >= LEVELS or budget[0] <= 0:
        return htpy.li[f"{text}{events}"]
    terms = [_node(term, node, tournament, budget, level + 1) for term in node.terms]
    return htpy.li[htpy.details(open=level < 1)[htpy.summary[text], htpy.ul(class_="terms")[terms]]]


HOME = "/me"


def own_player(visit: Visit) -> int:
    """Return the player who asks for the page.

    Raises:
        NotSignedIn: the visitor is not signed in as a player.
    """
    if not visit.visitor.player:
        text = marked("this page is for one player: scan the code on your badge or slip")
        raise NotSignedIn(problem("serve.no_player", text))
    return visit.visitor.player


def me(visit: Visit) -> Node:
    """Return the page of the player who asks."""
    player, tournament = own_player(visit), visit.tournament
    status = tournament.players[player].status
    return [
        htpy.p(class_="who")[f"{bare_name(tournament, player)} ", htpy.small[f"#{player}"]],
        _check_in(tournament, player) if status == "active" else None,
        _over(tournament, player) or my_table(visit, player),
        my_standing(tournament, player),
        past_rounds(tournament, player),
        _proof(tournament, player),
        _list_link(tournament, player),
        _leaving(visit, player) if status == "active" else None,
    ]


_LEFT = {"dropped": marked("dropped"), "withdrawn": marked("withdrawn")}


def _over(tournament: Tournament, player: int) -> Node:
    """Return how the tournament ended for the player; None while the player still plays."""
    status = tournament.players[player].status
    if status == "disqualified":
        return htpy.p(class_="about")[tr("You were disqualified.")]
    if tournament.finished:
        return _finished(tournament, player)
    if status == "cut":
        return htpy.p(class_="result")[_missed(tournament, player)]
    if status != "active":
        return htpy.p(class_="about")[
            tr("You have left: {status}.", status=tr(_LEFT.get(status, status)))
        ]
    return None


def _finished(tournament: Tournament, player: int) -> Node:
    """Name the winner, and the player's own final place."""
    ending = _ENDING.of(tournament)
    rank = ending.ranks.get(player, 0)
    place = tr(" You finished {place}.", place=ordinal(rank)) if rank else ""
    if ending.winner == player:
        text = tr("You won the tournament. Congratulations!")
    elif ending.winner:
        text = tr(
            "{winner} won the tournament.{place}",
            winner=shown_name(tournament, ending.winner),
            place=place,
        )
    else:
        text = tr("The tournament is over, and no player won it.{place}", place=place)
    return [
        htpy.p(class_="result")[text],
        htpy.p(class_="about")[tr("The tournament is over. Thank you for playing.")],
    ]


def _missed(tournament: Tournament, player: int) -> str:
    """Say which place the player had when the cut was made, and how many places it has."""
    stage = next((stage for stage in tournament.stages if player in stage.cut_players), None)
    row = next((row for row in _LATEST.of(tournament).rows if row.player == player), None)
    if stage is None or row is None:
        return tr("You did not make the cut.")
    size = stage.plan.size if stage.plan.entry == "top" else len(stage.seeds)
    place = ordinal(row.rank)
    return tr("You did not make the cut: {place}; the cut is {size}.", place=place, size=size)


def _proof(tournament: Tournament, player: int) -> Node:
    """Link to the proof of the latest result; the newest signed head is below every page."""
    match = latest_match_of(tournament, player)
    if not match or not match.result_seq:
        return None
    return way_to("me/receipt", tr("Proof of my result"))


def _check_in(tournament: Tournament, player: int) -> Node:
    check_in = check_in_now(tournament)
    if not check_in:
        return None
    if player in check_in.present:
        return htpy.p(class_="done")[tr("You are checked in for the next round.")]
    if check_in.closed:
        return htpy.p(class_="alarm")[
            tr("Check-in is closed: tell the desk that you have arrived.")
        ]
    return act_form(
        "check-in",
        button(tr("I am here"), kind="main"),
        to=HOME,
        hidden={"seen": tournament.seq},
        act="check-in",
    )


def takes_lists(tournament: Tournament) -> bool:
    """Return whether lists are checked by a format, or required."""
    opening = tournament.opening
    return bool(opening and (opening.format or opening.lists_required))


def _list_link(tournament: Tournament, player: int) -> Node:
    held = tournament.lists.get(player)
    has_list = bool(held and held.seq)
    if not (has_list or takes_lists(tournament)):
        return None
    text = tr("My list") if has_list else tr("My list: not submitted yet")
    return way_to("me/list", text)


def past_rounds(tournament: Tournament, player: int, *, is_staff: bool = False) -> Node:
    """Return a player's earlier matches, latest first, each with its rulings and corrections.

    For officials the table leads to the page of its match.
    """
    rounds = [
        match
        for match in reversed(tournament.matches)
        if match is not None
        and player in match.players
        and not match.void
        and (match.round < len(tournament.rounds) or (tournament.finished and match.result))
    ]
    if not rounds:
        return None
    return htpy.section(class_="past", aria_label=tr("Past rounds"))[
        htpy.h2[tr("Past rounds")],
        htpy.ol(reversed=True, start=str(rounds[0].round))[
            (_past(tournament, match, is_staff=is_staff) for match in rounds)
        ],
    ]


def _past(tournament: Tournament, match: Match, *, is_staff: bool) -> Node:
    where = f"/judge/match/{match.round}/{match.table}"
    place = tr("Round {round}, table {table}", round=match.round, table=match.table)
    head = htpy.a(href=from_base(where))[place] if is_staff else place
    if match.is_bye:
        return htpy.li(value=str(match.round))[tr("Round {round}: bye", round=match.round)]
    result = tr("no result")
    if match.result is not None:
        result = visible(result_in_words(tournament, match, match.result))
    return htpy.li(value=str(match.round))[
        tr_nodes("{label}: {text}", label=head, text=result),
        (htpy.p(class_="about")[text] for text in changes_of(tournament, match)),
    ]


def _leaving(visit: Visit, player: int) -> Node:
    """Offer to leave: after the match, or giving it up."""
    tournament = visit.tournament
    if tournament.finished:
        return None
    playing = open_match(tournament, player)
    text = tr("You will not be paired again. The matches that you played still count.")
    if playing:
        text = tr(
            "To leave after this round, report your match first. If you leave now, your "
            "opponent wins it."
        )
    elif round_in_play(tournament):
        text = tr("Your match is over: you leave after this round. {more}", more=text)
    latest = latest_match_of(tournament, player)
    about: dict[str, object] = {"match": 0, "seen": tournament.seq}
    if latest:
        about = held_to(tournament, latest, player, "leave")
    leave = button(tr("Leave now") if playing else tr("Leave"), kind="alarm")
    facts = conceded_facts(visit, playing, player) if playing else []
    return folded(
        tr("Leave the tournament"),
        htpy.p[text],
        act_form("leave", facts, leave, to=HOME, hidden=about, act=tr("you leave the tournament")),
        key="leave",
    )


LIST_PATH = "/me/list"
TEXT_MAX = 24_000
SHOWN_MAX = 60
_KINDS = {"breaks": "breach", "not checked": "note"}


def own_list(visit: Visit) -> Node:
    """Return the list of the player who asks, and the form that hands one in while that may be."""
    player, tournament = own_player(visit), visit.tournament
    submitted = tournament.lists.get(player)
    return [
        way_to("me", tr("Back to my table")),
        _held(visit, player, submitted)
        if submitted and submitted.seq
        else htpy.p[tr("You have not submitted a list yet.")],
        _hand_in(visit, player, submitted),
    ]


def _held(visit: Visit, player: int, submitted: SubmittedList) -> Node:
    hidden = None
    if submitted.hidden:
        clause = hands.clause_of(visit.tournament)
        hidden = htpy.p(class_="about")[
            tr(
                "The rest is sealed: it is not shown to your opponents or on this page ({clause}).",
                clause=clause,
            )
        ]
    return [
        htpy.pre(class_="list")[list_lines(submitted.text)],
        hidden,
        _findings(visit, player, submitted),
    ]


def _findings(visit: Visit, player: int, submitted: SubmittedList) -> Node:
    """Return the findings of a leader, or else those of the format on the current list."""
    if submitted.checked:
        breaking, _ = hands.counts_of(submitted.checked)
        summary = tr(
            "A leader has checked your list: {findings}.", findings=how_many(breaking, "finding")
        )
        return [
            htpy.p(class_="alarm" if breaking else "done")[summary],
            list_rows(submitted.checked.findings),
        ]
    if submitted.hidden:
        return htpy.p(class_="about")[tr("A leader checks your list; the findings are sealed too.")]
    findings = found_in(visit.tournament, player, submitted.text, visit.cards)
    if findings is None:
        text = tr("The tournament has no format: a leader checks your list by hand.")
        return htpy.p(class_="about")[text]
    breaking = sum(finding.state == "breaks" for finding in findings)
    summary = tr("No problems found.")
    if not visit.cards:
        summary = tr("No problems found (checked without a card file).")
    if breaking:
        summary = tr(
            "{problems} to fix before play starts.", problems=how_many(breaking, "problem")
        )
    return [htpy.p(class_="alarm" if breaking else "done")[summary], list_rows(findings)]


def found_in(
    tournament: Tournament, player: int, text: str, cards: CardFile | None
) -> list[Finding] | None:
    """Check a list against the tournament's format and card file; None without a format."""
    from ledger import formats
    from ledger.formats.cards import NO_CARDS

    opening = tournament.opening
    if opening is None or opening.format is None:
        return None
    loaded = formats.of_document(opening.format)
    try:
        listed = formats.read_list(text.encode("utf-8", "surrogatepass"), loaded.format.shape)
    except LedgerError:
        return None
    return formats.findings(
        listed,
        loaded,
        cards or NO_CARDS,
        date=opening.date,
        tier=opening.tier,
        scenario=tournament.ruleset.floor.scenario,
        given=given_to(tournament, player),
    )


def list_rows(findings: Sequence[Finding | ListFinding]) -> Node:
    """Return the findings on a list, those that break the format first."""
    first = sorted(findings, key=lambda finding: finding.state != "breaks")[:SHOWN_MAX]
    more = len(findings) - len(first)
    if not first:
        return None
    return htpy.ul(class_="findings")[
        (
            htpy.li[
                htpy.strong(class_=_KINDS.get(finding.state, "note"))[finding.state],
                f" {visible(said(finding.text))} ",
                htpy.small[linked(visible(finding.clause))],
            ]
            for finding in first
        ),
        htpy.li[tr("and {more} more", more=more)] if more else None,
    ]


def list_lines(text: str) -> str:
    """Return the text of a list with its lines, each made safe."""
    return "\n".join(visible(line) for line in text.split("\n"))


def _hand_in(visit: Visit, player: int, submitted: SubmittedList | None) -> Node:
    if late := list(too_late(visit.tournament, player)):
        del late
        return htpy.p(class_="about")[
            tr("Lists are closed: if yours is wrong, ask a leader to correct it.")
        ]
    text = visit.fields.get("text", submitted.text if submitted and not submitted.hidden else "")
    return [
        htpy.h2[
            tr("Submit another list") if submitted and submitted.seq else tr("Submit your list")
        ],
        act_form(
            "list",
            htpy.label(class_="field wide")[
                htpy.span[tr("Paste it from your deck builder, or type one card per line")],
                htpy.textarea(name="text", rows="12", maxlength=str(TEXT_MAX), required=True)[
                    f"\n{list_lines(text)}"
                ],
            ],
            button(tr("Submit"), kind="main"),
            to=LIST_PATH,
            at=LIST_PATH,
            hidden={"seen": visit.tournament.seq},
            act=tr("your list"),
        ),
    ]


AROUND = Surroundings("me", script="player", kind="player", styles=("clock",))
PLAYER_PAGES = (
    HallPage("/me", marked("My table"), me, AROUND),
    HallPage("/me/list", marked("My list"), own_list, AROUND._replace(here="")),
    HallPage(
        "/me/why/{column}",
        marked("How it is computed"),
        why,
        AROUND._replace(here=""),
        takes_long=True,
    ),
)


JOIN_PATH = "/join"
ASKED = "asked"
NAME_MAX = 200


def join(visit: Visit) -> Node:
    """Return the form that requests a registration, or the state of the request."""
    if not visit.visitor.is_newcomer:
        text = marked("to register, scan the code of the tournament at the desk")
        raise NotSignedIn(problem("serve.no_newcomer", text))
    if visit.words.get(ASKED):
        return [
            htpy.p(class_="done", id="asked")[
                tr("The desk has your name and will register you when you arrive.")
            ],
            htpy.p(id="claim", class_="done", role="status", hidden=True),
            htpy.p[tr("The desk can also print you a badge, with a code that opens your table.")],
            way_to(JOIN_PATH, tr("Ask to register another person")),
        ]
    return [
        htpy.h2[tr("Ask to be registered")],
        htpy.p[tr("Your name is stored encrypted, and deleted if you are not registered.")],
        htpy.p(id="claim", class_="done", role="status", hidden=True),
        act_form(
            "join",
            htpy.input(type="hidden", name="claim", value=""),
            text_field(tr("Your name"), "name", visit.fields.get("name", ""), longest=NAME_MAX),
            _faction(visit),
            text_field(
                tr("League id (if you have one)"),
                "league_id",
                visit.fields.get("league_id", ""),
                longest=64,
            ),
            htpy.label(class_="choice", id="own-phone", hidden=True)[
                htpy.input(type="checkbox", checked=True),
                htpy.span[tr("This is my own phone: open my table on it when I am registered")],
            ],
            button(tr("Ask"), kind="main"),
            to=f"{JOIN_PATH}?{ASKED}=1",
            at=JOIN_PATH,
            act=tr("your registration"),
        ),
    ]


def _faction(visit: Visit) -> Node:
    """Return the factions of the game to choose from; a game without any asks for none."""
    factions = visit.tournament.ruleset.factions
    if not factions:
        return None
    options = [("", tr("not given")), *((each, each) for each in factions)]
    return choice(tr("Your faction"), "faction", options, visit.fields.get("faction", ""))


JOIN_PAGES = (
    HallPage(JOIN_PATH, marked("Registration"), join, Surroundings(script="join", kind="player")),
)


PAGES: tuple[HallPage, ...] = (*PLAYER_PAGES, *JOIN_PAGES)
