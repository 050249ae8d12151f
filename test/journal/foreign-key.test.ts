import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { sha256Hex } from '../../src/base/hash.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { homeForEach, type TemporaryHome } from '../support/temporary-home.js';
import { chainSchema1, replaceJournal, signerOf } from './reference-journal.js';
import { findingOf, forgetWitness, refusalAtOpen } from './tamper.js';

const homes = homeForEach();
const stranger = signerFromSeed(Buffer.alloc(32, 9));

/** A home without a witness, and the documents of a small journal for it. */
function prepared(): { readonly home: TemporaryHome; readonly documents: readonly (readonly [string, string])[] } {
  const home = homes.get();
  forgetWitness(home);
  const config_hash = sha256Hex(readFileSync(join(home.directory, 'config.json')));
  const states = ['ready', 'paused', 'ready', 'paused', 'ready'];
  return { home, documents: states.map((state) => ['@control', `{"config_hash":"${config_hash}","state":"${state}"}`]) };
}

describe('entries of a foreign key', () => {
  it("are refused as a journal that is wholly another identity's", async () => {
    const { home, documents } = prepared();
    replaceJournal(home, chainSchema1(stranger, documents), stranger);
    const finding = await findingOf(home, { deep: false });
    assert.deepEqual([finding?.code, finding?.sequence], ['integrity', 1]);
    assert.match(finding?.detail ?? '', /another identity/);
    assert.equal(refusalAtOpen(home)?.code, 'integrity');
  });

  it('are refused when a stranger signed them under this identity, with a stranger’s checkpoint', async () => {
    const { home, documents } = prepared();
    const posing = { ...stranger, identity: signerOf(home).identity };
    replaceJournal(home, chainSchema1(posing, documents), stranger);
    const [plain, deep] = [await findingOf(home, { deep: false }), await findingOf(home, { deep: true })];
    assert.deepEqual([plain?.code, plain?.sequence], ['integrity', 5]);
    assert.match(plain?.detail ?? '', /checkpoint of this size does not verify/);
    assert.deepEqual([deep?.code, deep?.sequence], ['integrity', 1]);
    assert.equal(refusalAtOpen(home)?.code, 'integrity');
  });

  it('are refused by deep verification when one is under a checkpoint of this key', async () => {
    const { home, documents } = prepared();
    const rows = chainSchema1(signerOf(home), documents);
    const signature = stranger.sign(Buffer.from(rows[2]?.hash ?? '', 'hex')).toString('base64');
    replaceJournal(
      home,
      rows.map((row) => (row.seq === 3 ? { ...row, signature } : row)),
    );
    assert.equal(await findingOf(home, { deep: false }), null);
    const deep = await findingOf(home, { deep: true });
    assert.deepEqual([deep?.code, deep?.sequence], ['integrity', 3]);
    assert.match(deep?.detail ?? '', /the signature does not verify/);
  });

  it('verify when this key signed the same rows', async () => {
    const { home, documents } = prepared();
    replaceJournal(home, chainSchema1(signerOf(home), documents));
    assert.equal(await findingOf(home, { deep: true }), null);
    assert.equal(refusalAtOpen(home), null);
  });
});
