/** Exports that the right key signed but that say something else: only the canonical entry of a completed mission is valid. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/hash.js';
import { documents } from '../support/codec/given-events.js';
import { shortVerdict } from '../support/app/given-export.js';
import { signedCases, signedExport, signer } from '../support/app/signed-export.js';

describe('verifying an export that the key signed', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'agent-signed-'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const judge = (document: unknown): Promise<true | string> =>
    shortVerdict(root, JSON.stringify(document), signer.publicKey.toString('hex'));

  it('is valid when it is the entry of a completed mission', async () => {
    assert.equal(await judge(signedExport()), true);
  });

  for (const [what, changes, reason] of signedCases) {
    it(`is not valid: ${what}`, async () => {
      assert.match(String(await judge(signedExport(changes))), reason);
    });
  }

  it('is not valid without its proof or its request', async () => {
    const { proof: _1, ...unproven } = signedExport();
    assert.equal(await judge(unproven), 'the proof of inclusion is missing');
    const { request: _2, ...unasked } = signedExport();
    assert.equal(await judge(unasked), 'the request is missing');
  });

  it('is not valid when a big integer of the readable copy only rounds to the signed one', async () => {
    const result = { forecast: [9_007_199_254_740_992] };
    const review = { ...documents['mission.completed'].review, result_hash: sha256Hex(canonicalJson(result)) };
    const text = JSON.stringify(signedExport({ document: { result, review } }));
    const key = signer.publicKey.toString('hex');
    assert.equal(await shortVerdict(root, text, key), true);
    const rounded = text.replace('"forecast":[9007199254740992]', '"forecast":[9007199254740993]');
    assert.notEqual(rounded, text);
    assert.equal(await shortVerdict(root, rounded, key), 'the readable body is not the signed one');
  });
});
