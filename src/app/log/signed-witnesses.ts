/** The witnesses of this journal. The signed entries define them; the table alone is never trusted. */
import { controlName } from '../../domain/control.js';
import { witnessStream, type Witness } from '../../domain/witness.js';
import { signedState } from '../../journal/stream.js';
import { readWitnesses } from '../../projection/witnesses.js';
import type { Db } from '../../store/database.js';

/** @throws RefusalError `integrity` when the table does not match the entries */
export function signedWitnesses(db: Db): readonly Witness[] {
  const rows = readWitnesses(db);
  return signedState(db, witnessStream, controlName, rows.length === 0 ? null : rows) ?? [];
}
