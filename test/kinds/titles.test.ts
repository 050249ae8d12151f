/** Titles: what people call their things is shown beside a result, and changes none. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { picture } from '../../src/cli/render.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/result.js';
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

type Thing = Readonly<Record<string, unknown>>;

const read = (request: unknown): MissionRequest => unwrap(decode(missionRequest, request));
const titled = (things: unknown): Thing[] =>
  (things as Thing[]).map((thing) => ({ ...thing, title: `Große „${String(thing['id'])}“` }));

function resultOf(engine: unknown, request: MissionRequest): unknown {
  const { run } = engine as Engine<unknown, unknown>;
  return unwrap(run(engineInput(request, 20, null), () => undefined)).result;
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
});
