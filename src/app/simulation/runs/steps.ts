/** The steps of one run on its thread. Each step stores what the next one needs. */
import { Fault } from '../../../base/refusal.js';
import { sha256Hex } from '../../../base/bytes.js';
import { inline_value_bytes_max } from '../../../base/limits.js';
import { canonicalOutcome } from '../../../codec/simulation-results.js';
import { research, type Researched, search, type Searched } from '../../../engines/simulation/engine.js';
import { outcomeOf, type Valuation, valuationOf } from '../../../engines/simulation/outcome.js';
import { salted } from '../../../journal/salted.js';
import { Stopped, type WatchedData } from '../../threads/watched-thread.js';
import { searchInGroups } from '../islands/search.js';
import type { ThreadTask } from '../islands/threads.js';
import { checkOutcome } from './outcome.js';
import type { SimulationMessage, ThreadStage } from './thread.js';

interface StepWatch extends Pick<WatchedData<never>, 'cells' | 'isBackground'> {
  readonly mustStop: () => boolean;
  readonly alive: () => void;
  readonly post: (message: SimulationMessage) => void;
}

const report_ms = 20;

export class Steps {
  private found: Researched | null = null;
  private searched: Searched | null = null;
  private valued: Valuation | null = null;
  private text = '';

  constructor(
    private readonly task: ThreadTask,
    private readonly watch: StepWatch,
  ) {}

  /** Executes one step. @throws Stopped when the run must end; Fault when a step is out of order */
  async take(stage: ThreadStage): Promise<SimulationMessage> {
    this.checkpoint();
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

  private checkpoint(): void {
    if (this.watch.mustStop()) throw new Stopped();
    this.watch.alive();
  }

  /** Computes the scenario without effort: the curve and its draws, the sectors' paths, the years of disruption. */
  private research(): SimulationMessage {
    this.found = research(this.task.request, this.watch.alive);
    this.watch.post({ type: 'years', affected: this.found.affected });
    return { type: 'staged' };
  }

  private async search(): Promise<SimulationMessage> {
    const { request, islands, groups } = this.task;
    const found = taken(this.found);
    let reportedAt = 0;
    let done = 0;
    const onGeneration = (generation: number): void => {
      const now = performance.now();
      if (generation < request.generations && now - reportedAt < report_ms) return;
      reportedAt = now;
      this.watch.post({ type: 'generation', generation, done });
    };
    const checkpoint = (share: number): void => {
      this.checkpoint();
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
            checkpoint: () => this.checkpoint(),
            onGeneration: together,
            onWorker: (notice) => this.watch.post({ type: 'worker', notice }),
          })
        : search(found, islands, { checkpoint, onGeneration, alive: this.watch.alive });
    return { type: 'staged' };
  }

  /** Computes the values of each individual as printed, the dominance relation, and the dominated hypervolume. */
  private value(): SimulationMessage {
    const { model, islands } = taken(this.searched);
    this.valued = valuationOf(model, islands, this.watch.alive);
    return { type: 'staged' };
  }

  private write(): SimulationMessage {
    const { scenario, paths, forecast, probability } = taken(this.found);
    const outcome = outcomeOf(scenario, paths, { forecast, probability, names: this.task.islands, ...taken(this.valued) });
    this.text = canonicalOutcome(outcome);
    return { type: 'staged' };
  }

  private check(): SimulationMessage {
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
