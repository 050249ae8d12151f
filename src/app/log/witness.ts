/** `witness add` and `witness list`: who cosigns this journal's checkpoints. */
import { Fault, invalid, RefusalError } from '../../base/refusal.js';
import { controlName } from '../../domain/control.js';
import { decideWitness, witnessStream } from '../../domain/witness.js';
import { recordEvents } from '../../journal/stream.js';
import { readWitnesses } from '../../tables/witnesses.js';
import { cosignature_type, readVerifierKey } from '../../journal/vkey.js';
import { readWitnessUrl } from '../../witness/client.js';
import { newestCheckpoint } from './checkpoint.js';
import { cosignedSize, gatherCosignatures, interruptible } from './cosignatures.js';
import type { Home } from '../home/home.js';

export interface WitnessItem {
  readonly name: string;
  readonly url: string;
  readonly vkey: string;
  readonly added_at: string;
  /** The newest size under the present origin that it cosigned; null for none. */
  readonly cosigned: number | null;
}

export interface WitnessAdded extends WitnessItem {
  /** Why it has not cosigned yet; it is registered anyway. */
  readonly warnings: readonly string[];
}

export interface AddWitnessOptions {
  readonly url: string;
  readonly vkey: string;
  readonly actor: string;
}

/**
 * Registers a witness, or the new address of a registered one, and immediately requests its cosignature of the newest checkpoint.
 */
export async function addWitness(home: Home, { url, vkey, actor }: AddWitnessOptions): Promise<WitnessAdded> {
  const address = readWitnessUrl(url);
  if (typeof address === 'string') throw new RefusalError(invalid('url', address));
  const key = readVerifierKey(vkey, cosignature_type);
  if (typeof key === 'string') throw new RefusalError(invalid('vkey', key));
  if (key.publicKey.equals(home.signer.publicKey)) {
    throw new RefusalError(invalid('vkey', "is this home's own key; a witness needs a key of its own"));
  }
  const document = { name: key.name, url: address.url, vkey, actor };
  await home.transact((tx) => recordEvents(tx, witnessStream, controlName, decideWitness(readWitnesses(tx.db), document)));
  const newest = newestCheckpoint(home);
  const warnings = await interruptible(stopped, (signal) => gatherCosignatures(home, newest, { only: key.name, signal }));
  const added = listWitnesses(home).items.find(({ name }) => name === key.name);
  if (added === undefined) throw new Fault('the witness is not in the list to which it was added');
  return { ...added, warnings };
}

const stopped = 'stopped while requesting a cosignature: the witness is registered, and the next checkpoint requests one again';

export function listWitnesses(home: Home): { readonly items: readonly WitnessItem[] } {
  const { origin } = newestCheckpoint(home);
  const items = readWitnesses(home.db).map(({ name, url, vkey, added_at }) => {
    const size = cosignedSize(home.db, name, origin);
    return { name, url, vkey, added_at, cosigned: size === 0 ? null : size };
  });
  return { items };
}
