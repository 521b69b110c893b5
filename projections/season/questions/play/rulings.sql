-- title = "Rulings by clause"
-- answers = "Which clauses are ruled on, who asks, and how often a ruling is decided anew."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["clause", "text", "the clause's ID; empty: none was named"],
--     ["rulings", "count", "rulings made"],
--     ["tournaments", "count", "tournaments with one"],
--     ["from_players", "count", "of the rulings, asked for by a player"],
--     ["from_spectators", "count", "of them, asked for by a spectator"],
--     ["review_asked", "count", "of them, with a marshal's review asked for"],
--     ["decided_anew", "count", "of them, decided anew"],
-- ]
-- [plot]
-- kind = "bars"
-- y = "clause"
-- value = "rulings"
-- facet = "ruleset"

SELECT
    ruleset,
    clause,
    count(*) AS rulings,
    count(DISTINCT tournament) AS tournaments,
    count(*) FILTER (raised = 'player') AS from_players,
    count(*) FILTER (raised = 'spectator') AS from_spectators,
    count(*) FILTER (review_asked) AS review_asked,
    count(reviewed_by) AS decided_anew
FROM rulings
JOIN tournaments USING (tournament)
GROUP BY ALL
ORDER BY ruleset, rulings DESC, clause
