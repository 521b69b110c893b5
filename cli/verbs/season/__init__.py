"""The verbs of the season: its file, its questions and its ratings."""

from __future__ import annotations

from cli.verbs.verb import Verb

VERBS = {
    "season": Verb(
        "events", "list_tournaments", "List the tournaments of the season.", writes=False
    ),
    "season add": Verb("taking", "add", "Take logs into the season.", writes=False),
    "season rebuild": Verb(
        "taking", "rebuild", "Make the season's file again, from logs alone.", writes=False
    ),
    "season list": Verb(
        "events", "list_tournaments", "List the tournaments of the season.", writes=False
    ),
    "season archive": Verb(
        "events",
        "archive",
        "Write the finished tournaments to a folder, as Parquet files.",
        writes=False,
    ),
    "season standings": Verb(
        "by_points", "standings", "Show the season's table by a points scheme.", writes=False
    ),
    "season restate": Verb(
        "by_points",
        "restatement",
        "Show what these logs would change, and write nothing.",
        writes=False,
    ),
    "season people": Verb(
        "people", "list_persons", "List who is behind each pseudonym.", writes=False
    ),
    "season people list": Verb(
        "people", "list_persons", "List who is behind each pseudonym.", writes=False
    ),
    "season people acts": Verb(
        "people", "list_acts", "List what the league decided on persons.", writes=False
    ),
    "season people name": Verb(
        "people", "name_person", "Name a pseudonym, or draw one for a name.", writes=False
    ),
    "season people rename": Verb(
        "people",
        "rename_person",
        "Give a person another name; every result stays theirs.",
        writes=False,
    ),
    "season people merge": Verb(
        "people", "merge", "Decide that two pseudonyms are one person.", writes=False
    ),
    "season people split": Verb(
        "people", "split", "Take a merger back; with -t, split one tournament off.", writes=False
    ),
    "season people forget": Verb(
        "people", "forget", "Forget who is behind a pseudonym; every number stays.", writes=False
    ),
    "stats": Verb("stats", "stats", "Ask the season one of the named questions.", writes=False),
    "stats list": Verb("stats", "list_questions", "List the named questions.", writes=False),
    "stats show": Verb(
        "stats", "show_question", "Show a question's columns and its SQL.", writes=False
    ),
    "rating": Verb("rating", "rating", "Rate everybody by the games of the season.", writes=False),
    "query": Verb("query", "query", "Ask the season's tables in SQL, read only.", writes=False),
}
