/** The witnesses of a journal: no name, address or key stands twice among them. */
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../base/result.js';
import type { Documents, Event } from '../codec/event.js';
import { one } from './decider.js';

export interface Witness {
  /** Sequence of the entry that added it. */
  readonly seq: number;
  readonly name: string;
  readonly url: string;
  readonly vkey: string;
  /** The base64 part of the verifier key: what one witness under two names would share. */
  readonly key: string;
  readonly added_at: string;
}

export type WitnessEvent = Extract<Event, { type: 'control.witness_added' }>;

/** @param key the base64 part of the document's verifier key */
export function decideWitness(
  known: readonly Witness[],
  document: Documents['control.witness_added'],
  key: string,
): Result<readonly WitnessEvent[]> {
  const what = (['name', 'url'] as const).find((member) => known.some((witness) => witness[member] === document[member]));
  if (what === undefined && !known.some((witness) => witness.key === key))
    return one({ type: 'control.witness_added', document });
  return E.left({
    code: 'exists',
    detail: `a witness with this ${what ?? 'key'} is registered already`,
    hint: 'agent-cli witness list',
  });
}
