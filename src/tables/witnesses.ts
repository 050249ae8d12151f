/** Projection of the witnesses that cosign this journal's checkpoints, in the order in which they were added. */
import { integer, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { controlName } from '../domain/control.js';
import { type Witness, witnessStream } from '../domain/witness.js';
import { readOne } from './read.js';
import { rowForm } from '../state/rows.js';
import { defineTable } from '../state/table.js';
import type { Db } from '../store/database.js';

/**
 * Witnesses that cosign this journal's checkpoints. `key` is the base64 part of the verifier key: a cosignature does not commit to
 * the name, so one key under two names would count twice.
 */
const row = object('WitnessRow', {
  seq: required(integer(1, Number.MAX_SAFE_INTEGER)),
  name: required(text({ min: 1 })),
  url: required(text({ min: 1 })),
  vkey: required(text({ min: 1 })),
  key: required(text()),
  added_at: required(time),
});
const { write, read, ...form } = rowForm('witness', row, ['name', 'url', 'key']);

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
