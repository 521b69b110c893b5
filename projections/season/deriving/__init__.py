"""From lines to the season's tables: what the events of all logs of a load add up to, by theme.

lines.sql         the lines, each read once into the types of its members
standings.sql     what the fold ranked
events.sql        every event; what was taken back is as if it had not been said
pairings.sql      pairings, what was done to them, and the matches that came of it
results.sql       the last word on each match, and corrections
rounds.sql        rounds and their clocks
entrants.sql      who came, who they are across tournaments, who left
stages.sql        stages, and who went on to them
schedules.sql     what the opponents of a Swiss stage scored
floor.sql         rulings, penalties, disputes
setups.sql        set-ups and lists
tournaments.sql   the tournaments themselves

Each reads the working tables of the load that were made before it, so that a load costs the same in
a small season and in a large one. The fold in Python is the reference.
"""

from __future__ import annotations

STEPS = (
    "lines",
    "standings",
    "events",
    "pairings",
    "results",
    "rounds",
    "entrants",
    "stages",
    "schedules",
    "floor",
    "setups",
    "tournaments",
)
"""The files of this folder, in the order in which they are carried out."""
