/** Queueing: idempotent request ids, what goes to a blob, what is refused before anything is recorded, and missions made from others. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cancelMission, eraseMission, recoverMission, showMission } from '../../src/app/missions/missions.js';
import { pause } from '../../src/app/control/control.js';
import { changedRequest, readSubmission, submitMission } from '../../src/app/missions/submit.js';
import { missionLines } from '../../src/cli/render.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/bytes.js';
import type { Home } from '../../src/app/home/home.js';
import { readEntry } from '../../src/journal/reader.js';
import { plan as allocation } from '../support/cli/cli-run.js';
import { homeForEach, uuidOf } from '../support/app/temporary-home.js';
import {
  actor,
  execute,
  fakeEngine,
  forecast,
  laterRefusalOf,
  queued,
  rejectsRefusal,
  research,
  review,
  run,
  throwsRefusal,
} from '../support/app/given-home.js';

const blobs = (home: Home): number => home.db.prepare<[], { n: number }>('SELECT count(*) AS n FROM blob').get()?.n ?? -1;
const submission = (home: Home, sequence: number): Readonly<Record<string, unknown>> => {
  const event = readEntry(home.db, sequence)?.event;
  assert.ok(event?.type === 'mission.submitted');
  return event.document;
};

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((file) => statSync(file).isFile());

describe('queueing a mission', () => {
  const homes = homeForEach();

  homes.it('fills in the defaults, keeps the whole request in the entry and its hash', async (home) => {
    const mission = await queued(home);
    const request = mission.request as Readonly<Record<string, unknown>>;
    assert.deepEqual([request['seed'], request['population'], request['generations']], [42, 20, 12]);
    assert.equal(mission.request_hash, sha256Hex(canonicalJson(request)));
    assert.deepEqual(submission(home, mission.revision)['request'], request);
    assert.equal(blobs(home), 1, 'the configuration alone');
    assert.equal(mission.state, 'queued');
  });

  homes.it('refuses the same request id with other input, and changes nothing', async (home) => {
    const first = await queued(home, forecast(), uuidOf(7));
    for (const other of [forecast('else'), { ...forecast(), seed: 43 }, research()]) {
      const refusal = await rejectsRefusal(run(home, other, uuidOf(7)), 'request_id_reused');
      assert.deepEqual(refusal.facts, { id: uuidOf(7) });
    }
    assert.equal(blobs(home), 1, 'no blob of a refused request');
    assert.deepEqual(showMission(home, uuidOf(7)), first);
  });

  homes.it('treats texts that only look alike as other input: no Unicode normalisation', async (home) => {
    await queued(home, forecast('caf\u00e9'), uuidOf(7));
    await rejectsRefusal(run(home, forecast('cafe\u0301'), uuidOf(7)), 'request_id_reused');
  });

  homes.it('queues while paused', async (home) => {
    await pause(home, actor);
    assert.equal((await queued(home)).state, 'queued');
  });

  homes.it('puts research and large requests into a blob, and reads them back', async (home) => {
    const observations = Array.from({ length: 20_000 }, (_, i) => i + 0.125);
    const cases = [research(), { goal: 'try', work: { kind: 'forecast', observations } }];
    for (const mission of cases) {
      const before = blobs(home);
      const shown = await queued(home, mission);
      const document = submission(home, shown.revision);
      assert.equal(document['request'], undefined);
      assert.equal(typeof document['request_blob'], 'string');
      assert.equal(blobs(home), before + 1);
      assert.equal(sha256Hex(canonicalJson(shown.request)), shown.request_hash);
      assert.equal((shown.request as { goal: string }).goal, mission['goal']);
    }
  });

  const file = { sha256: 'a'.repeat(64), bytes: 12, reader: 'csv', version: 1, name: 'Umsatz Meier.csv', notes: [] };
  const provenance = { files: [file] };
  const titled = {
    allocation: { kind: 'allocation', budget: 9, items: [{ id: 'a', title: 'Meier', cost: 1, value: 1 }] },
    schedule: { kind: 'schedule', jobs: [{ id: 'j', title: 'Meier', operations: [{ machine: 'm', duration: 1 }] }] },
    machines: {
      kind: 'schedule',
      jobs: [{ id: 'j', operations: [{ machine: 'm', duration: 1 }] }],
      machines: [{ id: 'm', title: 'Meier' }],
    },
  };
  const named = [
    { ...forecast(), provenance },
    ...Object.values(titled).map((work): Record<string, unknown> => ({ goal: 'try', work })),
  ];

  it('puts names of people’s things into a blob for every kind, and erases them', async () => {
    const home = homes.get().open();
    for (const mission of named) {
      const { id, revision } = await queued(home, mission);
      assert.equal(typeof submission(home, revision)['request_blob'], 'string');
      assert.match(JSON.stringify(showMission(home, id).request), /Meier/);
      await review(home, await execute(home, id, { runEngine: fakeEngine() }), { runEngine: fakeEngine() });
      await eraseMission(home, id, 'requested', actor);
      assert.doesNotMatch(JSON.stringify(showMission(home, id)), /Meier/);
    }
    home.close();
    for (const file of filesIn(join(homes.get().root, 'home'))) assert.doesNotMatch(readFileSync(file, 'latin1'), /Meier/, file);
  });

  homes.it('shows what a mission was read from, on one line for each file', async (home) => {
    const files = [{ ...file, name: 'a\u001b[31m.csv', sheet: 'Q1', rows: 1 }, ...Array.from({ length: 6 }, () => file)];
    const mission = await queued(home, { ...forecast(), provenance: { files, changed: ['work.horizon'] } });
    const lines = missionLines(mission).join('\n');
    assert.match(lines, /^read from +a.*\.csv \(sheet Q1, 1 row, csv 1, SHA-256 a{16}…\)$/m);
    assert.match(lines, /^ +Umsatz Meier\.csv \(csv 1,/m);
    assert.match(lines, /^ +and 2 more files$/m);
    assert.match(lines, /^changed +1 value by hand: work\.horizon$/m);
    assert.doesNotMatch(lines, /\u001b\[31m/);
    assert.doesNotMatch(missionLines(await queued(home, forecast())).join('\n'), /read from|changed/);
  });

  it('takes 1 500 000 bytes of a mission that was read from files, and 512 KiB of one that was typed', async () => {
    const sized = (bytes: number, more: object): Buffer => {
      const text = (chars: number): Record<string, unknown> => ({
        ...research('tides', ''),
        work: {
          kind: 'research',
          sources: Array.from({ length: 10 }, (_, i) => ({
            id: `s${i}`,
            title: 't',
            text: 'x'.repeat(Math.max(1, Math.floor((chars + i) / 10))),
          })),
        },
        ...more,
      });
      const { text: least } = readSubmission(Buffer.from(JSON.stringify(text(10))));
      return Buffer.from(JSON.stringify(text(10 + bytes - Buffer.byteLength(least))));
    };
    await homes.get().with(async (home) => {
      const drafted = readSubmission(sized(1_500_000, { provenance }));
      assert.equal(Buffer.byteLength(drafted.text), 1_500_000);
      assert.equal((await submitMission(home, drafted.request, undefined, actor)).record.state, 'queued');
      throwsRefusal(() => readSubmission(sized(1_500_001, { provenance })), 'too_large');
      assert.equal(Buffer.byteLength(readSubmission(sized(524_288, {})).text), 524_288);
      throwsRefusal(() => readSubmission(sized(524_289, {})), 'too_large');
    });
  });

  homes.it('stores a request of exactly 64 KiB inline, and one byte more in a blob', async (home) => {
    const sized = (bytes: number): Record<string, unknown> => {
      const code = { kind: 'code', candidate: 'x', heldout: [{ args: [], expected: 0 }] };
      const defaults = { ...code, examples: [], language: 'python' };
      const length = Buffer.byteLength(canonicalJson({ goal: 'try', work: defaults, seed: 42, population: 20, generations: 12 }));
      return { goal: 'try', work: { ...code, candidate: 'x'.repeat(1 + bytes - length) } };
    };
    const inline = await queued(home, sized(65_536));
    assert.equal(Buffer.byteLength(canonicalJson(inline.request)), 65_536);
    assert.notEqual(submission(home, inline.revision)['request'], undefined);
    assert.equal(submission(home, (await queued(home, sized(65_537))).revision)['request'], undefined);
  });

  it('refuses an actor or a reason that no event could hold, and the home opens again', async () => {
    const home = homes.get().open();
    const { id } = await queued(home, research());
    await cancelMission(home, id, actor);
    const size = home.writer.head.size;
    const long = 'x'.repeat(65);
    const calls = [
      () => recoverMission(home, id, long),
      () => recoverMission(home, id, ''),
      () => pause(home, long),
      () => eraseMission(home, id, '', actor),
      () => eraseMission(home, id, 'asked to', long),
    ];
    for (const call of calls) assert.equal((await laterRefusalOf(call))?.code, 'invalid');
    assert.equal(home.writer.head.size, size);
    assert.equal(blobs(home), 2, 'nothing was erased');
    home.close();
    homes.get().with((again) => assert.equal(showMission(again, id).state, 'failed'));
  });

  homes.it('erases the blobs of a decided mission once; the record stays, the input is gone', async (home) => {
    const { id } = await queued(home, research());
    await cancelMission(home, id, actor);
    const erased = await eraseMission(home, id, 'asked to', actor);
    assert.deepEqual([erased.request, erased.erased, erased.state], [null, true, 'failed']);
    assert.equal(blobs(home), 1);
    await rejectsRefusal(eraseMission(home, id, 'asked to', actor), 'wrong_state');
    await rejectsRefusal(recoverMission(home, id, actor), 'wrong_state');
    assert.equal((await queued(home, research(), id)).revision, erased.revision, 'the request id still answers');
  });
});

describe('a mission that changes the request of another one', () => {
  const homes = homeForEach();

  homes.it('names it, and shows what was changed, whatever the state of the other', async (home) => {
    const { id } = await queued(home, allocation);
    await cancelMission(home, id, actor);
    const request = changedRequest(home.db, id, [
      ['work.budget', 12],
      ['items[1].value', 5],
      ['seed', 7],
      ['work.max_risk', 3],
    ]);
    const { record } = await submitMission(home, request, undefined, actor, { derivedFrom: id });
    assert.deepEqual([record.state, record.derived_from], ['queued', id]);
    assert.deepEqual(showMission(home, record.id).changes, [
      { path: 'seed', before: 42, after: 7 },
      { path: 'work.budget', before: 10, after: 12 },
      { path: 'work.items[1].value', before: 4, after: 5 },
      { path: 'work.max_risk', after: 3 },
    ]);
    const without = changedRequest(home.db, record.id, [['max_risk', null]]);
    assert.equal('max_risk' in without.work, false);
  });

  homes.it('names the values that it changes of those that files gave', async (home) => {
    const files = [{ sha256: 'a'.repeat(64), bytes: 9, reader: 'csv', version: 1, notes: [] }];
    let { id } = await queued(home, { ...allocation, provenance: { files } });
    for (const setting of [['items[1].value', 5] as const, ['budget', 3] as const])
      id = (await submitMission(home, changedRequest(home.db, id, [setting]), undefined, actor, { derivedFrom: id })).record.id;
    const { request, changes } = showMission(home, id);
    assert.deepEqual(Object(request).provenance, { files, changed: ['work.budget', 'work.items[1].value'] });
    assert.deepEqual(changes, [{ path: 'work.budget', before: 10, after: 3 }]);
  });

  homes.it('is refused for a member that the request cannot have, and for a mission that is not there', async (home) => {
    const { id } = await queued(home, allocation);
    for (const path of ['work.bugdet', 'work.items[9].cost', 'work.items[1].value.x', '__proto__.x', 'a.b'])
      assert.throws(() => changedRequest(home.db, id, [[path, 1]]), /invalid/, path);
    const request = changedRequest(home.db, id, []);
    await rejectsRefusal(submitMission(home, request, undefined, actor, { derivedFrom: uuidOf(9) }), 'not_found');
  });

  homes.it('is not made of a mission whose request was erased', async (home) => {
    const work = { ...allocation.work, items: [{ ...allocation.work.items[0], title: 'Roof' }] };
    const { id } = await queued(home, { goal: 'Choose', work });
    const request = changedRequest(home.db, id, [['budget', 1]]);
    const { record } = await submitMission(home, request, undefined, actor, { derivedFrom: id });
    await cancelMission(home, id, actor);
    await eraseMission(home, id, 'asked to', actor);
    assert.throws(() => changedRequest(home.db, id, []), /erased/);
    const { derived_from, changes } = showMission(home, record.id);
    assert.deepEqual([derived_from, changes], [id, undefined]);
  });
});
