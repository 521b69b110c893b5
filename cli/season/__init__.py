"""The season at the command line.

options.py        options that its verbs share
opening.py        a season opened, read and written
league.py         the league's vault, and names next to pseudonyms
sources.py        the logs of a season as this desk reads them, and their heads
answers.py        answers as tables, CSV, JSON and pictures
sandbox.py        a question in SQL in a separate process, and the forms of its answer
engines.py        the engine that answers; spark_cluster.py: Spark started and ended
endings.py        signals that end this program
served.py         the season next to a hall
site/             the season as pages
"""
