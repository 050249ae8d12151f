/** The readings of the chain that requests have begun: bounded in number, in all and for each actor, and each ended with its request. */
import type { Refusal } from '../../base/refusal.js';
import { RefusalError } from '../../base/result.js';
import type { Actor } from '../core/context.js';
import { actorOf } from './operator.js';

/** Readings of the chain that requests have begun, in all and of one actor. */
const chain_readings_max = 16;
export const chain_readings_per_actor_max = 4;

interface Asking {
  readonly actor: Actor | null;
  readonly signal: AbortSignal;
}

export class ChainReadings {
  /** The actor of each reading. */
  private readonly running: string[] = [];

  /** @param stopping aborts when the daemon begins to stop */
  constructor(private readonly stopping: AbortSignal) {}

  /**
   * Runs work that reads the chain, in at most the time of one reading.
   * @throws RefusalError `busy` when too many readings are in progress, `interrupted` when the daemon stops
   */
  async read<A>(input: Asking, work: (signal: AbortSignal) => Promise<A>): Promise<A> {
    const { name } = actorOf(input);
    const own = this.running.filter((other) => other === name).length;
    if (this.running.length >= chain_readings_max || own >= chain_readings_per_actor_max) throw new RefusalError(busy);
    this.running.push(name);
    try {
      return await work(AbortSignal.any([input.signal, this.stopping]));
    } catch (error) {
      if (this.stopping.aborted && isUnreachable(error)) throw new RefusalError(interrupted);
      throw error;
    } finally {
      this.running.splice(this.running.indexOf(name), 1);
    }
  }
}

const isUnreachable = (error: unknown): boolean => error instanceof RefusalError && error.refusal.code === 'chain_unreachable';

const retry_after_s = 5;
const busy: Refusal = {
  code: 'busy',
  detail: 'too many readings of the chain are in progress; try again in a while',
  facts: { retry_after_s },
};
const interrupted: Refusal = { code: 'interrupted', detail: 'the daemon stops; nothing was recorded' };
