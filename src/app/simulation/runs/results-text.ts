/**
 * Builds the results as they are served. The recorded outcome is already canonical JSON, and its members are copied verbatim. A large
 * outcome is neither read nor hashed nor parsed on the thread that serves requests: the run's thread prepares its members, or another
 * thread reads them later. The results served last are cached, each once for all clients.
 */
import { utf8 } from '../../../base/bytes.js';
import { Fault } from '../../../base/fault.js';
import { RefusalError } from '../../../base/result.js';
import {
  outcome_on_loop_bytes_max,
  outcome_threads_max,
  results_cache_bytes_max,
  results_text_chars_max,
} from '../../../base/simulation-limits.js';
import { threadScript } from '../../../base/thread-script.js';
import type { ForecastEntry } from '../../../codec/simulation-results.js';
import type { SimulationRun } from '../../../domain/simulation.js';
import { blobLength } from '../../../journal/reader.js';
import type { Db } from '../../../store/database.js';
import { Gate } from '../../threads/gate.js';
import type { ThreadKind } from '../../threads/kept-threads.js';
import { watchThread } from '../../threads/watched-worker.js';
import type { OutcomeAnswer, OutcomeTask } from './outcome-worker.js';
import { type BytesParts, outcomeParts, type OutcomeParts, partsAt, withoutGenomes } from './outcome.js';
import { forecastOf, outcomeBlob, type OutcomeBlob, outcomeText, resultsFrame, storedForecast } from './stored.js';
import type { AnsweredSimulation } from './thread.js';

/** JSON as it is sent: a short text with the head in one piece, a long one as bytes that all clients share. */
export interface ResultsBody {
  readonly results: string | Uint8Array;
  /** The array of individuals, which is a part of the results. */
  readonly population: string | Uint8Array;
}

/** Available at once unless a thread has to read it. */
export type Soon<A> = A | Promise<A>;

/** A cached outcome. */
interface Kept {
  readonly bytes: number;
  /** The member `forecast`. */
  readonly forecast: Uint8Array;
  /** Returns the results, which are made at the first request. */
  readonly body: () => ResultsBody;
}

export class ResultsTexts {
  /** The cached outcomes, the least recently used first. */
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;
  private readonly reading = new Map<string, Promise<Kept>>();

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
    if (known !== undefined) return this.served(key, known);
    const large = this.largeBlob(run);
    if (large !== null) return this.read(run, large, genome).then((kept) => this.served(key, kept));
    const parts = recordedParts(this.db, run);
    return this.served(key, this.keptOf(run, genome ? parts : withoutGenomes(parts)));
  }

  /** Returns the forecast. @throws RefusalError `wrong_state` or `integrity` */
  forecast(run: SimulationRun): Soon<readonly ForecastEntry[]> {
    const known = this.kept.get(keyOf(run, false)) ?? this.kept.get(keyOf(run, true));
    if (known !== undefined) return forecastIn(known);
    const large = this.largeBlob(run);
    return large === null ? storedForecast(this.db, run) : this.read(run, large, false).then(forecastIn);
  }

  /** Caches what the run's thread prepared, so that a large outcome is not read back. */
  prepared(run: SimulationRun, { text, prepared }: AnsweredSimulation): void {
    if (typeof text === 'string' || prepared === undefined) return;
    const { marks, brief } = prepared;
    const { forecast } = brief;
    const whole = { ...partsAt(marks, (from, to) => text.subarray(from, to)), forecast };
    this.keep(keyOf(run, true), { ...this.keptOf(run, whole), bytes: text.byteLength });
    this.keep(keyOf(run, false), this.keptOf(run, brief));
  }

  /** Resolves when no thread reads the journal. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.reading.values());
  }

  private largeBlob(run: SimulationRun): OutcomeBlob | null {
    const stored = outcomeBlob(this.db, run);
    return stored !== null && (blobLength(this.db, stored.blob) ?? 0) > outcome_on_loop_bytes_max ? stored : null;
  }

  /** Reads an outcome once for all that wait for it. */
  private read(run: SimulationRun, stored: OutcomeBlob, genome: boolean): Promise<Kept> {
    const key = keyOf(run, genome);
    const before = this.reading.get(key);
    if (before !== undefined) return before;
    const reading = readOutcome({ file: this.file, genome, ...stored })
      .then((parts) => this.keep(key, this.keptOf(run, parts)))
      .finally(() => this.reading.delete(key));
    this.reading.set(key, reading);
    return reading;
  }

  private keptOf(run: SimulationRun, parts: OutcomeParts | BytesParts): Kept {
    const { engine, forecast, found, population, asked } = parts;
    let made: ResultsBody | null = null;
    return {
      bytes: engine.length + forecast.length + found.length + population.length + asked.length,
      forecast: typeof forecast === 'string' ? utf8(forecast) : forecast,
      body: () => (made ??= bodyOf(this.db, run, parts)),
    };
  }

  /** Makes the body and keeps it in place of the parts. */
  private served(key: string, kept: Kept): ResultsBody {
    const body = kept.body();
    this.keep(key, { bytes: memoryOf(body.results) + kept.forecast.length, forecast: kept.forecast, body: () => body });
    return body;
  }

  private keep(key: string, value: Kept): Kept {
    this.bytes -= this.kept.get(key)?.bytes ?? 0;
    this.kept.delete(key);
    if (value.bytes > this.bytes_max) return value;
    this.kept.set(key, value);
    this.bytes += value.bytes;
    for (const [oldest, { bytes }] of this.kept) {
      if (this.bytes <= this.bytes_max) break;
      this.kept.delete(oldest);
      this.bytes -= bytes;
    }
    return value;
  }
}

const keyOf = ({ id, outcome_hash }: SimulationRun, genome: boolean): string => `${id}:${outcome_hash ?? ''}:${genome ? 1 : 0}`;

const forecastIn = ({ forecast }: Kept): readonly ForecastEntry[] => forecastOf(new TextDecoder().decode(forecast));

/** Returns the memory of a text in bytes: at most two for each code unit. */
const memoryOf = (body: string | Uint8Array): number => (typeof body === 'string' ? 2 * body.length : body.length);

function recordedParts(db: Db, run: SimulationRun): OutcomeParts {
  const parts = outcomeParts(outcomeText(db, run));
  if (parts === null) throw new Fault(`the outcome of run ${run.id} lacks a member`);
  return parts;
}

const population_name = '"population":';

/** Returns the results object, its members in the order of `resultsOf`. */
function bodyOf(db: Db, run: SimulationRun, parts: OutcomeParts | BytesParts): ResultsBody {
  const { id, ...frame } = resultsFrame(db, run);
  const [head, tail] = [`{"id":"${id}",`, `,${JSON.stringify(frame).slice(1)}`];
  const { forecast, population, engine, found, asked } = parts;
  const start = head.length + forecast.length + 1;
  const range = [start + population_name.length, start + population.length] as const;
  const members = [forecast, population, engine, found, asked];
  if (members.every((member) => typeof member === 'string')) {
    const text = head + members.join(',') + tail;
    if (text.length <= results_text_chars_max) return { results: text, population: text.slice(...range) };
    return bodyAt(utf8(text), range);
  }
  return bodyAt(Buffer.concat([utf8(head), ...separated(members), utf8(tail)]), range);
}

const separated = (members: readonly (string | Uint8Array)[]): Uint8Array[] =>
  members.flatMap((member, i) => [...(i === 0 ? [] : [utf8(',')]), typeof member === 'string' ? utf8(member) : member]);

/** All before the end of the population is ASCII, so the places are the same in text and bytes. */
const bodyAt = (results: Buffer, [from, to]: readonly [number, number]): ResultsBody => ({
  results,
  population: results.subarray(from, to),
});

/** The threads that read large outcomes, because reading, hashing and splitting one takes too long for the thread that serves requests. */
const readers: ThreadKind = {
  script: threadScript(new URL('./outcome-worker.js', import.meta.url)),
  memory_mb_max: 256,
  isBackground: false,
};
const gate = new Gate(outcome_threads_max);

/** @throws RefusalError `integrity`; Fault when the thread dies */
const readOutcome = (task: OutcomeTask): Promise<BytesParts> =>
  gate.run(async () => {
    const answer = await watchThread<OutcomeAnswer, OutcomeAnswer | null>({
      ...readers,
      task,
      name: 'the reader of outcomes',
      onMessage: (message) => message,
      // It is never told to stop.
      stopped: null,
    }).answer;
    if (answer?.type === 'read') return answer.parts;
    throw new RefusalError(answer?.refusal ?? { code: 'interrupted', detail: 'the outcome was not read' });
  });
