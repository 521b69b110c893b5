-- title = "Faction against faction"
-- answers = "How each faction scores against each other one; games within a faction are left out."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["faction", "text", "the faction looked at"],
--     ["opponent", "text", "the faction across the table"],
--     ["games", "count", "games played"],
--     ["wins", "count", "won by the faction"],
--     ["draws", "count", "drawn"],
--     ["losses", "count", "lost by the faction"],
--     ["score", "share", "wins and half of the draws, of the games"],
--     ["low", "share", "lower end of the score's 95 % interval (Wilson)"],
--     ["high", "share", "upper end of it"],
-- ]
-- [plot]
-- kind = "grid"
-- x = "opponent"
-- y = "faction"
-- value = "score"
-- facet = "ruleset"

SELECT
    ruleset,
    faction,
    opponent,
    sum(games)::BIGINT AS games,
    sum(wins)::BIGINT AS wins,
    sum(draws)::BIGINT AS draws,
    (sum(games) - sum(wins) - sum(draws))::BIGINT AS losses,
    (sum(wins) + sum(draws) / 2) / sum(games) AS score,
    wilson_low(sum(wins) + sum(draws) / 2, sum(games)) AS low,
    wilson_high(sum(wins) + sum(draws) / 2, sum(games)) AS high
FROM faction_games()
WHERE faction != '' AND opponent != ''
GROUP BY ruleset, faction, opponent
ORDER BY ruleset, faction, opponent
