-- Every known entrant's person again, after the league's acts have changed.
UPDATE people SET person = told.person
FROM (
    SELECT
        entrants.tournament,
        entrants.player,
        coalesce(here.person, everywhere.person, entrants.league_id) AS person
    FROM entrants
    LEFT JOIN aliases AS here
        ON here.tournament = entrants.tournament AND here.league_id = entrants.league_id
    LEFT JOIN aliases AS everywhere
        ON everywhere.tournament = '' AND everywhere.league_id = entrants.league_id
    WHERE entrants.league_id != ''
) AS told
WHERE
    people.tournament = told.tournament
    AND people.player = told.player
    AND people.person != told.person;
