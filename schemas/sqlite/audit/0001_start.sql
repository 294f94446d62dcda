-- content/audit.sqlite: what only auditors and leads open: the study secret, people, imports, which model gave
-- which response, LLM-judge grades, verdicts read from files.
--
-- `state` of an imported row: 0 = its import has no completion mark, so nobody reads it; 1 = it stands;
-- 2 = a later row with the same key took its place. Rows of one import become visible in one transaction.

CREATE TABLE meta (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    secret BLOB NOT NULL CHECK (length(secret) = 32)
) STRICT;

CREATE TABLE people (
    name    TEXT NOT NULL PRIMARY KEY,
    display TEXT NOT NULL,
    roles   TEXT NOT NULL CHECK (json_valid(roles))
) STRICT, WITHOUT ROWID;

CREATE TABLE imports (
    n            INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id           BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    sha256       BLOB NOT NULL CHECK (length(sha256) = 32),
    format       TEXT NOT NULL,
    scope        TEXT NOT NULL,
    path         TEXT NOT NULL,
    options      TEXT NOT NULL CHECK (json_valid(options)),
    offset       INTEGER NOT NULL DEFAULT 0,
    line         INTEGER NOT NULL DEFAULT 0,
    report       TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(report)),
    begun_at     TEXT NOT NULL,
    completed_at TEXT,
    published    INTEGER NOT NULL DEFAULT 0 CHECK (published IN (0, 1))
) STRICT;

-- Every content of a prompt that was ever imported, by the SHA-256 of that content.
CREATE TABLE prompt_versions (
    prompt  BLOB NOT NULL,
    version INTEGER NOT NULL,
    content BLOB NOT NULL CHECK (length(content) = 32),
    PRIMARY KEY (prompt, version),
    UNIQUE (prompt, content)
) STRICT, WITHOUT ROWID;

CREATE TABLE rubric_versions (
    prompt         BLOB NOT NULL,
    prompt_version INTEGER NOT NULL,
    version        INTEGER NOT NULL,
    content        BLOB NOT NULL CHECK (length(content) = 32),
    PRIMARY KEY (prompt, prompt_version, version),
    UNIQUE (prompt, prompt_version, content)
) STRICT, WITHOUT ROWID;

-- Which import brought which version; a prompt shows only through a completed one.
CREATE TABLE prompt_origins (
    import         INTEGER NOT NULL REFERENCES imports (n),
    prompt         BLOB NOT NULL,
    version        INTEGER NOT NULL,
    rubric_version INTEGER,
    key            TEXT NOT NULL,
    line           INTEGER NOT NULL,
    added          INTEGER NOT NULL CHECK (added IN (0, 1)),
    PRIMARY KEY (import, prompt)
) STRICT, WITHOUT ROWID;
CREATE INDEX prompt_origins_by_prompt ON prompt_origins (prompt);

-- The prompts that stand, with their version now.
CREATE TABLE prompt_heads (
    key     TEXT NOT NULL PRIMARY KEY,
    prompt  BLOB NOT NULL UNIQUE,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
    id        INTEGER NOT NULL PRIMARY KEY,
    folder    TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    run_name  TEXT NOT NULL,
    provider  TEXT NOT NULL,
    model     TEXT NOT NULL,
    UNIQUE (folder, run_name, timestamp)
) STRICT;

CREATE TABLE run_files (
    id        INTEGER NOT NULL PRIMARY KEY,
    folder    TEXT NOT NULL,
    file      TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    variant   TEXT NOT NULL,
    UNIQUE (folder, file)
) STRICT;

-- One prompt in one run, and the response that stands for it (none while no import of it is complete).
CREATE TABLE slots (
    id         INTEGER NOT NULL PRIMARY KEY,
    prompt_key TEXT NOT NULL,
    run        INTEGER NOT NULL REFERENCES runs (id),
    response   BLOB CHECK (response IS NULL OR length(response) = 16),
    UNIQUE (prompt_key, run)
) STRICT;
CREATE INDEX slots_by_response ON slots (response) WHERE response IS NOT NULL;
CREATE INDEX slots_by_run ON slots (run);

-- One row of a result file, narrow: scores and agreement read only this and `cells`. The modality lists are
-- names with commas. A variant's row has no response of its own unless the slot had none.
CREATE TABLE judged (
    id        INTEGER NOT NULL PRIMARY KEY,
    file      INTEGER NOT NULL REFERENCES run_files (id),
    slot      INTEGER NOT NULL REFERENCES slots (id),
    import    INTEGER NOT NULL REFERENCES imports (n),
    offset    INTEGER NOT NULL,
    line      INTEGER NOT NULL,
    state     INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
    response  BLOB CHECK (response IS NULL OR length(response) = 16),
    content   BLOB NOT NULL CHECK (length(content) = 32),
    failed    INTEGER NOT NULL CHECK (failed IN (0, 1)),
    expected  TEXT NOT NULL,
    native    TEXT NOT NULL,
    via_url   TEXT NOT NULL,
    via_judge TEXT NOT NULL,
    UNIQUE (import, file, offset)
) STRICT;
CREATE INDEX judged_by_slot ON judged (slot, file, state);
CREATE INDEX judged_by_file ON judged (file, state);
CREATE INDEX judged_by_response ON judged (response) WHERE response IS NOT NULL;

-- Grades of one modality in one row, summed up.
CREATE TABLE cells (
    judged           INTEGER NOT NULL REFERENCES judged (id),
    modality         INTEGER NOT NULL CHECK (modality BETWEEN 0 AND 4),
    grades           INTEGER NOT NULL CHECK (grades >= 1),
    mean             REAL NOT NULL,
    min              REAL NOT NULL,
    evaluator_errors INTEGER NOT NULL,
    gradeable        INTEGER NOT NULL CHECK (gradeable IN (0, 1)),
    PRIMARY KEY (judged, modality)
) STRICT, WITHOUT ROWID;

-- The rest of the row, for those who look at one.
CREATE TABLE judged_details (
    judged          INTEGER NOT NULL PRIMARY KEY REFERENCES judged (id),
    length          INTEGER NOT NULL,
    error_type      TEXT NOT NULL,
    error_message   TEXT NOT NULL,
    judge_used      INTEGER NOT NULL CHECK (judge_used IN (0, 1)),
    judge_model     TEXT NOT NULL,
    judge_reasoning TEXT NOT NULL,
    rubric_used     INTEGER NOT NULL CHECK (rubric_used IN (0, 1)),
    rubric_judge    TEXT NOT NULL,
    stored_scores   TEXT NOT NULL CHECK (json_valid(stored_scores)),
    recorded_assets TEXT NOT NULL CHECK (json_valid(recorded_assets)),
    grades          TEXT NOT NULL CHECK (json_valid(grades))
) STRICT;

CREATE TABLE human_verdicts (
    import      INTEGER NOT NULL REFERENCES imports (n),
    line        INTEGER NOT NULL,
    state       INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
    folder      TEXT NOT NULL,
    prompt_key  TEXT NOT NULL,
    run_name    TEXT NOT NULL,
    modality    TEXT NOT NULL,
    annotator   TEXT NOT NULL,
    verdict     TEXT NOT NULL,
    comment     TEXT NOT NULL,
    ai_assisted INTEGER NOT NULL CHECK (ai_assisted IN (0, 1)),
    seconds     REAL,
    PRIMARY KEY (import, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX human_verdicts_by_key ON human_verdicts (folder, prompt_key, run_name, modality, annotator, state);

CREATE TABLE adjudications (
    import      INTEGER NOT NULL REFERENCES imports (n),
    line        INTEGER NOT NULL,
    state       INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
    folder      TEXT NOT NULL,
    prompt_key  TEXT NOT NULL,
    run_name    TEXT NOT NULL,
    modality    TEXT NOT NULL,
    body        TEXT NOT NULL CHECK (json_valid(body)),
    PRIMARY KEY (import, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX adjudications_by_key ON adjudications (folder, prompt_key, run_name, modality, state);

CREATE TABLE manifests (
    import    INTEGER NOT NULL REFERENCES imports (n),
    state     INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
    folder    TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    body      TEXT NOT NULL CHECK (json_valid(body)),
    PRIMARY KEY (import, folder)
) STRICT, WITHOUT ROWID;
