/** The transfer commands at the edge of the disk: inputs that cannot be read, outputs that exist, notes. */
import assert from 'node:assert/strict';
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { makeRun, transferDocket, transferReview } from '../../src/app/transfer/run.js';
import { transferVerify } from '../../src/app/transfer/verify.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { verdictLines } from '../../src/cli/transfer.js';
import { indentedText } from '../../src/codec/transfer-text.js';
import type { TransferSpec } from '../../src/codec/transfer.js';
import { builtInSpec } from '../../src/engines/transfer/scenarios.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { openCheckpoint, signNote } from '../../src/journal/note.js';
import { changed } from '../support/codec/mutants.js';
import { whileReplaced } from '../support/while-replaced.js';
import { resealed, review, runOf, smallSpec, transferFolder, verifyFile } from '../support/app/transfer-samples.js';

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
      assert.match(await refusal(() => read(at('empty'))), /^malformed: DIR\/empty: the document ends too early/);
      assert.equal(await refusal(() => read(at('noise'))), 'malformed: DIR/noise: not valid UTF-8');
      assert.equal(await refusal(() => read(at('list'))), 'invalid: DIR/list: must be an object');
      assert.equal(await refusal(() => read('')), 'invalid: a file needs a name');
      assert.match(await refusal(() => read(at('large'))), /^too_large: DIR\/large has more than [13]000000 bytes$/);
      assert.deepEqual(readdirSync(directory()).toSorted(), ['empty', 'folder', 'large', 'link', 'list', 'noise']);
    });
  }

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

describe('transfer: signed notes', () => {
  const signer = signerFromSeed(Buffer.alloc(32, 9));
  const other = signerFromSeed(Buffer.alloc(32, 8));
  const key = signer.publicKey.toString('hex');
  const name = `agent-transfer/${key.slice(0, 16)}`;

  it('are written beside the run, name their use, and verify with the key alone', async () => {
    const { signed, run: made } = run({ signer });
    assert.equal(signed?.note, at('run.json.note'));
    assert.ok(signed.vkey.startsWith(`${name}+`));
    const note = readFileSync(signed.note, 'utf8');
    const [text = ''] = note.split('\n\n');
    assert.equal(text, `agent-cli transfer run\n${made.sha256}`);
    assert.ok(text.length + 1 >= 78);
    assert.equal(openCheckpoint(note, signer.publicKey), null);
    assert.equal(await verifyFile(at('run.json'), signed.note, key), 'verified');
    transferReview({ run: at('run.json'), ...review, output: at('reviewed.json') });
    assert.equal(await verifyFile(at('reviewed.json'), signed.note, key), 'verified');
    await transferDocket(at('reviewed.json'), at('docket.zip'));
    assert.equal(await verifyFile(at('docket.zip'), signed.note, key), 'verified');
  });

  it('never cover a review', async () => {
    run({ signer });
    transferReview({ run: at('run.json'), ...review, output: at('reviewed.json') });
    const asked = { file: at('reviewed.json'), note: at('run.json.note'), publicKey: key };
    const verdict = await transferVerify(asked);
    assert.deepEqual([verdict.valid, verdict.run_signed_by, verdict.review_signed], [true, signer.identity, false]);
    const lines = verdictLines(verdict);
    assert.ok(lines.includes(`run signed by  ${signer.identity}`), lines.join('\n'));
    assert.ok(lines.some((line) => /^review +not signed: the note covers only the run$/.test(line)));
  });

  it('are refuted when they are of another run, another use, another key, or altered', async () => {
    const { run: made } = run({ signer });
    const note = readFileSync(at('run.json.note'), 'utf8');
    const judge = (text: string, hex = key): Promise<string> => verifyFile(at('run.json'), put('note', text), hex);
    const sign = (text: string, keyName = name): string => signNote(signer, keyName, text);
    const unsigned = 'refuted: the note is not signed by this key';
    assert.equal(await judge(note), 'verified');
    assert.equal(await judge(sign(`agent-cli transfer run\n${'0'.repeat(64)}\n`)), 'refuted: the note belongs to another run');
    assert.equal(await judge(sign(`another use\n${made.sha256}\n`)), 'refuted: the note is for something else');
    assert.equal(await judge(sign(`agent-cli transfer run\n${made.sha256}\n`, `agent-journal/${key.slice(0, 16)}`)), unsigned);
    assert.equal(await judge(note, other.publicKey.toString('hex')), unsigned);
    assert.equal(await judge(note.replace(made.sha256, '0'.repeat(64))), unsigned);
    assert.equal(await judge(note.slice(0, -1)), unsigned);
    assert.equal(await judge(''), unsigned);
  });

  it('need a key that is one, and both need each other', async () => {
    run({ signer });
    const [file, note] = [at('run.json'), at('run.json.note')];
    for (const bad of ['', 'abc', key.toUpperCase(), key.slice(2), `${key}00`]) {
      assert.equal(await verifyFile(file, note, bad), 'invalid: public-key: must be 64 lower-case hexadecimal digits');
    }
    assert.equal(await verifyFile(file, note), 'invalid: note: says nothing without --public-key HEX');
    assert.equal(await verifyFile(file, undefined, key), 'invalid: public-key: says nothing without --note FILE');
    assert.match(await verifyFile(file, at('missing'), key), /^not_found: /);
    assert.match(await verifyFile(file, put('noise', Buffer.from([0xff])), key), /^malformed: .*noise is not UTF-8$/);
    assert.match(await verifyFile(file, put('large', 'x'.repeat(65_537)), key), /^too_large: /);
  });

  it('are never written over, and without them there is no run', async () => {
    put('run.json.note', 'mine');
    assert.match(await refusal(() => run({ signer })), /^exists: DIR\/run\.json\.note exists already/);
    assert.deepEqual(readdirSync(directory()), ['run.json.note']);
  });

  it('are named as the cause, also where what was written before cannot be removed', async () => {
    put('run.json.note', 'mine');
    const unlinks = { unlinkSync: () => assert.fail(Object.assign(new Error('read-only'), { code: 'EROFS' })) };
    const said = await whileReplaced(fs, unlinks, () => refusal(() => run({ signer })));
    assert.match(said, /^exists: DIR\/run\.json\.note exists already/);
  });
});

describe('transfer: the label of a spec', () => {
  const warnings = async (spec: TransferSpec): Promise<readonly string[]> => {
    const made = run({ scenario: undefined, spec: put('spec.json', spec), output: at('labelled.json') });
    const verdict = await transferVerify({ file: at('labelled.json'), note: undefined, publicKey: undefined });
    assert.deepEqual([verdict.valid, verdict.warnings], [true, made.warnings]);
    rmSync(at('labelled.json'));
    return verdict.warnings;
  };

  it('gives a warning that names the differences from the built-in series', async () => {
    assert.deepEqual(await warnings(builtInSpec('seasonal', 38)), []);
    assert.deepEqual(await warnings(smallSpec), []);
    const said = 'the spec is labelled seasonal, seed 38, but differs from the built-in one of that label in ';
    assert.deepEqual(await warnings({ ...builtInSpec('seasonal', 37), seed: 38 }), [`${said}tasks`]);
    assert.deepEqual(await warnings({ ...builtInSpec('seasonal', 38), risk_limit_milli: 7, call_cost_milli: 0 }), [
      `${said}call_cost_milli, risk_limit_milli`,
    ]);
  });
});

const plain = runOf();
const bytesOf = (document: unknown): number => Buffer.byteLength(canonicalJson(document));
/** A run of exactly so many bytes, by a description of that length. */
function runOfBytes(bytes: number): unknown {
  const profile = (length: number): unknown => resealed(changed(plain, ['core', 'baseline_profile'], () => 'x'.repeat(length)));
  return profile(bytes - bytesOf(profile(0)));
}

describe('transfer: documents at the limit', () => {
  const tooLarge = 'too_large: 05_agialpha_runs/run.json would have more than 1000000 bytes';

  it('verify a run of 1 000 000 bytes, and refuse one of a byte more', async () => {
    assert.equal(await verifyFile(put('run.json', runOfBytes(1_000_000))), 'verified');
    assert.match(
      await verifyFile(put('run.json', runOfBytes(1_000_001))),
      /^too_large: .*run\.json has more than 1000000 bytes$/,
    );
  });

  it('refuse a review or a docket that would be too large', async () => {
    put('run.json', runOfBytes(1_000_000));
    const reviewing = (): unknown => transferReview({ run: at('run.json'), ...review, output: at('out.json') });
    assert.equal(await refusal(reviewing), 'too_large: the reviewed run would have more than 1000000 bytes');
    put('run.json', runOfBytes(999_000));
    assert.equal(await refusal(() => transferDocket(at('run.json'), at('out.zip'))), tooLarge);
    assert.deepEqual(readdirSync(directory()), ['run.json']);
  });

  it('verify a docket whose files are as large as they can get', async () => {
    // The rollback is in three files of a docket, more than any other description.
    const { rollback } = plain.core.capability;
    const room = 1_000_000 - Buffer.byteLength(indentedText(plain)) + rollback.length;
    const withRollback = (length: number): unknown =>
      resealed(changed(plain, ['core', 'capability', 'rollback'], () => 'x'.repeat(length)));
    put('run.json', withRollback(room));
    const { bytes } = await transferDocket(at('run.json'), at('out.zip'));
    assert.ok(bytes > 2_900_000 && bytes <= 3_000_000);
    assert.equal(await verifyFile(at('out.zip')), 'verified');
    put('run.json', withRollback(room + 1));
    assert.equal(await refusal(() => transferDocket(at('run.json'), at('more.zip'))), tooLarge);
  });
});
