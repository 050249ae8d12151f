/** Tools as the operator's HTTP API takes and returns them. */
import type * as t from 'io-ts';
import * as limits from '../base/limits.js';
import { time } from './scalars.js';
import { choice, flag, integer, list, nullable, object, required, text } from './kit.js';
import { manifestCodec, toolStatuses } from './tool-manifest.js';

const fields = {
  id: required(text()),
  /** The status in force; the manifest's own counts only until an event says another. */
  status: required(choice(...toolStatuses)),
  /** True for a shipped tool, whose status is enforced; imported tools are kept for reference. */
  own: required(flag),
  /** The gate at which a person approves its use; null for imported tools and for tools that need no approval. */
  gate: required(nullable(text())),
  /** The reason for the status; null while nobody has set it. */
  note: required(nullable(text())),
  /** Sequence and time of the tool's newest event; null while there is none. */
  revision: required(nullable(integer(1, Number.MAX_SAFE_INTEGER))),
  updated_at: required(nullable(time)),
  manifest: required(manifestCodec),
};

export const toolRecordCodec = object('Tool', fields);
export type ToolRecord = t.TypeOf<typeof toolRecordCodec>;

export const toolListCodec = object('ToolList', { items: required(list(toolRecordCodec, 0, Number.MAX_SAFE_INTEGER)) });
export type ToolList = t.TypeOf<typeof toolListCodec>;

const warning = object('Warning', { path: required(text()), message: required(text()) });
export const toolImportCodec = object('ImportedTool', {
  ...fields,
  /** False when this manifest was already the newest one. */
  recorded: required(flag),
  warnings: required(list(warning, 0, Number.MAX_SAFE_INTEGER)),
});
export type ImportedTool = t.TypeOf<typeof toolImportCodec>;

export const toolParams = object('ToolParams', { id: required(text({ min: 1, max: limits.tool_id_chars_max })) });

export const toolStatusBody = object('ToolStatusBody', {
  status: required(choice('active', 'deprecated', 'disabled', 'quarantined')),
  note: required(text({ min: 1, max: limits.tool_note_chars_max, notBlank: true })),
});
