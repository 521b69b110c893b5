-- title = "Upsets"
-- answers = "Swiss games won by the player who stood lower before the round, by points behind."
-- columns = [
--     ["held_on", "day", "day of the tournament"],
--     ["name", "text", "the tournament"],
--     ["round", "count", "the round"],
--     ["winner", "person", "who won"],
--     ["loser", "person", "who lost"],
--     ["behind", "points", "points by which the winner was behind, as the ruleset counts them"],
--     ["winner_place", "place", "the winner's place before the round"],
--     ["loser_place", "place", "the loser's"],
-- ]

WITH decided AS (
    SELECT
        results.tournament,
        results.round,
        winner,
        results.player1 + results.player2 - winner AS loser,
        winner = results.player1 AS is_first,
        CASE WHEN is_first THEN points_before1 ELSE points_before2 END AS winner_points,
        CASE WHEN is_first THEN points_before2 ELSE points_before1 END AS loser_points,
        CASE WHEN is_first THEN place_before1 ELSE place_before2 END AS winner_place,
        CASE WHEN is_first THEN place_before2 ELSE place_before1 END AS loser_place
    FROM results
    JOIN matches USING (tournament, match)
    WHERE met AND winner IS NOT NULL
)
SELECT
    held_on,
    name,
    round,
    one.person AS winner,
    other.person AS loser,
    loser_points - winner_points AS behind,
    winner_place,
    loser_place
FROM decided
JOIN tournaments USING (tournament)
LEFT JOIN people AS one
    ON one.tournament = decided.tournament AND one.player = decided.winner
LEFT JOIN people AS other
    ON other.tournament = decided.tournament AND other.player = decided.loser
WHERE loser_points > winner_points
ORDER BY behind DESC, winner_place - loser_place DESC, held_on, name, round, winner_place, winner, loser
