/** The home's control state. */
import { choice, decode, nullable, object, required } from '../codec/kit.js';
import { hash } from '../codec/scalars.js';
import { type Control, controlName, controlStream, initialControl } from '../domain/control.js';
import { decoded, defineTable, named } from '../state/table.js';
import type { Db } from '../store/database.js';
import { readOne, readSigned } from './read.js';

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

export const controlTable = defineTable<Control>({
  stream: controlStream,
  name: 'control',
  projection: 'control',
  ddl,
  version: 1,
  columns,
  key: null,
  rowsOf: ({ state, config_hash, config_blob }) => [[1, state, config_hash, config_blob]],
  stateOf([row]) {
    if (row === undefined) return null;
    const { id: _, ...control } = decoded('control', decode(rowCodec, named(columns, row)));
    return control;
  },
});

/** Returns the control state by the signed entries, also where the table is damaged; null when there are none. */
export const signedControl = (db: Db): Control | null => readSigned(db, controlTable, controlName);

export const readControl = (db: Db): Control => readOne(db, controlTable, controlName) ?? initialControl;
