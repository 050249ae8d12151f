/** The witnesses of a journal: no name, address or key stands twice among them. One that moved keeps its name and key. */
import * as E from 'fp-ts/lib/Either.js';
import { ok, type Result } from '../base/result.js';
import type { Documents, Event } from '../codec/event.js';

export interface Witness {
  /** Sequence of the entry that added it first. */
  readonly seq: number;
  readonly name: string;
  readonly url: string;
  readonly vkey: string;
  /** The base64 part of the verifier key: what one witness under two names would share. */
  readonly key: string;
  readonly added_at: string;
}

export type WitnessEvent = Extract<Event, { type: 'control.witness_added' }>;

/**
 * The same witness again changes nothing; at another address it is recorded anew, and asked there from now on.
 * @param key the base64 part of the document's verifier key
 */
export function decideWitness(
  known: readonly Witness[],
  document: Documents['control.witness_added'],
  key: string,
): Result<readonly WitnessEvent[]> {
  const same = known.find(({ vkey }) => vkey === document.vkey);
  if (same?.url === document.url) return E.right([]);
  const others = known.filter((witness) => witness !== same);
  const what = (['name', 'url'] as const).find((member) => others.some((witness) => witness[member] === document[member]));
  if (what === undefined && !others.some((witness) => witness.key === key))
    return ok([{ type: 'control.witness_added', document }]);
  return E.left({
    code: 'exists',
    detail: `a witness with this ${what ?? 'key'} is registered already`,
    hint: 'agent-cli witness list',
  });
}
