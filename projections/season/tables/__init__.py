"""The season's tables: what they mean, and the DuckDB file that holds them."""
