-- Checklists read from files, and verdicts on their checks read from files. `state` as in 0001: 0 = not visible yet,
-- 1 = it stands, 2 = a later row with the same key took its place.

CREATE TABLE checklists (
    import      INTEGER NOT NULL REFERENCES imports (n),
    line        INTEGER NOT NULL,
    state       INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
    prompt_key  TEXT NOT NULL,
    checks      TEXT NOT NULL CHECK (json_valid(checks)),
    meta_rubric TEXT CHECK (meta_rubric IS NULL OR json_valid(meta_rubric)),
    PRIMARY KEY (import, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX checklists_by_key ON checklists (prompt_key, state);

-- `verdict` is NULL where the evaluator failed.
CREATE TABLE check_grades (
    import      INTEGER NOT NULL REFERENCES imports (n),
    line        INTEGER NOT NULL,
    state       INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
    question    TEXT NOT NULL,
    model       TEXT NOT NULL,
    judge       TEXT NOT NULL,
    variant     TEXT NOT NULL,
    check_id    TEXT NOT NULL,
    verdict     TEXT CHECK (verdict IS NULL OR verdict IN ('meets', 'partial', 'missing', 'contradicts')),
    explanation TEXT NOT NULL,
    PRIMARY KEY (import, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX check_grades_by_key ON check_grades (question, model, judge, variant, check_id, state);
