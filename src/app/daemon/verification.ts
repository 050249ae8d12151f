/** Verifies the whole journal while it is served: on threads, at the start and then periodically, never two at once. */
import { Worker } from 'node:worker_threads';
import { verification_pause_ms } from '../../base/limits.js';
import { RefusalError } from '../../base/result.js';
import { formatTime } from '../../base/time.js';
import { errorOf } from '../../journal/verify-failed.js';
import type { Home } from '../home/home.js';
import type { VerificationAnswer, VerificationTask } from './verification-worker.js';

/** The outcome of the last verification that ended. */
export interface Verification {
  /** null before the first one ended. */
  readonly valid: boolean | null;
  readonly verified_at: string | null;
  readonly failure: string | null;
}

export interface VerifierOptions {
  /** The time from the end of one verification to the start of the next, in ms. */
  readonly pause_ms?: number | undefined;
  readonly onWarning: (message: string) => void;
  /** Called when the journal fails a verification, if it passed the previous one or this is the first. */
  readonly onFailure: (failure: string) => void;
}

const damage = new Set(['integrity', 'rollback', 'fork', 'verification_failed']);

export class Verifier {
  private state: Verification = { valid: null, verified_at: null, failure: null };
  private worker: Worker | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(
    private readonly home: Pick<Home, 'world' | 'paths'>,
    private readonly options: VerifierOptions,
  ) {
    void this.run();
  }

  readonly last = (): Verification => this.state;

  /** Ends the current verification and its threads. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.worker?.terminate();
  }

  private async run(): Promise<void> {
    this.timer = null;
    try {
      this.conclude(await this.verify());
    } catch (error) {
      if (this.isStopped) return;
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof RefusalError && damage.has(error.refusal.code)) this.conclude(error.refusal.detail);
      // The verification reached no conclusion, so the previous state remains.
      else this.options.onWarning(`the journal could not be verified (${message})`);
    }
    this.worker = null;
    if (!this.isStopped) this.timer = setTimeout(() => void this.run(), this.options.pause_ms ?? verification_pause_ms);
  }

  private conclude(failure: string | null): void {
    if (this.isStopped) return;
    const wasValid = this.state.valid !== false;
    this.state = { valid: failure === null, verified_at: formatTime(this.home.world.clock()), failure };
    if (failure === null || !wasValid) return;
    this.options.onWarning(`the journal failed its verification: ${failure}`);
    this.options.onFailure(failure);
  }

  /** Returns what failed, or null. */
  private verify(): Promise<string | null> {
    const { env, directory } = this.home.world;
    const task: VerificationTask = { env: { ...env }, directory };
    const worker = new Worker(new URL('./verification-worker.js', import.meta.url), { workerData: task });
    this.worker = worker;
    return new Promise((resolve, reject) => {
      worker.on('message', (answer: VerificationAnswer) => {
        if ('failed' in answer) reject(errorOf(answer.failed));
        else resolve(answer.failure);
      });
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new Error(`its thread ended with code ${code}`)));
    });
  }
}
