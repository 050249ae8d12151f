/** What the readers of tables and documents have in common: the members that are given beside files, and the refusal of a file. */
import type { Json } from '../base/canonical-json.js';
import type { IntakeFault, IntakeOptions } from '../codec/api-intake.js';
import type { Outcome } from './types.js';

const envelope = new Set(['goal', 'seed', 'population', 'generations']);

/** Returns the members that were given beside the files: those of the work, and those beside it. */
export function setMembers({ set = {} }: IntakeOptions): {
  readonly inside: Record<string, Json>;
  readonly outside: Record<string, Json>;
} {
  const entries = Object.entries(set);
  return {
    inside: Object.fromEntries(entries.filter(([name]) => !envelope.has(name))),
    outside: Object.fromEntries(entries.filter(([name]) => envelope.has(name))),
  };
}

/** Returns the fault of a whole file, or of several. */
export const fileFault = (file: string, message: string): IntakeFault => ({ file, rows: [], count: 1, message });

export const invalidFile = (file: string, message: string): Extract<Outcome, { readonly outcome: 'invalid' }> => ({
  outcome: 'invalid',
  errors: [fileFault(file, message)],
  notes: [],
});
