"""What a league's vault rests on: acts on persons, public ids, and what forgetting erases.

The vault itself is `projections/season/league.py`.
"""
