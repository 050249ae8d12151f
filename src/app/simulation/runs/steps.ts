/** The steps of one run on its thread. Each step stores what the next one needs. */
import { Fault } from '../../../base/refusal.js';
import { sha256Hex } from '../../../base/bytes.js';
import { inline_value_bytes_max } from '../../../base/limits.js';
import { canonicalOutcome } from '../../../codec/simulation-results.js';
import { research, type Research, search, type SearchOutcome } from '../../../engines/simulation/engine.js';
import { outcomeOf, type Valuation, valuationOf } from '../../../engines/simulation/outcome.js';
import { salted } from '../../../journal/salted.js';
import type { TaskWatch } from '../../threads/watched-thread.js';
import { searchInGroups } from '../islands/search.js';
import type { ThreadTask } from '../islands/threads.js';
import { checkOutcome } from './outcome.js';
import type { RunEnd, RunNews, ThreadStage } from './thread.js';

type StepWatch = Pick<TaskWatch<RunNews>, 'mustStop' | 'alive' | 'checkpoint' | 'isBackground' | 'tell'>;

const report_ms = 20;

export class Steps {
  private found: Research | null = null;
  private searched: SearchOutcome | null = null;
  private valued: Valuation | null = null;
  private text = '';

  constructor(
    private readonly task: ThreadTask,
    private readonly watch: StepWatch,
  ) {}

  /** Executes one step; returns the end of the run with the last one. @throws Stopped when the run must end; Fault when a step is out of order */
  async take(stage: ThreadStage): Promise<RunEnd | null> {
    this.watch.checkpoint();
    switch (stage) {
      case 'research':
        return this.research();
      case 'strategy':
        return this.search();
      case 'market':
        return this.value();
      case 'codegen':
        return this.write();
      case 'safety':
        return this.check();
    }
  }

  /** Computes the scenario without effort: the curve and its draws, the sectors' paths, the years of disruption. */
  private research(): null {
    this.found = research(this.task.request, this.watch.alive);
    this.watch.tell({ type: 'years', affected: this.found.affected });
    return null;
  }

  private async search(): Promise<null> {
    const { request, islands, groups } = this.task;
    const found = taken(this.found);
    let reportedAt = 0;
    let done = 0;
    const onGeneration = (generation: number): void => {
      const now = performance.now();
      if (generation < request.generations && now - reportedAt < report_ms) return;
      reportedAt = now;
      this.watch.tell({ type: 'generation', generation, done });
    };
    const checkpoint = (share: number): void => {
      this.watch.checkpoint();
      done = share;
    };
    const together = (generation: number): void => {
      done = generation / request.generations;
      onGeneration(generation);
    };
    this.searched =
      groups.length > 1 || groups.some(({ queue }) => queue !== null)
        ? await searchInGroups(found, this.task, {
            ...this.watch,
            onGeneration: together,
            onWorker: (notice) => this.watch.tell({ type: 'worker', notice }),
          })
        : search(found, islands, { checkpoint, onGeneration, alive: this.watch.alive });
    return null;
  }

  /** Computes the values of each individual as printed, the dominance relation, and the dominated hypervolume. */
  private value(): null {
    const { model, islands } = taken(this.searched);
    this.valued = valuationOf(model, islands, this.watch.alive);
    return null;
  }

  private write(): null {
    const { scenario, paths, forecast, probability } = taken(this.found);
    const outcome = outcomeOf(scenario, paths, { forecast, probability, names: this.task.islands, ...taken(this.valued) });
    this.text = canonicalOutcome(outcome);
    return null;
  }

  private check(): RunEnd {
    const { text } = this;
    const reason = checkOutcome(text, this.task, this.watch.alive);
    if (reason !== null) return { type: 'refuted', reason };
    this.watch.alive();
    const outcome_hash = sha256Hex(text);
    if (text.length <= inline_value_bytes_max) return { type: 'answered', text, outcome_hash };
    const bytes = new TextEncoder().encode(text);
    return { type: 'answered', text: bytes, outcome_hash, salted: salted(bytes) };
  }
}

/** Returns what an earlier step stored. @throws Fault if that step was skipped */
function taken<A>(left: A | null): A {
  if (left === null) throw new Fault('a step of the run was left out');
  return left;
}
