/**
 * Events of the stream `@simulation:<id>`: a run's request with every default, its starts, and one end. A request or an outcome
 * over 64 KiB is stored in a blob (`request_blob`, `result_blob`).
 */
import * as t from 'io-ts';
import {
  idempotency_key_chars_max,
  island_name_chars_max,
  islands_max,
  simulation_attempts_max,
  simulation_error_chars_max,
  sweep_runs_max,
} from '../../base/limits.js';
import { blobRef } from '../blobs.js';
import { declare } from '../event-type.js';
import { choice, integer, list, mapOf, nullable, object, optional, required, text } from '../kit.js';
import { runId, runName, runners } from '../simulation.js';
import { causedBy, hash, time } from '../scalars.js';
import { sweepField, sweepSeeds, sweepValues } from '../sweep.js';

const json = mapOf(t.unknown);
const attempt = integer(1, simulation_attempts_max);

const islandPattern = new RegExp(`^[A-Za-z0-9_-]{1,${island_name_chars_max}}$`);
export const isIslandName = (name: string): boolean => islandPattern.test(name);
const islandName = text({ pattern: islandPattern });
export const islandNames = list(islandName, 1, islands_max);

export const runError = object('RunError', {
  code: required(text({ min: 1, max: 64 })),
  message: required(text({ max: simulation_error_chars_max })),
});
export type RunError = t.TypeOf<typeof runError>;

export const simulationEvents = [
  declare('simulation.requested', {
    request: optional(json),
    request_blob: optional(blobRef),
    /** The run's name; absent without one. It is not part of the request. */
    name: optional(runName),
    /** The interrupted run that this one stands for: it has the same idempotency key, or the same place in a sweep. */
    replaces: optional(runId),
    /** The sweep of which it is a run. */
    sweep: optional(runId),
    islands: required(islandNames),
    runner: required(choice(...runners)),
    /** When a command's run counts as dead if it has not begun by then. Absent for the daemon's runs, which wait in its queue. */
    lease_expires_at: required(nullable(time)),
    /** The client's key, and the SHA-256 of its body in canonical form, before defaults and seed. That of a sweep is with its first run. */
    idempotency: optional(
      object('Idempotency', { key: required(text({ min: 1, max: idempotency_key_chars_max })), body_sha256: required(hash) }),
    ),
    ...causedBy,
  }),
  declare('simulation.started', {
    attempt: required(attempt),
    engine: required(object('SimulationEngine', { name: required(text()), version: required(text()) })),
    lease_expires_at: required(time),
  }),
  declare('simulation.completed', {
    attempt: required(attempt),
    /** SHA-256 of the outcome's canonical text, which is recorded here or in the blob. */
    outcome_hash: required(hash),
    outcome: optional(json),
    result_blob: optional(blobRef),
  }),
  declare('simulation.failed', { error: required(runError), ...causedBy }),
  declare('simulation.cancelled', { ...causedBy }),
  /** Null takes the name away. */
  declare('simulation.renamed', { name: required(nullable(runName)), ...causedBy }),
] as const;

// Events of the stream `@sweep:<id>`: what is varied, and its end. Its runs have streams of their own, which name it.

export const sweepEvents = [
  declare('sweep.requested', {
    /** Absent without one. */
    name: optional(runName),
    field: required(sweepField),
    values: required(sweepValues),
    /** The seeds of each value. */
    seeds: required(sweepSeeds),
    ...causedBy,
  }),
  /** All its runs have ended. */
  declare('sweep.completed', { succeeded: required(integer(0, sweep_runs_max)), ...causedBy }),
  declare('sweep.cancelled', { ...causedBy }),
] as const;
