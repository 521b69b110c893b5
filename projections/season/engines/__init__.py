"""Engines beside DuckDB that answer a season's questions: other words, the same rows.

macro_calls.py    a question without the words of `macros.sql`, which another engine does not know
spark_words.py    a question in Spark's SQL
season_files.py   a season's tables as Parquet files that another engine reads
spark_season.py   the tables in Spark, and questions put to them
spark_deriving.py chunks of logs derived as tasks
spark_errors.py   what Spark says against it, in one line
agreement.py      two answers to one question, compared
"""
