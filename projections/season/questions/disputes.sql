-- title = "Disputes"
-- answers = "How many results are disputed, and by whom and on which clause that is settled."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["kind", "text", "what opened the dispute"],
--     ["settled_by", "text", "ruling, correction, or open"],
--     ["official", "count", "number of the official who ruled; empty: no ruling"],
--     ["clause", "text", "the clause ruled on; empty: none"],
--     ["disputes", "count", "disputes"],
--     ["tournaments", "count", "tournaments with one"],
-- ]
-- [plot]
-- kind = "bars"
-- y = "kind"
-- value = "disputes"
-- color = "settled_by"
-- facet = "ruleset"

SELECT
    ruleset,
    disputes.kind,
    CASE
        WHEN closed_seq IS NULL THEN 'open'
        WHEN rulings.seq IS NOT NULL THEN 'ruling'
        ELSE 'correction'
    END AS settled_by,
    rulings.official,
    coalesce(rulings.clause, '') AS clause,
    count(*) AS disputes,
    count(DISTINCT disputes.tournament) AS tournaments
FROM disputes
JOIN tournaments USING (tournament)
LEFT JOIN rulings
    ON rulings.tournament = disputes.tournament AND rulings.seq = disputes.closed_seq
GROUP BY ALL
ORDER BY ALL
