/** Random commands against a small model of a mission's life: answers, states, entries, and at the end the whole journal. @slow */
import assert from 'node:assert/strict';
import * as os from 'node:os';
import fc from 'fast-check';
import { configure, pause, resume } from '../../src/app/control/control.js';
import type { Home } from '../../src/app/home/home.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { cancelMission, eraseMission, listPage, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { readMissionFile, submitMission } from '../../src/app/missions/submit.js';
import type { EngineAnswer, EngineTask } from '../../src/app/threads/engine-thread.js';
import { missionStates } from '../../src/codec/record.js';
import { atEffort } from '../support/effort.js';
import {
  actor,
  answered,
  execute,
  fakeEngine,
  fakeResult,
  forecast,
  jsonFile,
  laterRefusalOf,
  leftRunning,
  research,
  review,
} from '../support/app/given-home.js';
import { start_ms, temporaryHome, type TemporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { assertNone } from '../support/lists.js';

type State = 'queued' | 'running' | 'review' | 'completed' | 'rejected' | 'failed';

interface ModelMission {
  readonly input: number;
  readonly state: State;
  readonly attempt: number;
  /** Whether a process works on it, while running. */
  readonly owned: boolean;
  readonly error: string | null;
  readonly erased: boolean;
}

/** What happens while a mission is worked on. `is killed`: its process is gone without a word. `hangs`: its process lives and never ends. */
type Work = 'answers' | 'is paused' | 'is configured' | 'takes too long' | 'dies' | 'is cancelled' | 'is killed' | 'hangs';

/** Inputs from this number on are stored where they can be erased. */
const erasable_from = 2;

class Model {
  paused = false;
  /** Which configuration is in force. */
  config = 0;
  now: number;
  /** Entries of the journal: the beginning is the first. */
  entries = 1;
  readonly missions = new Map<string, ModelMission>();

  constructor(
    now: number,
    readonly executing_max: number,
  ) {
    this.now = now;
  }

  private change(id: string, changes: Partial<ModelMission>, entries = 1): string {
    const mission = this.missions.get(id);
    if (mission === undefined) throw new Error('no such mission');
    this.missions.set(id, { ...mission, ...changes });
    this.entries += entries;
    return 'done';
  }

  private isLive({ state, owned }: ModelMission): boolean {
    return state === 'running' && owned;
  }

  /**
   * Fails the missions whose process is gone; returns whether this one was among them. Execute and recover do this first, and cancel for its own
   * mission alone.
   */
  private failInterrupted(asked: string, isAlone = false): boolean {
    const gone = [...this.missions]
      .filter(([id, { state, owned }]) => state === 'running' && !owned && (!isAlone || id === asked))
      .map(([id]) => id);
    for (const id of gone) this.change(id, { state: 'failed', error: 'interrupted' });
    return gone.includes(asked);
  }

  run(id: string, input: number): string {
    const known = this.missions.get(id);
    if (known !== undefined) return known.input === input ? 'done' : 'request_id_reused';
    this.missions.set(id, { input, state: 'queued', attempt: 1, owned: false, error: null, erased: false });
    this.entries++;
    return 'done';
  }

  /** The refusal of a lease, or null. */
  refusesLease(id: string): string | null {
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    if (this.paused) return 'paused';
    if (this.isLive(mission)) return 'lease_active';
    if (mission.state !== 'queued') return 'wrong_state';
    const others = [...this.missions.values()].filter((other) => this.isLive(other));
    return others.length >= this.executing_max ? 'in_use' : null;
  }

  /** Lease, two stages before the work; five after a result, then the outcome. */
  execute(id: string, work: Work): string {
    if (this.missions.has(id)) this.failInterrupted(id);
    const refusal = this.refusesLease(id);
    if (refusal !== null) return refusal;
    const fails = (error: string, code: string, more = 0): string => {
      this.change(id, { state: 'failed', error }, 4 + more);
      return code;
    };
    this.change(id, { state: 'running', owned: work === 'hangs', error: null }, 0);
    switch (work) {
      case 'answers':
        return this.change(id, { state: 'review' }, 9);
      case 'is paused':
        this.paused = true;
        return fails('paused', 'paused', 1);
      case 'is configured':
        this.config++;
        return fails('configuration_changed', 'conflict', 3);
      case 'takes too long':
        return fails('timeout', 'execution_failed');
      case 'dies':
        return fails('execution_failed', 'execution_failed');
      case 'is cancelled':
        return fails('cancelled', 'wrong_state');
      case 'is killed':
      case 'hangs':
        return this.change(id, {}, 3);
    }
  }

  review(id: string, approve: boolean, wrong: 'nothing' | 'revision' | 'hash'): string {
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    if (this.paused) return 'paused';
    if (wrong === 'revision') return 'stale_revision';
    if (mission.state !== 'review') return 'wrong_state';
    if (wrong === 'hash') return 'hash_mismatch';
    return this.change(id, { state: approve ? 'completed' : 'rejected' });
  }

  recover(id: string): string {
    if (this.missions.has(id)) this.failInterrupted(id);
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    if (this.paused) return 'paused';
    if (this.isLive(mission)) return 'lease_active';
    if (mission.state !== 'failed' || mission.erased) return 'wrong_state';
    return this.change(id, { state: 'queued', attempt: mission.attempt + 1, error: null });
  }

  cancel(id: string): string {
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    if (this.failInterrupted(id, true)) return 'done';
    if (this.paused && mission.state !== 'queued') return 'paused';
    if (mission.state !== 'queued' && mission.state !== 'running') return 'wrong_state';
    return this.change(id, { state: 'failed', error: 'cancelled' });
  }

  erase(id: string): string {
    const mission = this.missions.get(id);
    if (mission === undefined) return 'not_found';
    const isOver = mission.state === 'completed' || mission.state === 'rejected' || mission.state === 'failed';
    if (!isOver || mission.erased || mission.input < erasable_from) return 'wrong_state';
    return this.change(id, { erased: true });
  }

  control(paused: boolean): string {
    if (this.paused !== paused) this.entries++;
    this.paused = paused;
    return 'done';
  }

  configure(): string {
    if (!this.paused) return 'not_paused';
    this.config++;
    this.entries++;
    return 'done';
  }
}

/** By the numbers of the model: from `erasable_from` on, stored where they can be erased. */
const inputs: readonly unknown[] = [forecast('one'), forecast('two'), research('three'), research('four')];

/** The program under test: one home, its handle, and the steps of the model carried out on it. */
class Real {
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
    submitMission(this.home, readMissionFile(this.files[input] ?? '').request, id, actor);

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

type Step = (real: Real) => unknown;

async function outcomeOf(real: Real, step: Step): Promise<string> {
  const refusal = await laterRefusalOf(async () => step(real));
  return refusal?.code ?? 'done';
}

/** The short run is the same at each time, so that it never lacks a state by chance. */
const seed = 20_261_123;
/** The states that missions had after any command. */
const reached = new Set<string>();

/** After each command the lists, the records and the number of entries are those of the model. */
function compare(model: Model, { home }: Real): void {
  const items = listPage(home, { limit: 500 }).items;
  const states = Object.fromEntries([...model.missions].map(([id, { state }]) => [id, state]));
  assert.equal(items.length, model.missions.size);
  assert.deepEqual(Object.fromEntries(items.map(({ id, state }) => [id, state])), states);
  assert.equal(home.writer.head.size, model.entries, 'entries');
  for (const [id, mission] of model.missions) {
    reached.add(mission.state);
    const shown = showMission(home, id);
    const { attempt, erased, error } = mission;
    assert.deepEqual([shown.attempt, shown.erased, shown.error?.code ?? null], [attempt, erased, error]);
    assert.equal(shown.request === null, erased, 'the input is there until it is erased');
    const isDecided = mission.state === 'completed' || mission.state === 'rejected';
    assert.equal(shown.review?.approved ?? null, isDecided ? mission.state === 'completed' : null);
    assert.equal(shown.result !== null, isDecided || mission.state === 'review');
  }
}

interface Act {
  readonly name: string;
  readonly expect: (model: Model) => string;
  readonly act: Step;
}

const command = ({ name, expect, act }: Act): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  run: async (model, real) => {
    const expected = expect(model);
    assert.equal(await outcomeOf(real, act), expected, name);
    assert.equal(real.place.clock.now, model.now);
    compare(model, real);
  },
  toString: () => name,
});

const id = fc.integer({ min: 1, max: 3 }).map(uuidOf);
const works: readonly Work[] = [
  ...Array.from({ length: 8 }, (): Work => 'answers'),
  'is paused',
  'is configured',
  'takes too long',
  'dies',
  'is cancelled',
  'is killed',
  'hangs',
];
const steps_ms = [1, 1_000, 300_000, 660_000, 660_001, -1, -1_000, -700_000];

const acts: readonly fc.Arbitrary<Act>[] = [
  fc.tuple(id, fc.nat({ max: inputs.length - 1 })).map(([m, input]) => ({
    name: `run ${m} ${input}`,
    expect: (model) => model.run(m, input),
    act: (real) => real.run(m, input),
  })),
  fc.tuple(id, fc.constantFrom(...works)).map(([m, work]) => ({
    name: `execute ${m} ${work}`,
    expect: (model) => model.execute(m, work),
    act: (real) => real.execute(m, work),
  })),
  fc.tuple(id, fc.boolean(), fc.constantFrom('nothing', 'nothing', 'nothing', 'revision', 'hash')).map(([m, approve, wrong]) => ({
    name: `review ${m} ${approve} ${wrong}`,
    expect: (model) => model.review(m, approve, wrong),
    act: (real) => real.review(m, approve, wrong),
  })),
  id.map((m) => ({
    name: `recover ${m}`,
    expect: (model) => model.recover(m),
    act: ({ home }) => recoverMission(home, m, actor),
  })),
  id.map((m) => ({ name: `cancel ${m}`, expect: (model) => model.cancel(m), act: ({ home }) => cancelMission(home, m, actor) })),
  id.map((m) => ({
    name: `erase ${m}`,
    expect: (model) => model.erase(m),
    act: ({ home }) => eraseMission(home, m, 'asked to', actor),
  })),
  fc.constant({ name: 'pause', expect: (model) => model.control(true), act: ({ home }) => pause(home, actor) }),
  fc.constant({ name: 'resume', expect: (model) => model.control(false), act: ({ home }) => resume(home, actor) }),
  fc.constant({ name: 'configure', expect: (model) => model.configure(), act: (real) => real.configure(real.home) }),
  fc.constantFrom(...steps_ms).map((ms) => ({
    name: `clock ${ms}`,
    expect: (model) => {
      model.now += ms;
      return 'done';
    },
    act: (real) => void (real.place.clock.now += ms),
  })),
  fc.constant({ name: 'reopen', expect: () => 'done', act: (real) => real.reopen() }),
  fc.constant({ name: 'rebuild', expect: () => 'done', act: ({ home }) => rebuildHome(home, () => undefined) }),
];
const commands = acts.map((act) => act.map(command));
/** Weights: a mission is queued, executed and resumed often enough to get somewhere. */
const [run, execution, decision, recovery, , , , resumption] = commands;
const more = [run, execution, execution, execution, decision, decision, decision, recovery, resumption, resumption, resumption];
const weighted = [...commands, ...more].filter((c) => c !== undefined);

describe('missions against the model', () => {
  it('return, keep and record what the specification says, whatever the order of commands', async () => {
    const sequences = fc.commands([...weighted], { size: 'max', maxCommands: 100 });
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const place = temporaryHome();
        const max = Math.max(1, os.availableParallelism() - 1);
        const [model, real] = [new Model(start_ms, max), new Real(place)];
        try {
          await fc.asyncModelRun(() => ({ model, real }), sequence);
          const report = await verifyHome(real.home, { deep: true });
          assert.deepEqual([report.valid, report.failure, report.events], [true, null, model.entries]);
          assert.deepEqual(
            place.with((home) => home.writer.head),
            real.home.writer.head,
          );
        } finally {
          real.home.close();
          place.remove();
        }
      }),
      { ...atEffort({ seed, numRuns: 24 }, { numRuns: 1_200 }), endOnFailure: false },
    );
    assertNone(missionStates, (state) => !reached.has(state), 'states that no mission had');
  });
});
