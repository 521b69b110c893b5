"""Facts and values that the state, the lines and the rulesets name, below every theme.

The state keeps some facts as they are, and a line's seal knows the fact that names a person.
Whatever these rooms name is defined here; what such a fact does is in the module of its theme.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from ledger.facts import base
from ledger.facts.base import DESK, LEADERS, ORGANIZER, Event, Recording, Sha256, Size
from ledger.problems import marked, remedy
from ledger.proof.lines import RULES, WIRE

Manner = Literal["played", "time", "concession", "no-show", "departure", "declared"]


class Result(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """How a match ended, side by side: the first member is the first player's.

    `outcomes` are names of the ruleset's outcomes, `points` what they are worth, `fields` the
    further numbers that tiebreakers read. `ending` and `facts` are what the table saw, where the
    ruleset derives all that from it. A `no-show` or a `departure` is no meeting for the
    tiebreakers; a departure has facts if both players left a game that had begun. `adjusted` is
    what a judge elsewhere gave or took from each side beside `points`, as an imported file has it.
    """

    outcomes: tuple[base.Label, base.Label]
    points: tuple[base.Points, base.Points]
    manner: Manner = "played"
    fields: dict[base.Label, tuple[base.Whole, base.Whole]] = field(default_factory=dict)
    ending: Annotated[str, Meta(max_length=64)] = ""
    facts: dict[base.Label, tuple[base.Whole, base.Whole]] = field(default_factory=dict)
    adjusted: tuple[base.Adjustment, base.Adjustment] = (0, 0)

    @property
    def counted(self) -> tuple[int, int]:
        """The points of each side that count, adjustments included."""
        return self.points[0] + self.adjusted[0], self.points[1] + self.adjusted[1]


RESULT_MEMBERS = ("result", "claim", "decides")
"""The members of events that contain a result."""


StageKind = Literal["swiss", "single", "double", "recorded"]


EntryKind = Literal["all", "top", "points", "list"]


Names = Literal["open", "sealed"]


Wire = Annotated[int, Meta(ge=WIRE, le=WIRE)]


class Document(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruleset or format as it was in force: its whole text, so that the log replays alone."""

    key: base.Label
    edition: base.Label
    sha256: base.Sha256
    text: Annotated[str, Meta(max_length=40_000)]


READINGS_MAX = 8
"""How many readings a file has at most at once: an import tries two."""


class Source(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The foreign file that an imported tournament came from, and by which readings it was read.

    No reading: what the file says was taken as it says it.
    """

    kind: base.Label
    sha256: base.Sha256
    reading: Annotated[tuple[base.Label, ...], Meta(max_length=READINGS_MAX)] = ()


class Stage(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One announced stage.

    `rounds` is 0 for an elimination that runs until one player is left. `entry` says who plays:
    all, the top `size` of the standings, those with `size` points or more, or a list made by hand.
    `carries` keeps the points, and the tiebreakers' rounds, of the stages before.
    `rematch` bans a second meeting within this stage or within the tournament.
    """

    kind: StageKind
    rounds: Annotated[int, Meta(ge=0, le=100)] = 0
    entry: EntryKind = "all"
    size: base.Count = 0
    carries: bool = False
    rematch: Literal["stage", "tournament"] = "stage"


APPEALS_MAX = 365
"""Days after the end that texts about others can be kept for."""


class TournamentOpened(Event, frozen=True):
    """The book is opened: always the first event.

    `wire` and `rules` say which releases read the log: see `ledger.proof.lines`.
    `names` says whether names and free texts stand in the lines in cipher (`sealed`) or as typed.

    `commitment` is the SHA-256 of the secret shuffle key, which draws are made with, and `hidden`
    that of the secret hidden key, which battle cards and hands are sealed with. Both are empty
    where nothing is drawn here: in a finished import. `log_key` is the public key of the log
    itself, in base64, for its signed heads.
    `witness` is the key (as a policy has it) of who cosigns the head of the start, before anything
    is drawn; empty where nobody does.
    `appeals`: for how many days after the end texts about others are kept from being forgotten.
    `lists_required`: nobody plays without having handed in a list (FFG-LIST).
    `last_day` is the day on which an imported event ended, if it is not the first one.
    `event_type` is one of the ruleset's types of event (RW-TIER), or empty.
    """

    recording = Recording(
        marked("opening a tournament"),
        ORGANIZER,
        instead=remedy("new"),
        stays=marked("its log is permanent"),
    )

    wire: Wire
    rules: Annotated[int, Meta(ge=1, le=RULES)]
    tournament: base.TournamentId
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    date: base.Day
    time_zone: base.Label
    tier: base.Tier
    ruleset: Document
    engine: base.Label
    commitment: base.SecretOrNone = ""
    hidden: base.SecretOrNone = ""
    format: Document | None = None
    imported: Source | None = None
    lists_required: bool = False
    names: Names = "open"
    appeals: Annotated[int, Meta(ge=0, le=APPEALS_MAX)] = 0
    log_key: Annotated[str, Meta(max_length=100)] = ""
    witness: Annotated[str, Meta(max_length=300)] = ""
    last_day: base.DayOrNone = ""
    event_type: Annotated[str, Meta(max_length=base.LABEL_MAX)] = ""


class StructureAnnounced(Event, frozen=True):
    """The stages are announced; after the start only with a `reason` (FFG-ANNOUNCE).

    `players` is the attendance that the structure was chosen for (FFG-STRUCTURE), and `outline`
    names the document that asked for a custom one (FFG-OUTLINE).
    """

    recording = Recording(
        marked("announcing the structure"), ORGANIZER, instead=remedy("start.change.to")
    )

    structure: Literal["basic", "advanced", "custom"]
    stages: tuple[Stage, ...]
    players: base.Count
    outline: base.Text = ""
    reason: base.Text = ""


class RegistrationAsked(Event, frozen=True):
    """Somebody who has no number yet asks to be registered: the desk answers.

    The name is no record of a person's; approval makes one.
    """

    recording = Recording(
        marked("asking to be registered"),
        DESK | LEADERS,
        stays=(marked("the desk must answer the request")),
    )

    name: base.Text
    faction: Annotated[str, Meta(max_length=64)] = ""
    league_id: Annotated[str, Meta(max_length=64)] = ""


Signature = Annotated[str, Meta(max_length=100)]
"""Base64 of a signature; the check holds it to its length and its one spelling."""


class HeadRecorded(Event, frozen=True):
    """The head of all lines up to the start, with its word: always the next event after it.

    `root` is the tree's, in hex; `signature` the log's over the head, empty where the log's key was
    not at the desk. Every draw rests on it, or on the cosignature where the first event names a
    witness.
    """

    recording = Recording(
        marked("recording the head of the start"),
        ORGANIZER,
        instead=remedy("start.change.to"),
        stays=marked("the word and its head are final"),
    )

    size: Size
    root: Sha256
    signature: Signature = ""


class SlipAuditBegun(Event, frozen=True):
    """The paper slips before a cut are to be held to the log, with a limit to the risk.

    `stage` is the one that the cut leads to. `risk`, in millionths, is how likely it may be at the
    most that a cut that is wrong is taken for right. `size` and `root` are the head of every line
    before this one, and `signature` the log's over it, empty where the log's key was not at the
    desk: it is shown before a word is called out.
    """

    recording = Recording(
        marked("beginning a slip audit"), DESK | LEADERS, after_finish=True, withdrawable=True
    )

    stage: base.Ordinal
    risk: Annotated[int, Meta(ge=1, le=500_000)]
    size: Size
    root: Sha256
    signature: Signature = ""


Clause = Annotated[str, Meta(max_length=64)]


class RulingMade(Event, frozen=True):
    """An official ruled (FFG-RULING); `match` 0: on no single match.

    `raised` says who asked, `player` which one if it was a player. `review` says that a player
    asked for a marshal's review. `reviews` is the ruling that this one decides again, for good, or
    leaves as it is (`upheld`). `overrules` names the mistake of the rules documents that it puts
    right (FFG-OVERRULE). `settles` is the dispute that it ends, and `decides` the result that the
    match then has; without one the disputed report stands.
    """

    recording = Recording(
        marked("a ruling"),
        DESK | LEADERS,
        after_finish=True,
        withdrawable=True,
        instead=remedy("appeal"),
    )

    official: base.Number
    ruling: base.Text
    match: base.MatchOrNone = 0
    clause: Clause = ""
    raised: Literal["player", "spectator", "official"] = "official"
    player: base.Seat = 0
    review: bool = False
    reviews: base.SeqOrNone = 0
    overrules: base.Text = ""
    upheld: bool = False
    settles: base.SeqOrNone = 0
    decides: Result | None = None


class JudgeCalled(Event, frozen=True):
    """Somebody wants a judge: at the table of a match, or a player without one anywhere."""

    recording = Recording(
        marked("calling a judge"), DESK | LEADERS, by_players=True, withdrawable=True
    )

    match: base.MatchOrNone = 0
    player: base.Seat = 0
    reason: base.Text = ""


FINDINGS_MAX = 60
"""How many findings a check records; of further ones the number alone."""


HIDDEN_MAX = 50_000
"""Characters of a seal: a list of the greatest length has room."""


Hidden = Annotated[str, Meta(max_length=HIDDEN_MAX, extra={base.FORM: r"^([0-9a-f]{2})*\Z"})]
"""What opponents may not see, sealed as `ledger.lines.sealing` says; empty where lists are open."""


FindingCount = Annotated[int, Meta(ge=0, le=FINDINGS_MAX)]


class CardSource(Struct, frozen=True, forbid_unknown_fields=True):
    """The card file that a check followed (LEG-ORACLE)."""

    name: Annotated[str, Meta(max_length=200)]
    version: Annotated[str, Meta(max_length=200)]
    date: Annotated[str, Meta(max_length=10)]
    sha256: base.Sha256


class ListFinding(Struct, frozen=True, forbid_unknown_fields=True):
    """What was wrong or could not be checked."""

    clause: base.Label
    text: Annotated[str, Meta(max_length=400)]
    state: Literal["breaks", "not checked"]


class ListChecked(Event, frozen=True):
    """A leader checked what event `list` handed in, or, with 0, a deck presented without a list.

    Without `cards` it was checked by hand. `further` findings are not written out. Where a part of
    the lists is hidden, so are findings and note, as the seal `hidden`; `counts` says how many
    findings break the format, and how many things were not checked.
    """

    recording = Recording(marked("checking a list"), LEADERS, instead=remedy("lists.check"))

    player: base.Number
    list: base.SeqOrNone
    cards: CardSource | None = None
    findings: Annotated[tuple[ListFinding, ...], Meta(max_length=FINDINGS_MAX)] = ()
    further: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    note: base.Text = ""
    hidden: Hidden = ""
    counts: tuple[FindingCount, FindingCount] | None = None


class DeckChecksDrawn(Event, frozen=True):
    """The tables of a round whose decks are checked, by lot: `draw` counts the draws of a pairing.

    Tables that were drawn before in the same pairing are left out.
    """

    recording = Recording(
        marked("drawing deck checks"), LEADERS, drawn=True, stays=marked("a draw is final")
    )

    round: base.Ordinal
    attempt: base.Ordinal
    draw: base.Ordinal
    tables: Annotated[tuple[base.Ordinal, ...], Meta(min_length=1, max_length=4_000)]


Card = Annotated[str, Meta(min_length=1, max_length=200)]


SEALED_MAX = 40_000
"""Characters of a sealed text; nine card names of the greatest length need fewer."""


class ScenarioDrawn(Event, frozen=True):
    """The deployment and the objective of a round (RW-SCENARIO).

    `by_hand`: cards or a die in the room drew them, and no key can repeat it.
    """

    recording = Recording(
        marked("drawing a scenario"),
        ORGANIZER,
        drawn=True,
        stays=marked("a draw is final: repeating it would give the same result"),
    )

    round: base.Ordinal
    deployment: Card
    objective: Card
    by_hand: bool = False


class FirstPlayerChosen(Event, frozen=True):
    """`chooser` chose who is first player (RW-FIRST, AOP-FIRST, L5R-FIRST).

    `totals` are both army totals, `rolls` every roll, the first player's of the match first;
    each is there where the game chooses by it. `reason`: why the totals are no longer those that
    somebody was drawn at.
    """

    recording = Recording(
        marked("recording a first player"), DESK | LEADERS, instead=remedy("first")
    )

    match: base.Ordinal
    chooser: base.Number
    first: base.Number
    totals: tuple[base.Count, base.Count] | None = None
    rolls: tuple[tuple[base.Count, base.Count], ...] = ()
    reason: base.Text = ""


class SideTaken(Event, frozen=True):
    """`chooser` chose a side; `blue` has the blue one (SWL-SIDES, RW-SIDE).

    `edge` is the long edge that blue chose where the terrain is fixed (SWL-FIXED-TERRAIN).
    `reason`: why the totals are no longer those that somebody was drawn at.
    """

    recording = Recording(marked("recording a side"), DESK | LEADERS, instead=remedy("side"))

    match: base.Ordinal
    chooser: base.Number
    blue: base.Number
    totals: tuple[base.Count, base.Count] | None = None
    edge: Annotated[str, Meta(max_length=64)] = ""
    reason: base.Text = ""


class BattleBuilt(Event, frozen=True):
    """The battle of a match was set up from blue's cards, which stay hidden (SWL-SETUP).

    `sealed` holds what was revealed and struck, and opens with the hidden key, which the last
    event reveals (SWL-HIDDEN); `ledger.lines.sealing` says how.
    """

    recording = Recording(
        marked("recording a set-up"),
        DESK | LEADERS,
        stays=(marked("record another set-up to replace it")),
    )

    match: base.Ordinal
    sealed: Annotated[str, Meta(max_length=SEALED_MAX, extra={base.FORM: r"^([0-9a-f]{2})+\Z"})]


class TerrainCounted(Event, frozen=True):
    """What stands on a table: how much of it is covered, in percent, and how many of each type."""

    recording = Recording(marked("counting terrain"), DESK | LEADERS, instead=remedy("terrain"))

    table: base.Ordinal
    covered: Annotated[int, Meta(ge=0, le=100)]
    pieces: dict[base.Label, base.Count] = field(default_factory=dict)


class PersonRecorded(Event, frozen=True):
    """Who somebody is: the one kind of event that holds a name. The latest record counts."""

    recording = Recording(
        marked("recording a name"), DESK, after_finish=True, instead=remedy("rename")
    )

    of: base.PersonId
    name: base.PersonName


Inspected = Literal["sleeves", "cards", "dice", "tokens"]
