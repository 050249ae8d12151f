/** Completes an id of which a person gives the beginning. */
import { invalid, RefusalError } from './refusal.js';
import { printable, shorten } from './text.js';

/** The beginning of an id that is enough to name it. */
const id_prefix_chars_min = 4;
/** Ids that an ambiguous beginning is refused with. */
const id_candidates_shown_max = 10;

export interface IdKind {
  /** Names what has the id, such as `mission`. */
  readonly noun: string;
  /** The member or argument that a refusal names; the noun when absent. */
  readonly member?: string;
  readonly full: RegExp;
  /** Matches every prefix of an id. */
  readonly part: RegExp;
  /** Describes a full id for people. */
  readonly form: string;
  /** The command that lists the ids. */
  readonly hint: string;
}

export interface Candidate {
  readonly id: string;
  /** Tells the candidate from others with a similar id. */
  readonly text: string;
}

const candidate_text_chars = 50;

/**
 * Returns a full id as it is, whether or not there is such a thing, and else the only id that begins with `given`.
 * @param find returns at most `limit` candidates whose id begins with the prefix
 * @throws RefusalError `invalid` for no prefix of an id, a short one or an ambiguous one; `not_found`
 */
export function idNamed(kind: IdKind, given: string, find: (prefix: string, limit: number) => readonly Candidate[]): string {
  const { noun, member = noun, full, part, form, hint } = kind;
  const prefix = given.toLowerCase();
  if (full.test(prefix)) return prefix;
  if (!part.test(prefix) || prefix.length < id_prefix_chars_min)
    throw new RefusalError(invalid(member, `must be ${form} or at least ${id_prefix_chars_min} of its first characters`));
  const found = find(prefix, id_candidates_shown_max + 1);
  const [only] = found;
  if (only === undefined) throw new RefusalError('not_found', `there is no ${noun} whose id begins with ${prefix}`, { hint });
  return found.length === 1 ? only.id : refuseAmbiguous(member, prefix, found);
}

function refuseAmbiguous(member: string, prefix: string, found: readonly Candidate[]): never {
  const shown = found.slice(0, id_candidates_shown_max);
  const count = found.length > shown.length ? `more than ${shown.length}` : String(shown.length);
  throw new RefusalError('invalid', `${member}: ${count} ids begin with ${prefix}; give more characters`, {
    errors: shown.map(({ id, text }) => ({ path: member, message: `${id}  ${shorten(printable(text), candidate_text_chars)}` })),
    facts: { candidates: shown.map(({ id }) => id) },
  });
}
