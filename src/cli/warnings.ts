/** Prints warnings on standard error, so that a pipe gets only the result. With `--json` they are a member of the document. */
import type { Refusal } from '../base/refusal.js';
import { printable } from '../base/text.js';
import { type Invocation, paint, pasteable } from './text.js';

/** A result with the member `warnings` if there are any. */
export type WithWarnings<A> = A & { readonly warnings?: readonly string[] };

/** Returns the document with warnings before its own. */
export function withWarnings<A>(document: A, warnings: readonly string[]): WithWarnings<A> {
  const { warnings: own = [] } = document as WithWarnings<A>;
  return { ...document, warnings: [...warnings, ...own] };
}

/** Returns the warnings about faults that a command tolerates. */
export const faultWarnings = (found: readonly Refusal[]): readonly string[] =>
  found.map(({ detail, hint }) => (hint === undefined ? detail : `${detail}; run: ${hint}`));

const damage_shown_max = 5;

/** Returns the warnings about damage that a command found and tolerated. */
export function damageWarnings(found: readonly Refusal[]): readonly string[] {
  const shown = faultWarnings(found.slice(0, damage_shown_max)).map((warning) => `this home is damaged: ${warning}`);
  const more = found.length - shown.length;
  return more === 0 ? shown : [...shown, `${more} more faults like these`];
}

export function printWarnings(warnings: readonly string[], { bin, home }: Invocation = { bin: 'agent-cli' }): void {
  const lines = warnings.map((warning) => pasteable(`! ${printable(warning)}`, bin, home).slice(1));
  for (const line of lines) process.stderr.write(`${paint.err('yellow', '!')}${line}\n`);
}
