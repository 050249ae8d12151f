/** What people should read beside an answer: on standard error, so that a pipe has the answer alone. With `--json` it is a member. */
import { paint } from './paint.js';
import { printable } from '../base/text.js';

/** An answer that has the member when something warns. */
export type Warned<A> = A & { readonly warnings?: readonly string[] };

export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`${paint.err('yellow', '!')} ${printable(warning)}\n`);
}
