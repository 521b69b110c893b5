"""The season: every tournament's log as tables that can be asked, in one DuckDB file.

tables/          the tables, column by column, and the file that holds them
loading/         from files and stores of logs to rows in the tables, or to Parquet files
questions/       the named questions, one file of SQL each: on factions, people, and play
grouping/        entrants in groups, small ones as one; lists named by rules
asking.py        questions by name and in SQL, and the tournaments that an answer is about
spark.py         the same questions on Spark
for_readers.py   tournaments, places, persons and records as pages show them
ratings.py       how strong players are; calibration.py: forecasts against results
rating_tables.py ratings as tables
person_records.py  what one person played: results, best wins, head-to-head
points.py        a points scheme, and the season's standings by it
league.py        the persons behind the pseudonyms
charts.py        pictures of answers; chart_kinds.py and chart_frame.py: the parts of them
exports.py       a season as files: the archive, and flat tables for other tools
"""
