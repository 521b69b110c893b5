"""The engine that answers the season's questions: DuckDB in this program, or Spark elsewhere.

addresses.py      what an engine is called, and whether anybody answers there
java.py           the Java that Spark needs
spark_cluster.py  Spark started, and ended with everything that it wrote
endings.py        signals that end this program while Spark is running
chosen_engine.py  questions put to the engine that was asked for
"""
