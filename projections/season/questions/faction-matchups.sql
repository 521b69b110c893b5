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

WITH pairs AS (
    SELECT
        tournaments.ruleset,
        one.faction AS one,
        other.faction AS other,
        count(*) AS games,
        count(*) FILTER (record1 = 'W') AS wins1,
        count(*) FILTER (record1 = 'D') AS draws1,
        count(*) FILTER (record2 = 'W') AS wins2,
        count(*) FILTER (record2 = 'D') AS draws2
    FROM results
    LEFT JOIN tournaments USING (tournament)
    LEFT JOIN entrants AS one
        ON one.tournament = results.tournament AND one.player = results.player1
    LEFT JOIN entrants AS other
        ON other.tournament = results.tournament AND other.player = results.player2
    WHERE met AND one.faction != other.faction AND one.faction != '' AND other.faction != ''
    GROUP BY ALL
),
sides AS (
    SELECT ruleset, one AS faction, other AS opponent, games, wins1 AS wins, draws1 AS draws
    FROM pairs
    UNION ALL
    SELECT ruleset, other, one, games, wins2, draws2
    FROM pairs
)
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
FROM sides
GROUP BY ruleset, faction, opponent
ORDER BY ruleset, faction, opponent
