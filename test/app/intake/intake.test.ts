import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../src/base/canonical-json.js';
import { changedDraft, Intake, type ReadFiles } from '../../../src/app/intake/intake.js';
import type { Outcome } from '../../../src/intake/types.js';
import { temporaryHome, type TemporaryHome } from '../../support/app/temporary-home.js';
import { until } from '../../support/app/given-daemon.js';
import { refused } from '../../support/refused.js';

const forecastDraft: Json = {
  goal: 'Forecast',
  work: { kind: 'forecast', observations: [1, 2, null] },
  provenance: { files: [{ sha256: 'a' }] },
};
const drafted: Outcome = { outcome: 'draft', kind: 'forecast', draft: forecastDraft, rows: 3, notes: [], provenance: {} };

const never = new AbortController().signal;

describe('files that are sent for a mission', () => {
  let given: TemporaryHome;
  let intake: Intake;
  const directory = (): string => join(given.directory, 'intake');
  const start = (readFiles: ReadFiles = () => Promise.resolve(drafted), ms_max?: number): Intake => {
    intake = new Intake(given.world, readFiles, ms_max);
    return intake;
  };
  beforeEach(() => {
    given = temporaryHome();
  });
  afterEach(() => {
    intake.stop();
    given.remove();
  });
  const sent = async (text: string, actor = 'ann'): Promise<string> => {
    const bytes = Buffer.from(text);
    const { draft } = await intake.open(actor, [{ name: 'sales.csv', bytes: bytes.length }]);
    await intake.add(actor, draft, { file: 0, at: 0, data: bytes.toString('base64') });
    return draft;
  };

  it('writes the rest of a part where the system takes a few bytes of it only', async () => {
    start((_, [file]) => Promise.resolve({ ...drafted, draft: Buffer.from(file?.bytes ?? []).toString() }));
    const handle = await open(given.directory);
    await handle.close();
    type Write = (bytes: Buffer, from: number, length: number, at: number) => unknown;
    const files = Object.getPrototypeOf(handle) as { write: Write };
    const { write } = files;
    files.write = function (this: unknown, bytes, from, length, at) {
      return write.call(this, bytes, from, Math.min(length, 2), at);
    };
    const draft = await sent('x,y,z').finally(() => Object.assign(files, { write }));
    assert.deepEqual(await intake.read('ann', draft, 'forecast', {}, never), { ...drafted, draft: 'x,y,z' });
  });

  it('puts the parts of a file together, private to the owner of the home', async () => {
    const seen: string[] = [];
    start((_, files) => {
      seen.push(...files.map(({ name, bytes }) => `${name}: ${Buffer.from(bytes).toString()}`));
      return Promise.resolve(drafted);
    });
    const { draft } = await intake.open('ann', [{ name: 'a.csv', bytes: 5 }]);
    const part = (at: number, text: string): Promise<number> =>
      intake.add('ann', draft, { file: 0, at, data: Buffer.from(text).toString('base64') });
    assert.equal(await part(0, 'x,y'), 3);
    await assert.rejects(intake.read('ann', draft, 'forecast', {}, never), refused('wrong_state'));
    await assert.rejects(part(0, 'x'), refused('conflict'));
    await assert.rejects(part(3, '\n12'), refused('invalid'));
    assert.equal(await part(3, '\n1'), 5);
    await intake.read('ann', draft, 'forecast', {}, never);
    assert.deepEqual(seen, ['a.csv: x,y\n1']);
    const [file = ''] = readdirSync(directory());
    assert.equal(statSync(directory()).mode & 0o777, 0o700);
    assert.equal(statSync(join(directory(), file)).mode & 0o777, 0o600);
  });

  it('shows a draft to nobody but the actor who sent it', async () => {
    start();
    const draft = await sent('a');
    await assert.rejects(intake.read('bob', draft, 'forecast', {}, never), refused('not_found'));
    await intake.read('ann', draft, 'forecast', {}, never);
    assert.throws(() => intake.mission('bob', draft, {}), refused('not_found'));
  });

  it('leaves nothing of a draft that has expired, of a server that stopped, or of one that was killed', async () => {
    mkdirSync(directory());
    writeFileSync(join(directory(), 'left'), 'x');
    start(undefined, 100);
    assert.ok(!existsSync(directory()));
    const draft = await sent('a');
    assert.equal(readdirSync(directory()).length, 1);
    await until(() => readdirSync(directory()).length === 0);
    await assert.rejects(intake.read('ann', draft, 'forecast', {}, never), refused('not_found'));
    await sent('b');
    intake.stop();
    assert.ok(!existsSync(directory()));
  });

  it('reads one draft at a time, lets four wait, and refuses a sixth, or a fourth of one actor', async () => {
    const ends: (() => void)[] = [];
    let [reading, most] = [0, 0];
    start(async () => {
      most = Math.max(most, ++reading);
      await new Promise<void>((resolve) => ends.push(resolve));
      reading--;
      return drafted;
    });
    const drafts = { ann: await sent('a'), bob: await sent('a', 'bob') };
    const read = (signal = never, actor: 'ann' | 'bob' = 'ann'): Promise<unknown> =>
      intake.read(actor, drafts[actor], 'forecast', {}, signal);
    const gone = new AbortController();
    const all = [read(), read(gone.signal), read()];
    await until(() => ends.length === 1, 'the first is read');
    await assert.rejects(read(), refused('busy'));
    all.push(read(never, 'bob'), read(never, 'bob'));
    await assert.rejects(read(never, 'bob'), refused('busy'));
    gone.abort();
    const left = assert.rejects(all[1]!, refused('interrupted'));
    const endOne = async (): Promise<void> => {
      while (ends.length === 0) await sleep(5);
      ends.pop()?.();
    };
    for (let i = 0; i < 4; i++) await endOne();
    await left;
    await Promise.all(all.filter((_, i) => i !== 1));
    assert.equal(most, 1);
    const later = read();
    await endOne();
    await later;
  });

  it('queues no draft that was not read, or that the last reading did not make', async () => {
    const outcomes: Outcome[] = [{ outcome: 'choice_needed', choices: [], notes: [] }, drafted];
    start(() => Promise.resolve(outcomes.pop()!));
    const draft = await sent('a');
    assert.throws(() => intake.mission('ann', draft, {}), refused('wrong_state'));
    await intake.read('ann', draft, 'forecast', {}, never);
    assert.deepEqual(intake.mission('ann', draft, {}), forecastDraft);
    await intake.read('ann', draft, 'forecast', {}, never);
    assert.throws(() => intake.mission('ann', draft, {}), refused('wrong_state'));
  });

  it('lets the oldest of sixteen drafts of an actor, or of whoever has the most bytes, give way to a new one', async () => {
    start();
    const first = await sent('a');
    for (let i = 0; i < 16; i++) await sent('a');
    await assert.rejects(intake.read('ann', first, 'forecast', {}, never), refused('not_found'));
    for (let i = 0; i < 5; i++) await intake.open('eve', [{ name: 'large.csv', bytes: 200_000_000 }]);
    assert.equal(readdirSync(directory()).length, 16 + 4);
  });
});

describe('changes of a draft by hand', () => {
  const provenanceOf = (mission: Json): Json => (mission as { provenance: Json }).provenance;

  it('are named in its provenance, and only they', () => {
    const changed = changedDraft(forecastDraft, { goal: 'Sales', work: { observations: [1, 9, null], horizon: 6 } });
    assert.deepEqual(changed, {
      goal: 'Sales',
      work: { kind: 'forecast', observations: [1, 9, null], horizon: 6 },
      provenance: { files: [{ sha256: 'a' }], changed: ['work.horizon', 'work.observations[1]'] },
    });
    assert.deepEqual(changedDraft(forecastDraft, {}), forecastDraft);
  });

  it('name the whole array where its length or many of its values differ', () => {
    const longer = changedDraft(forecastDraft, { work: { observations: [1] } });
    assert.deepEqual(provenanceOf(longer), { files: [{ sha256: 'a' }], changed: ['work.observations'] });
    const series = (from: number): Json => ({
      work: { observations: Array.from({ length: 200 }, (_, i) => from + i) },
      provenance: { files: [] },
    });
    assert.deepEqual(provenanceOf(changedDraft(series(0), series(1))), { files: [], changed: ['work.observations'] });
  });

  it('cannot replace the provenance', () => {
    assert.deepEqual(changedDraft(forecastDraft, { provenance: { files: [] } }), forecastDraft);
    assert.deepEqual(changedDraft(forecastDraft, { provenance: null }), forecastDraft);
  });
});
