-- Words that a question may use beside DuckDB's own. Wilson's interval holds a share with 95 %
-- confidence; half points of draws count as halves, which makes it wider than need be. Its ends at
-- none and all are 0 and 1, which floats would miss by a hair.
CREATE OR REPLACE TEMP MACRO wilson_low(successes, trials) AS
    CASE WHEN successes = 0 THEN 0.0::DOUBLE * trials ELSE
        (
            successes + 1.920729410347062
            - 1.959963984540054
            * sqrt(greatest(successes * (trials - successes) / trials, 0) + 0.960364705173531)
        )
        / (trials + 3.841458820694124)
    END;
CREATE OR REPLACE TEMP MACRO wilson_high(successes, trials) AS
    CASE WHEN successes = trials THEN 1.0::DOUBLE ELSE
        (
            successes + 1.920729410347062
            + 1.959963984540054
            * sqrt(greatest(successes * (trials - successes) / trials, 0) + 0.960364705173531)
        )
        / (trials + 3.841458820694124)
    END;
-- Games between different factions, from both sides: each is counted for either faction.
CREATE OR REPLACE TEMP MACRO faction_games() AS TABLE
WITH pairs AS (
    SELECT
        tournaments.ruleset,
        one.faction AS one,
        other.faction AS other,
        count(*) AS games,
        count(*) FILTER (record1 = 'W') AS wins1,
        count(*) FILTER (record1 = 'D') AS draws1,
        count(*) FILTER (record2 = 'W') AS wins2,
        count(*) FILTER (record2 = 'D') AS draws2
    FROM results
    LEFT JOIN tournaments USING (tournament)
    LEFT JOIN entrants AS one
        ON one.tournament = results.tournament AND one.player = results.player1
    LEFT JOIN entrants AS other
        ON other.tournament = results.tournament AND other.player = results.player2
    WHERE met AND one.faction != other.faction
    GROUP BY ALL
)
SELECT ruleset, one AS faction, other AS opponent, games, wins1 AS wins, draws1 AS draws
FROM pairs
UNION ALL
SELECT ruleset, other, one, games, wins2, draws2
FROM pairs;
