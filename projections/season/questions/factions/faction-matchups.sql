-- title = "Faction against faction"
-- answers = "How each faction scores against each other one; games within a faction are left out."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["faction", "text", "the faction looked at"],
--     ["opponent", "text", "the faction across the table"],
--     ["persons", "count", "persons who played the faction in these games"],
--     ["games", "count", "games played"],
--     ["wins", "count", "won by the faction"],
--     ["draws", "count", "drawn"],
--     ["losses", "count", "lost by the faction"],
--     ["score", "share", "wins and half of the draws, of the games"],
--     ["low", "share", "lower end of its 95 % interval (conservative) by person; empty below five on a side"],
--     ["high", "share", "upper end of it"],
-- ]
-- minimum = 20
-- [plot]
-- kind = "grid"
-- x = "opponent"
-- y = "faction"
-- value = "score"
-- facet = "ruleset"
-- low = "low"
-- high = "high"
-- middle = 0.5
-- counts = ["games"]

SELECT
    ruleset,
    faction,
    opponent,
    persons,
    games,
    wins,
    draws,
    games - wins - draws AS losses,
    score,
    low,
    high
FROM faction_scores(TRUE)
ORDER BY ruleset, faction, opponent
