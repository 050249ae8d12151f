/** The program behind the model: one home, the handle on it, and each command as the functions that the commands use. */
import { configure, pause, resume } from '../../src/app/control/control.js';
import type { EngineAnswer, EngineTask } from '../../src/app/threads/engine-protocol.js';
import type { Home } from '../../src/app/home/home.js';
import { cancelMission, showMission } from '../../src/app/missions/missions.js';
import { queueMission } from '../../src/app/missions/submit.js';
import {
  actor,
  answered,
  execute,
  fakeEngine,
  fakeResult,
  forecast,
  jsonFile,
  leftRunning,
  laterRefusalOf,
  research,
  review,
} from './given-home.js';
import type { Work } from './model.js';
import type { TemporaryHome } from './temporary-home.js';

/** By the numbers of the model: from `erasable_from` on, stored where they can be erased. */
export const inputs: readonly unknown[] = [forecast('one'), forecast('two'), research('three'), research('four')];

/** The program under test: one home, its handle, and the steps of the model carried out on it. */
export class Real {
  home: Home;
  private readonly files: readonly string[];
  private configs = 0;

  constructor(readonly place: TemporaryHome) {
    this.home = place.open();
    this.files = inputs.map((input) => jsonFile(place.root, input));
  }

  reopen(): void {
    this.home.close();
    this.home = this.place.open();
  }

  run = (id: string, input: number): Promise<unknown> =>
    queueMission(this.home, { file: this.files[input] ?? '', requestId: id, actor });

  configure(home: Home): Promise<unknown> {
    return configure(home, jsonFile(this.place.root, { max_source_chars: 1_000 + ++this.configs }), actor);
  }

  async execute(id: string, work: Work): Promise<unknown> {
    if (work !== 'is killed' && work !== 'hangs')
      return execute(this.home, id, { runEngine: fakeEngine((task) => this.work(id, work, task)) });
    await leftRunning(this.home, id, { killed: work === 'is killed' });
    this.reopen();
    return null;
  }

  /** What happens during the work happens through another handle, as from another process. */
  private async work(id: string, work: Work, task: EngineTask): Promise<EngineAnswer> {
    const other = this.place.open();
    if (work === 'is paused') await pause(other, actor);
    if (work === 'is configured') for (const step of [pause, this.configure.bind(this), resume]) await step(other, actor);
    if (work === 'is cancelled') await cancelMission(other, id, actor);
    if (work === 'takes too long') this.place.elapsed.ms += 600_001;
    other.close();
    if (work === 'dies') throw new Error('the engine died');
    return answered(fakeResult(task.input.goal));
  }

  async review(id: string, approve: boolean, wrong: 'nothing' | 'revision' | 'hash'): Promise<unknown> {
    const mission = showMission(this.home, id);
    return review(this.home, mission, {
      approve,
      runEngine: fakeEngine(),
      revision: wrong === 'revision' ? mission.revision - 1 : mission.revision,
      ...(wrong === 'hash' ? { result_hash: 'ab'.repeat(32) } : {}),
    });
  }
}

export type Step = (real: Real) => unknown;

export async function outcomeOf(real: Real, step: Step): Promise<string> {
  const refusal = await laterRefusalOf(async () => step(real));
  return refusal?.code ?? 'done';
}
