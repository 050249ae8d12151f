-- One row a key of a worker on another machine that the journal says something of. Results of active keys count.
CREATE TABLE worker(
  key TEXT PRIMARY KEY,
  name TEXT,
  state TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
