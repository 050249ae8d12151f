/** What a daemon may record: everything, or only stops while the journal is known to be damaged or config.json is not the signed one. */
import * as fs from 'node:fs';
import { errorCode, type Refusal, RefusalError } from '../../base/refusal.js';
import type { ConfigStatus } from '../../codec/api-status.js';
import { lookOf } from '../../home/regular-file.js';
import { configFault, configurationVersion, restoreHint } from '../home/config.js';
import type { Home } from '../home/home.js';

/** Time between two looks at config.json that no request asks for. */
const config_look_ms = 1_000;
/** The time after a change in which config.json may change again and have the same timestamps, in ms. */
const settled_ms = 1_000;

/** Compares config.json with the configuration that the journal signs: whenever something is recorded or shown, and once a second. */
export class ConfigWatch {
  private readonly timer: NodeJS.Timeout;
  private fault: Refusal | null = null;
  /** What identifies the file and the configuration that were compared last, if they agreed; then they need not be read again. */
  private agreed = '';

  /** @param onChange called with the fault when there is one, and with null when there is none any more */
  constructor(
    private readonly home: Pick<Home, 'db' | 'paths'>,
    private readonly onChange: (fault: Refusal | null) => void,
  ) {
    this.timer = setInterval(this.current, config_look_ms).unref();
  }

  readonly stop = (): void => clearInterval(this.timer);

  readonly status = (): ConfigStatus => {
    const fault = this.current();
    return { valid: fault === null, reason: fault?.detail ?? null };
  };

  /** Returns why config.json is not the signed configuration now, or null. */
  readonly current = (): Refusal | null => {
    const { fault: before } = this;
    try {
      const { db, paths } = this.home;
      const stat = fs.lstatSync(paths.config, { bigint: true, throwIfNoEntry: false });
      // A text that changes with the file and with the signed configuration; empty while the file may change unnoticed.
      const isSettled = stat !== undefined && Number(stat.ctimeMs) + settled_ms < Date.now();
      const look = isSettled ? `${lookOf(stat)} ${configurationVersion(db)}` : '';
      if (look !== '' && look === this.agreed) return null;
      this.fault = configFault(db, paths);
      this.agreed = this.fault === null ? look : '';
    } catch (error) {
      this.fault = unreadable(error);
      this.agreed = '';
    }
    if ((this.fault === null) !== (before === null)) this.onChange(this.fault);
    return this.fault;
  };
}

function unreadable(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  const why = errorCode(error);
  if (why === '') throw error;
  return {
    code: 'integrity',
    detail: `config.json cannot be compared with the signed configuration (${why})`,
    hint: restoreHint,
  };
}

/** The types of events that stop something: they are recorded whatever is damaged. */
export const stops: ReadonlySet<string> = new Set([
  'control.paused',
  'mission.failed',
  'mission.cancelled',
  'simulation.failed',
  'simulation.cancelled',
  'token.revoked',
]);

/** Returns the refusal of what is not a stop, for a fault of config.json. */
export const unsignedConfig = ({ detail, ...fault }: Refusal): Refusal => ({
  ...fault,
  detail: `${detail}; until it is the signed one again, only pauses, failures, cancellations and revocations of tokens are recorded`,
});
