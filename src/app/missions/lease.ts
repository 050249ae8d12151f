/** The first step of executing: the attempt's lock, then the event of intent. Only the process that has both works on the mission. */
import { setTimeout as sleep } from 'node:timers/promises';
import { lease_ms } from '../../base/limits.js';
import { Fault, isRefused, type Refusal, RefusalError, type Result, unwrap } from '../../base/refusal.js';
import { formatTime, parseTime } from '../../base/time.js';
import type { ApprovalPolicy } from '../../codec/approvals.js';
import type { Config } from '../../codec/config.js';
import type { Kind } from '../../codec/kinds.js';
import type { MissionRequest } from '../../kinds/request.js';
import { evaluationsOf } from '../../kinds/effort.js';
import { missionKind, needsSandbox } from '../../kinds/table.js';
import type { Mission } from '../../codec/record.js';
import { decideLease, type Lease, pausedRefusal } from '../../domain/mission-decide.js';
import { type OwnToolId, toolOfKind } from '../../domain/tool-catalog.js';
import type { Command, Transaction } from '../../journal/writer.js';
import { readControl } from '../../tables/control.js';
import { approvedMissionWithIds, requestedMissions } from '../../tables/missions.js';
import type { OwnerLock } from '../../store/owner-lock.js';
import { throwIf } from '../home/checks.js';
import { placesOf, providerOf } from '../home/config.js';
import { type Home, monotonic } from '../home/home.js';
import { afterCommit } from '../home/recording.js';
import { requireCode, underWatch } from '../code/sandbox.js';
import { circumstances, failInterrupted, interruptedWarning, record, requireMission, requireRequest } from './record.js';
import { requestExecution } from './missions.js';
import { executingMissions, isWaitedFor, ownerOf, takeAttempt } from './ownership.js';
import { missionQueue, type MissionQueue, requireWorkers } from '../workers/mission-queue.js';
import { stoppedTool, toolWarnings } from '../tools/tools.js';
import type { ChatPrompt, Completion } from '../../codec/chat-completion.js';
import { complete, type ProviderSettings } from '../../provider/complete.js';
import type { CallRefusal } from '../../provider/failure.js';
import type { StageObserver } from '../orchestrator/orchestrator.js';

/** Time between two looks whether a place is free. */
const place_look_ms = 500;

export interface LeaseOptions {
  readonly actor: string;
  /** The number of missions that may execute at once in this home, over all processes; the configuration's when absent. */
  readonly executing_max?: number | undefined;
  /** The attempt's lock, if this process has it. */
  readonly lock?: OwnerLock | undefined;
  /** Receives the warnings that a tool in use is deprecated. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

interface WaitOptions extends LeaseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the mission's place among those that processes wait for. */
  readonly onWaiting: (place: number) => void;
}

/** A mission that this process is to work on. */
export interface LeaseGrant {
  readonly mission: Mission;
  readonly request: MissionRequest;
  readonly max_evaluations: number;
  /** The configuration's policy of approvals. */
  readonly approvals: ApprovalPolicy;
  /** The provider whose model does the work; null for a mission that its engine executes. */
  readonly provider: LeasedProvider | null;
  /** The queue whose workers do the work; null for a mission that is executed on this machine. */
  readonly queue: MissionQueue | null;
  /** Held until the outcome is recorded. */
  readonly lock: OwnerLock;
  /** Returns the milliseconds since the lease by a clock that nobody sets, which decides whether the attempt's time is over. */
  readonly elapsed: () => number;
}

/** Returns the time by which the owner judges its lease: its beginning plus the time that has passed, whatever the clock was set to. */
export const leaseTime = ({ mission, elapsed }: LeaseGrant): string =>
  formatTime(parseTime(mission.leased_at ?? mission.updated_at) + Math.floor(elapsed()));

/** What executes a mission of a kind under a configuration. */
type Means = Readonly<Awaited<ReturnType<typeof meansOf>>>;

/**
 * @param request null for a mission that will not be executed
 * @throws RefusalError when what the mission needs is not allowed, not configured or not there
 */
async function meansOf(home: Home, config: Config, kind: Kind, request: MissionRequest | null) {
  const { solver } = missionKind(kind);
  if (request !== null && needsSandbox(kind)) await requireCode(home, mustGenerate(request));
  const provider = providerFor(home, config, kind, request);
  const engine = (provider === null ? undefined : solver.model?.engine) ?? solver.engine;
  const tools = executingTools(kind, request, provider !== null);
  const queue = request === null || provider !== null ? null : missionQueue(home, config, kind);
  if (queue !== null && mayBegin(home, tools)) await requireWorkers(home, queue);
  return { engine, tools, provider, queue };
}

/** @throws RefusalError when a mission with this request could not execute now, whatever else is executing */
export async function requireExecutable(home: Home, request: MissionRequest): Promise<void> {
  if (readControl(home.db).state === 'paused') throw new RefusalError(pausedRefusal);
  const { tools } = await meansOf(home, home.config(), request.work.kind, request);
  const stopped = stoppedTool(home.db, tools);
  if (stopped !== null) throw new RefusalError(stopped);
  throwIf(home.unwritable);
}

/**
 * Takes the lease.
 * @throws RefusalError when the mission may not execute now, or its request or the configuration cannot be read
 */
export async function takeLease(home: Home, id: string, options: LeaseOptions): Promise<LeaseGrant> {
  const mission = requireMission(home.db, id);
  // The hash is read before the text, so that a configuration applied in between, or before the lease, is detected there.
  const config_hash = readControl(home.db).config_hash ?? '';
  const config = home.config();
  const { approvals } = config;
  // A request that cannot be read takes no lease. A mission that is not queued is refused for its state, erased or not.
  const queued = mission.state === 'queued' ? requireRequest(home.db, mission) : null;
  const max_evaluations = evaluationsOf(queued?.effort, config);
  const { actor, executing_max = placesOf(config, 'executing_max') } = options;
  const { engine, tools, provider, queue } = await meansOf(home, config, mission.kind, queued);
  const worker = { engine, tools, max_evaluations, config_hash, actor, executing_max };
  await noteInterrupted(home, options);
  throwIf(home.unwritable);
  // Read before the lease, so that what cannot be read leaves no lock.
  const warnings = tools.flatMap((tool) => toolWarnings(home.db, tool));
  const { lock, leased, began } = await underLock(home, mission, options.lock, (tx) => lease(home, tx, id, worker));
  for (const warning of warnings) options.onWarning?.(warning);
  // A mission that is leased was queued when it was read, unless it was recovered in between.
  const request = queued ?? requireRequest(home.db, leased);
  const elapsed = (): number => monotonic(home.world) - began;
  return { mission: leased, request, max_evaluations, approvals, provider, queue, lock, elapsed };
}

/** Returns whether the lease is not refused anyway, so that the workers are worth asking for. */
const mayBegin = ({ db }: Home, tools: readonly OwnToolId[]): boolean =>
  readControl(db).state !== 'paused' && stoppedTool(db, tools) === null;

/** Fails the missions whose process has ended, and warns that they were interrupted. */
async function noteInterrupted(home: Home, { onWarning }: LeaseOptions): Promise<void> {
  for (const { id } of await failInterrupted(home)) onWarning?.(interruptedWarning(id));
}

/**
 * Records the lease while holding the attempt's lock: a kill between the two leaves a lock file that the next attempt takes. `began` is the
 * monotonic time just before the lease.
 */
async function underLock(home: Home, { id, state, attempt }: Mission, held: OwnerLock | undefined, take: Command<Mission>) {
  // A mission that is not queued is refused by the decider, which says why.
  const lock = held ?? (state === 'queued' ? takeAttempt(home, { id, attempt }) : null);
  try {
    const began = monotonic(home.world);
    const leased = await home.transact((tx) => {
      const mission = take(tx);
      if (lock !== null && mission.attempt === attempt) return mission;
      throw new RefusalError(changing(id));
    });
    if (lock === null) throw new Fault('a lease without a lock');
    return { lock, leased, began };
  } catch (error) {
    if (held === undefined) lock?.remove();
    throw error;
  }
}

const changing = (id: string): Refusal => ({
  code: 'in_use',
  detail: `another process is changing mission ${id}; repeat the command`,
});

/**
 * Takes the lease as soon as a place is free, without a daemon that would. Until then the mission is in the queue, and its lock shows others that
 * this process waits for it.
 * @throws RefusalError as `takeLease`, and `interrupted` when the signal ends the wait
 */
export async function awaitLease(home: Home, id: string, options: WaitOptions): Promise<LeaseGrant> {
  const taken = ahead(home, id, Infinity) === 0 ? await unlessFull(takeLease(home, id, options)) : null;
  if (taken !== null) return taken;
  const { attempt } = await requestExecution(home, id, options.actor);
  const lock = takeAttempt(home, { id, attempt });
  if (lock === null) throw new RefusalError(changing(id));
  try {
    for (;;) {
      const before = ahead(home, id, 0);
      const leased = before === 0 ? await unlessFull(takeLease(home, id, { ...options, lock })) : null;
      if (leased !== null) return leased;
      options.onWaiting(before + 1);
      const { signal } = options;
      await sleep(place_look_ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
      if (signal?.aborted === true) throw new RefusalError(stoppedWaiting(id));
    }
  } catch (error) {
    lock.remove();
    throw error;
  }
}

/**
 * Returns the number of missions before a mission in the queue that processes wait for.
 * @param absent the place of one that is not in the queue: behind all others before it is requested, and none once it was, as after a cancellation
 */
function ahead(home: Home, id: string, absent: number): number {
  const queue = requestedMissions(home.db);
  const own = queue.findIndex((mission) => mission.id === id);
  return queue.slice(0, own === -1 ? absent : own).filter((mission) => isWaitedFor(home, mission)).length;
}

const unlessFull = (lease: Promise<LeaseGrant>): Promise<LeaseGrant | null> =>
  lease.catch((error: unknown) => {
    if (error instanceof RefusalError && isFull(error.refusal)) return null;
    throw error;
  });

const stoppedWaiting = (id: string): Refusal => ({
  code: 'interrupted',
  detail: `stopped waiting; mission ${id} stays in the queue, and the next daemon of this home executes it`,
  hint: `agent-cli cancel ${id}`,
});

/** Returns whether a lease was refused because no place is free. */
export const isFull = ({ code, facts }: Refusal): boolean => code === 'in_use' && facts?.['executing'] !== undefined;

interface Worker extends Pick<Means, 'engine' | 'tools'>, Pick<Lease, 'max_evaluations' | 'config_hash' | 'executing_max'> {
  readonly actor: string;
}

function lease(home: Home, tx: Transaction, id: string, worker: Worker): Mission {
  const { engine, tools, max_evaluations, config_hash, actor, executing_max } = worker;
  const now = formatTime(tx.now);
  const mission = requireMission(tx.db, id);
  const parent = mission.ids_hash === null ? null : approvedMissionWithIds(tx.db, mission.kind, mission.ids_hash);
  const events = decideLease(
    mission,
    {
      lease_expires_at: formatTime(tx.now + lease_ms),
      engine: { name: engine.name, version: engine.version },
      max_evaluations,
      parent: parent?.id ?? null,
      parent_digest: parent?.result_hash ?? null,
      config_hash,
      executing: executingMissions(home, tx.db, now).filter((running) => running !== id),
      executing_max,
    },
    { ...circumstances(tx, actor), owner: ownerOf(home, mission) },
  );
  // The mission's state comes first: the tools are checked only for a lease that nothing else refuses.
  const stopped = isRefused(events) ? null : stoppedTool(tx.db, tools);
  if (stopped !== null) throw new RefusalError(stopped);
  return record(tx, id, events);
}

// The model provider of an attempt: whether a mission uses one, which tools it needs then, and the call itself.

export interface LeasedProvider {
  readonly settings: ProviderSettings;
  readonly max_tokens: number;
  /** The time for the whole call. */
  readonly call_ms_max: number;
}

/**
 * Returns the provider that a mission uses, or null.
 * @param request null for a mission that will not be executed
 * @throws RefusalError for a key that cannot be used, and for sources longer than the configuration lets out
 */
function providerFor(home: Home, config: Config, kind: Kind, request: MissionRequest | null): LeasedProvider | null {
  const { model } = missionKind(kind).solver;
  const settings = model === undefined ? null : unwrap(providerOf(config, home.world.env));
  if (model === undefined || settings === null) return null;
  const { llm_timeout, max_output_tokens, max_source_chars } = config;
  const chars = request === null ? 0 : model.sourceChars(request.work);
  if (chars > max_source_chars) throw new RefusalError(tooMuch(chars, max_source_chars));
  return { settings, max_tokens: max_output_tokens, call_ms_max: llm_timeout * 1_000 };
}

const tooMuch = (chars: number, chars_max: number) =>
  ({
    code: 'too_large',
    detail: `the sources have ${chars} characters, and at most ${chars_max} are sent to the provider (max_source_chars); nothing was sent`,
  }) as const;

/** Returns the tools that verifying a result of a kind uses. */
export const verifyingTools = (kind: Kind): readonly OwnToolId[] =>
  needsSandbox(kind) ? [toolOfKind(kind), 'container_run'] : [toolOfKind(kind)];

/** Returns a warning when a mission that was just queued waits for a tool. */
export function queueWarnings(home: Home, id: string): string[] {
  const done = { recorded: `mission ${id} is queued`, remains: null };
  return afterCommit(done, 'its tools could not be read', () => {
    const mission = requireMission(home.db, id);
    const asksModel = missionKind(mission.kind).solver.model !== undefined && home.config().llm_url !== '';
    const stopped = stoppedTool(home.db, executingTools(mission.kind, requireRequest(home.db, mission), asksModel));
    return stopped === null ? [] : [`${stopped.detail}: the mission waits until it is active`];
  });
}

/**
 * Returns the tools that executing a mission uses.
 * @param request null for a mission that will not be executed
 * @param asksModel whether the provider's model does the work
 */
export const executingTools = (kind: Kind, request: MissionRequest | null, asksModel: boolean): readonly OwnToolId[] =>
  asksModel || (request !== null && mustGenerate(request)) ? [...verifyingTools(kind), 'provider_call'] : verifyingTools(kind);

/** Returns whether a language model is to write the candidate of a code mission. */
const mustGenerate = ({ work }: MissionRequest): boolean => work.kind === 'code' && work.candidate === '';

/** Time to end a call whose deadline has come. */
const end_ms = 1_000;

/** Asks the model, until the work must stop. @throws any error that `mustStop` throws */
export async function askModel(
  { settings, call_ms_max }: LeasedProvider,
  prompt: ChatPrompt,
  watch: { readonly mustStop: () => boolean; readonly observer: StageObserver },
): Promise<Result<Completion, CallRefusal>> {
  const ask = (signal: AbortSignal) => complete(settings, prompt, { deadline_ms: call_ms_max, signal });
  return (await underWatch(watch, call_ms_max + end_ms, ask)).done;
}
