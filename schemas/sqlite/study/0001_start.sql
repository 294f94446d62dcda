-- content/study.sqlite: what everyone may see. Blind people open this file: every table is WITHOUT ROWID (the
-- order of writing shows nowhere), and nothing here says when or with which batch something came.

CREATE TABLE prompts (
    id               BLOB NOT NULL CHECK (length(id) = 16),
    version          INTEGER NOT NULL CHECK (version >= 1),
    key              TEXT NOT NULL,
    text             TEXT NOT NULL,
    language         TEXT NOT NULL,
    input_modalities TEXT NOT NULL,
    gold             TEXT NOT NULL,
    PRIMARY KEY (id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE inputs (
    prompt   BLOB NOT NULL,
    version  INTEGER NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    name     TEXT NOT NULL,
    blob     BLOB CHECK (blob IS NULL OR length(blob) = 32),
    bytes    INTEGER NOT NULL CHECK (bytes >= 0),
    format   TEXT NOT NULL,
    PRIMARY KEY (prompt, version, position),
    FOREIGN KEY (prompt, version) REFERENCES prompts (id, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX inputs_by_blob ON inputs (blob) WHERE blob IS NOT NULL;

CREATE TABLE guidelines (
    version  INTEGER NOT NULL CHECK (version >= 1) PRIMARY KEY,
    markdown TEXT NOT NULL
) STRICT, WITHOUT ROWID;
