/** The home's control state and the journal's witnesses, compared with the signed entries of @control. */
import type { Entry } from '../codec/entry.js';
import { choice, decode, nullable, object, required } from '../codec/kit.js';
import { hash } from '../codec/scalars.js';
import { type Control, type ControlEvent, controlName, controlStream, initialControl } from '../domain/control.js';
import type { Witness } from '../domain/witness.js';
import { requireSigned } from '../journal/stream.js';
import { rowProjector } from './project.js';
import { decoded, named, type Table } from './table.js';
import type { Db } from '../store/database.js';
import type { CheckedTable } from './compare.js';
import { readOne } from './read.js';
import { witnessTable } from './witnesses.js';

/** One row: ready or paused, and the configuration in force */
const ddl = `CREATE TABLE control(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state TEXT,
  config_hash TEXT,
  config_blob TEXT
) STRICT;
`;

const rowCodec = object('ControlRow', {
  id: required(choice(1)),
  state: required(nullable(choice('ready', 'paused'))),
  config_hash: required(nullable(hash)),
  config_blob: required(nullable(hash)),
});
const columns = ['id', 'state', 'config_hash', 'config_blob'] as const;

const controlTable: Table<Control, ControlEvent> = {
  stream: controlStream,
  name: 'control',
  columns,
  idOf: () => controlName,
  rowsOf: ({ state, config_hash, config_blob }) => [[1, state, config_hash, config_blob]],
  stateOf([row]) {
    if (row === undefined) return null;
    const { id: _, ...control } = decoded('control', decode(rowCodec, named(columns, row)));
    return control;
  },
};

export const controlProjector = rowProjector(controlTable, {
  name: 'control',
  version: 1,
  ddl,
  key: 'id',
  keyOf: () => 1,
});

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
