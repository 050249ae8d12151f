import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { publicKeyOf, verifySignature } from '../../src/journal/keys.js';
import { packageRoot } from '../support/package-root.js';

const folder = join(packageRoot(import.meta.url), 'test', 'vectors', 'ed25519');
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

interface Wycheproof {
  readonly numberOfTests: number;
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string };
    readonly tests: readonly { readonly tcId: number; readonly msg: string; readonly sig: string; readonly result: string }[];
  }[];
}
interface SpecCheck {
  readonly message: string;
  readonly pub_key: string;
  readonly signature: string;
}

/**
 * What each case of ed25519-speccheck tries, and whether libsodium accepts it. It refuses small-order and non-canonical A, small-order
 * R and S ≥ L, and compares by the equation without the cofactor, S·B = R + h·A: of the cases with points of mixed order only the one
 * that holds without the cofactor passes. The pairs differ in the message, so that one of them also holds without the cofactor.
 */
const speccheck: readonly (readonly [accepts: boolean, what: string])[] = [
  [false, 'A and R of small order, S = 0'],
  [false, 'A and R of small order, S = 0, another message'],
  [false, 'A of small order, R mixed'],
  [false, 'A of small order, R mixed, another message'],
  [false, 'A mixed, R of small order'],
  [false, 'A mixed, R of small order, another message'],
  [true, 'A and R mixed, holds without the cofactor'],
  [false, 'A and R mixed, holds only with the cofactor'],
  [false, 'A and R mixed, holds only when h is multiplied by the cofactor before its reduction'],
  [false, 'S above L'],
  [false, 'S far above L'],
  [false, 'R of small order, non-canonical, hashed as it stands'],
  [false, 'R of small order, non-canonical, hashed in canonical form'],
  [false, 'A of small order, non-canonical, hashed as it stands'],
  [false, 'A of small order, non-canonical, hashed in canonical form'],
];

describe('Ed25519 verification', () => {
  it('agrees with the Wycheproof vectors', () => {
    const { testGroups, numberOfTests } = readJson('wycheproof-ed25519.json') as Wycheproof;
    let seen = 0;
    for (const { publicKey, tests } of testGroups) {
      for (const { tcId, msg, sig, result } of tests) {
        const verified = verifySignature(Buffer.from(publicKey.pk, 'hex'), Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex'));
        assert.equal(verified, result === 'valid', `tcId ${tcId}`);
        seen++;
      }
    }
    assert.equal(seen, numberOfTests);
  });

  it('agrees with ed25519-speccheck as recorded', () => {
    const cases = readJson('ed25519-speccheck.json') as readonly SpecCheck[];
    const answers = cases.map(({ message, pub_key, signature }) =>
      verifySignature(Buffer.from(pub_key, 'hex'), Buffer.from(message, 'hex'), Buffer.from(signature, 'hex')),
    );
    assert.deepEqual(
      answers,
      speccheck.map(([accepts]) => accepts),
    );
  });

  it('refuses a key or signature of another length without throwing', () => {
    const [key, signature] = [Buffer.alloc(32, 1), Buffer.alloc(64)];
    assert.equal(verifySignature(key.subarray(1), Buffer.of(1), signature), false);
    assert.equal(verifySignature(key, Buffer.of(1), signature.subarray(1)), false);
    assert.equal(verifySignature(key, Buffer.of(1), Buffer.alloc(65)), false);
  });

  it('finds no key in a malformed identity', () => {
    const hex = 'ab'.repeat(32);
    assert.deepEqual(publicKeyOf(`urn:agialpha:ed25519:${hex}`), Buffer.from(hex, 'hex'));
    for (const bad of [
      hex,
      `urn:agialpha:ed25519:${hex}00`,
      `urn:agialpha:ed25519:${hex.toUpperCase()}`,
      'urn:agialpha:ed25519:',
    ])
      assert.equal(publicKeyOf(bad), null, bad);
  });
});
