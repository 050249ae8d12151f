/** Projection of the home's control state: one row. */
import { decode, choice, nullable, object, required } from '../codec/kit.js';
import { hash } from '../codec/scalars.js';
import { controlName, controlStream, type Control, type ControlEvent } from '../domain/control.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, type Table } from './table.js';

const rowCodec = object('ControlRow', {
  id: required(choice(1)),
  state: required(nullable(choice('ready', 'paused'))),
  config_hash: required(nullable(hash)),
  config_blob: required(nullable(hash)),
});
const columns = ['id', 'state', 'config_hash', 'config_blob'] as const;

export const controlTable: Table<Control, ControlEvent> = {
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
  ddl: projectionDdl('control.v1.sql'),
  key: 'id',
  keyOf: () => 1,
});
