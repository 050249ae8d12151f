/** What the clients of a soak share: the daemon, what was measured, and what was acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Prng } from '../../src/base/prng.js';
import type { Kind } from '../../src/codec/kinds.js';
import type { Acknowledged } from '../drill/load.js';
import type { Operations } from './measured.js';
import type { Site } from './site.js';

export interface Backup {
  readonly file: string;
  readonly head: string;
  readonly events: number;
}

export interface Soaked {
  readonly site: Site;
  readonly operations: Operations;
  readonly acknowledged: Acknowledged;
  /** Marks of the envelopes that the bus accepted. */
  readonly sent: string[];
  readonly backups: Backup[];
  readonly random: Prng;
  readonly kinds: readonly Kind[];
  isOver: boolean;
}

/** Does one round of work; a round may be cut off by a kill. */
export type Client = (soaked: Soaked, round: number) => Promise<void>;

export const again_ms = 100;
/** Repeats an act until it is acknowledged; null once the soak is over. */
export async function insisted<A>(
  { site, isOver }: { site: Site; isOver: () => boolean },
  act: () => Promise<A | null>,
): Promise<A | null> {
  for (;;) {
    await site.target();
    const made = await act();
    if (made !== null || isOver()) return made;
    await sleep(again_ms);
  }
}
