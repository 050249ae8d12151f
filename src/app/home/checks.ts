/** What is checked when a home is opened (docs/decisions/0009). Some commands tolerate the refusals. */
import { type Refusal, RefusalError } from '../../base/refusal.js';
import type { Signer } from '../../journal/keys.js';
import {
  checkNewestCheckpoint,
  claimedPosition,
  type LoadedTree,
  loadPosition,
  positionWithoutFirst,
} from '../../journal/reader.js';
import { connectionOf } from '../../tables/connection.js';
import { isCurrent, schema, projectionTableFault } from '../../tables/projections.js';
import { collectingDamage, type Damage, refusingDamage } from '../../tables/damage.js';
import type { Db } from '../../store/database.js';
import { damageFaults, type OpenOptions, type Tolerable } from './home.js';

/**
 * Returns the loaded position. When loading fails and the command tolerates it, returns the position as far as it can be known, with
 * the refusal.
 */
export function load(db: Db, signer: Signer, tolerated: readonly Tolerable[]) {
  try {
    return { loaded: loadPosition(db, signer.publicKey), fault: null };
  } catch (error) {
    if (!tolerated.includes('head') || !isFault(error)) throw error;
    return { loaded: positionOfDamaged(db, signer), fault: error.refusal };
  }
}

function positionOfDamaged(db: Db, { publicKey }: Signer): LoadedTree {
  try {
    return positionWithoutFirst(db, publicKey);
  } catch (error) {
    if (!isFault(error)) throw error;
    return claimedPosition(db, publicKey);
  }
}

/**
 * Returns why nothing can be appended to a journal with damage at its head, or null: a new checkpoint would sign the damage unless
 * the newest one covers the tree.
 */
export function appendFault(db: Db, { tree, position }: LoadedTree, { publicKey }: Signer, head: Refusal | null): Refusal | null {
  if (head === null) return null;
  const uncovered = tolerable(true, () => checkNewestCheckpoint(db, tree, position, publicKey));
  return uncovered === null && position.incarnation !== null ? null : head;
}

/** Runs a check and returns its refusal if the command tolerates it. @throws RefusalError otherwise */
export function tolerable(tolerated: boolean, check: () => void): Refusal | null {
  try {
    check();
    return null;
  } catch (error) {
    if (tolerated && isFault(error)) return error.refusal;
    throw error;
  }
}

/** Whether the error is a fault. Data that a newer version wrote is not one: no command here can inspect or repair it. */
const isFault = (error: unknown): error is RefusalError =>
  error instanceof RefusalError && error.refusal.code !== 'newer_version';

/** Checks that the projections have applied every entry. */
export function checkCurrent(db: Db): void {
  throwIf(projectionTableFault(db));
  if (!isCurrent(db)) {
    const detail = 'the projections are not at the newest entry';
    throw new RefusalError('integrity', detail, { hint: 'agent-cli rebuild' });
  }
}

/** Compares config.json with the signed configuration. An entry that sets one and is damaged is a fault of the entries. */
export function checkConfig(
  configFault: () => Refusal | null,
  tolerated: readonly Tolerable[],
): Readonly<Record<'config' | 'entries', Refusal | null>> {
  let fault: Refusal | null = null;
  const entries = tolerable(tolerated.includes('entries'), () => void (fault = configFault()));
  return { config: tolerable(tolerated.includes('config'), () => throwIf(fault)), entries };
}

/** Returns where damage of a home is reported: it is collected by a command that tolerates all of it, and refused by any other. */
export const damageOf = (tolerated: readonly Tolerable[], known: readonly (Refusal | null)[]): Damage =>
  damageFaults.every((fault) => tolerated.includes(fault)) ? collectingDamage(known) : refusingDamage;

export const throwIf = (refusal: Refusal | null): void => {
  if (refusal !== null) throw new RefusalError(refusal);
};

interface Opening {
  readonly options: OpenOptions;
  readonly signer: Signer;
}

/**
 * Makes the connection read by what the key signs; returns the damage that was found, or null. Call it in the transaction that reads what was
 * checked.
 */
export function proofFault(db: Db, { options, signer }: Opening): Refusal | null {
  const { onVerify, isUrgent = false } = options;
  const progress = onVerify === undefined ? {} : { onProgress: onVerify };
  try {
    connectionOf(db).prove({ signer, schema, waits: !isUrgent, ...progress });
    return null;
  } catch (error) {
    if (isFault(error) && error.refusal.code === 'integrity') return error.refusal;
    throw error;
  }
}
