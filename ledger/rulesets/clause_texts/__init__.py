"""Texts of the clauses of published regulations, as TOML: one file for each document."""
