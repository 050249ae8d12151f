/** The members of a mission that its owner gives beside the files. */
import type { Json } from '../base/canonical-json.js';
import type { IntakeOptions } from './types.js';

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
