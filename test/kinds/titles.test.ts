/** Titles: what people call their things is shown beside a result, and changes none. */
import assert from 'node:assert/strict';
import { picture } from '../../src/cli/render.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import { engineInput } from '../../src/kinds/engine-input.js';
import { allocationExample } from '../../src/kinds/allocation/example.js';
import { allocationEngine } from '../../src/kinds/allocation/engine/engine.js';
import { missionRequest, type MissionRequest } from '../../src/kinds/request.js';
import { scheduleExample } from '../../src/kinds/schedule/example.js';
import { scheduleEngine } from '../../src/kinds/schedule/engine/engine.js';
import { namesOf } from '../../src/kinds/view-fields.js';
import type { Engine } from '../../src/engines/engine.js';
import { glyphsFor } from '../../src/pictures/screen.js';
import { kinds } from '../../src/codec/kinds.js';
import type { EngineId } from '../../src/codec/events/mission.js';
import { isBeyondRecomputing, isRecomputed, solverOf, verifierOf } from '../../src/kinds/verifiers.js';

type Thing = Readonly<Record<string, unknown>>;

const read = (request: unknown): MissionRequest => unwrap(decode(missionRequest, request));
const titled = (things: unknown): Thing[] =>
  (things as Thing[]).map((thing) => ({ ...thing, title: `Große „${String(thing['id'])}“` }));

function resultOf(engine: unknown, request: MissionRequest): unknown {
  const { run } = engine as Engine<unknown, unknown>;
  return unwrap(run(engineInput(request, { max_evaluations: 20 }, null), () => undefined)).result;
}

const utf8 = { glyphs: glyphsFor({ LC_ALL: 'C.UTF-8' }, 'linux'), paint: (_: unknown, text: string) => text, columns: 99 };

const machines = [
  ...new Set(
    (scheduleExample.work['jobs'] as { operations: Thing[] }[]).flatMap((job) => job.operations.map((each) => each['machine'])),
  ),
].map((id) => ({ id }));
const cases = [
  ['allocation', allocationEngine, allocationExample, { items: titled(allocationExample.work['items']) }],
  ['schedule', scheduleEngine, scheduleExample, { jobs: titled(scheduleExample.work['jobs']), machines: titled(machines) }],
] as const;

describe('titles', () => {
  for (const [kind, engine, example, titles] of cases) {
    const plain = read(example);
    const named = read({
      ...example,
      work: { ...example.work, ...titles },
      provenance: { files: [{ sha256: 'a'.repeat(64), bytes: 1, reader: 'csv', version: 1, notes: [] }] },
    });

    it(`and provenance change no result: ${kind}`, () => {
      assert.equal(canonicalJson(resultOf(engine, named)), canonicalJson(resultOf(engine, plain)));
    });

    it(`stand in place of ids in the picture: ${kind}`, () => {
      const result = resultOf(engine, plain);
      const drawn = (request: MissionRequest): string => (picture({ kind, goal: '', request, result }, utf8) ?? []).join('\n');
      assert.doesNotMatch(drawn(plain), /Große/);
      assert.match(drawn(named), /Große „/);
      for (const line of drawn(named).split('\n')) assert.ok(line.length <= 99, line);
    });
  }

  it('that several things have stand beside their ids', () => {
    const nameOf = namesOf([{ id: 'a', title: 'Saw' }, { id: 'b', title: 'Saw' }, { id: 'c', title: 'Drill' }, { id: 'd' }]);
    assert.deepEqual(['a', 'b', 'c', 'd', 'e'].map(nameOf), ['Saw (a)', 'Saw (b)', 'Drill', 'd', 'e']);
  });

  it('and clock times stand in the picture of a schedule with a start', () => {
    const calendar = { weekly: { mon: ['08:00-12:00', '13:00-17:00'], tue: ['08:00-12:00'] } };
    const jobs = [
      { id: 'j1', title: 'Stairs', due: '2026-12-07', operations: [{ machine: 'm1', duration: 300 }] },
      { id: 'j2', title: 'Door', due: '2026-12-07 12:00', operations: [{ machine: 'm1', duration: 300 }] },
    ];
    const request = read({
      goal: 'Which job goes first?',
      work: { kind: 'schedule', jobs, start: '2026-12-07 08:00', calendar },
    });
    const lines = picture({ kind: 'schedule', goal: '', request, result: resultOf(scheduleEngine, request) }, utf8) ?? [];
    const text = lines.join('\n').replaceAll(/ +/g, ' ');
    assert.match(text, /Everything is done on Tue 2026-12-08 10:00, after 600 minutes/);
    assert.match(text, /12-07 12-08/);
    assert.match(text, /Stairs 2026-12-07 08:00 2026-12-07 14:00 2026-12-07 0\n/);
    assert.match(text, /Door 2026-12-07 14:00 2026-12-08 10:00 2026-12-07 12:00 360\n/);
    assert.match(text, /Door Stairs on m1 \(Mon 2026-12-07 08:00 to Mon 2026-12-07 14:00\)/);
  });

  it('and the hours of its day on the axis of one that lies within a day, without those when it is closed', () => {
    const calendar = { weekly: { mon: ['08:00-12:00', '13:00-17:00'] } };
    const jobs = [{ id: 'j1', operations: [{ machine: 'm1', duration: 480 }] }];
    const request = read({ goal: 'When is it done?', work: { kind: 'schedule', jobs, start: '2026-12-07 08:00', calendar } });
    const lines = picture({ kind: 'schedule', goal: '', request, result: resultOf(scheduleEngine, request) }, utf8) ?? [];
    assert.match(lines.join('\n').replaceAll(/ +/g, ' '), /\n 08:00 08:50 09:40 10:30 11:20 13:10 14:00 14:50 15:40 16:30\n/);
  });
});

const solvers = kinds.flatMap((kind) => {
  const solver = solverOf(kind);
  return solver === null ? [] : [{ kind, solver }];
});

describe('the verifier of a result', () => {
  it('is that of the version which made it', () => {
    assert.equal(solvers.length, 4);
    for (const { kind, solver } of solvers) {
      const { engine, model, verifier } = solver;
      assert.equal(verifierOf(solver, engine), verifier);
      assert.equal(isBeyondRecomputing(kind, engine), false);
      assert.equal(isRecomputed(solver, engine), ['research', 'forecast'].includes(kind));
      if (model === undefined) continue;
      assert.equal(verifierOf(solver, model.engine), model.verifier);
      assert.equal(verifierOf(solver, { name: model.engine.name, version: '0' }), null);
      assert.equal(isRecomputed(solver, model.engine), false);
      assert.equal(isBeyondRecomputing(kind, model.engine), false);
    }
  });

  it('is for another version a former one, or that of the claims of a result that is computed again', async () => {
    for (const { kind, solver } of solvers) {
      const former = { '0.9.0': async () => await solver.verifier() };
      const made = (version: string): EngineId => ({ name: solver.engine.name, version });
      assert.equal(verifierOf({ ...solver, former }, made('0.9.0')), former['0.9.0']);
      for (const version of ['0', 'constructor']) {
        assert.equal(verifierOf({ ...solver, former }, made(version)), solver.isRecomputed ? solver.verifier : null, kind);
        assert.equal(isBeyondRecomputing(kind, made(version)), solver.isRecomputed);
      }
      assert.equal((await solver.engine.load()).name, solver.engine.name);
    }
  });

  it('is absent for other engines and for kinds that have none', () => {
    for (const { kind, solver } of solvers) assert.equal(verifierOf(solver, { name: 'another', version: '1.0.0' }), null, kind);
    assert.equal(verifierOf(solverOf('code'), { name: 'sandboxed-benchmark', version: '1.0.0' }), null);
    assert.equal(isBeyondRecomputing('code', { name: 'sandboxed-benchmark', version: '0' }), false);
    assert.equal(isBeyondRecomputing('forecast', null), false);
  });
});
