"""A ruleset in words for a judge: each line with its clause, tiebreakers included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.languages.speaking import marked, tr, tr_of
from cli.terminal.problems import said
from cli.terminal.visible import amount_of

if TYPE_CHECKING:
    from ledger.rulesets import Ruleset, Structure, Tiebreaker, Worth
    from ledger.rulesets.floor import Authority, FloorRules
    from ledger.rulesets.structures import Rematch, TypeOfEvent
    from ledger.rulesets.tiebreakers import Cut, Virtual, Where

LETTERS = {"W": marked("won"), "L": marked("lost"), "D": marked("drawn")}

KINDS = (
    marked("met"),
    marked("bye"),
    marked("asked"),
    marked("won"),
    marked("lost"),
    marked("absent"),
)
"""The kinds of rounds."""

REDUCTIONS = (marked("sum"), marked("mean"), marked("performance"))

MISSING = {
    "decided": (
        marked(
            "if not all of them met, only a player who would be ahead whatever the missing "
            "results were"
        )
    ),
    "ignored": marked("by the games played"),
    "void": marked("only if all of them met"),
}


def tiebreaker_in_words(one: Tiebreaker) -> str:
    """Say how a tiebreaker is computed."""
    return "".join((_base(one), *_terms(one), *_after(one)))


def _base(one: Tiebreaker) -> str:
    if one.over == "tied":
        return tr(
            "ahead by {source} among players still tied; {missing}",
            source=tr(one.source),
            missing=tr(MISSING[one.missing]),
        )
    if one.over == "progress":
        return tr(
            "{reduction} of the player's running totals of {source} after each round",
            reduction=tr(one.reduction),
            source=tr(one.source),
        )
    if one.reduction == "performance":
        return tr(
            "performance against opponents' {source}, by the table {steps}",
            source=tr(one.source),
            steps=one.steps,
        )
    per = tr(" per {unit}", unit=tr(one.per)) if one.per else ""
    scaled = _scaled(one.scale)
    floor = tr(", each at least {floor}", floor=one.floor) if one.floor else ""
    opponents, own = (
        tr("{reduction} of opponents' {source}{more}"),
        tr("{reduction} of the player's {source}{more}"),
    )
    return (opponents if one.over == "opponents" else own).format(
        reduction=tr(one.reduction), source=tr(one.source), more=f"{per}{scaled}{floor}"
    )


def _scaled(factor: object) -> str:
    return tr(" times {factor}", factor=factor) if factor != 1 else ""


def _terms(one: Tiebreaker) -> Iterator[str]:
    if one.rounds:
        yield tr("; only rounds of kind {kinds}", kinds=_kinds(one.rounds))
    if one.records:
        yield tr(
            "; only those {records}", records=_list([tr(LETTERS[each]) for each in one.records])
        )
    if one.seat:
        first, second = tr("; only in the first seat"), tr("; only in the second seat")
        yield first if one.seat == "first" else second
    if one.worth:
        yield tr("; only rounds worth {worth} points or more", worth=one.worth)
    yield from _of_the_round(one)
    if one.where:
        yield _where(one.where)
    if one.virtual:
        yield _virtual(one.virtual)
    if one.trailing:
        kinds = _kinds(one.trailing.rounds)
        yield tr(
            "; rounds of kind {kinds} at the end of a player's day count {points}",
            kinds=kinds,
            points=one.trailing.points,
        )
    if one.cut:
        yield _cut(one.cut)


def _of_the_round(one: Tiebreaker) -> Iterator[str]:
    if one.beside:
        less = tr(" minus {value}", value=one.beside.minus) if one.beside.minus else ""
        scaled = _scaled(one.beside.times)
        yield tr(
            "; each plus {plus}{less} of the round{scaled}",
            plus=one.beside.plus,
            less=less,
            scaled=scaled,
        )
    if one.times:
        yield tr("; each times the {times} of the round", times=one.times)


def _where(where: Where) -> str:
    per = tr(" per {unit}", unit=tr(where.per)) if where.per else ""
    scaled = _scaled(where.scale)
    least = tr(" of at least {min}", min=where.min) if where.min else ""
    most = tr(" of at most {max}", max=where.max) if where.max else ""
    return tr(
        "; only opponents with {source}{more}",
        source=tr(where.source),
        more=f"{per}{scaled}{least}{most}",
    )


def _virtual(virtual: Virtual) -> str:
    most = tr(", at most {most} per announced round", most=virtual.most) if virtual.most else ""
    scheduled = tr(", no more than the absent opponent") if virtual.scheduled else ""
    return tr(
        "; rounds of kind {kinds} count a virtual opponent with the player's own {source}{more}",
        kinds=_kinds(virtual.rounds),
        source=tr(virtual.source),
        more=most + scheduled,
    )


def _cut(cut: Cut) -> str:
    ends = [
        f"{count} {end}" if count > 1 else end
        for count, end in ((cut.low, tr("lowest")), (cut.high, tr("highest")))
        if count
    ]
    first = tr(", first from rounds of kind {kinds}", kinds=_kinds(cut.first)) if cut.first else ""
    whose = tr(" by the value of the opponents") if cut.by == "source" else ""
    return tr("; without the {ends}{more}", ends=_list(ends), more=whose + first)


def _after(one: Tiebreaker) -> Iterator[str]:
    if one.divide != 1:
        yield tr("; divided by {divide}", divide=one.divide)
    if one.rounding:
        yield tr("; rounded to a whole number, half up")
    if one.steps and one.reduction != "performance":
        yield tr("; looked up in the table {steps}", steps=one.steps)
    if one.plus:
        yield tr("; plus {tiebreakers}", tiebreakers=_list(one.plus))
    if one.minus:
        yield tr("; minus {tiebreakers}", tiebreakers=_list(one.minus))
    if one.last_drawn is not None:
        yield tr("; as if each game of the last round gave {points}", points=one.last_drawn)
    if one.order == "ascending":
        yield tr("; lower is better")
    if one.since or one.until:
        since = tr(" from {date}", date=one.since) if one.since else ""
        until = tr(" until {date}", date=one.until) if one.until else ""
        yield tr("; in force{time}", time=since + until)


def _list(words: tuple[str, ...] | list[str]) -> str:
    *first, last = words
    return tr("{first} and {last}", first=", ".join(first), last=last) if first else last


def _kinds(kinds: tuple[str, ...]) -> str:
    return _list([tr(each) for each in kinds])


Line = tuple[str, str, str]
"""What it is about, what is so, and by which clause."""

MODELS = {
    "lost": marked("if it impedes play, it counts as lost"),
    "kept": marked("if it impedes play, it is kept near the army; the game continues"),
    "modified": marked(
        "if it impedes play, it is modified or replaced; otherwise it counts as lost"
    ),
}

CHOOSERS = {
    "army total": marked("the player with the lower army total chooses"),
    "roll": marked("the player who rolls higher chooses"),
    "random": marked("a random player chooses"),
    "second player": marked("the second player chooses"),
}


def in_words(rules: Ruleset) -> Iterator[Line]:
    """Yield what a ruleset says, from the points of a match to the readings."""
    yield from _outcomes(rules)
    yield tr("bye"), _worth(rules, rules.bye), rules.bye.clause
    yield tr("round missed"), _worth(rules, rules.unpaired_loss), rules.unpaired_loss.clause
    yield from _forfeit(rules)
    yield from _results(rules)
    yield from _brought(rules)
    for number, one in enumerate(rules.tiebreakers, start=1):
        yield (
            tr("tiebreaker {number}", number=number),
            f"{tr(one.name)} ({one.code}): {tiebreaker_in_words(one)}",
            one.clause,
        )
    ranking = set(rules.tiebreakers)
    declared = map(rules.counted, rules.declared)
    for one in (each for each in declared if each not in ranking):
        yield (
            tr("not ranked by"),
            f"{tr(one.name)} ({one.code}): {tiebreaker_in_words(one)}",
            one.clause,
        )
    for table in rules.steps:
        yield (
            tr("table"),
            tr(
                "{name}: {count} steps from {first}",
                name=table.name,
                count=len(table.at),
                first=table.at[0],
            ),
            table.clause,
        )
    yield tr("last tiebreaker"), tr("a random rank, drawn once"), rules.cites("FFG-TIEBREAK-RANDOM")
    yield from _rematch(rules.rematch)
    yield from _structures(rules)
    clock = rules.clock
    minutes = tr(
        "Swiss {swiss}, elimination {elimination}, final {final}",
        swiss=_minutes(clock.swiss),
        elimination=_minutes(clock.elimination),
        final=_minutes(clock.final),
    )
    yield tr("minutes"), minutes, clock.clause
    within = tr("a dropped player may return within the stage they left")
    at_any = tr("a dropped player may return at any time")
    yield tr("return"), within if rules.rejoin == "stage" else at_any, "FFG-REJOIN"
    yield from _floor(rules.floor)
    for reading in rules.readings:
        text = f"{tr(reading.name)}: {tr(reading.value)}. {tr(reading.meaning)}"
        yield tr("reading"), text, reading.clause


def _outcomes(rules: Ruleset) -> Iterator[Line]:
    scoring = rules.scoring
    for one in rules.outcomes:
        points = one.points
        worth = "" if points is None else f"{amount_of(scoring.shown(points), 'point')}, "
        goes_on = tr("; advances in an elimination") if one.advances else ""
        yield (
            tr("outcome"),
            tr(
                "{name}: {worth}against a {against}{goes_on}",
                name=tr_of("result", one.name),
                worth=worth,
                against=tr_of("result", one.against),
                goes_on=goes_on,
            ),
            one.clause,
        )
    if scoring.kind == "reported":
        phrase = tr(
            "each side's points are reported, {least} to {most}",
            least=scoring.points_min,
            most=scoring.points_max,
        )
        yield tr("points"), phrase, scoring.clause
    for band in rules.procedure.bands if rules.procedure else ():
        limited = marked("margin {least} to {most}: winner {winner}, loser {loser}")
        is_open = band.margin_max is None
        text = tr(
            marked("margin {least} or more: winner {winner}, loser {loser}")
            if is_open
            else limited,
            least=band.margin_min,
            most=band.margin_max,
            winner=band.winner,
            loser=band.loser,
        )
        yield tr("points"), text, scoring.clause


def _worth(rules: Ruleset, worth: Worth) -> str:
    fields = "".join(f", {name} {value}" for name, value in worth.fields.items())
    return f"{amount_of(rules.scoring.shown(worth.points), 'point')}{fields}"


def _forfeit(rules: Ruleset) -> Iterator[Line]:
    """Yield what a match counts for to which a side did not come, if the ruleset has it."""
    if (forfeit := rules.forfeit) is None:
        return
    for text, is_absent in (
        (marked("{worth} for the player who did not come"), True),
        (marked("{worth} for the player who came"), False),
    ):
        worth = rules.worth_of_absence(is_absent=is_absent)
        yield tr("forfeit"), tr(text, worth=_worth(rules, worth)), worth.clause
    met = marked("the other player of the match counts as an opponent for tiebreakers")
    unmet = marked("the other player of the match does not count as an opponent for tiebreakers")
    yield tr("forfeit"), tr(met if forfeit.met else unmet), forfeit.clause


def _results(rules: Ruleset) -> Iterator[Line]:
    for ending in rules.procedure.endings if rules.procedure else ():
        needs = (
            tr("; needs {facts}", facts=", ".join(map(tr, ending.needs))) if ending.needs else ""
        )
        needs += (
            tr("; asks for {facts}", facts=", ".join(map(tr, ending.asks))) if ending.asks else ""
        )
        yield tr("ending"), f"{tr(ending.name)}: {tr(ending.meaning)}{needs}", ending.clause
    for fact in rules.procedure.facts if rules.procedure else ():
        yield (
            tr("table sees"),
            tr(
                "{name}, {min} to {max}: {meaning}",
                name=tr(fact.name),
                min=fact.min,
                max=fact.max,
                meaning=tr(fact.meaning),
            ),
            fact.clause,
        )
    numbers = rules.procedure.numbers if rules.procedure else {}
    if rules.procedure and numbers:
        phrase = ", ".join(f"{name} {value}" for name, value in numbers.items())
        yield tr("constants"), phrase, rules.procedure.clause


def _brought(rules: Ruleset) -> Iterator[Line]:
    """Named byes, and what players come with."""
    for bye in rules.byes:
        yield tr("bye ({name})", name=tr(bye.name)), _worth(rules, bye), bye.clause
    for one in rules.numbers:
        absent = "" if one.default is None else tr("; {number} if not given", number=one.default)
        yield (
            tr("each player"),
            tr(
                "{name}, {min} to {max}: {meaning}{absent}",
                name=tr(one.name),
                min=one.min,
                max=one.max,
                meaning=tr(one.meaning),
                absent=absent,
            ),
            one.clause,
        )
    if start := rules.start:
        times = _scaled(start.worth)
        yield (
            tr("begins with"),
            tr("{number}{times} as points", number=start.number, times=times),
            start.clause,
        )


def _rematch(rules: Rematch) -> Iterator[Line]:
    overall = marked("players are not paired with the same opponent again across all Swiss stages")
    within = marked("players are not paired with the same opponent again within one stage")
    yield tr("rematch"), tr(overall if rules.scope == "tournament" else within), rules.clause
    phrase = tr("a pairing that was not played does not count as a meeting")
    if rules.no_show == "counts":
        phrase = tr(
            "a pairing that was not played counts as a meeting, if the round can be paired "
            "legally without repeating it"
        )
    yield tr("no-show"), phrase, rules.clause


def _structures(rules: Ruleset) -> Iterator[Line]:
    structures = rules.structures
    for name, table in (
        (marked("basic"), structures.basic),
        (marked("advanced"), structures.advanced),
    ):
        yield from _bands(name, table) if table else ()
    if structures.custom:
        yield tr("custom"), tr("rounds and cut as the organizer announces them"), structures.clause
    if tiers := structures.tiers:
        usual = ", ".join(f"{tr(tier)} {tr(kind)}" for tier, kind in tiers.usual.items())
        yield tr("usual structure"), usual, tiers.clause
    if types := structures.types:
        yield tr("types of tournament"), "; ".join(map(_type_of_event, types.kinds)), types.clause


def _type_of_event(kind: TypeOfEvent) -> str:
    tier = tr("{tier} tier", tier=tr(kind.tier)) if kind.tier else tr("any tier")
    structure = tr("any structure")
    if kind.structure:
        structure = tr("{structure} structure", structure=tr(kind.structure))
    return f"{tr(kind.name)}: {tier}, {structure}"


def _bands(name: str, table: Structure) -> Iterator[Line]:
    for band in table.bands:
        limited = marked("{least} to {most} players: {structure}")
        is_open = band.players_max is None
        text = tr(
            marked("{least} or more players: {structure}") if is_open else limited,
            least=band.players_min,
            most=band.players_max,
            structure=said(band.in_words),
        )
        yield tr(name), text, table.clause


def _minutes(minutes: int) -> str:
    return str(minutes) if minutes else tr("set by the organizer")


def _floor(floor: FloorRules) -> Iterator[Line]:
    rules = floor.authority
    where = tr("only in the Relaxed tier") if rules.playing == "relaxed" else tr("if announced")
    yield tr("leaders"), ", ".join(map(tr, rules.leaders)), rules.clause
    yield tr("leaders play"), where, rules.playing_clause or rules.clause
    yield from _last_words(rules)
    if rules.placing_prize == "passes":
        yield (
            tr("prizes"),
            tr("an organizer who plays passes a placing prize to the next rank"),
            rules.clause,
        )
    if floor.clock.extra_max:
        phrase = tr(
            "up to {minutes} minutes more per round, announced before play",
            minutes=floor.clock.extra_max,
        )
        yield tr("extra time"), phrase, floor.clock.clause
    if floor.clock.warning:
        yield (
            tr("warning"),
            tr("{minutes} minutes before the end", minutes=floor.clock.warning),
            floor.clock.clause,
        )
    yield from _components(floor)
    if floor.armies:
        yield (
            tr("army total"),
            tr("at most {points} points", points=floor.armies.most),
            floor.armies.clause,
        )
    for about, chosen in ((marked("first player"), floor.first), (marked("sides"), floor.sides)):
        if chosen:
            yield tr(about), tr(CHOOSERS[chosen.chooser]), chosen.clause
    for season in floor.scenario.seasons if floor.scenario else ():
        cards = f"{', '.join(season.deployments)}; {', '.join(season.objectives)}"
        yield (
            tr("from {date}", date=season.since),
            cards,
            floor.scenario.clause if floor.scenario else "",
        )
    if floor.battle:
        yield tr("set-up"), tr("built from the blue player's battle cards"), floor.battle.clause
    yield from _looked_over(floor)


def _last_words(rules: Authority) -> Iterator[Line]:
    """Whose word is final, on what it is not, and who imposes results and penalties."""
    if rules.final == "organizer":
        yield (
            tr("last word"),
            tr("the organizer's; a ruling of another leader can be appealed to them"),
            rules.clause,
        )
    elif rules.reviewer:
        yield tr("last word"), tr("a marshal's, if a player asks for a review"), rules.clause
    bind = (
        tr("binding for all")
        if rules.documents
        else tr("a marshal corrects mistakes found in them")
    )
    yield tr("documents"), bind, rules.documents or "FFG-OVERRULE"
    alone = tr("and imposed results: only the organizer")
    if not rules.declares:
        alone = tr("and imposed results: a marshal in office, else the organizer")
    yield tr("penalties"), alone, rules.declares or "FFG-AUTH-CONDUCT"
    if rules.adjusts:
        yield tr("tables by hand"), tr("set only by the organizer"), rules.adjusts


def _looked_over(floor: FloorRules) -> Iterator[Line]:
    if floor.terrain:
        yield tr("terrain"), tr("counted at each table"), floor.terrain.clause
        yield tr("fixed terrain"), tr("if announced before the first round"), floor.terrain.fixed
    if floor.lists.deck_check:
        phrase = tr("each is checked before the first round, with or without a list")
        yield tr("decks"), phrase, floor.lists.deck_check
    if floor.verification:
        yield (
            tr("armies"),
            tr("verified by the players, if an official orders it"),
            floor.verification.clause,
        )
    if floor.first_five:
        phrase = tr("reviewed before each match, by an official or another player")
        yield tr("First Five"), phrase, floor.first_five.clause
    if floor.inspections:
        looked_at = ", ".join(map(tr, floor.inspections.of))
        tiers = tr("; opaque sleeves: {games}", games=", ".join(map(tr, floor.inspections.opaque)))
        more = tiers if floor.inspections.opaque else ""
        yield (
            tr("inspections"),
            tr("of {looked_at}, on request{more}", looked_at=looked_at, more=more),
            floor.inspections.clause,
        )
    if floor.pace:
        yield (
            tr("slow play"),
            tr("a player may ask the organizer to watch the pace of a match"),
            floor.pace.clause,
        )
    if floor.conduct.clause != "FFG-CONDUCT-KIND":
        kinds = ", ".join(map(tr, floor.conduct.kinds))
        yield tr("conduct"), tr("unsporting: {kinds}", kinds=kinds), floor.conduct.clause
    if floor.draft:
        yield tr("draft groups"), tr("drawn before the first round"), floor.draft.clause


def _components(floor: FloorRules) -> Iterator[Line]:
    rules = floor.components
    kind = tr("an essential component") if rules.essential_only else tr("a component")
    lost = {
        "concede": marked("{component} found missing during a game: the game is conceded"),
        "extension": marked(
            "{component} found missing during a game: the player looks for it, with a time "
            "extension"
        ),
    }
    if not rules.lost:
        phrase = tr("no rule: the leaders decide which components may be used")
        yield tr("lost or damaged"), phrase, rules.clause
        return
    yield tr("lost"), tr(lost[rules.during], component=kind), rules.clause
    if rules.damaged:
        yield (
            tr("damaged"),
            tr("damaged, ineligible and shared components are ruled on"),
            "FFG-DAMAGED",
        )
        yield tr("damaged model"), tr(MODELS[rules.model.impedes]), rules.model.clause
    if rules.playmats:
        yield tr("playmats"), tr("a player's own playmat must be an official one"), rules.playmats
