-- content/rubrics.sqlite: rubrics handed out for work or review. Authors open this file and no response: it
-- holds none, and nothing of a response. `heads` names the version handed out; versions without one are not
-- handed out (yet).

CREATE TABLE rubrics (
    prompt         BLOB NOT NULL CHECK (length(prompt) = 16),
    prompt_version INTEGER NOT NULL CHECK (prompt_version >= 1),
    version        INTEGER NOT NULL CHECK (version >= 1),
    source         TEXT NOT NULL CHECK (source IN ('dataset', 'published')),
    criteria       TEXT NOT NULL CHECK (json_valid(criteria)),
    PRIMARY KEY (prompt, prompt_version, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE heads (
    prompt         BLOB NOT NULL,
    prompt_version INTEGER NOT NULL,
    version        INTEGER NOT NULL,
    PRIMARY KEY (prompt, prompt_version),
    FOREIGN KEY (prompt, prompt_version, version) REFERENCES rubrics (prompt, prompt_version, version)
) STRICT, WITHOUT ROWID;
