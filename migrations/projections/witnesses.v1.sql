-- Witnesses that cosign this journal's checkpoints. `key` is the base64 part of the verifier key: a cosignature does not commit to
-- the name, so one key under two names would count twice.
CREATE TABLE witness(
  seq INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL UNIQUE,
  vkey TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  added_at TEXT NOT NULL
) STRICT;
