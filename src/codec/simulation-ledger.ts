/** One line of ./ledger/runs.jsonl: a run that succeeded, chained to the line before it. */
import * as t from 'io-ts';
import { seed_max, simulation_horizon_max } from '../base/limits.js';
import { integer, list, mapOf, object, required } from './kit.js';
import { forecastEntry } from './simulation-results.js';
import { runId } from './simulation.js';
import { hash, sequence, time } from './scalars.js';

export const ledgerEntry = object('LedgerEntry', {
  /** 1, 2, 3, … */
  seq: required(sequence),
  time: required(time),
  id: required(runId),
  request: required(mapOf(t.unknown)),
  seed: required(integer(0, seed_max)),
  /** The run's `outcome_hash`. */
  result_hash: required(hash),
  forecast: required(list(forecastEntry, 1, simulation_horizon_max)),
  /** The entry that completed the run, in the journal of the home that it ran in. */
  journal: required(object('LedgerJournal', { seq: required(sequence), hash: required(hash) })),
  /** `hash` of the line before; 64 zeros in the first. */
  previous: required(hash),
  /** SHA-256 of the canonical JSON of all other members. */
  hash: required(hash),
});
export type LedgerEntry = t.TypeOf<typeof ledgerEntry>;
