"""The verbs of the season: its file, its questions and its ratings."""

from __future__ import annotations

from cli.verbs.verb import reads

VERBS = {
    "season": reads("events", "List the tournaments of the season.", "list_tournaments"),
    "season add": reads("taking", "Take logs into the season."),
    "season rebuild": reads("taking", "Make the season's file again, from logs alone."),
    "season derive": reads("folders", "Take logs into a season that is a folder of Parquet files."),
    "season list": reads("events", "List the tournaments of the season.", "list_tournaments"),
    "season archive": reads(
        "events", "Write the finished tournaments to a folder, as Parquet files."
    ),
    "season export": reads("events", "Write the season's tables as flat files for other tools."),
    "season site": reads("site", "Write static pages of the season for its readers."),
    "season standings": reads("by_points", "Show the season's table by a points scheme."),
    "season restate": reads(
        "by_points", "Show what these logs would change, and write nothing.", "restatement"
    ),
    "season people": reads("persons", "List who is behind each pseudonym.", "list_persons"),
    "season people list": reads("persons", "List who is behind each pseudonym.", "list_persons"),
    "season people acts": reads("persons", "List what the league decided on persons.", "list_acts"),
    "season people name": reads(
        "persons", "Name a pseudonym, or draw one for a name.", "name_person"
    ),
    "season people rename": reads(
        "persons", "Give a person another name; every result stays theirs.", "rename_person"
    ),
    "season people merge": reads("decisions", "Decide that two pseudonyms are one person."),
    "season people split": reads(
        "decisions", "Take a merger back; with -t, split one tournament off."
    ),
    "season people forget": reads(
        "decisions", "Forget who is behind a pseudonym; every number stays."
    ),
    "stats": reads("stats", "Ask the season one of the named questions."),
    "stats list": reads("stats", "List the named questions.", "list_questions"),
    "stats show": reads("stats", "Show a question's columns and its SQL.", "show_question"),
    "rating": reads("rating", "Rate everybody by the games of the season."),
    "query": reads("query", "Ask the season's tables in SQL, read only."),
    "query shell": reads("query", "Ask the season one question after another."),
    "query tables": reads("query", "List the season's tables and their columns.", "list_tables"),
}
