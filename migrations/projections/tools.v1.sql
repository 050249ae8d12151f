-- One row a tool that the journal says something of. `manifest` is canonical JSON, null while the one that the program ships stands.
CREATE TABLE tool(
  id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  manifest TEXT,
  note TEXT,
  revision INTEGER NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
