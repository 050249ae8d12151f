/** The workers that execute missions, as a daemon shows them. It follows the queue that the configuration names at the moment. */
import { errorCode } from '../../base/fault.js';
import { RefusalError } from '../../base/result.js';
import type { WorkerState } from '../../codec/jobs.js';
import type { NatsAddress } from '../../codec/nats-url.js';
import { readNatsCredentials } from '../../nats/credentials.js';
import type { Home } from '../home/home.js';
import { acceptedKeys } from '../jobs/keys.js';
import { WorkerRegister } from '../jobs/worker-register.js';
import { queueAddress } from './queue.js';

interface Followed {
  readonly url: string;
  readonly register: WorkerRegister;
}

export class MissionWorkers {
  private followed: Followed | null = null;
  private readonly ends: Promise<void>[] = [];

  constructor(private readonly home: Home) {}

  /** Returns the workers that were heard lately; null while missions are executed on this machine. */
  readonly states = (): readonly WorkerState[] | null => {
    const register = this.current();
    if (register === null) return null;
    const { refuted } = acceptedKeys(this.home);
    return register.states((key) => refuted.includes(key));
  };

  async end(): Promise<void> {
    this.leave();
    await Promise.all(this.ends);
  }

  private current(): WorkerRegister | null {
    const address = this.address();
    if (address?.url === this.followed?.url) return this.followed?.register ?? null;
    this.leave();
    if (address === null) return null;
    const { env, clock } = this.home.world;
    const register = new WorkerRegister([address], readNatsCredentials(env), clock);
    this.followed = { url: address.url, register };
    return register;
  }

  /** Returns the configured queue; null without one, and while the configuration or the credentials cannot be used. */
  private address(): NatsAddress | null {
    try {
      const address = queueAddress(this.home.config());
      if (address !== null) readNatsCredentials(this.home.world.env);
      return address;
    } catch (error) {
      if (error instanceof RefusalError || errorCode(error) !== '') return null;
      throw error;
    }
  }

  private leave(): void {
    if (this.followed !== null) this.ends.push(this.followed.register.end());
    this.followed = null;
  }
}
