/** Deep verification where the key is: signatures are made again and compared. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import sodium from 'sodium-native';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { identityOf, signerFromSeed, type Signer } from '../../src/journal/keys.js';
import { loadPosition } from '../../src/journal/position.js';
import { rowSumKey } from '../../src/journal/row-sum.js';
import { signatureCheck, type SignatureCheck } from '../../src/journal/signature-check.js';
import { verifyJournal } from '../../src/journal/verify.js';
import { verifyRange } from '../../src/journal/verify-range.js';
import { JournalWriter } from '../../src/journal/writer.js';
import { projectors } from '../../src/projection/projections.js';
import { openDatabase } from '../../src/store/database.js';
import { homeForEach, submit } from '../support/temporary-home.js';
import { alter, flip } from './tamper.js';
import { inCopy } from './tamper-suite.js';

const seed = Buffer.alloc(32, 7);
const signer = signerFromSeed(seed);
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
      assert.deepEqual([report.failure, report.otherSignatures], [null, [2, 3]]);
      assert.deepEqual((await verifyJournal(file, home.signer.publicKey, how)).otherSignatures, []);
      assert.deepEqual(
        (await verifyJournal(file, home.signer.publicKey, { ...how, deep: false, seed: own })).otherSignatures,
        [],
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
