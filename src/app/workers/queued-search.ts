/**
 * The search of a mission by the workers of a queue, none of which has to be trusted. A result is used only when it passes the verifier here
 * and equals, byte for byte, what a second key or this machine has computed: one that is valid but worse would pass the verifier by itself.
 */
import { isBytes } from '../../base/bytes.js';
import { Fault, messageOf } from '../../base/refusal.js';
import { search_budget_ms, work_budget_ms } from '../../base/limits.js';
import { missionKind } from '../../kinds/table.js';
import type { Home } from '../home/home.js';
import { onBallast, patiently } from '../home/recording.js';
import {
  type EngineAnswer,
  type EngineTask,
  type Execution,
  type RunEngine,
  runOnThread,
  type Watch,
} from '../threads/engine-thread.js';
import { Stopped } from '../threads/watched-thread.js';
import { Dispatcher } from './dispatcher.js';
import type { LocalReason } from './home-jobs.js';
import { noticeText, refuteWorkerKey, wrong_result } from './register.js';
import { answeredOutput, readAnswer, refusedOutput, writeMissionJob } from './mission-job.js';
import { type MissionQueue, type Trust, trustOf } from './mission-queue.js';

interface QueuedSearchOptions {
  readonly home: Home;
  readonly queue: MissionQueue;
  readonly actor: string;
  readonly signal?: AbortSignal | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
  /** How long a worker searches before it ends with the best that it has. */
  readonly worker_search_ms?: number | undefined;
}

/** The search and its check come one after the other, so that each has half of the time. */
const worker_search_ms_max = search_budget_ms / 2;

/** Returns the function that searches on the workers of a queue, and verifies here. */
export const searchOnWorkers =
  (options: QueuedSearchOptions): RunEngine =>
  (task, watch = {}) =>
    task.type === 'run' && task.completion === undefined
      ? new QueuedSearch(options, task, watch).run()
      : runOnThread(task, watch);

/** No worker gave a result. */
class NoResult extends Error {}

/** A result whose key was removed or refuted after it had arrived. */
class NotCounted extends Error {
  constructor(readonly key: string) {
    super('the key of a result is not accepted any more');
  }
}

const reasonTexts = (url: string): Readonly<Record<LocalReason, string>> => ({
  unreachable: `the queue ${url} cannot be reached; nothing was computed. When it is back, recover the mission`,
  refused: `the queue ${url} did not store the search; see the log of nats-server (its disk may be full), then recover the mission`,
  nobody: `no worker of ${url} whose results count responds; start one (agent-cli worker --nats ${url}), then recover the mission`,
  overdue: `no worker of ${url} finished the search in time; check that workers run (agent-cli doctor), then recover the mission`,
});

/** An answer that was computed here. */
type Own = Extract<EngineAnswer, { type: 'answered' | 'refused' }>;

interface SignedOutput {
  readonly output: Uint8Array;
  readonly key: string;
}

class QueuedSearch {
  private readonly dispatcher: Dispatcher;
  private readonly trust: Trust;
  private own: Own | null = null;
  /** The task with the bound at which time ended the worker's search. */
  private bounded: EngineTask;
  private isHere = false;
  private share = 0;

  constructor(
    private readonly options: QueuedSearchOptions,
    private readonly task: EngineTask,
    private readonly watch: Watch,
  ) {
    const { home, queue, onWarning } = options;
    this.bounded = task;
    this.trust = trustOf(home, queue);
    this.dispatcher = new Dispatcher({
      queue,
      accepts: this.trust.accepts,
      compute: async ({ name }, reason) => {
        if (!isCheck(name)) throw new NoResult(reasonTexts(queue.address.url)[reason]);
        return outputOf(await this.computeHere());
      },
      onShare: (name, share) => this.progress(isCheck(name) ? (1 + share) / 2 : share / 2),
      // The dispatcher bounds the time of every job, so that waiting for one is progress. A thread of this machine is watched by itself.
      checkpoint: () => {
        if (!this.isHere) watch.observer?.heartbeat();
        if (watch.mustStop?.() === true) throw new Stopped();
      },
      onNotice: (notice) => {
        if (notice.type !== 'alone') onWarning?.(noticeText(notice));
      },
    });
  }

  async run(): Promise<EngineAnswer> {
    try {
      return await this.dispatcher.during(this.searchUntilCounted());
    } catch (error) {
      if (error instanceof Stopped) return { type: 'stopped' };
      if (error instanceof NoResult) return { type: 'refused', refusal: { code: 'execution_failed', detail: error.message } };
      throw error;
    } finally {
      await this.dispatcher.end();
    }
  }

  /** Searches again, without the worker, when its key stops to count before its result is used. */
  private async searchUntilCounted(): Promise<EngineAnswer> {
    const notBy: string[] = [];
    for (;;) {
      try {
        return await this.search(notBy);
      } catch (error) {
        if (!(error instanceof NotCounted)) throw error;
        notBy.push(error.key);
        this.options.onWarning?.(noticeText({ type: 'ignored', key: error.key, reason: 'its key is not accepted any more' }));
      }
    }
  }

  /** It waits for a worker as long as the attempt may last. @param notBy keys whose workers must leave the search to others */
  private async search(notBy: readonly string[]): Promise<EngineAnswer> {
    const { worker_search_ms = worker_search_ms_max } = this.options;
    const round = notBy.length;
    const search = { type: 'mission', input: writeMissionJob(this.task.input, worker_search_ms), notBy } as const;
    const began = performance.now();
    const first = await this.dispatcher.submit({ ...search, name: `search-${round}`, waiting_ms_max: work_budget_ms });
    if (first.key === null) throw new Fault('a search for workers was computed here');
    const found = { output: first.output, key: first.key };
    this.bound(found, performance.now() - began >= worker_search_ms);
    this.progress(0.5);
    if (this.trust.check === 'home') return this.judge([found]);
    const check = { ...search, input: writeMissionJob(this.bounded.input), notBy: [...notBy, found.key] };
    const { output, key } = await this.dispatcher.submit({ ...check, name: `check-${round}` });
    if (key === null) return this.judge([found]);
    const second = { output, key };
    return (isBytes(output, found.output) ? await this.agreed(found, second) : null) ?? this.judge([found, second]);
  }

  /** Takes the bound of a search that had its time. One that ended earlier is compared with a search that goes on, so that no worker gets away with less. */
  private bound({ output }: SignedOutput, hadItsTime: boolean): void {
    const iterations_limit = hadItsTime ? readAnswer(output)?.iterations_limit : undefined;
    const { input } = this.task;
    if (iterations_limit !== this.bounded.input.effort.iterations_limit) this.own = null;
    this.bounded = { ...this.task, input: { ...input, effort: { ...input.effort, iterations_limit } } };
  }

  /** Returns the answer on which two keys agree; null for one that is none, or fails its verification here. */
  private async agreed({ output, key: worker }: SignedOutput, { key: checked_by }: SignedOutput): Promise<EngineAnswer | null> {
    const answer = readAnswer(output);
    if (answer === null) return null;
    const { kind, input } = this.bounded;
    const { result } = answer;
    const verified = await runOnThread({ type: 'verify', kind, input, result }, this.watch);
    if (verified.type === 'stopped') throw new Stopped();
    if (verified.type !== 'verified' || !verified.verification.passed) return null;
    const { verification, result_hash } = verified;
    const improvement = missionKind(kind).improvement(input.work, result);
    return this.accepted({ type: 'answered', ...answer, verification, improvement, result_hash }, { worker, checked_by });
  }

  /** Compares results with what this machine computes, and returns that; refused when a result differs. */
  private async judge(results: readonly [SignedOutput, ...SignedOutput[]]): Promise<EngineAnswer> {
    const own = await this.computeHere();
    const expected = outputOf(own);
    const wrong = results.filter(({ output }) => !isBytes(output, expected)).map(({ key }) => key);
    const execution = { worker: results[0].key, checked_by: 'home' };
    if (wrong.length === 0) return this.accepted(own, execution);
    const recorded = await Promise.all(wrong.map((key) => this.refute(key)));
    const detail = `${recorded.join('; ')}; no result is used, recover the mission to search again`;
    return { type: 'refused', refusal: { code: 'execution_failed', detail }, execution: { ...execution, refuted: wrong } };
  }

  /** Returns the answer with where it was computed. @throws NotCounted when a key was removed or refuted meanwhile */
  private accepted(answer: Own, execution: Execution): EngineAnswer {
    const { home, queue } = this.options;
    const { accepts } = trustOf(home, queue);
    const gone = [execution.worker, execution.checked_by].find((key) => key !== 'home' && !accepts(key));
    if (gone === undefined) return { ...answer, execution };
    throw new NotCounted(gone);
  }

  /** Computes the search on a thread of this machine, once. */
  private async computeHere(): Promise<Own> {
    if (this.own !== null) return this.own;
    this.isHere = true;
    const onProgress = (done: number): void => this.progress((1 + done) / 2);
    // The worker's clock has set the bound; the search that it is compared with has none.
    const { mustConclude: _, ...watch } = this.watch;
    const answer = await runOnThread(this.bounded, { ...watch, onProgress });
    this.isHere = false;
    if (answer.type === 'stopped') throw new Stopped();
    if (answer.type === 'verified') throw new Fault('a search gave a verification');
    return (this.own = answer);
  }

  /** Records that a key is not used any more, and returns what happened in words. */
  private async refute(key: string): Promise<string> {
    const { home, actor, signal, onWarning } = this.options;
    const text = `the worker ${key} gave a result that differs from its recomputation`;
    try {
      await onBallast(home, () => patiently(() => refuteWorkerKey(home, key, wrong_result, actor), signal));
      onWarning?.(`${text}: it is not used any more`);
      return `${text}, and is not used any more`;
    } catch (error) {
      const reason = messageOf(error);
      onWarning?.(`${text}; that it is not used any more could not be recorded (${reason})`);
      return `${text} (which could not be recorded: agent-cli worker-key remove ${key})`;
    }
  }

  private progress(share: number): void {
    // A job that is delivered again starts over.
    if (share <= this.share) return;
    this.share = share;
    this.watch.onProgress?.(share);
  }
}

const isCheck = (name: string): boolean => name.startsWith('check-');

const outputOf = (own: Own): Buffer => (own.type === 'answered' ? answeredOutput(own) : refusedOutput(own.refusal));
