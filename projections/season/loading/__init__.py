"""From files and stores of logs to rows in the season's tables, or to a folder of Parquet files.

sources.py        where logs come from: files, folders, stores
checking.py       logs read, checked and spooled, by several processes if there are many
folded_log.py     a log's state next to its events; rows.py: the rows of each table from it
intake.py         logs compared with the season: new, grown, already there, contradicting
adding.py         logs into the season: all of it, in one transaction
scratch.py        the folder of one load
deriving.py       logs into the next manifest of a folder; spark_deriving.py: by tasks of Spark
manifest.py       the logs and files of a folder, and the folder as tables of DuckDB
publishing.py     files put in place, the manifest last and signed
"""
