"""Parts of a league's vault: acts on persons, public ids, and the erasure of forgotten persons.

The vault itself is `projections/season/league.py`.
"""
