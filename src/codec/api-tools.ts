/** Tools as the operator's HTTP API takes and answers them. */
import * as limits from '../base/limits.js';
import { time } from './scalars.js';
import { choice, flag, integer, list, nullable, object, required, text } from './kit.js';
import { manifestCodec, toolStatuses } from './tool-manifest.js';

const fields = {
  id: required(text()),
  status: required(choice(...toolStatuses)),
  /** Ours, so its status is enforced here. */
  own: required(flag),
  /** Where a person approves the use of ours. */
  gate: required(nullable(text())),
  note: required(nullable(text())),
  revision: required(nullable(integer(1, Number.MAX_SAFE_INTEGER))),
  updated_at: required(nullable(time)),
  manifest: required(manifestCodec),
};

export const toolRecordCodec = object('Tool', fields);
export const toolListCodec = object('ToolList', { items: required(list(toolRecordCodec, 0, Number.MAX_SAFE_INTEGER)) });

const warning = object('Warning', { path: required(text()), message: required(text()) });
export const toolImportCodec = object('ImportedTool', {
  ...fields,
  /** False when this very manifest stood already. */
  recorded: required(flag),
  warnings: required(list(warning, 0, Number.MAX_SAFE_INTEGER)),
});

export const toolParams = object('ToolParams', { id: required(text({ min: 1, max: limits.tool_id_chars_max })) });

export const toolStatusBody = object('ToolStatusBody', {
  status: required(choice('active', 'deprecated', 'disabled', 'quarantined')),
  note: required(text({ min: 1, max: limits.tool_note_chars_max, notBlank: true })),
});
