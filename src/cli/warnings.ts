/** Prints warnings on standard error, so that a pipe gets only the result. With `--json` they are a member of the document. */
import type { Refusal } from '../base/refusal.js';
import { printable } from '../base/text.js';
import { paint, pasteable } from './text.js';

/** A result with the member `warnings` if there are any. */
export type Warned<A> = A & { readonly warnings?: readonly string[] };

/** Returns the document with warnings before its own. */
export function withWarnings<A>(document: A, warnings: readonly string[]): Warned<A> {
  const { warnings: own = [] } = document as Warned<A>;
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

/** @param called the name by which the program was called, and its `--home` */
export function printWarnings(
  warnings: readonly string[],
  called?: { readonly bin: string; readonly home?: string | undefined },
): void {
  for (const warning of warnings) {
    const line = `! ${printable(warning)}`;
    const text = called === undefined ? line : pasteable(line, called.bin, called.home);
    process.stderr.write(`${paint.err('yellow', '!')}${text.slice(1)}\n`);
  }
}
