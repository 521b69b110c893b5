-- The logs that a load takes, by their numbers in it, and what is known of each as a whole.
CREATE OR REPLACE TEMP TABLE logs (
    log INTEGER,
    tournament VARCHAR,
    size INTEGER,
    root VARCHAR,
    signed_size INTEGER,
    signed_by VARCHAR,
    by_policy BOOLEAN,
    is_checked BOOLEAN
);
