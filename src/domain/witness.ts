/** The witnesses of a journal: no name, address or key occurs twice among them. One that moved keeps its name and key. */
import * as E from 'fp-ts/lib/Either.js';
import { ok, type Result } from '../base/result.js';
import type { Documents } from '../codec/event.js';
import { controlName } from './control.js';
import { singleStream, type EventContext, type EventIn } from './stream.js';

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

type WitnessEvent = EventIn<'control.witness_added'>;

/** All witnesses, in the order in which they were added. */
export const witnessStream = singleStream<readonly Witness[], 'control.witness_added'>(controlName, {
  noun: 'witness',
  events: ['control.witness_added'],
  evolve: (witnesses, event, at) => evolveWitnesses(witnesses ?? [], event, at),
});

/** The base64 part of `<name>+<key id>+<base64>`: base64 may hold a plus, a name and a key id do not. */
const keyPart = (vkey: string): string => vkey.split('+').slice(2).join('+');

/** One that moved is told again with its name and key; what the decider would have refused changes nothing. */
function evolveWitnesses(
  witnesses: readonly Witness[],
  { document: { name, url, vkey } }: WitnessEvent,
  { sequence, time }: EventContext,
): readonly Witness[] {
  const key = keyPart(vkey);
  const same = witnesses.find((witness) => witness.name === name && witness.vkey === vkey);
  const taken = witnesses.some(
    (witness) => witness !== same && (witness.name === name || witness.url === url || witness.key === key),
  );
  if (taken || same?.url === url) return witnesses;
  if (same === undefined) return [...witnesses, { seq: sequence, name, url, vkey, key, added_at: time }];
  return witnesses.map((witness) => (witness === same ? { ...same, url } : witness));
}

/** The same witness again changes nothing; at another address it is recorded anew, and asked there from now on. */
export function decideWitness(
  known: readonly Witness[],
  document: Documents['control.witness_added'],
): Result<readonly WitnessEvent[]> {
  const same = known.find(({ vkey }) => vkey === document.vkey);
  if (same?.url === document.url) return ok([]);
  const others = known.filter((witness) => witness !== same);
  const what = (['name', 'url'] as const).find((member) => others.some((witness) => witness[member] === document[member]));
  const key = keyPart(document.vkey);
  if (what === undefined && !others.some((witness) => witness.key === key))
    return ok([{ type: 'control.witness_added', document }]);
  return E.left({
    code: 'exists',
    detail: `a witness with this ${what ?? 'key'} is registered already`,
    hint: 'agent-cli witness list',
  });
}
