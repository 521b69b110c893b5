"""Attacks on the record, by theme: each builds a forged log or a changed file and is refused."""
