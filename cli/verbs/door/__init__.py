"""The verbs of the door and the hall: who is here, who asks to come in, who calls a judge."""

from __future__ import annotations

from cli.verbs.verb import Verb, reads

VERBS = {
    "check-in": Verb("check_in", "Say that players are here, or list who is and who is not."),
    "check-in open": Verb(
        "check_in", "Open a check-in: before the start, or after lunch.", "open_check_in"
    ),
    "check-in close": Verb(
        "check_in", "Close the check-in, and hear who is absent.", "close_check_in"
    ),
    "requests": reads("requests", "List who asks to be registered by the link of the event."),
    "requests add": Verb(
        "requests", "Note that somebody asks to be registered, to be answered later.", "ask"
    ),
    "requests approve": Verb("requests", "Register who asked."),
    "requests refuse": Verb("requests", "Refuse to register who asked."),
    "call": Verb("calls", "Call a judge to a table, or list the calls that wait."),
    "call answer": Verb("calls", "Say that the official at this desk goes there.", "answer_call"),
}
