"""Records of the floor around the tables: rulings, conduct, the clock, set-ups, lists and links.

Part of the tournament's state, written by the facts' functions alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from ledger.facts.shared import (
    BattleBuilt,
    DeckChecksDrawn,
    FirstPlayerChosen,
    JudgeCalled,
    ListChecked,
    RegistrationAsked,
    Result,
    RulingMade,
    ScenarioDrawn,
    SideTaken,
    SlipAuditBegun,
    TerrainCounted,
)

if TYPE_CHECKING:
    from ledger.lines.recorded import AnyRecorded

_OVER = re.compile(r"w([1-9][0-9]{0,6})-")


class Link(Struct):
    """A link: whose, the SHA-256 of its secret, and the event and the command that gave it out.

    `until` is the event that ended it, 0 while it lets somebody in.
    """

    number: int
    of: str
    digest: str
    seq: int
    command_id: str
    until: int = 0


def link_in(command_id: str) -> int:
    """Return the number of the link with which an id begins, `w7-…`; 0 where it begins with none.

    It is over that link only where the log has one of that number.
    """
    found = _OVER.match(command_id)
    return int(found[1]) if found else 0


def link_over(links: Mapping[int, Link], command_id: str) -> int:
    """Return the link over which an act was entered; 0 for one at a desk."""
    number = link_in(command_id) if links else 0
    link = links.get(number)
    return number if link else 0


def link_of(links: Mapping[int, Link], person: str) -> Link | None:
    """Return somebody's link, if they have one that lets them in."""
    found = (each for each in links.values() if each.of == person and not each.until)
    return next(found, None)


class HandedList(Struct):
    """One list of a player: event `seq` brought its open `text` and the seal of its `hidden` part.

    `significant` is what a correction says of itself, None where the list was handed in.
    """

    seq: int
    text: str
    hidden: str = ""
    significant: bool | None = None
    is_lost: bool = False
    """Whether the key of what is hidden was lost since."""


class SubmittedList(Struct):
    """A player's list as it stands: event `seq` brought `text`; 0 and empty without a list.

    `hidden` is the seal of what opponents may not see, `handed` every list of the player, and
    `checks` how many checks there were.
    """

    seq: int = 0
    text: str = ""
    hidden: str = ""
    handed: list[HandedList] = field(default_factory=list)
    checks: int = 0
    is_lost: bool = False
    """Whether the key of what is hidden was lost since the list or its check."""

    checked: ListChecked | None = None
    """The check of this very text; none after a correction."""

    checked_seq: int = 0
    """The event of the latest check, 0 before the first."""

    flagged: list[int] = field(default_factory=list)
    """The corrections that are to be investigated (FFG-LIST)."""


class Claim(Struct, frozen=True):
    """What somebody says a match's result is: a player, or the desk (0), in event `seq`.

    No `result`: only that the other claim is wrong.
    """

    seq: int
    player: int
    at: str
    result: Result | None = None


class Dispute(Struct):
    """A dispute: what was reported, what is said against it, and what ended it.

    `ruling` is the first ruling on it, `closed` the event that ended it without one. `unasked`: a
    ruling on what nobody disputed is what is said against it.
    """

    match: int
    reported: Claim
    against: Claim
    reason: str = ""
    ruling: int = 0
    closed: int = 0
    unasked: bool = False

    @property
    def seq(self) -> int:
        """The event that opened it."""
        return self.against.seq


class Ruling(Struct):
    """A ruling; `final` where it cannot be reviewed.

    `reviewed_by` is the event that decided again, `appealed` the one that asked for it later, on
    the word of the `appellant`, and `entered` the one that brought the result in line with it.
    """

    seq: int
    made: RulingMade
    final: bool
    reviewed_by: int = 0
    appealed: int = 0
    appellant: int = 0
    entered: int = 0


class Call(Struct, frozen=True):
    """Somebody called out at that moment how many minutes are left; 0: time is over."""

    left: int
    at: str
    seq: int


class Handover(Struct, frozen=True):
    """The office of organizer on its way: who entered it, who lays it down, and who has it next.

    `for_now`: until who lays it down resumes it; `back`: they resume it, and are in office again.
    """

    by: int
    of: int
    to: int
    for_now: bool = False
    back: bool = False


class Missing(Struct, frozen=True):
    """What a player misses since a round, by which clause; conceded: its game is lost at once."""

    round: int
    component: str
    clause: str
    seq: int
    conceded: bool = False


class Particulars(Struct, frozen=True):
    """What a registration said beside the name, before an event amended it."""

    seq: int
    faction: str
    league_id: str
    attributes: dict[str, str]
    numbers: dict[str, int] = field(default_factory=dict)


class Attendance(Struct):
    """A check-in: the event that opened it, who is here by which event, and what closed it."""

    seq: int
    present: dict[int, int] = field(default_factory=dict)
    closed: int = 0


class JudgeCall(Struct):
    """A call for a judge, its event, and the one that answered it; 0 while it waits."""

    seq: int
    at: str
    made: JudgeCalled
    answered: int = 0


class AskedRegistration(Struct):
    """A request to be registered, its event, the one that answered it, and the player then."""

    seq: int
    at: str
    made: RegistrationAsked
    answered: int = 0
    player: int = 0


class EnteredCorrection(Struct, frozen=True):
    """A correction of a result: the match, who entered it and when, and why; 0: no ruling."""

    match: int
    by: str
    at: str
    reason: str
    ruling: int = 0


class SlipAudit(Struct):
    """Paper slips held to the log: the head that was shown, the word, and what was read.

    `results` are those on record when it began, by match, of every slip.
    """

    seq: int
    begun: SlipAuditBegun
    results: dict[int, Result]
    word: str = ""
    drawn: int = 0
    """The event of the word, 0 before it."""

    read: dict[int, AnyRecorded] = field(default_factory=dict)
    """What was read of the slips, by match, in the order in which it was entered."""


class Pause(Struct):
    """The clock of a round stood still: since when, by which event, until when; "": it does now."""

    since: str
    seq: int
    until: str = ""
    resumed_seq: int = 0


class TableRecords(Struct):
    """Everything known of the floor; the lists hold events in their order."""

    pauses: dict[int, list[Pause]] = field(default_factory=dict)
    """By round, when its clock stood still."""

    longer: dict[int, int] = field(default_factory=dict)
    """By round, the minutes that all of its tables were given."""

    amended: dict[int, list[Particulars]] = field(default_factory=dict)
    """By player what was known of them before each amendment."""

    reporters: dict[int, int] = field(default_factory=dict)
    """By match the player on whose word its result was entered; none where it is the desk's."""

    reported_at: dict[int, str] = field(default_factory=dict)
    """By match the moment of the report that a player's word entered."""

    unconfirmed: dict[int, Claim] = field(default_factory=dict)
    """By match the report that does not count before it is confirmed."""

    confirmed: dict[int, list[Claim]] = field(default_factory=dict)
    """By match who confirmed the result that stands."""

    corrections: list[EnteredCorrection] = field(default_factory=list)
    """Corrections of results, in order; their matches have the latest result."""

    disputes: list[Dispute] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    conduct: list[AnyRecorded] = field(default_factory=list)
    recommended: dict[int, int] = field(default_factory=dict)
    """For each player the event of the last recommendation to disqualify them."""

    penalties: list[AnyRecorded] = field(default_factory=list)
    notes: list[AnyRecorded] = field(default_factory=list)
    slip_audits: list[SlipAudit] = field(default_factory=list)
    check_ins: list[Attendance] = field(default_factory=list)
    judge_calls: list[JudgeCall] = field(default_factory=list)
    requests: list[AskedRegistration] = field(default_factory=list)
    extra_minutes: int = 0
    extensions: dict[int, int] = field(default_factory=dict)
    """Minutes that each match was given beside the round's."""

    calls: dict[int, list[Call]] = field(default_factory=dict)
    """What was called out in each round, in order."""

    moderated: list[AnyRecorded] = field(default_factory=list)
    """Whenever somebody saw to the pace of a match."""

    scenarios: dict[int, ScenarioDrawn] = field(default_factory=dict)
    """By round; the following five by match."""

    choosers: dict[int, int] = field(default_factory=dict)
    """Who was drawn to choose in a match."""

    first_players: dict[int, FirstPlayerChosen] = field(default_factory=dict)
    sides: dict[int, SideTaken] = field(default_factory=dict)
    battles: dict[int, BattleBuilt] = field(default_factory=dict)
    lost_battles: set[int] = field(default_factory=set)
    """Matches whose cards are sealed with a key that was replaced: nobody can open them."""

    reviewed: dict[int, list[int]] = field(default_factory=dict)
    """Whose First Five was looked at."""

    missing: dict[int, Missing] = field(default_factory=dict)
    """By player, as long as it is neither found nor the player gone."""

    damaged_cards: dict[int, list[str]] = field(default_factory=dict)
    worn: dict[int, list[AnyRecorded]] = field(default_factory=dict)
    """By player the damaged tools that nothing replaces: the opponent's are shared."""

    components: list[AnyRecorded] = field(default_factory=list)
    deck_checks: list[DeckChecksDrawn] = field(default_factory=list)
    """The tables whose decks are checked, by each draw of them."""

    given_out: dict[int, list[str]] = field(default_factory=dict)
    """What each player was given out at registration."""

    prizes: list[AnyRecorded] = field(default_factory=list)
    drafts: int = 0
    draft_groups: tuple[tuple[int, ...], ...] = ()
    fixed_terrain: bool = False
    terrain: dict[int, TerrainCounted] = field(default_factory=dict)
    acts: dict[int, AnyRecorded] = field(default_factory=dict)
    """What can be taken back as if it had not been said, by its event."""

    taken_back: dict[int, AnyRecorded] = field(default_factory=dict)
    """What was: the words that took it back are about the same persons."""

    links: dict[int, Link] = field(default_factory=dict)
    """By number, every link that was given out."""

    handover: Handover | None = None
    deputies: dict[int, int] = field(default_factory=dict)
    """By organizer who holds the office for now, whose it is."""

    verification: int = 0
    """The event that ordered it, 0 while none did."""

    def forget_set_up(self, match: int) -> None:
        """Others sit at the table now: what was set up there is void."""
        for kept in (self.choosers, self.first_players, self.sides, self.battles, self.reviewed):
            kept.pop(match, None)

    def ruling(self, seq: int) -> Ruling | None:
        """The ruling that an event holds, if it holds one."""
        return next((ruling for ruling in self.rulings if ruling.seq == seq), None)

    def judge_call(self, seq: int) -> JudgeCall | None:
        """The call for a judge that this event holds, if it holds one."""
        return next((call for call in self.judge_calls if call.seq == seq), None)

    def request(self, seq: int) -> AskedRegistration | None:
        """The request to be registered that this event holds, if it holds one."""
        return next((each for each in self.requests if each.seq == seq), None)

    def slip_audit(self, seq: int) -> SlipAudit | None:
        """The slip audit that an event began, if it began one."""
        return next((audit for audit in self.slip_audits if audit.seq == seq), None)


Instance = Literal["first", "review"]
"""first: a ruling at the table; review: of a ruling that was made before."""
