-- title = "Disputes"
-- answers = "How many results are disputed, and by what, by whom and on which clause that ends."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["ended_by", "text", "what ended them: ruling, confirmation, withdrawal; or open"],
--     ["official", "person", "who ruled; who does not play: the tournament, and o1, o2 ... in it"],
--     ["clause", "text", "the clause ruled on; empty: none"],
--     ["disputes", "count", "disputes"],
--     ["tournaments", "count", "tournaments with one"],
-- ]
-- [plot]
-- kind = "bars"
-- y = "ended_by"
-- value = "disputes"
-- facet = "ruleset"

SELECT
    ruleset,
    CASE events.type
        WHEN 'RulingMade' THEN 'ruling'
        WHEN 'ResultConfirmed' THEN 'confirmation'
        WHEN 'ActWithdrawn' THEN 'withdrawal'
        ELSE 'open'
    END AS ended_by,
    coalesce(people.person, rulings.tournament || '/o' || rulings.official) AS official,
    coalesce(rulings.clause, '') AS clause,
    count(*) AS disputes,
    count(DISTINCT disputes.tournament) AS tournaments
FROM disputes
JOIN tournaments USING (tournament)
LEFT JOIN events ON events.tournament = disputes.tournament AND events.seq = closed_seq
LEFT JOIN rulings ON rulings.tournament = disputes.tournament AND rulings.seq = closed_seq
LEFT JOIN people ON people.tournament = rulings.tournament AND people.player = rulings.plays_as
GROUP BY ALL
ORDER BY ALL
