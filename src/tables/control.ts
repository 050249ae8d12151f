/** The home's control state. */
import { choice, nullable, object, required } from '../codec/kit.js';
import { hash } from '../codec/scalars.js';
import { type Control, controlName, controlStream, initialControl } from '../domain/control.js';
import { rowForm } from '../state/rows.js';
import { defineTable } from '../state/table.js';
import type { Db } from '../store/database.js';
import { readOne, readSigned } from './read.js';

/** One row: ready or paused, and the configuration in force */
const { write, read, ...form } = rowForm(
  'control',
  object('ControlRow', {
    id: required(choice(1)),
    state: required(nullable(choice('ready', 'paused'))),
    config_hash: required(nullable(hash)),
    config_blob: required(nullable(hash)),
  }),
);

export const controlTable = defineTable<Control>({
  stream: controlStream,
  name: 'control',
  projection: 'control',
  version: 1,
  ...form,
  key: null,
  rowsOf: (control) => [write({ id: 1, ...control })],
  stateOf([row]) {
    if (row === undefined) return null;
    const { id: _, ...control } = read(row);
    return control;
  },
});

/** Returns the control state by the signed entries, also where the table is damaged; null when there are none. */
export const signedControl = (db: Db): Control | null => readSigned(db, controlTable, controlName);

export const readControl = (db: Db): Control => readOne(db, controlTable, controlName) ?? initialControl;
