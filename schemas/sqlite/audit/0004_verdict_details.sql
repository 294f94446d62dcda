-- What a verdict from a file says beyond the columns of MMI: marks, places, the versions it was given under. A row for each
-- verdict that says any of it; which of them stand is said by `human_verdicts`.

CREATE TABLE verdict_details (
    import  INTEGER NOT NULL REFERENCES imports (n),
    line    INTEGER NOT NULL,
    details TEXT NOT NULL CHECK (json_valid(details)),
    PRIMARY KEY (import, line)
) STRICT, WITHOUT ROWID;
