/** What the process that reads files is sent. */
import type { Kind } from '../../codec/kinds.js';
import type { RecordedMission } from '../compare/types.js';
import type { IntakeOptions } from '../../codec/api-intake.js';
import type { InputFile } from '../types.js';

/** What the process leaves on standard error when it is ended because of its memory. */
export const memory_mark = 'too much memory';

export interface ReadingLimits {
  readonly ms_max: number;
  /** Memory of the process that reads, as the system counts it. */
  readonly resident_bytes_max: number;
}

export interface ReadingRequest {
  readonly kind: Kind;
  readonly files: readonly InputFile[];
  readonly options: IntakeOptions;
  readonly limits: ReadingLimits;
  /** With it the files are compared with what a mission says of them, and no draft is made. */
  readonly recorded?: RecordedMission;
}
