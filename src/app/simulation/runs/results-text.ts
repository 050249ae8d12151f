/** The results as they are served. Those that were served last are cached, each once for all clients. */
import type { SimulationRun } from '../../../domain/simulation.js';
import type { Db } from '../../../store/database.js';
import { resultsBytes, type ResultsBytes } from './stored.js';

/** Size of the results of succeeded runs that are held in memory. */
const results_cache_bytes_max = 67_108_864;

/** UTF-8 JSON as it is sent; all clients share its bytes. */
interface ResultsBody {
  readonly results: Buffer;
  /** The array of individuals, which is a part of the results. */
  readonly population: Buffer;
  /** The array of the forecast's years, which is a part of the results. */
  readonly forecast: Buffer;
}

export class ResultsTexts {
  /** The cached results, the least recently used first. */
  private readonly kept = new Map<string, ResultsBody>();
  private bytes = 0;

  constructor(private readonly db: Db) {}

  /** Returns the results object. @throws RefusalError `wrong_state` or `integrity` */
  of(run: SimulationRun, genome: boolean): ResultsBody {
    const key = keyOf(run, genome);
    return this.keep(key, this.kept.get(key) ?? bodyOf(resultsBytes(this.db, run, genome)));
  }

  private keep(key: string, body: ResultsBody): ResultsBody {
    this.forget(key);
    if (body.results.length > results_cache_bytes_max) return body;
    this.kept.set(key, body);
    this.bytes += body.results.length;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= results_cache_bytes_max) break;
      this.forget(oldest);
    }
    return body;
  }

  private forget(key: string): void {
    this.bytes -= this.kept.get(key)?.results.length ?? 0;
    this.kept.delete(key);
  }
}

const keyOf = ({ id, outcome_hash }: SimulationRun, genome: boolean): string => `${id}:${outcome_hash ?? ''}:${genome ? 1 : 0}`;

function bodyOf({ bytes, forecast, population }: ResultsBytes): ResultsBody {
  const results = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { results, forecast: results.subarray(...forecast), population: results.subarray(...population) };
}
