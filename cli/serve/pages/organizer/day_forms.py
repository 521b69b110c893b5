"""Further forms of the desk's pages: the start, results, players, the round and the office."""

from __future__ import annotations

from cli.serve.pages.organizer.lines import GAME, LINE_FORMS, LineField, LineForm, namesake
from cli.wording.page_words import SHOWN_IN_WORDS

PLAYER = LineField("player", "Player", "player")
REASON = LineField("reason", "Why")
MAY_SAY_WHY = LineField("reason", "Why", is_needed=False)

START_FORM = LineForm(
    "start",
    "Start the tournament",
    "start {structure} --rounds={rounds} --cut={cut} --word={word} --reason={reason}",
    (
        LineField(
            "structure",
            "Structure",
            "choice",
            (("basic", "basic"), ("advanced", "advanced"), ("custom", "custom: as given below")),
        ),
        LineField("rounds", "Swiss rounds, if custom", "number", is_needed=False),
        LineField("cut", "Players in the cut, if custom", "number", is_needed=False),
        LineField(
            "word",
            "A word called out now in the room, which makes the draws unpredictable",
            is_needed=False,
        ),
        LineField("reason", "Why fewer rounds, or a change", is_needed=False),
    ),
)
RESULT_FORM = LineForm(
    "result",
    "Report a result",
    "report {table} {result}",
    (
        LineField("table", "Table (4 or 2/7)", "table"),
        LineField("result", "Result", "words"),
    ),
)
SWAP_FORM = LineForm(
    "swap",
    "Swap two players",
    "swap {player} {other} --reason={reason}",
    (PLAYER, LineField("other", "With", "player"), REASON),
)
PLAYER_FORMS = (
    LineForm(
        "rename",
        "Correct the name",
        "rename {player} {name} {namesake}",
        (PLAYER, LineField("name", "Name"), namesake("rename.namesake")),
    ),
    LineForm(
        "amend",
        "Correct faction or league ID",
        "amend {player} --faction={faction} --league-id={league} --attribute={attribute}",
        (
            PLAYER,
            LineField("faction", "Faction", is_needed=False, is_on_record=True),
            LineField("league", "League ID", is_needed=False, is_on_record=True),
            LineField("attribute", "Attribute, such as club=Altona", is_needed=False),
        ),
    ),
    LineForm(
        "unregister",
        "Withdraw the registration",
        "unregister {player} --reason={reason}",
        (PLAYER, REASON),
    ),
    LineForm(
        "disqualify",
        "Disqualify",
        "disqualify {player} --reason={reason} --clause={clause} --fact={fact}",
        (
            PLAYER,
            REASON,
            LineField("clause", "Clause", is_needed=False),
            GAME,
        ),
    ),
    LineForm("forget", "Erase the name permanently", "forget {player}", (PLAYER,)),
)
REGISTER_FORM = LineForm(
    "register-player",
    "Register",
    "register {name} --faction={faction} --league-id={league} {namesake}",
    (
        LineField("name", "Name"),
        LineField("faction", "Faction", is_needed=False),
        LineField("league", "League ID", is_needed=False),
        namesake("register.namesake"),
    ),
)
MORE_ROUND_FORMS = (
    LineForm("close", "Close the round", "round close"),
    LineForm(
        "left",
        "Announce the time left",
        "round time --left={left}",
        (LineField("left", "Minutes left", "number"),),
    ),
    LineForm(
        "start-minutes",
        "Start the round with another length",
        "round start {minutes}",
        (LineField("minutes", "Minutes", "number"),),
    ),
    LineForm("take-back-cut", "Undo the cut", "cut take-back --reason={reason}", (REASON,)),
    LineForm("forfeit", "Leave the place in the cut empty", "cut forfeit"),
    LineForm("repair-look", "Preview the repair", "repair-round"),
    LineForm(
        "repair",
        "Repair the round",
        "repair-round --do={stop} --reason={reason}",
        (LineField("stop", "Tables to stop", "number"), REASON),
    ),
)
SCENARIO_FORM = LineForm(
    "draw-scenario",
    "Draw the round's scenario",
    "scenario draw --deployment={deployment} --objective={objective} {by_hand}",
    (
        LineField("deployment", "Deployment, if set or drawn by hand", is_needed=False),
        LineField("objective", "Objective, if set or drawn by hand", is_needed=False),
        LineField("by_hand", "Drawn in the room", "choice", (("", "no"), ("--by-hand", "yes"))),
    ),
)
STAND_DOWN_FORM = LineForm(
    "stand-down",
    "Make a spectator for now",
    "official stand-down {name}",
    (LineField("name", "Official"),),
)
RESUME_FORM = LineForm(
    "official-resume",
    "Restore the roles",
    "official resume {name}",
    (LineField("name", "Official"),),
)
OFFICE_FORMS = (
    LineForm(
        "names",
        "Choose",
        "names {shown}",
        (
            LineField(
                "shown",
                "Names on public pages",
                "choice",
                tuple(SHOWN_IN_WORDS.items()),
            ),
        ),
    ),
    LineForm(
        "appoint",
        "Appoint an official",
        "official add {name} --role={role}",
        (
            LineField("name", "Name, or the number of an official"),
            LineField("role", "Roles: judge, marshal, co-organizer, scorekeeper", "several"),
        ),
    ),
    LineForm(
        "hand-over",
        "Hand over the tournament",
        "official hand-over {who} {now}",
        (
            LineField("who", "Official"),
            LineField(
                "now", "How long", "choice", (("--for-now", "until I resume"), ("", "permanently"))
            ),
        ),
    ),
    LineForm(
        "revoke",
        "Revoke a link",
        "links revoke {who} --reason={reason}",
        (LineField("who", "Of whom (#7, o2, s3 or e1)"), MAY_SAY_WHY),
    ),
    LineForm(
        "plain-http",
        "Choose",
        "links plain-http {choice} --reason={reason}",
        (
            LineField(
                "choice",
                "Officials over plain HTTP",
                "choice",
                (("refuse", "only read"), ("allow", "may act")),
            ),
            MAY_SAY_WHY,
        ),
    ),
)

DAY_FORMS = {
    form.name: form
    for form in (
        *(START_FORM, RESULT_FORM, SWAP_FORM, REGISTER_FORM),
        *(SCENARIO_FORM, STAND_DOWN_FORM, RESUME_FORM),
        *(*PLAYER_FORMS, *MORE_ROUND_FORMS, *OFFICE_FORMS),
    )
}
"""Further forms of the desk's pages, by name."""


def form_named(name: str) -> LineForm | None:
    """Return the form of a name; None if there is none."""
    return LINE_FORMS.get(name) or DAY_FORMS.get(name)
