"""The season: every tournament's log as tables that can be asked, in one DuckDB file.

tables/      the tables, column by column, and the file that holds them
loading/     from files and stores of logs to rows in the tables
deriving/    from a log's fold and its events to rows
asking/      named questions, SQL, and which tournaments are looked at
questions/   the named questions, one file of SQL each: on factions, people, and play at the tables
ratings/     how strong players are
points/      a points scheme, and the season's standings by it
people/      who is behind each pseudonym
pictures/    charts of answers
"""
