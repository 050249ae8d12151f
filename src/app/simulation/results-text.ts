/**
 * Results as they are served. The recorded outcome is canonical JSON already: its members are taken over as they stand, so that no large outcome is
 * taken apart on the thread that answers requests. The texts last served stay in memory.
 */
import { Fault } from '../../base/fault.js';
import { results_cache_bytes_max } from '../../base/simulation-limits.js';
import type { SimulationRun } from '../../domain/simulation.js';
import type { Db } from '../../store/database.js';
import { outcomeParts } from './outcome-parts.js';
import { outcomeText, resultsFrame } from './store.js';

export class ResultsTexts {
  private readonly texts = new Map<string, string>();
  private bytes = 0;

  constructor(
    private readonly db: Db,
    private readonly bytes_max = results_cache_bytes_max,
  ) {}

  /** @throws RefusalError `wrong_state` or `integrity` */
  of(run: SimulationRun, genome: boolean): string {
    const key = `${run.id}:${run.outcome_hash ?? ''}:${genome ? 1 : 0}`;
    const kept = this.texts.get(key);
    const text = kept ?? resultsText(this.db, run, genome);
    this.keep(key, text);
    return text;
  }

  private keep(key: string, text: string): void {
    if (this.texts.delete(key)) this.bytes -= sizeOf(text);
    const size = sizeOf(text);
    if (size > this.bytes_max) return;
    this.texts.set(key, text);
    this.bytes += size;
    for (const [oldest, old] of this.texts) {
      if (this.bytes <= this.bytes_max) return;
      this.texts.delete(oldest);
      this.bytes -= sizeOf(old);
    }
  }
}

/** Memory of a text: at most two bytes for each code unit. */
const sizeOf = (text: string): number => 2 * text.length;

/** The members of the results object, in the order of `resultsOf`. */
function resultsText(db: Db, run: SimulationRun, genome: boolean): string {
  const parts = outcomeParts(outcomeText(db, run));
  if (parts === null) throw new Fault(`the outcome of run ${run.id} lacks a member`);
  const { engine, forecast, found, population, asked } = parts;
  const individuals = genome ? population : population.replaceAll(/"genome":\[[^\]]*\],/g, '');
  const { id, ...frame } = resultsFrame(db, run);
  return `{"id":"${id}",${forecast},${individuals},${engine},${found},${asked},${JSON.stringify(frame).slice(1, -1)}}`;
}
