/** The transfer commands at the edge of the disk: inputs that cannot be read, outputs that exist, notes. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { transferDocket } from '../../src/app/transfer/docket.js';
import { transferReview } from '../../src/app/transfer/review.js';
import { makeRun } from '../../src/app/transfer/run.js';
import { transferVerify } from '../../src/app/transfer/verify.js';
import { review, reviewed, runOf, smallSpec, transferFolder, verifyFile } from '../support/transfer-samples.js';

const { directory, at, put, refusal, run } = transferFolder();

describe('transfer: inputs that cannot be read', () => {
  const readers: readonly (readonly [string, (file: string) => unknown])[] = [
    ['transfer-run --spec', (file) => run({ scenario: undefined, spec: file })],
    ['transfer-verify', (file) => transferVerify({ file, note: undefined, publicKey: undefined })],
    ['transfer-review', (file) => transferReview({ run: file, ...review, output: at('out') })],
    ['transfer-docket', (file) => transferDocket(file, at('out'))],
  ];
  for (const [name, read] of readers) {
    it(`are refused by ${name}: no file, a directory, an empty file, random bytes`, async () => {
      mkdirSync(at('folder'));
      symlinkSync(at('nowhere'), at('link'));
      put('empty', '');
      put('noise', Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 89 + 7) % 256)));
      put('list', '[1,2]');
      put('large', Buffer.alloc(3_000_001));
      assert.equal(await refusal(() => read(at('missing'))), 'not_found: DIR/missing cannot be read (ENOENT)');
      assert.equal(await refusal(() => read(at('link'))), 'not_found: DIR/link cannot be read (ENOENT)');
      assert.equal(await refusal(() => read(at('folder'))), 'invalid: DIR/folder is not a file');
      assert.match(await refusal(() => read(at('empty'))), /^malformed: the document ends too early/);
      assert.equal(await refusal(() => read(at('noise'))), 'malformed: not valid UTF-8');
      assert.equal(await refusal(() => read(at('list'))), 'invalid: must be an object');
      assert.match(await refusal(() => read(at('large'))), /^too_large: DIR\/large has more than [13]000000 bytes$/);
      assert.deepEqual(readdirSync(directory()).toSorted(), ['empty', 'folder', 'large', 'link', 'list', 'noise']);
    });
  }

  it('are refused over 1 000 000 bytes', async () => {
    assert.match(
      await verifyFile(put('large', Buffer.alloc(1_000_001, ' '))),
      /^too_large: .*large has more than 1000000 bytes$/,
    );
  });

  it('are refused when a docket is given as a run', async () => {
    await transferDocket(put('run.json', runOf()), at('docket.zip'));
    const said = 'invalid: DIR/docket.zip is an archive; give the JSON file of a run';
    assert.equal(await refusal(() => transferReview({ run: at('docket.zip'), ...review, output: at('out') })), said);
    assert.equal(await refusal(() => transferDocket(at('docket.zip'), at('out'))), said);
  });

  it('are refused for a review or a docket when the run was altered', async () => {
    const altered = runOf();
    put('altered.json', { ...altered, core: { ...altered.core, baseline_profile: 'x' } });
    const said = 'verification_failed: sha256: is not the digest of the run';
    assert.equal(await refusal(() => transferReview({ run: at('altered.json'), ...review, output: at('out') })), said);
    assert.equal(await refusal(() => transferDocket(at('altered.json'), at('out'))), said);
    assert.equal(existsSync(at('out')), false);
  });
});

describe('transfer: outputs', () => {
  const writers: readonly (readonly [string, (output: string) => unknown])[] = [
    ['transfer-run', (output) => run({ output })],
    ['transfer-review', (output) => transferReview({ run: put('in.json', runOf()), ...review, output })],
    ['transfer-docket', (output) => transferDocket(put('in.json', runOf()), output)],
  ];
  for (const [name, write] of writers) {
    it(`are never written over anything, and leave nothing behind: ${name}`, async () => {
      put('in.json', runOf());
      put('there', 'mine');
      symlinkSync(at('nowhere'), at('link'));
      mkdirSync(at('folder'));
      const before = readdirSync(directory());
      for (const existing of ['there', 'link', 'folder']) {
        assert.equal(await refusal(() => write(at(existing))), `exists: DIR/${existing} exists already and is never overwritten`);
      }
      assert.match(await refusal(() => write(at('no/such/place'))), /^not_found: DIR\/no\/such\/place: no such directory$/);
      assert.equal(readFileSync(at('there'), 'utf8'), 'mine');
      assert.deepEqual(readdirSync(directory()), before);
      assert.equal(await refusal(() => write(at('new'))), 'done');
    });
  }

  it('hold a review that replaces another one, in the new file alone', () => {
    const first = put('first.json', reviewed(runOf(), { decision: 'repair' }));
    const report = transferReview({ run: first, ...review, output: at('second.json') });
    assert.equal(report.run.review?.decision, 'accept');
    assert.match(readFileSync(first, 'utf8'), /"decision":"repair"/);
  });

  it('are not written for a malformed review', async () => {
    put('in.json', runOf());
    const wrong: readonly (readonly [Partial<typeof review>, RegExp])[] = [
      [{ decision: 'yes' }, /^invalid: decision: must be one of accept, reject, repair$/],
      [{ reviewer: ' ' }, /^invalid: reviewer: /],
      [{ reason: 'x'.repeat(501) }, /^invalid: reason: /],
      [{ reason: '\ud800' }, /^invalid: reason: /],
      [{ control_ms: 0 }, /^invalid: control_ms: /],
      [{ treatment_ms: 86_400_001 }, /^invalid: treatment_ms: /],
      [{ treatment_ms: 1.5 }, /^invalid: treatment_ms: /],
      [{ timing_source: 'x' }, /^invalid: timing_source: /],
    ];
    for (const [changes, expected] of wrong) {
      assert.match(
        await refusal(() => transferReview({ run: at('in.json'), ...review, ...changes, output: at('out') })),
        expected,
      );
    }
    assert.equal(existsSync(at('out')), false);
  });
});

describe('transfer: the arguments of a run', () => {
  it('is a built-in scenario with a seed, or a spec', async () => {
    const spec = put('spec.json', JSON.stringify(smallSpec, null, 3));
    const wrong: readonly (readonly [Parameters<typeof run>[0], RegExp])[] = [
      [{ scenario: undefined }, /^invalid: scenario: must be one of seasonal, shift, ablation, or custom with --spec FILE$/],
      [{ scenario: 'other' }, /^invalid: scenario: must be one of/],
      [{ scenario: 'custom' }, /^invalid: scenario: custom needs --spec FILE$/],
      [{ seed: 0 }, /^invalid: seed: must be an integer from 1 to 9999$/],
      [{ seed: 10_000 }, /^invalid: seed: /],
      [{ seed: 1.5 }, /^invalid: seed: /],
      [{ spec }, /^invalid: scenario: the spec says custom; leave out the flag or change the file$/],
      [{ scenario: 'custom', spec, seed: 8 }, /^invalid: seed: the spec says 7; /],
    ];
    for (const [changes, expected] of wrong) assert.match(await refusal(() => run(changes)), expected);
    assert.equal(run({ scenario: 'custom', spec, seed: 7 }).run.scenario, 'custom');
    assert.equal(run({ output: at('b.json') }).run.seed, 37);
  });

  it('takes at least a millisecond by a clock that only goes forward', () => {
    const ticks = [5, 8.9];
    assert.equal(makeRun(smallSpec, () => ticks.shift() ?? 0).observations.wall_ms, 3);
    assert.equal(makeRun(smallSpec, () => 5).observations.wall_ms, 1);
  });
});
