/** Projection of the witnesses that cosign this journal's checkpoints, in the order in which they were added. */
import { controlName } from '../domain/control.js';
import { type Witness, witnessStream, witnessCodec } from '../domain/witness.js';
import { readOne } from './read.js';
import { rowForm } from '../state/rows.js';
import { defineTable } from '../state/table.js';
import type { Db } from '../store/database.js';

const { write, read, ...form } = rowForm('witness', witnessCodec, ['name', 'url', 'key']);

export const witnessTable = defineTable<readonly Witness[]>({
  stream: witnessStream,
  name: 'witness',
  projection: 'witnesses',
  version: 1,
  ...form,
  key: null,
  rowsOf: (witnesses) => witnesses.map(write),
  stateOf: (rows) => (rows.length === 0 ? null : rows.map(read)),
});

/** Returns the witnesses in the order in which they were added. */
export const readWitnesses = (db: Db): readonly Witness[] => readOne(db, witnessTable, controlName) ?? [];
