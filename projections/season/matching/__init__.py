"""Matching of persons: which entries of a season are probably one person, and why.

`names` reads and compares names, `weights` learns from the season how much a piece of evidence
counts, and `proposing` makes groups. All of it is pure: no clock, no file and no randomness.
"""
