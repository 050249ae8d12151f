/** Signed notes of transfer runs, and labels of other series. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { transferDocket } from '../../src/app/transfer/docket.js';
import { transferReview } from '../../src/app/transfer/review.js';
import { transferVerify } from '../../src/app/transfer/verify.js';
import type { TransferSpec } from '../../src/codec/transfer.js';
import { builtInSpec } from '../../src/engines/transfer/scenarios.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { openCheckpoint, signNote } from '../../src/journal/note.js';
import { verdictLines } from '../../src/cli/transfer.js';
import { review, smallSpec, transferFolder, verifyFile } from '../support/transfer-samples.js';

const { directory, at, put, refusal, run } = transferFolder();

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

  it('leave every number as it was computed when they do not verify', async () => {
    const { run: made } = run({ signer });
    const asked = { file: at('run.json'), publicKey: key };
    const good = await transferVerify({ ...asked, note: at('run.json.note') });
    assert.deepEqual([good.valid, good.run_signed_by, good.review_signed], [true, signer.identity, null]);
    const note = put('note', signNote(signer, name, `agent-cli transfer run\n${'0'.repeat(64)}\n`));
    const bad = await transferVerify({ ...asked, note });
    const reason = 'the note belongs to another run';
    assert.deepEqual(bad, { ...good, valid: false, reason, run_signed_by: null });
    assert.deepEqual([bad.replay, bad.run?.sha256], ['verified', made.sha256]);
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

  it('are not left behind without the run', async () => {
    put('run.json', 'mine');
    assert.match(await refusal(() => run({ signer })), /^exists: DIR\/run\.json exists already/);
    assert.deepEqual(readdirSync(directory()), ['run.json']);
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
