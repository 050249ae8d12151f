-- Only the newest checkpoint and those that witnesses cosigned are kept: nothing reads another one.
DROP TRIGGER checkpoint_delete;
DELETE FROM checkpoint
WHERE size < (SELECT max(size) FROM checkpoint)
  AND NOT EXISTS (SELECT 1 FROM cosignature WHERE cosignature.size = checkpoint.size);
CREATE TRIGGER checkpoint_delete BEFORE DELETE ON checkpoint
WHEN OLD.size = (SELECT max(size) FROM checkpoint) OR EXISTS (SELECT 1 FROM cosignature WHERE size = OLD.size)
BEGIN SELECT RAISE(ABORT, 'the newest checkpoint and cosigned ones are kept'); END;

-- A cosignature may arrive after a newer checkpoint replaced the cosigned one, which is then stored again.
DROP TRIGGER checkpoint_insert;
CREATE TRIGGER checkpoint_insert BEFORE INSERT ON checkpoint
WHEN NEW.size <= (SELECT coalesce(max(size), -1) FROM checkpoint)
  AND NOT EXISTS (SELECT 1 FROM cosignature WHERE size = NEW.size)
BEGIN SELECT RAISE(ABORT, 'checkpoint: size must grow'); END;
