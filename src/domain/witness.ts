/** The witnesses of a journal: names, addresses and keys are unique. A witness that moves to another address keeps its name and key. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { ok, type Result } from '../base/refusal.js';
import type { Documents } from '../codec/event.js';
import { object, required, text } from '../codec/kit.js';
import { sequence, time } from '../codec/scalars.js';
import { controlName } from './control.js';
import { type EventContext, type EventIn, singleStream } from './stream.js';

/** A witness that cosigns this journal's checkpoints. A cosignature does not commit to the name, so one key under two names would count twice. */
export const witnessCodec = object('WitnessRow', {
  /** Sequence of the first entry that added it. */
  seq: required(sequence),
  name: required(text({ min: 1 })),
  url: required(text({ min: 1 })),
  vkey: required(text({ min: 1 })),
  /** The base64 part of the verifier key. */
  key: required(text()),
  added_at: required(time),
});

export type Witness = t.TypeOf<typeof witnessCodec>;

export type WitnessEvent = EventIn<'control.witness_added'>;

/** All witnesses, in the order in which they were added. */
export const witnessStream = singleStream<readonly Witness[], 'control.witness_added'>(controlName, {
  noun: 'witness',
  events: ['control.witness_added'],
  evolve: (witnesses, event, at) => evolveWitnesses(witnesses ?? [], event, at),
});

/** Returns the base64 part of `<name>+<key id>+<base64>`: base64 may contain a plus, a name and a key id do not. */
const keyPart = (vkey: string): string => vkey.split('+').slice(2).join('+');

/** Returns the witnesses after an event. A known name and key with another address is a move; an event that the decider would have refused changes nothing. */
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

/** Decides to add a witness. A known witness changes nothing; at another address it is recorded again with that address. */
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
