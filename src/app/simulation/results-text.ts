/**
 * Builds the results as they are served. The recorded outcome is already canonical JSON, and its members are copied verbatim, so
 * that no large outcome is parsed on the thread that serves requests. The texts served last are cached, and so are the parts that
 * a large run's thread prepared.
 */
import { Fault } from '../../base/fault.js';
import { results_cache_bytes_max } from '../../base/simulation-limits.js';
import type { SimulationRun } from '../../domain/simulation.js';
import type { Db } from '../../store/database.js';
import { outcomeParts, resultsMembers } from './outcome-parts.js';
import type { AnsweredSimulation } from './protocol.js';
import { outcomeText, resultsFrame } from './store.js';

/** Prepared members that have not been requested yet. */
interface Prepared {
  readonly bytes: number;
  readonly members: () => string;
}

export class ResultsTexts {
  /** The cached texts, the least recently used first. */
  private readonly kept = new Map<string, string | Prepared>();
  private bytes = 0;

  constructor(
    private readonly db: Db,
    private readonly bytes_max = results_cache_bytes_max,
  ) {}

  /** Returns the results object as JSON text. @throws RefusalError `wrong_state` or `integrity` */
  of(run: SimulationRun, genome: boolean): string {
    const key = keyOf(run, genome);
    const kept = this.kept.get(key);
    const text =
      typeof kept === 'string' ? kept : resultsText(this.db, run, kept?.members() ?? recordedMembers(this.db, run, genome));
    this.keep(key, text);
    return text;
  }

  /** Caches what the run's thread prepared, so that a large outcome is not read back and hashed on this thread. */
  prepared(run: SimulationRun, { text, prepared }: AnsweredSimulation): void {
    if (typeof text === 'string' || prepared === undefined) return;
    const { members } = prepared;
    this.keep(keyOf(run, true), { bytes: text.byteLength, members: () => membersOf(run, new TextDecoder().decode(text), true) });
    this.keep(keyOf(run, false), { bytes: sizeOf(members), members: () => members });
  }

  private keep(key: string, value: string | Prepared): void {
    const before = this.kept.get(key);
    if (before !== undefined) this.bytes -= sizeOf(before);
    this.kept.delete(key);
    const size = sizeOf(value);
    if (size > this.bytes_max) return;
    this.kept.set(key, value);
    this.bytes += size;
    for (const [oldest, old] of this.kept) {
      if (this.bytes <= this.bytes_max) return;
      this.kept.delete(oldest);
      this.bytes -= sizeOf(old);
    }
  }
}

const keyOf = ({ id, outcome_hash }: SimulationRun, genome: boolean): string => `${id}:${outcome_hash ?? ''}:${genome ? 1 : 0}`;

/** Returns the memory of a text in bytes: at most two for each code unit. */
const sizeOf = (kept: string | Prepared): number => (typeof kept === 'string' ? 2 * kept.length : kept.bytes);

const recordedMembers = (db: Db, run: SimulationRun, genome: boolean): string => membersOf(run, outcomeText(db, run), genome);

function membersOf({ id }: SimulationRun, outcome: string, genome: boolean): string {
  const parts = outcomeParts(outcome);
  if (parts === null) throw new Fault(`the outcome of run ${id} lacks a member`);
  return resultsMembers(parts, genome);
}

/** Returns the results object as JSON text, its members in the order of `resultsOf`. */
function resultsText(db: Db, run: SimulationRun, members: string): string {
  const { id, ...frame } = resultsFrame(db, run);
  return `{"id":"${id}",${members},${JSON.stringify(frame).slice(1, -1)}}`;
}
