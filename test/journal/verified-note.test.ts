import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import sodium from 'sodium-native';
import { verifyHome } from '../../src/app/log/verify-home.js';
import {
  clock_behind_ms_max,
  full_verification_ms_max,
  judgeVerified,
  openVerified,
  type Present,
  signVerified,
  type Verified,
} from '../../src/journal/verified-note.js';
import { identityOf, type Signer, signerFromSeed } from '../../src/journal/keys.js';
import { openCheckpoint, originOf, readCheckpoint, signCheckpoint, signNote } from '../../src/journal/note.js';
import { loadPosition } from '../../src/journal/position.js';
import { rowSumKey } from '../../src/journal/row-sum.js';
import { signatureCheck, type SignatureCheck } from '../../src/journal/signature-check.js';
import { verifyRange } from '../../src/journal/verify-range.js';
import { verifyJournal } from '../../src/journal/verify.js';
import { JournalWriter } from '../../src/journal/writer.js';
import { projectors } from '../../src/tables/projections.js';
import { openDatabase } from '../../src/store/database.js';
import { homeForEach, start_ms, submit } from '../support/app/temporary-home.js';
import { leavesTo, naiveRoot } from './naive-tree.js';
import { inCopy } from './tamper-suite.js';
import { alter, flip } from './tamper.js';

const seed = Buffer.alloc(32, 7);
const signer = signerFromSeed(seed);
const stranger = signerFromSeed(Buffer.alloc(32, 8));
const origin = originOf(signer.publicKey, null);
const leaves = leavesTo(12);
const rootAt = (size: number): Buffer => naiveRoot(leaves.slice(0, size));
const verified: Verified = { origin, size: 11, root: rootAt(11), time: start_ms };
const note = signVerified(signer, verified);
const present: Present = { publicKey: signer.publicKey, origin, size: 12, rootAt, now: start_ms };
const judge = (given: string | null, change: Partial<Present> = {}): string => judgeVerified(given, { ...present, ...change });

/** A note that the key signed, with other lines. */
const signed = (edit: (lines: string[]) => string[]): string => {
  const [text = ''] = note.split('\n\n');
  return signNote(signer, origin, `${edit(text.split('\n')).join('\n')}\n`);
};

describe('the note of a full verification', () => {
  it('is a signed note whose first line names its use', () => {
    const [text = ''] = note.split('\n\n');
    assert.deepEqual(text.split('\n'), [
      'agent-cli/full-verification/v1',
      origin,
      '11',
      rootAt(11).toString('base64'),
      '2026-11-20T05:00:00.000000Z',
    ]);
    assert.match(note, /\n\n— agent-journal\/[0-9a-f]{16} [A-Za-z0-9+/]+=*\n$/);
    assert.deepEqual(openVerified(note, signer.publicKey, origin), verified);
  });

  it('is not accepted as a checkpoint, nor a checkpoint as a note', () => {
    assert.equal(readCheckpoint(note), null);
    assert.equal(openCheckpoint(note, signer.publicKey), null);
    assert.equal(judge(signCheckpoint(signer, origin, 11, rootAt(11))), 'unreadable');
  });

  it('counts up to seven days, and up to five minutes before its time', () => {
    for (const now of [-clock_behind_ms_max, 0, full_verification_ms_max])
      assert.equal(judge(note, { now: start_ms + now }), 'fresh', String(now));
    assert.deepEqual([clock_behind_ms_max, full_verification_ms_max], [5 * 60_000, 7 * 86_400_000]);
  });

  it('does not count before or after', () => {
    assert.equal(judge(note, { now: start_ms - clock_behind_ms_max - 1 }), 'future');
    assert.equal(judge(note, { now: start_ms + full_verification_ms_max + 1 }), 'old');
  });

  it('counts for the journal and for one that extends it', () => {
    assert.equal(judge(note, { size: 11 }), 'fresh');
    assert.equal(judge(note, { size: 12 }), 'fresh');
  });

  it('does not count for a shorter journal or one with other entries', () => {
    assert.equal(judge(note, { size: 10, rootAt: () => assert.fail('the journal has no such root') }), 'another_tree');
    assert.equal(judge(note, { rootAt: () => rootAt(12) }), 'another_tree');
  });

  it('does not count for another key or origin', () => {
    const other = originOf(signer.publicKey, 'ab'.repeat(16));
    assert.equal(judge(note, { origin: other }), 'unreadable');
    assert.equal(judge(signNote(signer, other, note.split('\n\n')[0] ?? ''), { origin: other }), 'unreadable');
    assert.equal(judge(note, { publicKey: stranger.publicKey }), 'unreadable');
    assert.equal(judge(signVerified(stranger, verified)), 'unreadable');
  });

  it('does not count when it is missing or anything else', () => {
    assert.equal(judge(null), 'missing');
    for (const text of ['', '\n\n', note.slice(0, -1), `${note}\n`, note.replace('\n11\n', '\n10\n')])
      assert.equal(judge(text), 'unreadable', JSON.stringify(text));
  });

  it('does not count with other lines, although the key signed them', () => {
    const edits: readonly ((lines: string[]) => string[])[] = [
      (lines) => lines.with(0, 'agent-cli/full-verification/v2'),
      (lines) => lines.slice(1),
      (lines) => lines.slice(0, 4),
      (lines) => [...lines, ''],
      (lines) => [...lines, 'more'],
      ...['0', '011', '-1', '1e1', '11.0', '9999999999999999', ''].map((size) => (lines: string[]) => lines.with(2, size)),
      ...['', 'AAAA', `${rootAt(11).toString('base64')} `].map((root) => (lines: string[]) => lines.with(3, root)),
      ...['', '2026-11-20', '2026-11-20T05:00:00Z', '2026-13-20T05:00:00.000000Z'].map(
        (time) => (lines: string[]) => lines.with(4, time),
      ),
    ];
    assert.equal(judge(signed((lines) => lines)), 'fresh');
    for (const edit of edits) assert.equal(judge(signed(edit)), 'unreadable', signed(edit));
  });
});

const message = Buffer.alloc(32, 9);

interface Tweak {
  extension_tweak_ed25519_sk_to_scalar(scalar: Buffer, secretKey: Buffer): void;
  extension_tweak_ed25519_sign_detached(signature: Buffer, message: Buffer, scalar: Buffer): void;
}

/** Signs with the same key, but with nonces of another origin: valid signatures that differ. */
function otherSigner(own: Buffer): Signer {
  const [publicKey, secretKey, scalar] = [Buffer.alloc(32), Buffer.alloc(64), Buffer.alloc(32)];
  sodium.crypto_sign_seed_keypair(publicKey, secretKey, own);
  const tweak = sodium as unknown as Tweak;
  tweak.extension_tweak_ed25519_sk_to_scalar(scalar, secretKey);
  const sign = (bytes: Uint8Array): Buffer => {
    const signature = Buffer.alloc(64);
    tweak.extension_tweak_ed25519_sign_detached(signature, Buffer.from(bytes), scalar);
    return signature;
  };
  return { publicKey, identity: identityOf(publicKey), sign };
}

const judgements = (check: SignatureCheck): readonly string[] => {
  const signature = signer.sign(message);
  const wrong = Buffer.from(signature);
  wrong[40] = (wrong[40] ?? 0) ^ 1;
  return [signature, otherSigner(seed).sign(message), wrong, signature.subarray(1)].map((each) => check.judge(message, each));
};

describe('a check of signatures', () => {
  it('knows the one signature that the key makes, another valid one, and a wrong one', () =>
    assert.deepEqual(judgements(signatureCheck(signer.publicKey, seed)), ['valid', 'other', 'invalid', 'invalid']));

  it('verifies without the key, or with the key of somebody else', () => {
    for (const own of [null, Buffer.alloc(32, 8)])
      assert.deepEqual(judgements(signatureCheck(signer.publicKey, own)), ['valid', 'valid', 'invalid', 'invalid']);
  });

  it('wipes the key: afterwards it can make no signature', () => {
    const check = signatureCheck(signer.publicKey, seed);
    check.end();
    assert.deepEqual(judgements(check), ['other', 'other', 'invalid', 'invalid']);
  });
});

describe('deep verification with the key', () => {
  const homes = homeForEach();

  it('accepts a valid signature that the key would not make, and reports it', async () => {
    const made = homes.get();
    await made.with(async (home) => {
      const own = readFileSync(home.paths.identityKey);
      for (const by of [otherSigner(own), signerFromSeed(own)]) {
        const loaded = loadPosition(home.db, home.signer.publicKey);
        const writer = new JournalWriter(home.db, by, projectors, home.world.clock, loaded);
        for (const n of [1, 2]) writer.transact(submit(writer.head.size * 10 + n));
      }
      const file = home.paths.journal;
      const how = { deep: true, threads: 0 };
      const report = await verifyJournal(file, home.signer.publicKey, { ...how, seed: own });
      assert.deepEqual([report.failure, report.otherSignatures], [null, { count: 2, first: [2, 3] }]);
      assert.deepEqual((await verifyJournal(file, home.signer.publicKey, how)).otherSignatures.count, 0);
      assert.deepEqual(
        (await verifyJournal(file, home.signer.publicKey, { ...how, deep: false, seed: own })).otherSignatures.count,
        0,
      );
      const { valid, warnings } = await verifyHome(home, { deep: true });
      assert.equal(valid, true);
      assert.match(warnings.join(), /the signatures of 2 entries are valid, but not as this program makes them .* entry 2$/);
      assert.deepEqual((await verifyHome(home, { deep: false })).warnings, []);
    });
  });

  it('judges a signature only over a hash that was computed, of an entry of this key', () =>
    inCopy((home) => {
      const [altered, named] = [330, 340];
      const { identity } = home.with(({ signer: own }) => own);
      alter(home, (db) => flip(db, 'events', 'body', `seq = ${altered}`, 60));
      const db = openDatabase(`${home.directory}/journal.sqlite3`, { readonly: true });
      const judged: Buffer[] = [];
      const judge: SignatureCheck['judge'] = (hash) => (judged.push(Buffer.from(hash)), 'valid');
      const range = (first: number, last: number, of: string): number => {
        judged.length = 0;
        const task = { first, last, deep: true, interpret: false, tiles: false, notes: [] };
        const signatures = { judge, end: () => undefined };
        verifyRange(db, task, { publicKey: signer.publicKey, identity: of, signatures, sumKey: rowSumKey() });
        return judged.length;
      };
      assert.equal(range(321, named, identity), altered - 321);
      assert.equal(range(1, 9, signer.identity), 0);
      db.close();
      return Promise.resolve();
    }));
});
