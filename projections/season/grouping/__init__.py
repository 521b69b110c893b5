"""Entrants in groups: by faction, by an attribute that was kept, or by what a list is called.

groups.py      the label of an entrant, and what of each table belongs to a group, as SQL
folding.py     small groups as one, and what the entrants of a game can be grouped by
archetypes.py  names of lists, by rules over their cards
"""
