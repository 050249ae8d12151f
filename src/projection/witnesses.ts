/** Projection of the witnesses that cosign this journal's checkpoints, in the order in which they were added. */
import { decode, integer, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { controlName } from '../domain/control.js';
import { witnessStream, type Witness, type WitnessEvent } from '../domain/witness.js';
import type { Projector } from '../store/projector.js';
import { projectionDdl } from './ddl.js';
import { projectStream } from './project.js';
import { decoded, named, valuesOf, type Table, type Value } from './table.js';

const rowCodec = object('WitnessRow', {
  seq: required(integer(1, Number.MAX_SAFE_INTEGER)),
  name: required(text({ min: 1 })),
  url: required(text({ min: 1 })),
  vkey: required(text({ min: 1 })),
  key: required(text()),
  added_at: required(time),
});
const columns = Object.keys(rowCodec.fields);

export const witnessTable: Table<readonly Witness[], WitnessEvent> = {
  stream: witnessStream,
  name: 'witness',
  columns,
  idOf: () => controlName,
  rowsOf: (witnesses) => witnesses.map((witness) => valuesOf(columns, { ...witness })),
  stateOf: (rows) => (rows.length === 0 ? null : rows.map((row) => decoded('witness', decode(rowCodec, named(columns, row))))),
};

export const witnessesProjector: Projector = {
  name: 'witnesses',
  version: 1,
  ddl: projectionDdl('witnesses.v1.sql'),
  tables: ['witness'],
  bind(db) {
    const read = db.prepare<[], Value[]>(`SELECT ${columns.join(', ')} FROM witness ORDER BY seq`).raw();
    const write = db.prepare<Value[]>(
      `INSERT INTO witness(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
       ON CONFLICT(seq) DO UPDATE SET url = excluded.url`,
    );
    return projectStream(
      witnessStream,
      () => witnessTable.stateOf(read.all()),
      (witnesses) => {
        for (const row of witnessTable.rowsOf(witnesses)) write.run(...row);
      },
    );
  },
};
