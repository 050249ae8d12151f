/** Projection of the witnesses that cosign this journal's checkpoints, in the order in which they were added. */
import { unwrap } from '../base/result.js';
import { decode, integer, object, required, text } from '../codec/kit.js';
import { time } from '../codec/scalars.js';
import type { Witness } from '../domain/witness.js';
import type { Db } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import { projectionDdl } from './ddl.js';

const columns = 'seq, name, url, vkey, key, added_at';
const rowCodec = object('WitnessRow', {
  seq: required(integer(1, Number.MAX_SAFE_INTEGER)),
  name: required(text({ min: 1 })),
  url: required(text({ min: 1 })),
  vkey: required(text({ min: 1 })),
  key: required(text()),
  added_at: required(time),
});

/** @throws RefusalError when a row is not what an event made. */
export const readWitnesses = (db: Db): Witness[] =>
  db
    .prepare(`SELECT ${columns} FROM witness ORDER BY seq`)
    .all()
    .map((row) => unwrap(decode(rowCodec, row)));

/** The base64 part of `<name>+<key id>+<base64>`: base64 may hold a plus, a name and a key id do not. */
const keyPart = (vkey: string): string => vkey.split('+').slice(2).join('+');

export const witnessesProjector: Projector = {
  name: 'witnesses',
  version: 1,
  ddl: projectionDdl('witnesses.v1.sql'),
  tables: ['witness'],
  bind(db) {
    // A witness that moved is told anew with its name and key; anything else that is there already is refused before an event is made.
    const move = db.prepare('UPDATE OR IGNORE witness SET url = ? WHERE name = ? AND vkey = ?');
    const insert = db.prepare(`INSERT INTO witness(${columns}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
    return ({ event, sequence, time: at }) => {
      if (event?.type !== 'control.witness_added') return;
      const { name, url, vkey } = event.document;
      if (move.run(url, name, vkey).changes === 0) insert.run(sequence, name, url, vkey, keyPart(vkey), at);
    };
  },
};
