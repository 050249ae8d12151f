/** Prints warnings on standard error, so that a pipe gets the result alone. With `--json` they are a member of the document. */
import { paint } from './paint.js';
import { printable } from '../base/text.js';

/** A result with the member `warnings` if there are any. */
export type Warned<A> = A & { readonly warnings?: readonly string[] };

export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`${paint.err('yellow', '!')} ${printable(warning)}\n`);
}
