/** Members with a default that a newer version adds to mission requests change no hash and no export while they have that default. @slow */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plan, root, scratch, type Scratch } from '../support/cli/cli-run.js';
import { Operator } from '../support/crash/crash-cli.js';
import { accepted, refused } from '../support/crash/crash-settle.js';
import { scratchBuild, type ScratchBuild } from '../support/cli/scratch-build.js';

const edits = [
  {
    file: 'src/kinds/allocation/work.ts',
    find: "unit: withDefault(unit, 'planning units'),\n",
    replace: "unit: withDefault(unit, 'planning units'),\n    priority: added('99.0.0', integer(0, 9), 3),\n",
  },
  {
    file: 'src/kinds/allocation/work.ts',
    find: 'risk: withDefault(number(0, limits.item_risk_max), 0),\n',
    replace: "risk: withDefault(number(0, limits.item_risk_max), 0),\n  tags: added('99.0.0', list(text(), 0, 9), ['none']),\n",
  },
  {
    file: 'src/kinds/research/work.ts',
    find: "url: withDefault(text({ max: limits.url_chars_max }), ''),\n",
    replace: "url: withDefault(text({ max: limits.url_chars_max }), ''),\n  language: added('99.0.0', text(), 'en'),\n",
  },
  {
    file: 'src/kinds/allocation/work.ts',
    find: 'import { choice, flag, list,',
    replace: 'import { added, choice, flag, integer, list,',
  },
  { file: 'src/kinds/allocation/work.ts', find: 'required, withDefault }', replace: 'required, text, withDefault }' },
  { file: 'src/kinds/research/work.ts', find: 'import { choice,', replace: 'import { added, choice,' },
] as const;

const sources = [{ id: 's1', title: 'Tides', text: 'The tide rises twice a day in the harbour. Boats wait for it.' }];
const research = { goal: 'When does the tide rise in the harbour?', work: { kind: 'research', sources } };
const ids = {
  approved: '00000000-0000-4000-8000-000000000001',
  erased: '00000000-0000-4000-8000-000000000002',
  queued: '00000000-0000-4000-8000-000000000003',
} as const;

interface Executed {
  readonly id: string;
  readonly revision: number;
  readonly result_hash: string;
  readonly request_hash: string;
}
type Document = Record<string, unknown>;
type Json = (...args: readonly string[]) => Promise<Document>;

const fileOf = ({ directory }: Scratch, name: string): string => join(directory, `${name}.json`);

/** A home with an approved and exported allocation. */
async function exported(at: Scratch, json: Json): Promise<Executed> {
  writeFileSync(fileOf(at, 'plan'), JSON.stringify(plan));
  writeFileSync(fileOf(at, 'research'), JSON.stringify(research));
  await json('init');
  const made = (await json('run', fileOf(at, 'plan'), '--request-id', ids.approved, '--execute')) as unknown as Executed;
  await review(json, made, '--approve');
  await json('export', made.id, '--output', fileOf(at, 'out'));
  return made;
}

const review = (json: Json, { id, revision, result_hash }: Executed, decision: string): ReturnType<Json> =>
  json('review', id, decision, '--revision', String(revision), '--result-hash', result_hash, '--note', 'seen');

interface Export {
  readonly request: unknown;
  readonly receipt: { readonly body: { readonly document: Readonly<Record<string, unknown>> } };
}

describe('a member with a default that a newer version adds', () => {
  let newer: ScratchBuild;
  let old: Scratch;
  let later: Scratch;
  let first: Executed;
  let again: Executed;
  const operator = new Operator();
  let newerOperator: Operator;
  /** Commands of the newer version, and of this one, each in a process that stays. */
  const byNewer =
    (at: Scratch): Json =>
    async (...args) =>
      accepted(await newerOperator.run(args, at.env), args.join(' '));
  const byThis: Json = async (...args) => accepted(await operator.run(args, old.env), args.join(' '));

  before(async () => {
    newer = scratchBuild('99.0.0', edits);
    newerOperator = newer.operator();
    old = scratch();
    first = await exported(old, byThis);
    const run = ['run', fileOf(old, 'research'), '--request-id', ids.erased, '--execute'];
    const erased = (await byThis(...run)) as unknown as Executed;
    await review(byThis, erased, '--reject');
    await byThis('erase', erased.id, '--reason', 'asked to');
    await byThis('run', fileOf(old, 'plan'), '--request-id', ids.queued);
    later = scratch();
    again = await exported(later, byNewer(later));
  });
  after(() => {
    operator.stop();
    newerOperator.stop();
    newer.remove();
    old.remove();
    later.remove();
  });

  const read = (at: Scratch): Export => JSON.parse(readFileSync(fileOf(at, 'out'), 'utf8')) as Export;
  const keyOf = async (json: Json): Promise<string> => String((await json('verify'))['identity']).slice(-64);

  it('changes neither the hash of the request nor that of the result', () => {
    assert.deepEqual([again.request_hash, again.result_hash], [first.request_hash, first.result_hash]);
  });

  it('changes nothing of an export', () => {
    const [before, now] = [read(old), read(later)];
    assert.equal(JSON.stringify(now.request), JSON.stringify(before.request));
    const { review: _1, ...signed } = before.receipt.body.document;
    const { review: _2, ...signedNow } = now.receipt.body.document;
    assert.deepEqual(signedNow, signed);
  });

  it('leaves exports that this version and its script verify', async () => {
    const key = await keyOf(byNewer(later));
    const file = fileOf(later, 'out');
    const { valid, recomputed } = await byThis('verify-export', file, '--public-key', key, '--recompute');
    assert.deepEqual([valid, recomputed], [true, true]);
    const script = join(root, 'scripts', 'verify-export.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, file, '--public-key', key], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });

  it('lets the newer version verify and recompute an export of this one', async () => {
    const key = await keyOf(byThis);
    const { valid, recomputed } = await byNewer(old)('verify-export', fileOf(old, 'out'), '--public-key', key, '--recompute');
    assert.deepEqual([valid, recomputed], [true, true]);
  });

  it('lets a repeat with the same request id find its mission after the upgrade, also one that was erased', async () => {
    const json = byNewer(old);
    const run = (name: string, id: string, ...more: readonly string[]): Promise<Document> =>
      json('run', fileOf(old, name), '--request-id', id, ...more);
    assert.equal((await run('plan', ids.approved))['state'], 'completed');
    assert.equal((await run('research', ids.erased))['erased'], true);
    assert.equal((await run('plan', ids.queued))['state'], 'queued');
    assert.equal((await run('plan', ids.queued, '--execute'))['result_hash'], first.result_hash);
    assert.equal((await json('verify', '--deep'))['valid'], true);
  });

  it('gives another request when it has another value', async () => {
    const changed = { ...plan, work: { ...plan.work, priority: 4 } };
    writeFileSync(fileOf(old, 'changed'), JSON.stringify(changed));
    const ran = await newerOperator.run(['run', fileOf(old, 'changed'), '--request-id', ids.approved], old.env);
    refused(ran, 4, 'request_id_reused', 'run');
  });
});
