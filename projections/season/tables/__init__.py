"""The season's tables: what they mean, and the DuckDB file that holds them.

definitions.py  tables, columns and questions with their meanings
database.py     the file: opened, made, written
parquet.py      rows as the bytes of a Parquet file
copying.py      the rows of a file from elsewhere, copied
signed_heads.py signed heads of logs and of a season
season_head.py  the head of a season over the digests of its rows
"""
