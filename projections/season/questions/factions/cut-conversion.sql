-- title = "Conversion to the cut"
-- answers = "Which factions reach the first cut, of tournaments that made one."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["faction", "text", "the faction; empty: none was given"],
--     ["entrants", "count", "entries with it in tournaments with a cut"],
--     ["qualified", "count", "of them, in the cut, replacements among them"],
--     ["field", "share", "of all entries of the game in such tournaments"],
--     ["of_cut", "share", "of all places in those cuts"],
--     ["conversion", "share", "qualified, of the entries"],
--     ["low", "share", "lower end of the conversion's 95 % interval (Wilson)"],
--     ["high", "share", "upper end of it"],
-- ]
-- [plot]
-- kind = "intervals"
-- y = "faction"
-- value = "conversion"
-- low = "low"
-- high = "high"
-- facet = "ruleset"
-- counts = ["entrants"]

WITH first_cuts AS (
    SELECT tournament, min(stage) AS stage FROM cuts GROUP BY tournament
),
counted AS (
    SELECT
        tournaments.ruleset,
        entrants.faction,
        count(*) AS entrants,
        count(cuts.player) AS qualified
    FROM entrants
    JOIN first_cuts USING (tournament)
    JOIN tournaments USING (tournament)
    LEFT JOIN cuts
        ON cuts.tournament = entrants.tournament
        AND cuts.stage = first_cuts.stage
        AND cuts.player = entrants.player
    WHERE entrants.status IS DISTINCT FROM 'withdrawn'
    GROUP BY ALL
)
SELECT
    ruleset,
    faction,
    entrants,
    qualified,
    entrants / sum(entrants) OVER (PARTITION BY ruleset) AS field,
    qualified / sum(qualified) OVER (PARTITION BY ruleset) AS of_cut,
    qualified / entrants AS conversion,
    wilson_low(qualified, entrants) AS low,
    wilson_high(qualified, entrants) AS high
FROM counted
ORDER BY ruleset, faction
