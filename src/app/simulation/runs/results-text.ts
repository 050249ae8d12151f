/**
 * The results as they are served. A large outcome is neither read nor hashed nor parsed on the thread that serves requests: another thread
 * does that. The results served last are cached, each once for all clients.
 */
import { Gate } from '../../../base/gate.js';
import { threadScript } from '../../../base/thread-script.js';
import type { ForecastEntry } from '../../../codec/simulation-results.js';
import type { SimulationRun } from '../../../domain/simulation.js';
import type { Db } from '../../../store/database.js';
import { type ThreadKind, watchThread, wholeAnswer } from '../../threads/watched-worker.js';
import type { OutcomeTask } from './outcome-worker.js';
import { blobBytes, forecastOf, resultsBytes, type ResultsBytes, storedForecast } from './stored.js';

/** Size of the results of succeeded runs that are held in memory. */
const results_cache_bytes_max = 67_108_864;
/** A larger outcome is read from the journal by a thread; threads that do so at once. */
const outcome_on_loop_bytes_max = 262_144;
const outcome_threads_max = 2;

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
  private readonly reading = new Map<string, Promise<ResultsBody>>();

  /** @param file the path of the journal, for threads that read it */
  constructor(
    private readonly db: Db,
    private readonly file: string,
  ) {}

  /** Returns the results object. @throws RefusalError `wrong_state` or `integrity` */
  async of(run: SimulationRun, genome: boolean): Promise<ResultsBody> {
    const key = keyOf(run, genome);
    const known = this.kept.get(key);
    if (known !== undefined) return this.keep(key, known);
    if (this.isLarge(run)) return this.read(key, { file: this.file, run, genome });
    return this.keep(key, bodyOf(resultsBytes(this.db, run, genome)));
  }

  /** Returns the forecast. @throws RefusalError `wrong_state` or `integrity` */
  async forecast(run: SimulationRun): Promise<readonly ForecastEntry[]> {
    const known = this.kept.get(keyOf(run, false)) ?? this.kept.get(keyOf(run, true));
    if (known === undefined && !this.isLarge(run)) return storedForecast(this.db, run);
    const { forecast } = known ?? (await this.of(run, false));
    return forecastOf(forecast.toString());
  }

  /** Resolves when no thread reads the journal. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.reading.values());
  }

  private isLarge(run: SimulationRun): boolean {
    return blobBytes(this.db, run) > outcome_on_loop_bytes_max;
  }

  /** Reads an outcome once for all that wait for it. */
  private read(key: string, task: OutcomeTask): Promise<ResultsBody> {
    const before = this.reading.get(key);
    if (before !== undefined) return before;
    const reading = readOutcome(task)
      .then((results) => this.keep(key, bodyOf(results)))
      .finally(() => this.reading.delete(key));
    this.reading.set(key, reading);
    return reading;
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

/** The threads that read large outcomes. */
const readers: ThreadKind = {
  script: threadScript(new URL('./outcome-worker.js', import.meta.url)),
  memory_mb_max: 256,
  isBackground: false,
};
const gate = new Gate(outcome_threads_max);

/** @throws RefusalError `integrity`; Fault when the thread dies */
const readOutcome = (task: OutcomeTask): Promise<ResultsBytes> =>
  gate.run(() => wholeAnswer(watchThread<ResultsBytes>({ ...readers, task, name: 'the reader of outcomes' })));
