-- Words that a question may use beside DuckDB's own. Wilson's interval holds a share with 95 %
-- confidence; half points of draws count as halves, which makes it wider than need be. Its ends at
-- none and all are 0 and 1, which floats would miss by a hair.
CREATE OR REPLACE TEMP MACRO wilson_low(successes, trials) AS
    CASE WHEN successes = 0 THEN 0.0::DOUBLE ELSE
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
