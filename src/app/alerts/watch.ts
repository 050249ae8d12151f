/** Watches what a daemon does and raises alerts for it. */
import { statfs } from 'node:fs/promises';
import {
  alert_disk_look_ms,
  alert_free_bytes_min,
  alert_refused_share_max,
  alert_responses_ms,
} from '../../base/alert-limits.js';
import type { Raised } from './raised.js';

type Raise = (raised: Raised) => void;

export interface Watch {
  readonly stop: () => void;
}

/** Counts the responses of a server, minute by minute. */
export class Responses implements Watch {
  private responses = 0;
  private refused = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly server: string,
    private readonly raise: Raise,
    minute_ms: number = alert_responses_ms,
  ) {
    this.timer = setInterval(() => this.conclude(), minute_ms).unref();
  }

  readonly count = (status: number): void => {
    this.responses++;
    if (status === 429) this.refused++;
  };

  readonly stop = (): void => clearInterval(this.timer);

  private conclude(): void {
    const { server, refused, responses } = this;
    this.refused = this.responses = 0;
    if (refused > alert_refused_share_max * responses) this.raise({ type: 'responses_refused', server, refused, responses });
  }
}

export interface DiskOptions {
  readonly free_bytes_min?: number;
  readonly look_ms?: number;
  /** Returns the free space on the disk of a directory. */
  readonly freeBytes?: (directory: string) => Promise<number>;
}

/** Looks at the free space of a directory's disk, at once and then each minute. */
export function watchDisk(directory: string, raise: Raise, options: DiskOptions = {}): Watch {
  const { free_bytes_min = alert_free_bytes_min, look_ms = alert_disk_look_ms, freeBytes = freeOn } = options;
  const look = (): void => {
    freeBytes(directory).then(
      (free_bytes) => free_bytes < free_bytes_min && raise({ type: 'disk_low', free_bytes }),
      // A disk that cannot be asked fails what the daemon writes to it, and that is reported.
      () => undefined,
    );
  };
  look();
  const timer = setInterval(look, look_ms).unref();
  return { stop: () => clearInterval(timer) };
}

async function freeOn(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
