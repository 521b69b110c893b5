"""The verbs of the season: its file, its questions and its ratings."""

from __future__ import annotations

from cli.verbs.verb import reads

VERBS = {
    "season": reads("events", "list_tournaments", "List the tournaments of the season."),
    "season add": reads("taking", "add", "Take logs into the season."),
    "season rebuild": reads("taking", "rebuild", "Make the season's file again, from logs alone."),
    "season list": reads("events", "list_tournaments", "List the tournaments of the season."),
    "season archive": reads(
        "events", "archive", "Write the finished tournaments to a folder, as Parquet files."
    ),
    "season standings": reads(
        "by_points", "standings", "Show the season's table by a points scheme."
    ),
    "season restate": reads(
        "by_points", "restatement", "Show what these logs would change, and write nothing."
    ),
    "season people": reads("people", "list_persons", "List who is behind each pseudonym."),
    "season people list": reads("people", "list_persons", "List who is behind each pseudonym."),
    "season people acts": reads("people", "list_acts", "List what the league decided on persons."),
    "season people name": reads(
        "people", "name_person", "Name a pseudonym, or draw one for a name."
    ),
    "season people rename": reads(
        "people", "rename_person", "Give a person another name; every result stays theirs."
    ),
    "season people merge": reads(
        "decisions", "merge", "Decide that two pseudonyms are one person."
    ),
    "season people split": reads(
        "decisions", "split", "Take a merger back; with -t, split one tournament off."
    ),
    "season people forget": reads(
        "decisions", "forget", "Forget who is behind a pseudonym; every number stays."
    ),
    "stats": reads("stats", "stats", "Ask the season one of the named questions."),
    "stats list": reads("stats", "list_questions", "List the named questions."),
    "stats show": reads("stats", "show_question", "Show a question's columns and its SQL."),
    "rating": reads("rating", "rating", "Rate everybody by the games of the season."),
    "query": reads("query", "query", "Ask the season's tables in SQL, read only."),
    "query shell": reads("query", "shell", "Ask the season one question after another."),
    "query tables": reads("query", "list_tables", "List the season's tables and their columns."),
}
