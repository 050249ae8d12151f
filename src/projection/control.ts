/** Projection of the home's control state: one row. */
import * as E from 'fp-ts/lib/Either.js';
import { decode, choice, nullable, object, required } from '../codec/kit.js';
import { hash } from '../codec/scalars.js';
import { controlStream, initialControl, type Control } from '../domain/control.js';
import { RefusalError } from '../base/result.js';
import type { Db } from '../store/database.js';
import type { Projector } from '../store/projector.js';
import { projectionDdl } from './ddl.js';
import { projectStream } from './project.js';

const rowCodec = object('ControlRow', {
  state: required(nullable(choice('ready', 'paused'))),
  config_hash: required(nullable(hash)),
  config_blob: required(nullable(hash)),
});

export function readControl(db: Db): Control {
  const row = db.prepare('SELECT state, config_hash, config_blob FROM control WHERE id = 1').get();
  if (row === undefined) return initialControl;
  const control = decode(rowCodec, row);
  if (E.isRight(control)) return control.right;
  throw new RefusalError({ code: 'integrity', detail: 'the control table is damaged', hint: 'agent-cli rebuild' });
}

export const controlProjector: Projector = {
  name: 'control',
  version: 1,
  ddl: projectionDdl('control.v1.sql'),
  tables: ['control'],
  bind(db) {
    const write = db.prepare(
      `INSERT INTO control(id, state, config_hash, config_blob) VALUES (1, @state, @config_hash, @config_blob)
       ON CONFLICT(id) DO UPDATE SET state = excluded.state, config_hash = excluded.config_hash, config_blob = excluded.config_blob`,
    );
    return projectStream(
      controlStream,
      () => readControl(db),
      (control) => void write.run(control),
    );
  },
};
