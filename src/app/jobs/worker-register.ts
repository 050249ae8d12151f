/** The workers of queues, as their own messages describe them. It keeps a connection to each queue while the server runs. */
import { worker_forgotten_ms, worker_silence_ms_max, workers_listed_max } from '../../base/worker-limits.js';
import type { WorkerBeat, WorkerState } from '../../codec/jobs.js';
import type { NatsAddress } from '../../codec/nats-url.js';
import { openNats } from '../../nats/connect.js';
import type { NatsCredentials } from '../../nats/credentials.js';
import type { NatsLink } from '../../nats/link.js';
import { readBeat } from './beat.js';
import { ownRelease } from './release.js';

interface Listed {
  readonly beat: WorkerBeat;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** On this process's monotonic clock (ms). */
  readonly heardAt: number;
}

export class WorkerRegister {
  private readonly ending = new AbortController();
  private readonly links: NatsLink[] = [];
  /** By instance, the one heard longest ago first. */
  private readonly workers = new Map<string, Listed>();

  /** @param clock milliseconds since the epoch */
  constructor(
    queues: readonly NatsAddress[],
    credentials: NatsCredentials,
    private readonly clock: () => number,
  ) {
    for (const queue of queues) void this.follow(queue, credentials);
  }

  /** Returns the workers heard from in the last ten minutes. @param isRefuted whether a key has given a wrong result */
  states(isRefuted: (key: string) => boolean): readonly WorkerState[] {
    const now = performance.now();
    return [...this.workers.values()]
      .filter(({ heardAt }) => now - heardAt <= worker_forgotten_ms)
      .map(({ beat, at, heardAt }) => ({
        key: beat.key,
        version: beat.version,
        state: isRefuted(beat.key) ? 'refuted' : stateOf(beat, now - heardAt),
        last_beat: Math.floor(at / 1_000),
        done: beat.done,
      }));
  }

  async end(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled(this.links.map((link) => link.close()));
  }

  private async follow(queue: NatsAddress, credentials: NatsCredentials): Promise<void> {
    try {
      const link = await openNats(queue, credentials, this.ending.signal);
      this.links.push(link);
      link.onBeat((message) => this.hear(message));
    } catch {
      // The only end of the tries is that of the server.
    }
  }

  private hear(message: Uint8Array): void {
    const beat = readBeat(message);
    if (beat === null) return;
    const { instance } = beat;
    this.workers.delete(instance);
    this.workers.set(instance, { beat, at: this.clock(), heardAt: performance.now() });
    const [oldest] = this.workers.keys();
    if (this.workers.size > workers_listed_max && oldest !== undefined) this.workers.delete(oldest);
  }
}

function stateOf({ is_ending, release, jobs }: WorkerBeat, silent_ms: number): WorkerState['state'] {
  if (is_ending || silent_ms > worker_silence_ms_max) return 'gone';
  if (release !== ownRelease) return 'other_version';
  return jobs.length > 0 ? 'working' : 'idle';
}
