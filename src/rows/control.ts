/** The home's control state and the journal's witnesses, compared with the signed entries of @control. */
import type { Entry } from '../codec/entry.js';
import { controlName, initialControl, type Control, type ControlEvent } from '../domain/control.js';
import type { Witness } from '../domain/witness.js';
import { requireSigned } from '../journal/stream.js';
import { controlTable } from '../projection/control.js';
import { witnessTable } from '../projection/witnesses.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { readOne } from './read.js';

/** The signature of an entry that sets a configuration is checked at every start. */
const checkedControl: CheckedTable<Control, ControlEvent> = { ...controlTable, check: requireSignedConfiguration };

/** Checks the signature of an entry that sets a configuration. */
export function requireSignedConfiguration(entry: Entry, publicKey: Buffer | null): void {
  if (entry.event !== null && 'config_hash' in entry.event.document) requireSigned(entry, publicKey);
}

export const readControl = (db: Db): Control =>
  readOne(db, checkedControl, controlName, `SELECT ${controlTable.columns.join(', ')} FROM control`) ?? initialControl;

/** Returns the witnesses in the order in which they were added. */
export const readWitnesses = (db: Db): readonly Witness[] =>
  readOne(db, witnessTable, controlName, `SELECT ${witnessTable.columns.join(', ')} FROM witness ORDER BY seq`) ?? [];
