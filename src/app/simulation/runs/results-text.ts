/**
 * The results as they are served. A large outcome is neither read nor hashed nor parsed on the thread that serves requests: another thread
 * does that. The results served last are cached, each once for all clients.
 */
import { RefusalError } from '../../../base/result.js';
import { threadScript } from '../../../base/thread-script.js';
import type { ForecastEntry } from '../../../codec/simulation-results.js';
import type { SimulationRun } from '../../../domain/simulation.js';
import type { Db } from '../../../store/database.js';
import { type ThreadKind, watchThread } from '../../threads/watched-worker.js';
import type { OutcomeAnswer, OutcomeTask, ResultsBytes } from './outcome-worker.js';
import { blobBytes, forecastOf, resultsText, type ResultsText, storedForecast } from './stored.js';
import { Gate } from '../../../base/gate.js';

/** Size of the results of succeeded runs that are held in memory. */
const results_cache_bytes_max = 67_108_864;
/** Longer results are kept and sent as bytes. */
const results_text_chars_max = 16_384;
/** A larger outcome is read from the journal by a thread; threads that do so at once. */
const outcome_on_loop_bytes_max = 262_144;
const outcome_threads_max = 2;

/** JSON as it is sent: a short text with the head in one piece, a long one as bytes that all clients share. */
interface ResultsBody {
  readonly results: string | Uint8Array;
  /** The array of individuals, which is a part of the results. */
  readonly population: string | Uint8Array;
  /** The array of the forecast's years, which is a part of the results. */
  readonly forecast: string | Uint8Array;
}

/** Available at once unless a thread has to read it. */
type Soon<A> = A | Promise<A>;

export class ResultsTexts {
  /** The cached results, the least recently used first. */
  private readonly kept = new Map<string, ResultsBody>();
  private bytes = 0;
  private readonly reading = new Map<string, Promise<ResultsBody>>();

  /** @param file the path of the journal, for threads that read it */
  constructor(
    private readonly db: Db,
    private readonly file: string,
    private readonly bytes_max = results_cache_bytes_max,
  ) {}

  /** Returns the results object. @throws RefusalError `wrong_state` or `integrity` */
  of(run: SimulationRun, genome: boolean): Soon<ResultsBody> {
    const key = keyOf(run, genome);
    const known = this.kept.get(key);
    if (known !== undefined) return this.keep(key, known);
    if (this.isLarge(run)) return this.read(key, { file: this.file, run, genome });
    return this.keep(key, bodyOfText(resultsText(this.db, run, genome)));
  }

  /** Returns the forecast. @throws RefusalError `wrong_state` or `integrity` */
  forecast(run: SimulationRun): Soon<readonly ForecastEntry[]> {
    const known = this.kept.get(keyOf(run, false)) ?? this.kept.get(keyOf(run, true));
    if (known !== undefined) return forecastIn(known);
    if (!this.isLarge(run)) return storedForecast(this.db, run);
    return Promise.resolve(this.of(run, false)).then(forecastIn);
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
      .then((results) => this.keep(key, bodyOfBytes(results)))
      .finally(() => this.reading.delete(key));
    this.reading.set(key, reading);
    return reading;
  }

  private keep(key: string, body: ResultsBody): ResultsBody {
    this.bytes -= memoryOf(this.kept.get(key));
    this.kept.delete(key);
    if (memoryOf(body) > this.bytes_max) return body;
    this.kept.set(key, body);
    this.bytes += memoryOf(body);
    for (const [oldest, old] of this.kept) {
      if (this.bytes <= this.bytes_max) break;
      this.kept.delete(oldest);
      this.bytes -= memoryOf(old);
    }
    return body;
  }
}

const keyOf = ({ id, outcome_hash }: SimulationRun, genome: boolean): string => `${id}:${outcome_hash ?? ''}:${genome ? 1 : 0}`;

const forecastIn = ({ forecast }: ResultsBody): readonly ForecastEntry[] =>
  forecastOf(typeof forecast === 'string' ? forecast : new TextDecoder().decode(forecast));

/** Returns the memory of cached results in bytes: at most two for each code unit of a text. */
function memoryOf(body: ResultsBody | undefined): number {
  const { results } = body ?? { results: '' };
  return typeof results === 'string' ? 2 * results.length : results.length;
}

function bodyOfText({ text, forecast, population }: ResultsText): ResultsBody {
  if (text.length > results_text_chars_max) return bodyOfBytes({ bytes: new TextEncoder().encode(text), forecast, population });
  return { results: text, forecast: text.slice(...forecast), population: text.slice(...population) };
}

function bodyOfBytes({ bytes, forecast, population }: ResultsBytes): ResultsBody {
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
  gate.run(async () => {
    const answer = await watchThread<OutcomeAnswer, OutcomeAnswer | null>({
      ...readers,
      task,
      name: 'the reader of outcomes',
      onMessage: (message) => message,
      // It is never told to stop.
      stopped: null,
    }).answer;
    if (answer?.type === 'read') return answer.results;
    throw new RefusalError(answer?.refusal ?? { code: 'interrupted', detail: 'the outcome was not read' });
  });
