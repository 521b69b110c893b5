-- The league ids of some tournaments that are public ids: files of go programs have EGF PINs there.
UPDATE entrants SET league_id = ''
FROM tournaments
WHERE
    list_contains($these, entrants.tournament)
    AND tournaments.tournament = entrants.tournament
    AND (
        list_contains($files, tournaments.imported_from)
        OR (
            list_contains($rulesets, tournaments.ruleset)
            AND regexp_full_match(league_id, $form)
        )
    );
