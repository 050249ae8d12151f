/** The home's control state: ready or paused, and the configuration in force. */
import { type Control, controlCodec, controlName, controlStream, initialControl } from '../domain/control.js';
import { defineRowTable } from '../state/rows.js';
import type { Db } from '../store/database.js';
import { readOne, readSigned } from './read.js';

export const controlTable = defineRowTable<Control>({
  stream: controlStream,
  name: 'control',
  projection: 'control',
  version: 1,
  row: controlCodec,
  key: null,
});

/** Returns the control state by the signed entries, also where the table is damaged; null when there are none. */
export const signedControl = (db: Db): Control | null => readSigned(db, controlTable, controlName);

export const readControl = (db: Db): Control => readOne(db, controlTable, controlName) ?? initialControl;
