-- title = "Luck of the schedule"
-- answers = "Whose Swiss opponents scored less than those of others with as many points and games."
-- columns = [
--     ["person", "person", "who"],
--     ["tournaments", "count", "Swiss stages played in"],
--     ["games", "count", "Swiss games played"],
--     ["opponents", "share", "what the opponents scored in all their Swiss games of the stage"],
--     ["luck", "share", "mean lead of the peers' opponents over theirs; above 0: an easier schedule"],
--     ["total", "number", "that lead summed over the games: so many games' worth"],
-- ]

WITH peers AS (
    SELECT
        tournament,
        stage,
        games,
        halves,
        sum(opponents_halves) / sum(opponents_games) AS level
    FROM schedules
    GROUP BY ALL
),
lucks AS (
    SELECT
        schedules.*,
        round(1e12 * (level - opponents_halves / opponents_games) / 2)::BIGINT AS luck
    FROM schedules
    JOIN peers USING (tournament, stage, games, halves)
)
SELECT
    person,
    count(*) AS tournaments,
    sum(games)::BIGINT AS games,
    sum(opponents_halves) / sum(opponents_games) / 2 AS opponents,
    sum(luck) / count(*) / 1e12 AS luck,
    sum(luck * games) / 1e12 AS total
FROM lucks
LEFT JOIN people USING (tournament, player)
GROUP BY person
ORDER BY round(total, 6) DESC, person
