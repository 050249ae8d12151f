/** Projection of tools: the state of each tool that has entries. Shipped manifests are not part of it. */
import { canonicalJson } from '../base/canonical-json.js';
import { time } from '../codec/scalars.js';
import { decode, integer, nullable, object, required, text } from '../codec/kit.js';
import { toolStatus } from '../codec/events/tool.js';
import { manifestCodec } from '../codec/tool-manifest.js';
import { toolStream, type Tool, type ToolEvent } from '../domain/tool.js';
import { projectionDdl } from './ddl.js';
import { rowProjector } from './project.js';
import { decoded, named, parsed, valuesOf, type Table } from './table.js';

const toolCodec = object('Tool', {
  id: required(text()),
  status: required(toolStatus),
  manifest: required(nullable(manifestCodec)),
  note: required(nullable(text())),
  revision: required(integer(1, Number.MAX_SAFE_INTEGER)),
  updated_at: required(time),
});
const columns = Object.keys(toolCodec.fields);

export const toolTable: Table<Tool, ToolEvent> = {
  stream: toolStream,
  name: 'tool',
  columns,
  idOf: ([id]) => String(id),
  rowsOf: (tool) => [valuesOf(columns, { ...tool, manifest: tool.manifest === null ? null : canonicalJson(tool.manifest) })],
  stateOf([row]) {
    if (row === undefined) return null;
    const values = named(columns, row);
    const manifest = values['manifest'] === null ? null : parsed('tool', values['manifest']);
    return decoded('tool', decode(toolCodec, { ...values, manifest }));
  },
};

export const toolsProjector = rowProjector(toolTable, {
  name: 'tools',
  version: 1,
  ddl: projectionDdl('tools.v1.sql'),
  key: 'id',
});
