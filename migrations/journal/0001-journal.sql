-- The journal: what is signed and never changes (events), the newest checkpoint and the cosigned ones (checkpoint), what is derived
-- from the entries (tile, projection), salted values that an event refers to by hash and that may be erased (blob), and what witnesses
-- said of checkpoints (cosignature). No index covers the random hashes of the entries, because every append would write another of its pages.
CREATE TABLE events(
  seq INTEGER PRIMARY KEY CHECK (seq > 0),
  mission TEXT NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL,
  signature TEXT NOT NULL
) STRICT;
CREATE INDEX events_mission ON events(mission, seq);

-- hash = SHA-256(salt || bytes), hexadecimal
CREATE TABLE blob(
  hash TEXT PRIMARY KEY,
  salt BLOB NOT NULL CHECK (length(salt) = 16),
  bytes BLOB NOT NULL
) STRICT;

-- level 0 holds complete tiles of 256 leaf hashes; a level above also its last, incomplete tile
CREATE TABLE tile(
  level INTEGER NOT NULL CHECK (level >= 0),
  n INTEGER NOT NULL CHECK (n >= 0),
  hashes BLOB NOT NULL,
  PRIMARY KEY(level, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint(
  size INTEGER PRIMARY KEY CHECK (size > 0),
  note TEXT NOT NULL
) STRICT;

-- One note signature line (c2sp.org/tlog-cosignature) a size and witness. Evidence beside the signed journal: no entry refers to it, and a
-- lost row can be asked for again while the checkpoint is the newest.
CREATE TABLE cosignature(
  size INTEGER NOT NULL,
  witness TEXT NOT NULL,
  line TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY(size, witness)
) STRICT, WITHOUT ROWID;

CREATE TABLE migration(
  name TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;

-- The tables of a projection change in the transaction of each entry, so that nothing is counted here: behind is 1 from the first entry on
-- that they could not take, until they are rebuilt.
CREATE TABLE projection(
  name TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  behind INTEGER NOT NULL
) STRICT;

CREATE TRIGGER events_insert BEFORE INSERT ON events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
BEGIN SELECT RAISE(ABORT, 'events: sequence must follow the newest entry'); END;
CREATE TRIGGER events_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_delete BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
-- A cosignature may arrive after a newer checkpoint replaced the cosigned one, which is then stored again.
CREATE TRIGGER checkpoint_insert BEFORE INSERT ON checkpoint
WHEN NEW.size <= (SELECT coalesce(max(size), -1) FROM checkpoint)
  AND NOT EXISTS (SELECT 1 FROM cosignature WHERE size = NEW.size)
BEGIN SELECT RAISE(ABORT, 'checkpoint: size must grow'); END;
-- A newer checkpoint takes the place of the newest one, unless a witness cosigned that.
CREATE TRIGGER checkpoint_update BEFORE UPDATE ON checkpoint
WHEN NEW.size <= OLD.size OR OLD.size <> (SELECT max(size) FROM checkpoint) OR EXISTS (SELECT 1 FROM cosignature WHERE size = OLD.size)
BEGIN SELECT RAISE(ABORT, 'checkpoints are append-only'); END;
CREATE TRIGGER checkpoint_delete BEFORE DELETE ON checkpoint
WHEN OLD.size = (SELECT max(size) FROM checkpoint) OR EXISTS (SELECT 1 FROM cosignature WHERE size = OLD.size)
BEGIN SELECT RAISE(ABORT, 'the newest checkpoint and cosigned ones are kept'); END;
CREATE TRIGGER cosignature_update BEFORE UPDATE ON cosignature
BEGIN SELECT RAISE(ABORT, 'cosignatures are append-only'); END;
CREATE TRIGGER cosignature_delete BEFORE DELETE ON cosignature
BEGIN SELECT RAISE(ABORT, 'cosignatures are append-only'); END;
CREATE TRIGGER blob_update BEFORE UPDATE ON blob
BEGIN SELECT RAISE(ABORT, 'blobs are erased or kept, never changed'); END;
