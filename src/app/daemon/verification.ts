/** Verifies the whole journal while it is served: on threads, at the start and then periodically, never two at once. */
import { Fault, messageOf, type Refusal, RefusalError, shortageOf } from '../../base/refusal.js';
import { verification_pause_ms } from '../../base/limits.js';
import { threadScript } from '../../base/thread-script.js';
import { formatTime } from '../../base/time.js';
import type { Home } from '../home/home.js';
import { wholeAnswer, watchThread, type WatchedThread } from '../threads/watched-worker.js';
import type { VerificationAnswer, VerificationTask } from './verification-worker.js';

/** Time to the next verification after one that reached no conclusion, as without file descriptors: doubled each time, up to the maximum. */
const verification_retry_ms_min = 5_000;
const verification_retry_ms_max = 300_000;

/** The outcome of the last verification that ended. */
export interface Verification {
  /** null before the first one ended. */
  readonly valid: boolean | null;
  readonly verified_at: string | null;
  readonly failure: string | null;
  /** The first bad entry; null when no entry failed. */
  readonly sequence: number | null;
}

type Outcome = Pick<Verification, 'failure' | 'sequence'>;

interface VerifierOptions {
  /** The time to the first verification, in ms; 0 when absent. */
  readonly delay_ms?: number | undefined;
  /** The time from the end of one verification to the start of the next, in ms. */
  readonly pause_ms?: number | undefined;
  /** The time from the first verification without a conclusion to the next one, in ms. */
  readonly retry_ms_min?: number | undefined;
  readonly onWarning: (message: string) => void;
  /** Called when the journal fails a verification, if it passed the previous one or this is the first. */
  readonly onFailure: (failure: string) => void;
}

const damage = new Set(['integrity', 'rollback', 'fork', 'verification_failed']);

export class Verifier {
  /** What the verification that ended last found. */
  last: Verification = { valid: null, verified_at: null, failure: null, sequence: null };
  private thread: WatchedThread<VerificationAnswer> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;
  /** Whether a row was found damaged since the current verification began. */
  private isOutdated = false;
  /** The number of verifications without a conclusion since the last one with one. */
  private inconclusive = 0;

  constructor(
    private readonly home: Pick<Home, 'world' | 'paths'>,
    private readonly options: VerifierOptions,
  ) {
    const { delay_ms = 0 } = options;
    if (delay_ms === 0) void this.run();
    else this.timer = setTimeout(() => void this.run(), delay_ms);
  }

  /** Records damage that was found in reading: the journal has failed its verification, and the next one begins at once. */
  readonly report = ({ detail }: Refusal): void => {
    if (this.isStopped || this.last.valid === false) return;
    this.isOutdated = true;
    this.conclude({ failure: detail, sequence: null });
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), 0);
  };

  /** Ends the current verification and its threads. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.thread?.end();
  }

  private async run(): Promise<void> {
    this.timer = null;
    this.isOutdated = false;
    const verified = await this.outcome();
    this.thread = null;
    if (this.isStopped) return;
    // Damage was found meanwhile, perhaps in what this verification had read before.
    const { isOutdated } = this;
    if (verified !== null && (verified.failure !== null || !isOutdated)) this.conclude(verified);
    this.inconclusive = verified === null ? this.inconclusive + 1 : 0;
    this.timer = setTimeout(() => void this.run(), isOutdated && verified !== null ? 0 : this.pause_ms);
  }

  private get pause_ms(): number {
    const { pause_ms = verification_pause_ms, retry_ms_min = verification_retry_ms_min } = this.options;
    if (this.inconclusive === 0) return pause_ms;
    return Math.min(pause_ms, verification_retry_ms_max, retry_ms_min * 2 ** (this.inconclusive - 1));
  }

  /** Returns what a verification found; null when it reached no conclusion, so that the previous state remains. */
  private async outcome(): Promise<Outcome | null> {
    try {
      const failed = await this.verify();
      return { failure: failed?.detail ?? null, sequence: failed?.sequence ?? null };
    } catch (error) {
      if (error instanceof RefusalError && damage.has(error.refusal.code))
        return { failure: error.refusal.detail, sequence: null };
      const cause = error instanceof Fault ? (error.cause ?? error) : error;
      const reason = `${messageOf(cause)}${shortageOf(cause)}`;
      if (!this.isStopped) this.options.onWarning(`the journal could not be verified (${reason}); it is tried again soon`);
      return null;
    }
  }

  private conclude({ failure, sequence }: Outcome): void {
    const wasValid = this.last.valid !== false;
    this.last = { valid: failure === null, verified_at: formatTime(this.home.world.clock()), failure, sequence };
    if (failure === null || !wasValid) return;
    this.options.onWarning(`the journal failed its verification: ${failure}`);
    this.options.onFailure(failure);
  }

  private verify(): Promise<VerificationAnswer> {
    const { env, directory } = this.home.world;
    const task: VerificationTask = { env: { ...env }, directory };
    const script = threadScript(new URL('./verification-worker.js', import.meta.url));
    this.thread = watchThread<VerificationAnswer>({ script, isBackground: false, task, name: 'the verification' });
    return wholeAnswer(this.thread);
  }
}

/** Returns the refusal of what is not a stop while the journal is known to be damaged. */
export function damageKnown({ failure, verified_at }: Verification): Refusal {
  const found = `${failure ?? ''}, found ${verified_at ?? ''}`;
  return {
    code: 'integrity',
    detail: `the journal failed its verification (${found}); until a verification passes, only pauses, failures, cancellations and revocations of tokens are recorded`,
    hint: 'agent-cli verify',
  };
}
