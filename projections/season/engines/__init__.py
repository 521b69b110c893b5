"""Engines beside DuckDB that answer a season's questions: other words, the same rows.

macro_calls.py    a question without the words of `macros.sql`, which another engine does not know
spark_words.py    a question in Spark's SQL
"""
