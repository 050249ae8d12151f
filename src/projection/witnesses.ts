/** Projection of the witnesses that cosign this journal's checkpoints, in the order in which they were added. */
import * as E from 'fp-ts/lib/Either.js';
import { RefusalError } from '../base/result.js';
import { decode, integer, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import { witnessStream, type Witness } from '../domain/witness.js';
import type { Db } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import { projectionDdl } from './ddl.js';
import { projectStream } from './project.js';

const columns = 'seq, name, url, vkey, key, added_at';
const rowCodec = object('WitnessRow', {
  seq: required(integer(1, Number.MAX_SAFE_INTEGER)),
  name: required(text({ min: 1 })),
  url: required(text({ min: 1 })),
  vkey: required(text({ min: 1 })),
  key: required(text()),
  added_at: required(time),
});

export const readWitnesses = (db: Db): Witness[] =>
  db.prepare(`SELECT ${columns} FROM witness ORDER BY seq`).all().map(witnessOf);

function witnessOf(row: unknown): Witness {
  const witness = decode(rowCodec, row);
  if (E.isRight(witness)) return witness.right;
  throw new RefusalError({ code: 'integrity', detail: 'the witness table is damaged', hint: 'agent-cli rebuild' });
}

export const witnessesProjector: Projector = {
  name: 'witnesses',
  version: 1,
  ddl: projectionDdl('witnesses.v1.sql'),
  tables: ['witness'],
  bind(db) {
    const write = db.prepare(
      `INSERT INTO witness(${columns}) VALUES (@seq, @name, @url, @vkey, @key, @added_at)
       ON CONFLICT(seq) DO UPDATE SET url = excluded.url`,
    );
    return projectStream(
      witnessStream,
      () => readWitnesses(db),
      (witnesses) => witnesses.forEach((witness) => write.run(witness)),
    );
  },
};
