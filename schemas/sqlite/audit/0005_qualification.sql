-- What only leads and auditors know of how people are qualified: the quiz's right answers, jobs whose answers are known, and which jobs
-- of whom are such, or repeats. No package holds any of it.

CREATE TABLE quiz_keys (
    version INTEGER NOT NULL CHECK (version >= 1) PRIMARY KEY,
    body    TEXT NOT NULL CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;

-- The newest version counts; without a verdict the answer was withdrawn.
CREATE TABLE gold_answers (
    response BLOB NOT NULL CHECK (length(response) = 16),
    modality TEXT NOT NULL,
    version  INTEGER NOT NULL CHECK (version >= 1),
    verdict  TEXT CHECK (verdict IS NULL OR verdict IN ('correct', 'incorrect')),
    why      TEXT NOT NULL,
    PRIMARY KEY (response, modality, version)
) STRICT, WITHOUT ROWID;

-- `response`: what the person is given, of a repeat under an id of its own; `original`: what it shows. Written before the task is
-- handed out, so that no job is ever known to its person before it is known here.
CREATE TABLE hidden_jobs (
    person   TEXT NOT NULL,
    response BLOB NOT NULL CHECK (length(response) = 16),
    kind     TEXT NOT NULL CHECK (kind IN ('gold', 'repeat')),
    original BLOB NOT NULL CHECK (length(original) = 16),
    PRIMARY KEY (person, response)
) STRICT, WITHOUT ROWID;
