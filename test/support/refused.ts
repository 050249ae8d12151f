import { type RefusalCode, RefusalError } from '../../src/base/refusal.js';

/** Whether an error is a refusal of this code and of such a detail: for `assert.throws` and `assert.rejects`. */
export const refused =
  (code: RefusalCode, detail = /./) =>
  (error: unknown): boolean =>
    error instanceof RefusalError && error.refusal.code === code && detail.test(error.refusal.detail);
