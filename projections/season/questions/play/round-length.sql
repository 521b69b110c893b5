-- title = "Round length"
-- answers = "How long rounds run, from their start to the last table's first result, without pauses."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["stage", "text", "kind of the stage"],
--     ["clock", "minutes", "the round's announced length; 0: no clock"],
--     ["rounds", "count", "rounds that were started and have a result"],
--     ["short", "minutes", "one round in ten is shorter"],
--     ["median", "minutes", "half of them are shorter"],
--     ["long", "minutes", "one round in ten is longer"],
--     ["longest", "minutes", "the longest"],
--     ["over", "share", "of rounds with a clock, those that outlasted it, with what all were given"],
-- ]
-- [plot]
-- kind = "intervals"
-- y = "stage"
-- also = "clock"
-- value = "median"
-- low = "short"
-- high = "long"
-- between = "10 to 90 % of rounds"
-- facet = "ruleset"
-- counts = ["rounds"]

WITH timed AS (
    SELECT
        ruleset,
        stages.kind AS stage,
        clocks.minutes AS clock,
        date_diff('second', clocks.started_at, clocks.last_result_at)
        - clocks.paused_seconds AS seconds,
        clocks.longer_minutes AS longer
    FROM clocks
    JOIN rounds USING (tournament, round)
    JOIN stages USING (tournament, stage)
    JOIN tournaments USING (tournament)
    WHERE clocks.started_at IS NOT NULL AND clocks.last_result_at IS NOT NULL
)
SELECT
    ruleset,
    stage,
    clock,
    count(*) AS rounds,
    quantile_cont(seconds, 0.1) / 60 AS short,
    quantile_cont(seconds, 0.5) / 60 AS median,
    quantile_cont(seconds, 0.9) / 60 AS long,
    max(seconds) / 60 AS longest,
    count(*) FILTER (seconds > (clock + longer) * 60) / nullif(count(*) FILTER (clock > 0), 0) AS over
FROM timed
GROUP BY ALL
ORDER BY ruleset, stage, clock
