-- title = "Rulings by official"
-- answers = "Who rules how often, and how many of the rulings are decided anew."
-- columns = [
--     ["held_on", "day", "day of the tournament"],
--     ["name", "text", "the tournament"],
--     ["official", "count", "the official's number in it"],
--     ["rulings", "count", "rulings made"],
--     ["clauses", "count", "different clauses among them"],
--     ["review_asked", "count", "of the rulings, with a marshal's review asked for"],
--     ["decided_anew", "count", "of them, decided anew"],
-- ]

SELECT
    held_on,
    name,
    official,
    count(*) AS rulings,
    count(DISTINCT nullif(clause, '')) AS clauses,
    count(*) FILTER (review_asked) AS review_asked,
    count(reviewed_by) AS decided_anew
FROM rulings
JOIN tournaments USING (tournament)
GROUP BY held_on, name, tournament, official
ORDER BY rulings DESC, held_on, name, official, clauses, review_asked, decided_anew
