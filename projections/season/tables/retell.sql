-- Every entrant's person again, after the league's acts have changed. A guest is known by
-- tournament/player; who has an alias, or a pseudonym in the log, is known to the league.
UPDATE people SET person = told.person, known = told.known
FROM (
    SELECT
        own.tournament,
        own.player,
        coalesce(here.person, everywhere.person, own.id) AS person,
        own.league_id != '' OR here.person IS NOT NULL OR everywhere.person IS NOT NULL AS known
    FROM (
        SELECT
            tournament,
            player,
            league_id,
            CASE WHEN league_id != '' THEN league_id ELSE tournament || '/' || player END AS id
        FROM entrants
    ) AS own
    LEFT JOIN aliases AS here
        ON here.tournament = own.tournament AND here.league_id = own.id
    LEFT JOIN aliases AS everywhere
        ON everywhere.tournament = '' AND everywhere.league_id = own.id
) AS told
WHERE
    people.tournament = told.tournament
    AND people.player = told.player
    AND (people.person != told.person OR people.known != told.known);
