-- title = "Luck of the schedule"
-- answers = "Whose Swiss opponents scored less than those of others with as many points and games."
-- columns = [
--     ["person", "person", "who"],
--     ["tournaments", "count", "Swiss stages played in"],
--     ["games", "count", "Swiss games played"],
--     ["opponents", "share", "what the opponents scored in all their Swiss games of the stage"],
--     ["compared", "count", "of the stages, with others who have as many points and games"],
--     ["luck", "share", "mean lead of those others' opponents over theirs; above 0: an easier schedule"],
--     ["total", "number", "that lead summed over the games; empty: nobody to compare with"],
-- ]
-- minimum = 10

WITH scheduled AS (
    SELECT schedules.*, person
    FROM schedules
    LEFT JOIN people USING (tournament, player)
),
peers AS (
    SELECT
        tournament,
        stage,
        games,
        halves,
        count(DISTINCT person) > 1 AS compared,
        sum(opponents_halves)::BIGINT AS peers_halves,
        sum(opponents_games)::BIGINT AS peers_games
    FROM scheduled
    GROUP BY ALL
),
-- Two entrants of one tournament who were merged are one person, who is not among their own peers.
themselves AS (
    SELECT
        tournament,
        stage,
        games,
        halves,
        person,
        sum(opponents_halves)::BIGINT AS own_halves,
        sum(opponents_games)::BIGINT AS own_games
    FROM scheduled
    GROUP BY ALL
),
lucks AS (
    SELECT
        scheduled.*,
        compared,
        round(
            1e12
            * (
                (peers_halves - own_halves) / nullif(peers_games - own_games, 0)
                - opponents_halves / opponents_games
            )
            / 2
        )::BIGINT AS luck
    FROM scheduled
    JOIN peers USING (tournament, stage, games, halves)
    JOIN themselves USING (tournament, stage, games, halves, person)
)
SELECT
    person,
    count(*) AS tournaments,
    sum(games)::BIGINT AS games,
    sum(opponents_halves) / sum(opponents_games) / 2 AS opponents,
    count(*) FILTER (compared) AS compared,
    sum(luck) FILTER (compared) / nullif(count(*) FILTER (compared), 0) / 1e12 AS luck,
    sum(luck * games) FILTER (compared) / 1e12 AS total
FROM lucks
SEMI JOIN entrants USING (tournament, player)
GROUP BY person
ORDER BY round(total, 6) DESC NULLS LAST, person
