-- What witnesses said of checkpoints: one note signature line (c2sp.org/tlog-cosignature) a size and witness. Evidence beside the
-- signed journal: no entry refers to it, and a lost row can be asked for again while the checkpoint is the newest.
CREATE TABLE cosignature(
  size INTEGER NOT NULL,
  witness TEXT NOT NULL,
  line TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY(size, witness)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER cosignature_update BEFORE UPDATE ON cosignature
BEGIN SELECT RAISE(ABORT, 'cosignatures are append-only'); END;
CREATE TRIGGER cosignature_delete BEFORE DELETE ON cosignature
BEGIN SELECT RAISE(ABORT, 'cosignatures are append-only'); END;
