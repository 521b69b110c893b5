-- title = "Upsets"
-- answers = "Swiss games won by the player who stood lower before the round, by points behind."
-- columns = [
--     ["held_on", "day", "day of the tournament"],
--     ["name", "text", "the tournament"],
--     ["round", "count", "the round"],
--     ["winner", "person", "who won"],
--     ["loser", "person", "who lost"],
--     ["behind", "points", "points by which the winner was behind"],
--     ["winner_place", "place", "the winner's place before the round"],
--     ["loser_place", "place", "the loser's"],
-- ]

WITH numbers AS MATERIALIZED (
    SELECT tournament, row_number() OVER () * 10_000_000_000 AS number FROM tournaments
),
before AS MATERIALIZED (
    SELECT
        number + (round + 1) * 1_000_000 + stage * 10_000 + player AS seat,
        points,
        place
    FROM standings
    JOIN numbers USING (tournament)
),
seen AS MATERIALIZED (
    SELECT number + player AS seat, person FROM people JOIN numbers USING (tournament)
),
decided AS (
    SELECT
        number,
        match,
        round,
        winner,
        player1 + player2 - winner AS loser,
        number + round * 1_000_000 + stage * 10_000 AS seats
    FROM results
    JOIN numbers USING (tournament)
    WHERE met AND winner IS NOT NULL
),
upsets AS (
    SELECT
        number,
        match,
        round,
        decided.winner,
        loser,
        losers.points - winners.points AS behind,
        winners.place AS winner_place,
        losers.place AS loser_place
    FROM decided
    LEFT JOIN before AS winners ON winners.seat = seats + decided.winner
    LEFT JOIN before AS losers ON losers.seat = seats + loser
    WHERE losers.points > winners.points
)
SELECT
    held_on,
    name,
    round,
    one.person AS winner,
    other.person AS loser,
    behind,
    winner_place,
    loser_place
FROM upsets
JOIN numbers USING (number)
JOIN tournaments USING (tournament)
LEFT JOIN seen AS one ON one.seat = number + upsets.winner
LEFT JOIN seen AS other ON other.seat = number + loser
ORDER BY behind DESC, winner_place - loser_place DESC, held_on, name, tournament, match
