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

WITH numbers AS MATERIALIZED (
    SELECT tournament, row_number() OVER () * 100_000_000 AS number FROM tournaments
),
swiss AS (
    SELECT
        number + results.stage * 10_000 AS seats,
        player1,
        player2,
        CASE record1 WHEN 'W' THEN 2 WHEN 'D' THEN 1 ELSE 0 END AS halves1,
        CASE record2 WHEN 'W' THEN 2 WHEN 'D' THEN 1 ELSE 0 END AS halves2
    FROM results
    LEFT JOIN numbers ON numbers.tournament = results.tournament
    LEFT JOIN stages ON stages.tournament = results.tournament AND stages.stage = results.stage
    WHERE met AND stages.kind = 'swiss'
),
sides AS MATERIALIZED (
    SELECT seats + player1 AS seat, seats + player2 AS opposite, halves1 AS halves FROM swiss
    UNION ALL
    SELECT seats + player2, seats + player1, halves2 FROM swiss
),
own AS MATERIALIZED (
    SELECT seat, count(*) AS games, sum(halves)::BIGINT AS halves FROM sides GROUP BY seat
),
faced AS (
    SELECT
        sides.seat,
        sum(own.games)::BIGINT AS faced_games,
        sum(own.halves)::BIGINT AS faced_halves
    FROM sides
    LEFT JOIN own ON own.seat = opposite
    GROUP BY sides.seat
),
lucks AS (
    SELECT
        seat,
        games,
        faced_games,
        faced_halves,
        round(
            1e12 * (
                sum(faced_halves) OVER peers / sum(faced_games) OVER peers
                - faced_halves / faced_games
            ) / 2
        )::BIGINT AS luck
    FROM own
    JOIN faced USING (seat)
    WINDOW peers AS (PARTITION BY seat // 10_000, halves, games)
)
SELECT
    person,
    count(*) AS tournaments,
    sum(games)::BIGINT AS games,
    sum(faced_halves) / sum(faced_games) / 2 AS opponents,
    sum(luck) / count(*) / 1e12 AS luck,
    sum(luck * games) / 1e12 AS total
FROM lucks
JOIN numbers ON number = seat // 100_000_000 * 100_000_000
LEFT JOIN people
    ON people.tournament = numbers.tournament AND people.player = (seat % 10_000)::INTEGER
GROUP BY person
ORDER BY round(total, 6) DESC, person
