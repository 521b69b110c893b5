"""Further forms of the desk's pages: the start, results, players, the round and the office."""

from __future__ import annotations

from cli.languages.speaking import marked
from cli.serve.pages.organizer.lines import GAME, LINE_FORMS, LineField, LineForm, namesake
from cli.wording.page_words import SHOWN_IN_WORDS

PLAYER = LineField("player", marked("Player"), "player")
REASON = LineField("reason", marked("Why"))
MAY_SAY_WHY = LineField("reason", marked("Why"), is_needed=False)

START_FORM = LineForm(
    "start",
    marked("Start the tournament"),
    "start {structure} --rounds={rounds} --cut={cut} --word={word} --reason={reason}",
    (
        LineField(
            "structure",
            marked("Structure"),
            "choice",
            (
                ("basic", marked("basic")),
                ("advanced", marked("advanced")),
                ("custom", marked("custom: as given below")),
            ),
        ),
        LineField("rounds", marked("Swiss rounds, if custom"), "number", is_needed=False),
        LineField("cut", marked("Players in the cut, if custom"), "number", is_needed=False),
        LineField(
            "word",
            marked("A word called out now in the room, which makes the draws unpredictable"),
            is_needed=False,
        ),
        LineField("reason", marked("Why fewer rounds, or a change"), is_needed=False),
    ),
)
RESULT_FORM = LineForm(
    "result",
    marked("Report a result"),
    "report {table} {result}",
    (
        LineField("table", marked("Table (4 or 2/7)"), "table"),
        LineField("result", marked("Result"), "words"),
    ),
)
SWAP_FORM = LineForm(
    "swap",
    marked("Swap two players"),
    "swap {player} {other} --reason={reason}",
    (PLAYER, LineField("other", marked("With"), "player"), REASON),
)
PLAYER_FORMS = (
    LineForm(
        "rename",
        marked("Correct the name"),
        "rename {player} {name} {namesake}",
        (PLAYER, LineField("name", marked("Name")), namesake("rename.namesake")),
    ),
    LineForm(
        "amend",
        marked("Correct faction or league ID"),
        "amend {player} --faction={faction} --league-id={league} --attribute={attribute}",
        (
            PLAYER,
            LineField("faction", marked("Faction"), is_needed=False, is_on_record=True),
            LineField("league", marked("League ID"), is_needed=False, is_on_record=True),
            LineField("attribute", marked("Attribute, such as club=Altona"), is_needed=False),
        ),
    ),
    LineForm(
        "unregister",
        marked("Withdraw the registration"),
        "unregister {player} --reason={reason}",
        (PLAYER, REASON),
    ),
    LineForm(
        "disqualify",
        marked("Disqualify"),
        "disqualify {player} --reason={reason} --clause={clause} --fact={fact}",
        (
            PLAYER,
            REASON,
            LineField("clause", marked("Clause"), is_needed=False),
            GAME,
        ),
    ),
    LineForm("forget", marked("Erase the name permanently"), "forget {player}", (PLAYER,)),
)
REGISTER_FORM = LineForm(
    "register-player",
    marked("Register"),
    "register {name} --faction={faction} --league-id={league} {namesake}",
    (
        LineField("name", marked("Name")),
        LineField("faction", marked("Faction"), is_needed=False),
        LineField("league", marked("League ID"), is_needed=False),
        namesake("register.namesake"),
    ),
)
MORE_ROUND_FORMS = (
    LineForm("close", marked("Close the round"), "round close"),
    LineForm(
        "left",
        marked("Announce the time left"),
        "round time --left={left}",
        (LineField("left", marked("Minutes left"), "number"),),
    ),
    LineForm(
        "start-minutes",
        marked("Start the round with another length"),
        "round start {minutes}",
        (LineField("minutes", marked("Minutes"), "number"),),
    ),
    LineForm("take-back-cut", marked("Undo the cut"), "cut take-back --reason={reason}", (REASON,)),
    LineForm("forfeit", marked("Leave the place in the cut empty"), "cut forfeit"),
    LineForm("repair-look", marked("Preview the repair"), "repair-round"),
    LineForm(
        "repair",
        marked("Repair the round"),
        "repair-round --do={stop} --reason={reason}",
        (LineField("stop", marked("Tables to stop"), "number"), REASON),
    ),
)
SCENARIO_FORM = LineForm(
    "draw-scenario",
    marked("Draw the round's scenario"),
    "scenario draw --deployment={deployment} --objective={objective} {by_hand}",
    (
        LineField("deployment", marked("Deployment, if set or drawn by hand"), is_needed=False),
        LineField("objective", marked("Objective, if set or drawn by hand"), is_needed=False),
        LineField(
            "by_hand",
            marked("Drawn in the room"),
            "choice",
            (("", marked("no")), ("--by-hand", marked("yes"))),
        ),
    ),
)
STAND_DOWN_FORM = LineForm(
    "stand-down",
    marked("Make a spectator for now"),
    "official stand-down {name}",
    (LineField("name", marked("Official")),),
)
RESUME_FORM = LineForm(
    "official-resume",
    marked("Restore the roles"),
    "official resume {name}",
    (LineField("name", marked("Official")),),
)
OFFICE_FORMS = (
    LineForm(
        "names",
        marked("Choose"),
        "names {shown}",
        (
            LineField(
                "shown",
                marked("Names on public pages"),
                "choice",
                tuple(SHOWN_IN_WORDS.items()),
            ),
        ),
    ),
    LineForm(
        "appoint",
        marked("Appoint an official"),
        "official add {name} --role={role}",
        (
            LineField("name", marked("Name, or the number of an official")),
            LineField(
                "role", marked("Roles: judge, marshal, co-organizer, scorekeeper"), "several"
            ),
        ),
    ),
    LineForm(
        "hand-over",
        marked("Hand over the tournament"),
        "official hand-over {who} {now}",
        (
            LineField("who", marked("Official")),
            LineField(
                "now",
                marked("How long"),
                "choice",
                (("--for-now", marked("until I resume")), ("", marked("permanently"))),
            ),
        ),
    ),
    LineForm(
        "revoke",
        marked("Revoke a link"),
        "links revoke {who} --reason={reason}",
        (LineField("who", marked("Of whom (#7, o2, s3 or e1)")), MAY_SAY_WHY),
    ),
    LineForm(
        "plain-http",
        marked("Choose"),
        "links plain-http {choice} --reason={reason}",
        (
            LineField(
                "choice",
                marked("Officials over plain HTTP"),
                "choice",
                (("refuse", marked("only read")), ("allow", marked("may act"))),
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
