/** The error message of a verification thread. An error is sent in parts, because message and code of a SQLite error would be lost. */
import { errorCode, messageOf, type Refusal, RefusalError } from '../base/refusal.js';
import type { Failure, RangeReport } from './verify-range.js';

export interface Failed {
  readonly code: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly refusal: Refusal | null;
}

export type Answer = { readonly report: RangeReport } | { readonly index: Failure | null } | { readonly failed: Failed };

export const failedOf = (error: unknown): Failed => ({
  code: errorCode(error),
  message: messageOf(error),
  stack: error instanceof Error ? error.stack : undefined,
  refusal: error instanceof RefusalError ? error.refusal : null,
});

export const errorOf = ({ code, message, stack, refusal }: Failed): Error =>
  refusal === null ? Object.assign(new Error(message), { code, stack }) : new RefusalError(refusal);
