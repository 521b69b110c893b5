-- title = "Head-to-head"
-- answers = "How any two persons have fared against each other in games they played."
-- columns = [
--     ["person", "person", "one of the two; with --player, the one asked for"],
--     ["opponent", "person", "the other"],
--     ["games", "count", "games they played"],
--     ["wins", "count", "of them, won by the person"],
--     ["draws", "count", "of them, drawn"],
--     ["losses", "count", "of them, lost by the person"],
--     ["first_met", "day", "day of the first tournament in which they played"],
--     ["last_met", "day", "day of the last one"],
-- ]

WITH met_games AS (
    SELECT
        tournaments.held_on,
        one.person AS one,
        other.person AS other,
        record1,
        record2,
        coalesce(other.person = getvariable('person'), one.person > other.person) AS turned
    FROM results
    JOIN tournaments USING (tournament)
    JOIN people AS one
        ON one.tournament = results.tournament AND one.player = results.player1
    JOIN people AS other
        ON other.tournament = results.tournament AND other.player = results.player2
    WHERE
        met
        AND one.person != other.person
        AND (getvariable('person') IS NULL OR getvariable('person') IN (one.person, other.person))
)
SELECT
    CASE WHEN turned THEN other ELSE one END AS person,
    CASE WHEN turned THEN one ELSE other END AS opponent,
    count(*) AS games,
    count(*) FILTER (CASE WHEN turned THEN record2 ELSE record1 END = 'W') AS wins,
    count(*) FILTER (record1 = 'D') AS draws,
    count(*) FILTER (CASE WHEN turned THEN record2 ELSE record1 END = 'L') AS losses,
    min(held_on) AS first_met,
    max(held_on) AS last_met
FROM met_games
GROUP BY ALL
ORDER BY games DESC, person, opponent
