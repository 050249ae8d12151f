/** Members with a default that a newer version adds to mission requests change no hash and no export while they have that default. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plan, root, scratch, type Scratch } from '../support/cli-run.js';
import { scratchBuild, type ScratchBuild } from '../support/scratch-build.js';

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
  { file: 'src/kinds/allocation/work.ts', find: 'import { choice, list,', replace: 'import { added, choice, integer, list,' },
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
type Json = (...args: readonly string[]) => Record<string, unknown>;

/** A home with an approved and exported allocation. */
function exported(at: Scratch, json: Json): Executed {
  writeFileSync(join(at.directory, 'plan.json'), JSON.stringify(plan));
  writeFileSync(join(at.directory, 'research.json'), JSON.stringify(research));
  json('init');
  const made = json('run', 'plan.json', '--request-id', ids.approved, '--execute') as unknown as Executed;
  review(json, made, '--approve');
  json('export', made.id, '--output', 'out.json');
  return made;
}

const review = (json: Json, { id, revision, result_hash }: Executed, decision: string): unknown =>
  json('review', id, decision, '--revision', String(revision), '--result-hash', result_hash, '--note', 'seen');

interface Export {
  readonly request: unknown;
  readonly receipt: { readonly body: { readonly document: Readonly<Record<string, unknown>> } };
}

describe('a member with a default that a newer version adds', function () {
  this.timeout(300_000);
  let newer: ScratchBuild;
  let old: Scratch;
  let later: Scratch;
  let first: Executed;
  let again: Executed;
  const byNewer =
    (at: Scratch): Json =>
    (...args) =>
      newer.json(args, at.env, at.directory);

  before(() => {
    newer = scratchBuild('99.0.0', edits);
    old = scratch();
    first = exported(old, old.json);
    const erased = old.json('run', 'research.json', '--request-id', ids.erased, '--execute') as unknown as Executed;
    review(old.json, erased, '--reject');
    old.json('erase', erased.id, '--reason', 'asked to');
    old.json('run', 'plan.json', '--request-id', ids.queued);
    later = scratch();
    again = exported(later, byNewer(later));
  });
  after(() => {
    newer.remove();
    old.remove();
    later.remove();
  });

  const read = (at: Scratch): Export => JSON.parse(readFileSync(join(at.directory, 'out.json'), 'utf8')) as Export;
  const keyOf = (at: Scratch, json: Json): string => String(json('verify')['identity']).slice(-64) || at.directory;

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

  it('leaves exports that this version verifies and recomputes, and the scripts of this version and of 2.0.0 too', () => {
    const key = keyOf(later, byNewer(later));
    const file = join(later.directory, 'out.json');
    const { valid, recomputed } = old.json('verify-export', file, '--public-key', key, '--recompute');
    assert.deepEqual([valid, recomputed], [true, true]);
    for (const script of ['scripts/verify-export.mjs', 'test/vectors/golden-homes/2.0.0/verify-export.mjs']) {
      const { status, stderr } = spawnSync(process.execPath, [join(root, script), file, '--public-key', key], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, `${script}: ${stderr}`);
    }
  });

  it('lets the newer version verify and recompute an export of this one', () => {
    const key = keyOf(old, old.json);
    const { valid, recomputed } = byNewer(old)('verify-export', 'out.json', '--public-key', key, '--recompute');
    assert.deepEqual([valid, recomputed], [true, true]);
  });

  it('lets a repeat with the same request id find its mission after the upgrade, also one that was erased', () => {
    const json = byNewer(old);
    assert.equal(json('run', 'plan.json', '--request-id', ids.approved)['state'], 'completed');
    assert.equal(json('run', 'research.json', '--request-id', ids.erased)['erased'], true);
    assert.equal(json('run', 'plan.json', '--request-id', ids.queued)['state'], 'queued');
    assert.equal(json('run', 'plan.json', '--request-id', ids.queued, '--execute')['result_hash'], first.result_hash);
    assert.equal(json('verify', '--deep')['valid'], true);
  });

  it('gives another request when it has another value', () => {
    const changed = { ...plan, work: { ...plan.work, priority: 4 } };
    writeFileSync(join(old.directory, 'changed.json'), JSON.stringify(changed));
    const ran = newer.run(['run', 'changed.json', '--request-id', ids.approved, '--json'], old.env, old.directory);
    assert.equal(ran.code, 4);
    assert.match(ran.stderr, /request_id_reused/);
  });
});
