/**
 * The results as they are served. A large outcome is neither read nor hashed nor parsed on the thread that serves requests: another thread
 * does that. The results served last are cached, each once for all clients.
 */
import { Gate } from '../../../base/gate.js';
import { threadScript } from '../../../base/thread-script.js';
import type { Results } from '../../../codec/api-simulation.js';
import type { SimulationRun } from '../../../domain/simulation.js';
import type { Db } from '../../../store/database.js';
import { type ThreadKind, watchThread, wholeAnswer } from '../../threads/watched-worker.js';
import type { OutcomeTask } from './outcome-worker.js';
import { resultsJson, type ResultsJson, signedOutcome } from './stored.js';

/** Size of the results of succeeded runs that are held in memory. */
const results_cache_bytes_max = 67_108_864;
/** A larger outcome is read from the journal by a thread; threads that do so at once. */
const outcome_on_loop_bytes_max = 262_144;
const outcome_threads_max = 2;

/** What the members of a run's results say of its years, individuals and sectors. */
export type RunOutput = Pick<Results, 'forecast' | 'population' | 'sectors' | 'hypervolume'>;

export class ResultsTexts {
  /** The cached results, the least recently used first. */
  private readonly kept = new Map<string, ResultsJson>();
  private bytes = 0;
  private readonly reading = new Map<string, Promise<ResultsJson>>();

  /** @param file the path of the journal, for threads that read it */
  constructor(
    private readonly db: Db,
    private readonly file: string,
  ) {}

  /** Returns the results object. @throws RefusalError `wrong_state` or `integrity` */
  async of(run: SimulationRun, genome: boolean): Promise<ResultsJson> {
    const key = keyOf(run, genome);
    const known = this.kept.get(key);
    if (known !== undefined) return this.keep(key, known);
    const outcome = signedOutcome(this.db, run, outcome_on_loop_bytes_max);
    if (outcome === null) return this.read(key, { file: this.file, run, genome });
    return this.keep(key, resultsJson(this.db, run, genome, outcome));
  }

  /** Returns what a run gave, with or without genomes, and keeps nothing of a small outcome. @throws as `of` */
  async outcome(run: SimulationRun): Promise<RunOutput> {
    const small = signedOutcome(this.db, run, outcome_on_loop_bytes_max);
    return small ?? (JSON.parse(new TextDecoder().decode((await this.of(run, false)).results)) as Results);
  }

  /** Resolves when no thread reads the journal. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.reading.values());
  }

  /** Reads an outcome once for all that wait for it. */
  private read(key: string, task: OutcomeTask): Promise<ResultsJson> {
    const before = this.reading.get(key);
    if (before !== undefined) return before;
    const reading = readOutcome(task)
      .then((json) => this.keep(key, json))
      .finally(() => this.reading.delete(key));
    this.reading.set(key, reading);
    return reading;
  }

  private keep(key: string, json: ResultsJson): ResultsJson {
    this.forget(key);
    this.kept.set(key, json);
    this.bytes += sizeOf(json);
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= results_cache_bytes_max) break;
      this.forget(oldest);
    }
    return json;
  }

  private forget(key: string): void {
    const known = this.kept.get(key);
    if (known !== undefined) this.bytes -= sizeOf(known);
    this.kept.delete(key);
  }
}

const keyOf = ({ id, outcome_hash }: SimulationRun, genome: boolean): string => `${id}:${outcome_hash ?? ''}:${genome ? 1 : 0}`;

const sizeOf = ({ results, population }: ResultsJson): number => results.length + population.length;

/** The threads that read large outcomes. */
const readers: ThreadKind = {
  script: threadScript(new URL('./outcome-worker.js', import.meta.url)),
  memory_mb_max: 256,
  isBackground: false,
};
const gate = new Gate(outcome_threads_max);

/** @throws RefusalError `integrity`; Fault when the thread dies */
const readOutcome = (task: OutcomeTask): Promise<ResultsJson> =>
  gate.run(() => wholeAnswer(watchThread<ResultsJson>({ ...readers, task, name: 'the reader of outcomes' })));
