-- title = "Corrections by desk"
-- answers = "Which desks enter results that have to be corrected, and how late that is found."
-- columns = [
--     ["held_on", "day", "day of the tournament"],
--     ["name", "text", "the tournament"],
--     ["desk", "text", "who entered the results: o1 an official, p7 a player, o1/p7 for a player"],
--     ["results", "count", "results entered there, corrections among them"],
--     ["corrected", "count", "of them, corrected later"],
--     ["share", "share", "corrected, of the results"],
--     ["after_close", "count", "of the corrected, when the round had been closed"],
--     ["after_finish", "count", "of the corrected, when play had been closed"],
-- ]

WITH entered AS (
    SELECT tournament, entered_by AS desk, count(*) AS results
    FROM events
    WHERE type IN ('ResultReported', 'ResultCorrected')
    GROUP BY ALL
),
mended AS (
    SELECT
        corrections.tournament,
        events.entered_by AS desk,
        count(*) AS corrected,
        count(*) FILTER (after_close) AS after_close,
        count(*) FILTER (after_finish) AS after_finish
    FROM events
    JOIN corrections
        ON corrections.tournament = events.tournament AND corrections.corrects = events.seq
    GROUP BY ALL
)
SELECT
    held_on,
    name,
    desk,
    results,
    coalesce(corrected, 0) AS corrected,
    coalesce(corrected, 0) / results AS share,
    coalesce(after_close, 0) AS after_close,
    coalesce(after_finish, 0) AS after_finish
FROM entered
LEFT JOIN mended USING (tournament, desk)
JOIN tournaments USING (tournament)
ORDER BY corrected DESC, share DESC, held_on, name, desk, results, after_close, after_finish
