/** Events of the stream `@tool:<id>`. The manifest, which comes from outside, is the value of one member. */
import { declare } from '../event-type.js';
import { choice, required, text } from '../kit.js';
import { causedBy } from '../scalars.js';
import { manifestCodec, toolStatuses } from '../tool-manifest.js';
import { tool_note_chars_max } from '../../base/limits.js';

export const toolStatus = choice(...toolStatuses);

export const toolEvents = [
  declare('tool.imported', {
    manifest: required(manifestCodec),
    /** The status from this event on; a later manifest of the same tool does not change it, whatever status it has. */
    status: required(toolStatus),
    ...causedBy,
  }),
  declare('tool.status_set', {
    from: required(toolStatus),
    to: required(toolStatus),
    note: required(text({ min: 1, max: tool_note_chars_max, notBlank: true })),
    ...causedBy,
  }),
] as const;
