-- one row: ready or paused, and the configuration in force
CREATE TABLE control(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state TEXT,
  config_hash TEXT,
  config_blob TEXT
) STRICT;
