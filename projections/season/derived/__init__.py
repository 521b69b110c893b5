"""The season as a folder of Parquet files: derived chunk by chunk, wherever there is a process.

manifest.py      what the season is: its logs by chunk, and the file of each chunk and table
chunks.py        which logs are derived together
parts.py         from a chunk of logs to its files, by a pure function
surveying.py     logs as they come, compared with what the season has
publishing.py    files put in place, the manifest last; what no manifest names, removed
sealing.py       the signed head over the manifest
deriving.py      all of it: from logs to the next manifest
folder_views.py  the folder as tables of DuckDB
into_file.py     the folder into the one file of a season
"""
