"""What moved, and what would: two moments, another outcome, every outcome.

differences.py   two moments side by side, and which events moved what
whatif.py        another outcome, and what it would change
sweeps.py        every outcome of a match, or of the round in play
kinds.py         kinds of results in few words
slip_tables.py   how few wrong results change a cut, and the slips held to the log
"""
