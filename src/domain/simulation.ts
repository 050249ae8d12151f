/** The lifecycle of a simulation run: queued, running, and one of three final states, which never change. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { simulation_attempts_max } from '../base/limits.js';
import { ok, type Refusal, type Result } from '../base/refusal.js';
import type { Documents } from '../codec/event.js';
import { runError, type RunError } from '../codec/events/simulation.js';
import { choice, nullable, object, required, text } from '../codec/kit.js';
import { count, hash, sequence, time } from '../codec/scalars.js';
import { isRunId, runId, runName, runners, runState } from '../codec/simulation.js';
import { streams, type EventContext, type EventIn } from './stream.js';

export type SimulationEvent = EventIn<'simulation.'>;

/** A run as its table holds it, by the entry that requested it, so that pages go from the newest. */
export const runCodec = object('SimulationRow', {
  /** Sequence of the entry that requested it. */
  request_seq: required(sequence),
  id: required(runId),
  state: required(runState),
  /** Whose process executes it: a command's or the daemon's. */
  runner: required(choice(...runners)),
  /** The name that people gave it, or null. */
  name: required(nullable(runName)),
  /** The sweep of which it is a run, or null. */
  sweep: required(nullable(runId)),
  /** 0 until its first start. */
  attempt: required(count),
  /** When an unfinished run counts as dead; null while it is in the daemon's queue, and when it has ended. */
  lease_expires_at: required(nullable(time)),
  idempotency_key: required(nullable(text())),
  body_sha256: required(nullable(hash)),
  outcome_hash: required(nullable(hash)),
  /** Sequence of the entry that completed it, 0 until then. */
  result_seq: required(count),
  error: required(nullable(runError)),
  created_at: required(time),
  started_at: required(nullable(time)),
  finished_at: required(nullable(time)),
  /** Sequence of its newest event. */
  revision: required(sequence),
});
export type SimulationRun = t.TypeOf<typeof runCodec>;

export const simulationStream = streams<SimulationRun, 'simulation.'>('@simulation:', {
  noun: 'run',
  events: ['simulation.'],
  isId: isRunId,
  evolve: evolveRun,
});

export const isFinished = ({ state }: SimulationRun): boolean => state !== 'queued' && state !== 'running';

/** Returns the run after an event. A second request, and an event without a run or after its end, changes nothing. */
function evolveRun(
  run: SimulationRun | null,
  event: SimulationEvent,
  { id, sequence, time }: EventContext,
): SimulationRun | null {
  if (run === null) return event.type === 'simulation.requested' ? begun(event.document, { id, sequence, time }) : null;
  if (event.type === 'simulation.renamed') return { ...run, name: event.document.name, revision: sequence };
  if (isFinished(run)) return run;
  const ended = { ...run, revision: sequence, lease_expires_at: null, finished_at: time };
  switch (event.type) {
    case 'simulation.requested':
      return run;
    case 'simulation.started': {
      const { attempt, lease_expires_at } = event.document;
      return { ...run, state: 'running', attempt, lease_expires_at, revision: sequence, started_at: run.started_at ?? time };
    }
    case 'simulation.completed':
      return { ...ended, state: 'succeeded', outcome_hash: event.document.outcome_hash, result_seq: sequence };
    case 'simulation.failed':
      return { ...ended, state: 'failed', error: event.document.error };
    case 'simulation.cancelled':
      return { ...ended, state: 'cancelled', error: { code: 'cancelled', message: `cancelled by ${event.document.actor}` } };
  }
}

const begun = (
  { runner, lease_expires_at, idempotency, name, sweep }: Documents['simulation.requested'],
  at: EventContext,
): SimulationRun => ({
  id: at.id,
  state: 'queued',
  runner,
  name: name ?? null,
  sweep: sweep ?? null,
  attempt: 0,
  lease_expires_at,
  idempotency_key: idempotency?.key ?? null,
  body_sha256: idempotency?.body_sha256 ?? null,
  outcome_hash: null,
  error: null,
  created_at: at.time,
  started_at: null,
  finished_at: null,
  request_seq: at.sequence,
  result_seq: 0,
  revision: at.sequence,
});

type Events = Result<readonly SimulationEvent[]>;

const wrongState = ({ id, state }: SimulationRun, detail: string): Refusal => ({
  code: 'wrong_state',
  detail: `run ${id} is ${state}${detail}`,
  facts: { run: id, state },
});

/** Decides to request a run. @param run the run that has the new id: null, unless the id was drawn twice */
export function decideRequest(run: SimulationRun | null, document: Documents['simulation.requested']): Events {
  if (run !== null) return E.left({ code: 'conflict', detail: `there is a run ${run.id} already` });
  return ok([{ type: 'simulation.requested', document }]);
}

/** Decides to start a run for the first time, or again after its thread died. */
export function decideStart(run: SimulationRun, document: Omit<Documents['simulation.started'], 'attempt'>): Events {
  if (isFinished(run)) return E.left(wrongState(run, '; it cannot start'));
  const attempt = run.attempt + 1;
  if (attempt > simulation_attempts_max) return E.left(wrongState(run, ` for the ${run.attempt}. time; it does not start again`));
  return ok([{ type: 'simulation.started', document: { ...document, attempt } }]);
}

/** Checks that the run is running in this attempt: only then does the attempt's outcome count. */
export function decideCompleted(run: SimulationRun, document: Documents['simulation.completed']): Events {
  if (run.state !== 'running') return E.left(wrongState(run, '; a late outcome changes nothing'));
  if (run.attempt !== document.attempt) return E.left(wrongState(run, ` in attempt ${run.attempt}, not ${document.attempt}`));
  return ok([{ type: 'simulation.completed', document }]);
}

export function decideRunFailed(run: SimulationRun, error: RunError, actor: string): Events {
  if (isFinished(run)) return E.left(wrongState(run, ' already'));
  return ok([{ type: 'simulation.failed', document: { error, actor } }]);
}

export function decideRunCancelled(run: SimulationRun, actor: string): Events {
  if (isFinished(run)) return E.left(wrongState(run, ' already; there is nothing to cancel'));
  return ok([{ type: 'simulation.cancelled', document: { actor } }]);
}

export const decideRenamed = (run: SimulationRun, name: string | null, actor: string): Events =>
  ok(run.name === name ? [] : [{ type: 'simulation.renamed', document: { name, actor } }]);

/** Facts about the processes that have the home open. */
export interface Presence {
  readonly now: string;
  /** Whether this process is the daemon: then no other process executes the daemon's runs. */
  readonly isDaemon: boolean;
  /** When this process opened the home, if no other process had it open then; null otherwise. */
  readonly aloneSince: string | null;
}

/**
 * Returns whether a run's process is gone: its command's lease ended, its daemon was replaced, or no other process has the home open. A daemon's
 * run that has not started has no process: it stays in the queue, for the next daemon.
 */
export function isDead(run: SimulationRun, { now, isDaemon, aloneSince }: Presence): boolean {
  if (isFinished(run) || (run.runner === 'daemon' && run.state === 'queued')) return false;
  if (aloneSince !== null && (run.started_at ?? run.created_at) < aloneSince) return true;
  // The lock shows that a daemon lives. A time limit would end a run that a slow machine still executes.
  if (run.runner === 'daemon') return isDaemon;
  return run.lease_expires_at !== null && run.lease_expires_at < now;
}
