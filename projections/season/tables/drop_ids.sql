-- The league ids of some tournaments that are public ids: files of go programs have EGF PINs there.
UPDATE entrants SET league_id = ''
FROM tournaments
WHERE
    list_contains($these, entrants.tournament)
    AND tournaments.tournament = entrants.tournament
    AND (
        tournaments.imported_from IN ('h9', 'opengotha')
        OR (tournaments.ruleset = 'mcmahon' AND regexp_full_match(league_id, '[1-9][0-9]{6,8}'))
    );
