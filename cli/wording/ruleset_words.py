"""A ruleset in words for a judge: each line with its clause, tiebreakers included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.terminal.visible import amount_of

if TYPE_CHECKING:
    from ledger.rulesets import Ruleset, Structure, Tiebreaker, Worth
    from ledger.rulesets.floor import Authority, FloorRules
    from ledger.rulesets.structures import Rematch, TypeOfEvent
    from ledger.rulesets.tiebreakers import Cut, Virtual, Where

LETTERS = {"W": "won", "L": "lost", "D": "drawn"}

MISSING = {
    "decided": (
        "if not all of them met, only a player who would be ahead whatever the missing results were"
    ),
    "ignored": "by the games played",
    "void": "only if all of them met",
}


def tiebreaker_in_words(one: Tiebreaker) -> str:
    """Say how a tiebreaker is computed."""
    return "".join((_base(one), *_terms(one), *_after(one)))


def _base(one: Tiebreaker) -> str:
    if one.over == "tied":
        return f"ahead by {one.source} among players still tied; {MISSING[one.missing]}"
    if one.over == "progress":
        return f"{one.reduction} of the player's running totals of {one.source} after each round"
    if one.reduction == "performance":
        return f"performance against opponents' {one.source}, by the table {one.steps}"
    per = f" per {one.per}" if one.per else ""
    scaled = f" times {one.scale}" if one.scale != 1 else ""
    floor = f", each at least {one.floor}" if one.floor else ""
    whose = "opponents'" if one.over == "opponents" else "the player's"
    return f"{one.reduction} of {whose} {one.source}{per}{scaled}{floor}"


def _terms(one: Tiebreaker) -> Iterator[str]:
    if one.rounds:
        yield f"; only rounds of kind {_list(one.rounds)}"
    if one.records:
        yield f"; only those {_list([LETTERS[each] for each in one.records])}"
    if one.seat:
        yield f"; only in the {one.seat} seat"
    if one.worth:
        yield f"; only rounds worth {one.worth} points or more"
    yield from _of_the_round(one)
    if one.where:
        yield _where(one.where)
    if one.virtual:
        yield _virtual(one.virtual)
    if one.trailing:
        kinds = _list(one.trailing.rounds)
        yield f"; rounds of kind {kinds} at the end of a player's day count {one.trailing.points}"
    if one.cut:
        yield _cut(one.cut)


def _of_the_round(one: Tiebreaker) -> Iterator[str]:
    if one.beside:
        less = f" minus {one.beside.minus}" if one.beside.minus else ""
        scaled = f" times {one.beside.times}" if one.beside.times != 1 else ""
        yield f"; each plus {one.beside.plus}{less} of the round{scaled}"
    if one.times:
        yield f"; each times the {one.times} of the round"


def _where(where: Where) -> str:
    per = f" per {where.per}" if where.per else ""
    scaled = f" times {where.scale}" if where.scale != 1 else ""
    least = f" of at least {where.min}" if where.min else ""
    most = f" of at most {where.max}" if where.max else ""
    return f"; only opponents with {where.source}{per}{scaled}{least}{most}"


def _virtual(virtual: Virtual) -> str:
    most = f", at most {virtual.most} per announced round" if virtual.most else ""
    scheduled = ", no more than the absent opponent" if virtual.scheduled else ""
    who = f"a virtual opponent with the player's own {virtual.source}"
    return f"; rounds of kind {_list(virtual.rounds)} count {who}{most}{scheduled}"


def _cut(cut: Cut) -> str:
    ends = [
        f"{count} {end}" if count > 1 else end
        for count, end in ((cut.low, "lowest"), (cut.high, "highest"))
        if count
    ]
    first = f", first from rounds of kind {_list(cut.first)}" if cut.first else ""
    whose = " by the value of the opponents" if cut.by == "source" else ""
    return f"; without the {_list(ends)}{whose}{first}"


def _after(one: Tiebreaker) -> Iterator[str]:
    if one.divide != 1:
        yield f"; divided by {one.divide}"
    if one.rounding:
        yield "; rounded to a whole number, half up"
    if one.steps and one.reduction != "performance":
        yield f"; looked up in the table {one.steps}"
    if one.plus:
        yield f"; plus {_list(one.plus)}"
    if one.minus:
        yield f"; minus {_list(one.minus)}"
    if one.last_drawn is not None:
        yield f"; as if each game of the last round gave {one.last_drawn}"
    if one.order == "ascending":
        yield "; lower is better"
    if one.since or one.until:
        since = f" from {one.since}" if one.since else ""
        yield f"; in force{since}{f' until {one.until}' if one.until else ''}"


def _list(words: tuple[str, ...] | list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


Line = tuple[str, str, str]
"""What it is about, what is so, and by which clause."""

MODELS = {
    "lost": "if it impedes play, it counts as lost",
    "kept": "if it impedes play, it is kept near the army; the game continues",
    "modified": "if it impedes play, it is modified or replaced; otherwise it counts as lost",
}

CHOOSERS = {
    "army total": "the player with the lower army total chooses",
    "roll": "the player who rolls higher chooses",
    "random": "a random player chooses",
    "second player": "the second player chooses",
}


def in_words(rules: Ruleset) -> Iterator[Line]:
    """Yield what a ruleset says, from the points of a match to the readings."""
    yield from _outcomes(rules)
    yield "bye", _worth(rules, rules.bye), rules.bye.clause
    yield "round missed", _worth(rules, rules.unpaired_loss), rules.unpaired_loss.clause
    yield from _forfeit(rules)
    yield from _results(rules)
    yield from _brought(rules)
    for number, one in enumerate(rules.tiebreakers, start=1):
        yield (
            f"tiebreaker {number}",
            f"{one.name} ({one.code}): {tiebreaker_in_words(one)}",
            one.clause,
        )
    ranking = set(rules.tiebreakers)
    declared = map(rules.counted, rules.declared)
    for one in (each for each in declared if each not in ranking):
        yield "not ranked by", f"{one.name} ({one.code}): {tiebreaker_in_words(one)}", one.clause
    for table in rules.steps:
        yield "table", f"{table.name}: {len(table.at)} steps from {table.at[0]}", table.clause
    yield "last tiebreaker", "a random rank, drawn once", rules.cites("FFG-TIEBREAK-RANDOM")
    yield from _rematch(rules.rematch)
    yield from _structures(rules)
    clock = rules.clock
    minutes = f"{_minutes(clock.swiss)}, elimination {_minutes(clock.elimination)}"
    yield "minutes", f"Swiss {minutes}, final {_minutes(clock.final)}", clock.clause
    until = "within the stage they left" if rules.rejoin == "stage" else "at any time"
    yield "return", f"a dropped player may return {until}", "FFG-REJOIN"
    yield from _floor(rules.floor)
    for reading in rules.readings:
        text = f"{reading.name}: {reading.value}. {reading.meaning}"
        yield "reading", text, reading.clause


def _outcomes(rules: Ruleset) -> Iterator[Line]:
    scoring = rules.scoring
    for one in rules.outcomes:
        worth = "" if one.points is None else f"{amount_of(scoring.shown(one.points), 'point')}, "
        goes_on = "; advances in an elimination" if one.advances else ""
        yield "outcome", f"{one.name}: {worth}against a {one.against}{goes_on}", one.clause
    if scoring.kind == "reported":
        phrase = f"each side's points are reported, {scoring.points_min} to {scoring.points_max}"
        yield "points", phrase, scoring.clause
    for band in rules.procedure.bands if rules.procedure else ():
        to = f"to {band.margin_max}" if band.margin_max is not None else "or more"
        margin = f"margin {band.margin_min} {to}"
        yield "points", f"{margin}: winner {band.winner}, loser {band.loser}", scoring.clause


def _worth(rules: Ruleset, worth: Worth) -> str:
    fields = "".join(f", {name} {value}" for name, value in worth.fields.items())
    return f"{amount_of(rules.scoring.shown(worth.points), 'point')}{fields}"


def _forfeit(rules: Ruleset) -> Iterator[Line]:
    """Yield what a match counts for to which a side did not come, if the ruleset has it."""
    if (forfeit := rules.forfeit) is None:
        return
    for who, is_absent in (("did not come", True), ("came", False)):
        worth = rules.worth_of_absence(is_absent=is_absent)
        yield "forfeit", f"{_worth(rules, worth)} for the player who {who}", worth.clause
    met = "counts as an opponent" if forfeit.met else "does not count as an opponent"
    yield "forfeit", f"the other player of the match {met} for tiebreakers", forfeit.clause


def _results(rules: Ruleset) -> Iterator[Line]:
    for ending in rules.procedure.endings if rules.procedure else ():
        needs = f"; needs {', '.join(ending.needs)}" if ending.needs else ""
        needs += f"; asks for {', '.join(ending.asks)}" if ending.asks else ""
        yield "ending", f"{ending.name}: {ending.meaning}{needs}", ending.clause
    for fact in rules.procedure.facts if rules.procedure else ():
        yield "table sees", f"{fact.name}, {fact.min} to {fact.max}: {fact.meaning}", fact.clause
    numbers = rules.procedure.numbers if rules.procedure else {}
    if rules.procedure and numbers:
        phrase = ", ".join(f"{name} {value}" for name, value in numbers.items())
        yield "constants", phrase, rules.procedure.clause


def _brought(rules: Ruleset) -> Iterator[Line]:
    """Named byes, and what players come with."""
    for bye in rules.byes:
        yield f"bye ({bye.name})", _worth(rules, bye), bye.clause
    for one in rules.numbers:
        absent = "" if one.default is None else f"; {one.default} if not given"
        yield (
            "each player",
            f"{one.name}, {one.min} to {one.max}: {one.meaning}{absent}",
            one.clause,
        )
    if start := rules.start:
        times = f" times {start.worth}" if start.worth != 1 else ""
        yield "begins with", f"{start.number}{times} as points", start.clause


def _rematch(rules: Rematch) -> Iterator[Line]:
    where = "across all Swiss stages" if rules.scope == "tournament" else "within one stage"
    yield "rematch", f"players are not paired with the same opponent again {where}", rules.clause
    if rules.no_show == "counts":
        phrase = "counts as a meeting, if the round can be paired legally without repeating it"
    else:
        phrase = "does not count as a meeting"
    yield "no-show", f"a pairing that was not played {phrase}", rules.clause


def _structures(rules: Ruleset) -> Iterator[Line]:
    structures = rules.structures
    for name, table in (("basic", structures.basic), ("advanced", structures.advanced)):
        yield from _bands(name, table) if table else ()
    if structures.custom:
        yield "custom", "rounds and cut as the organizer announces them", structures.clause
    if tiers := structures.tiers:
        usual = ", ".join(f"{tier} {kind}" for tier, kind in tiers.usual.items())
        yield "usual structure", usual, tiers.clause
    if types := structures.types:
        yield "types of tournament", "; ".join(map(_type_of_event, types.kinds)), types.clause


def _type_of_event(kind: TypeOfEvent) -> str:
    tier = f"{kind.tier} tier" if kind.tier else "any tier"
    structure = f"{kind.structure} structure" if kind.structure else "any structure"
    return f"{kind.name}: {tier}, {structure}"


def _bands(name: str, table: Structure) -> Iterator[Line]:
    for band in table.bands:
        to = f"to {band.players_max}" if band.players_max is not None else "or more"
        yield name, f"{band.players_min} {to} players: {band.in_words}", table.clause


def _minutes(minutes: int) -> str:
    return str(minutes) if minutes else "set by the organizer"


def _floor(floor: FloorRules) -> Iterator[Line]:
    rules = floor.authority
    where = "only in the Relaxed tier" if rules.playing == "relaxed" else "if announced"
    yield "leaders", ", ".join(rules.leaders), rules.clause
    yield "leaders play", where, rules.playing_clause or rules.clause
    yield from _last_words(rules)
    if rules.placing_prize == "passes":
        yield (
            "prizes",
            "an organizer who plays passes a placing prize to the next rank",
            rules.clause,
        )
    if floor.clock.extra_max:
        phrase = f"up to {floor.clock.extra_max} minutes more per round, announced before play"
        yield "extra time", phrase, floor.clock.clause
    if floor.clock.warning:
        yield "warning", f"{floor.clock.warning} minutes before the end", floor.clock.clause
    yield from _components(floor)
    if floor.armies:
        yield "army total", f"at most {floor.armies.most} points", floor.armies.clause
    for about, chosen in (("first player", floor.first), ("sides", floor.sides)):
        if chosen:
            yield about, CHOOSERS[chosen.chooser], chosen.clause
    for season in floor.scenario.seasons if floor.scenario else ():
        cards = f"{', '.join(season.deployments)}; {', '.join(season.objectives)}"
        yield f"from {season.since}", cards, floor.scenario.clause if floor.scenario else ""
    if floor.battle:
        yield "set-up", "built from the blue player's battle cards", floor.battle.clause
    yield from _looked_over(floor)


def _last_words(rules: Authority) -> Iterator[Line]:
    """Whose word is final, on what it is not, and who imposes results and penalties."""
    if rules.final == "organizer":
        yield (
            "last word",
            "the organizer's; a ruling of another leader can be appealed to them",
            rules.clause,
        )
    elif rules.reviewer:
        yield "last word", "a marshal's, if a player asks for a review", rules.clause
    bind = "binding for all" if rules.documents else "a marshal corrects mistakes found in them"
    yield "documents", bind, rules.documents or "FFG-OVERRULE"
    alone = "only the organizer" if rules.declares else "a marshal in office, else the organizer"
    yield "penalties", f"and imposed results: {alone}", rules.declares or "FFG-AUTH-CONDUCT"
    if rules.adjusts:
        yield "tables by hand", "set only by the organizer", rules.adjusts


def _looked_over(floor: FloorRules) -> Iterator[Line]:
    if floor.terrain:
        yield "terrain", "counted at each table", floor.terrain.clause
        yield "fixed terrain", "if announced before the first round", floor.terrain.fixed
    if floor.lists.deck_check:
        phrase = "each is checked before the first round, with or without a list"
        yield "decks", phrase, floor.lists.deck_check
    if floor.verification:
        yield (
            "armies",
            "verified by the players, if an official orders it",
            floor.verification.clause,
        )
    if floor.first_five:
        phrase = "reviewed before each match, by an official or another player"
        yield "First Five", phrase, floor.first_five.clause
    if floor.inspections:
        looked_at = ", ".join(floor.inspections.of)
        tiers = f"; opaque sleeves: {', '.join(floor.inspections.opaque)}"
        more = tiers if floor.inspections.opaque else ""
        yield "inspections", f"of {looked_at}, on request{more}", floor.inspections.clause
    if floor.pace:
        yield (
            "slow play",
            "a player may ask the organizer to watch the pace of a match",
            floor.pace.clause,
        )
    if floor.conduct.clause != "FFG-CONDUCT-KIND":
        yield "conduct", f"unsporting: {', '.join(floor.conduct.kinds)}", floor.conduct.clause
    if floor.draft:
        yield "draft groups", "drawn before the first round", floor.draft.clause


def _components(floor: FloorRules) -> Iterator[Line]:
    rules = floor.components
    kind = "an essential component" if rules.essential_only else "a component"
    lost = {
        "concede": "the game is conceded",
        "extension": "the player looks for it, with a time extension",
    }
    if not rules.lost:
        phrase = "no rule: the leaders decide which components may be used"
        yield "lost or damaged", phrase, rules.clause
        return
    yield "lost", f"{kind} found missing during a game: {lost[rules.during]}", rules.clause
    if rules.damaged:
        yield "damaged", "damaged, ineligible and shared components are ruled on", "FFG-DAMAGED"
        yield "damaged model", MODELS[rules.model.impedes], rules.model.clause
    if rules.playmats:
        yield "playmats", "a player's own playmat must be an official one", rules.playmats
