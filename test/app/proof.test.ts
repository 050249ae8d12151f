/** `proof` and `verify-proof`: what is proved, what a verifier may hold, and what is answered no. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkpoint, prove } from '../../src/app/log/checkpoint.js';
import { verifyProof, type ProofVerdict, type VerifyProofOptions } from '../../src/app/exports/verify-proof.js';
import { exportMission } from '../../src/app/exports/export.js';
import type { ExportDocument } from '../../src/codec/export.js';
import { htmlOfExport } from '../../src/reports/renderers.js';
import { verifierKeyText } from '../../src/journal/note.js';
import { readRow } from '../../src/journal/reader.js';
import { leafOf } from '../../src/journal/tree.js';
import { completed, rejectsRefusal, schedule, throwsRefusal } from '../support/app/given-home.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';

const homes = homeForEach();
const path = (name: string): string => join(homes.get().root, name);

interface Given {
  readonly publicKey: string;
  readonly vkey: string;
  readonly entry: string;
  readonly leaf: string;
}

/** A home of 9 entries, a proof of entry 5 in `proof`, of growth since `older` (of 4) in `growth`. */
function given(): Given {
  const home = homes.get().open();
  for (let n = 0; n < 8; n++) {
    if (n === 3) checkpoint(home, path('older'));
    home.writer.transact(submit(n));
  }
  prove(home, { sequence: 5, output: path('proof') });
  prove(home, { from: 4, output: path('growth') });
  const { hash, signature } = readRow(home.db, 5)!;
  const { vkey } = checkpoint(home, undefined);
  home.close();
  const leaf = leafOf(hash, signature).toString('hex');
  return { publicKey: home.signer.publicKey.toString('hex'), vkey, entry: `${hash}:${signature}`, leaf };
}

const verdict = (file: string, options: Omit<VerifyProofOptions, 'file'>): Promise<ProofVerdict> =>
  verifyProof({ file: path(file), ...options });
const answerTo = async (file: string, options: Omit<VerifyProofOptions, 'file'>): Promise<readonly [boolean, string | null]> => {
  const { valid, reason } = await verdict(file, options);
  return [valid, reason];
};

describe('a proof of an entry', () => {
  it('verifies with the entry, its leaf, either form of the key', async () => {
    const { publicKey, vkey, entry, leaf } = given();
    for (const key of [{ publicKey }, { vkey }]) {
      for (const what of [{ entry }, { leaf }]) {
        const said = await verdict('proof', { ...key, ...what });
        assert.deepEqual([said.valid, said.index, said.size, said.from, said.reason], [true, 4, 9, null, null]);
        assert.equal(said.origin, vkey.split('+')[0]);
        assert.match(said.root, /^[0-9a-f]{64}$/);
      }
    }
  });

  it('verifies with an export, whose entry it places', async () => {
    const home = homes.get().open();
    const { id } = await completed(home, schedule());
    exportMission(home, id, path('export'));
    const sequence = home.writer.head.size;
    prove(home, { sequence, output: path('proof') });
    prove(home, { sequence: sequence - 1, output: path('other') });
    const publicKey = home.signer.publicKey.toString('hex');
    home.close();
    assert.deepEqual(await answerTo('proof', { publicKey, export: path('export') }), [true, null]);
    assert.deepEqual(await answerTo('other', { publicKey, export: path('export') }), [
      false,
      'the proof does not lead from this entry to the signed root',
    ]);
    // Hash and signature are those of the entry still, but not of what the file says.
    const exported = readFileSync(path('export'), 'utf8');
    const text = htmlOfExport(JSON.parse(exported) as ExportDocument, exported) ?? '';
    for (const [from, to, why] of [
      ['<h2>Answer', '<h2>Anwser', 'the report is not what renderer 1 makes of its export: its text was changed'],
      ['"approved":true', '"approved":false', 'the readable body is not the signed one'],
      ['\\"makespan\\":', '\\"makespan\\":1', 'the hash is not that of the body'],
      ['"public_key":"', '"public_key":"0', null],
    ] as const) {
      assert.ok(text.includes(from), from);
      writeFileSync(path('forged'), text.replace(from, to));
      const asked = { file: path('proof'), publicKey, export: path('forged') };
      if (why === null) await rejectsRefusal(verifyProof(asked), 'verification_failed');
      else assert.deepEqual(await answerTo('proof', asked), [false, `the export does not verify: ${why}`], from);
    }
  });

  it('is refused for another entry, key, index, sibling, size or origin', async () => {
    const { publicKey, vkey, entry, leaf } = given();
    const astray = 'the proof does not lead from this entry to the signed root';
    const unsigned = "the checkpoint is not signed by this log's key";
    const flip = (digits: string): string => digits.replace(/^./, (c) => (c === '0' ? '1' : '0'));
    assert.deepEqual(await answerTo('proof', { publicKey, leaf: flip(leaf) }), [false, astray]);
    assert.deepEqual(await answerTo('proof', { publicKey: flip(publicKey), leaf }), [false, unsigned]);
    const signature = entry.split(':')[1] ?? '';
    assert.deepEqual(await answerTo('proof', { publicKey, entry: `${'ab'.repeat(32)}:${signature}` }), [
      false,
      "the entry is not signed by this log's key",
    ]);
    const text = readFileSync(path('proof'), 'utf8');
    for (const [from, to, reason] of [
      ['index 4', 'index 5', astray],
      ['index 4', 'index 9', astray],
      ['\n9\n', '\n8\n', unsigned],
      [`${vkey.split('+')[0]}\n`, 'agent-journal/0000000000000000\n', unsigned],
      [`${text.split('\n')[2]}\n`, '', astray],
      [`${text.split('\n')[2]}\n`, `${Buffer.alloc(32).toString('base64')}\n`, astray],
    ] as const) {
      writeFileSync(path('altered'), text.replace(from, to));
      assert.deepEqual(await answerTo('altered', { publicKey, leaf }), [false, reason], from);
    }
  });

  it('is bound to one origin by a verifier key, and to any origin of the key by a public key', async () => {
    const { leaf, publicKey, vkey } = given();
    const later = verifierKeyText({ name: `${vkey.split('+')[0]}/0badcafe`, publicKey: Buffer.from(publicKey, 'hex') });
    assert.deepEqual(await answerTo('proof', { vkey: later, leaf }), [false, "the checkpoint is not signed by this log's key"]);
    const other = vkey.replace('agent-journal', 'agent-other');
    const refusal = await rejectsRefusal(verdict('proof', { vkey: other, leaf }), 'invalid');
    assert.match(refusal.detail, /key id that is not that of its name/);
    assert.equal((await verdict('proof', { publicKey, leaf })).valid, true);
  });
});

describe('a proof of growth', () => {
  it('verifies against the older checkpoint alone', async () => {
    const { publicKey, vkey } = given();
    const said = await verdict('growth', { publicKey, against: path('older') });
    assert.deepEqual([said.valid, said.index, said.from, said.size, said.reason], [true, null, 4, 9, null]);
    assert.equal((await verdict('growth', { vkey, against: path('older') })).valid, true);
  });

  it('is refused for another older checkpoint, an altered hash, another key', async () => {
    const { publicKey } = given();
    homes.get().with((home) => {
      checkpoint(home, path('newest'));
      prove(home, { from: 9, output: path('same') });
    });
    assert.deepEqual(await answerTo('same', { publicKey, against: path('newest') }), [true, null]);
    assert.deepEqual(await answerTo('growth', { publicKey, against: path('newest') }), [
      false,
      'the proof begins at size 4, the older checkpoint has 9',
    ]);
    const text = readFileSync(path('growth'), 'utf8');
    writeFileSync(path('altered'), text.replace(text.split('\n')[1] ?? '', Buffer.alloc(32).toString('base64')));
    assert.deepEqual(await answerTo('altered', { publicKey, against: path('older') }), [
      false,
      'the proof does not lead from the older root to the newer',
    ]);
    assert.deepEqual(await answerTo('growth', { publicKey, against: path('proof') }), [
      false,
      `${path('proof')} holds no checkpoint of this log`,
    ]);
    assert.equal((await verdict('growth', { publicKey: '0'.repeat(64), against: path('older') })).valid, false);
  });
});

describe('a file that is no proof', () => {
  it('is refused with its path', async () => {
    const { publicKey, vkey, entry, leaf } = given();
    const home = homes.get().open();
    throwsRefusal(() => prove(home, {}), 'invalid');
    throwsRefusal(() => prove(home, { sequence: 1, from: 1 }), 'invalid');
    for (const sequence of [0, -1])
      assert.equal(throwsRefusal(() => prove(home, { sequence }), 'invalid').errors?.[0]?.path, 'sequence');
    assert.equal(throwsRefusal(() => prove(home, { from: 0 }), 'invalid').errors?.[0]?.path, 'from');
    assert.match(throwsRefusal(() => prove(home, { sequence: 10 }), 'not_found').detail, /the journal has 9 entries/);
    assert.match(throwsRefusal(() => prove(home, { from: 10, output: path('none') }), 'not_found').detail, /9 entries/);
    assert.ok(!existsSync(path('none')));
    assert.throws(() => prove(home, { sequence: 1, output: path('proof') }), /exists/);
    home.close();
    const asked = (options: Omit<VerifyProofOptions, 'file'>, file = 'proof'): Promise<string> =>
      rejectsRefusal(verdict(file, options), 'invalid').then(({ detail }) => detail);
    assert.match(await asked({ leaf }), /either --public-key or --vkey/);
    assert.match(await asked({ leaf, publicKey, vkey }), /either --public-key or --vkey/);
    assert.match(await asked({ leaf, publicKey: 'AB'.repeat(32) }), /public-key: must be 64 lower-case/);
    assert.match(await asked({ publicKey }), /one of --entry, --leaf and --export/);
    assert.match(await asked({ publicKey, leaf, entry }), /one of --entry, --leaf and --export/);
    assert.match(await asked({ publicKey, leaf: 'ab' }), /leaf: must be 64/);
    for (const bad of ['', 'ab:cd', leaf, `${leaf}:`, `${entry}:`, `${leaf}:${'A'.repeat(88)}`]) {
      assert.match(await asked({ publicKey, entry: bad }), /entry: must be HASH:SIGNATURE/, bad);
    }
    assert.match(await asked({ publicKey, leaf, against: path('older') }), /against: belongs to a proof of growth/);
    assert.match(await asked({ publicKey }, 'growth'), /against: is required/);
    assert.match(await asked({ publicKey, leaf, against: path('older') }, 'growth'), /not of an entry/);
    for (const [name, content] of [
      ['empty', ''],
      ['a checkpoint', readFileSync(path('older'), 'utf8')],
      ['old', 'old 3\n'],
      ['long lines', `c2sp.org/tlog-proof@v1\nindex 0\n${`${'A'.repeat(43)}=\n`.repeat(65)}\nx`],
    ] as const) {
      writeFileSync(path('bad'), content);
      const beside = name === 'old' ? { against: path('older') } : { leaf };
      await rejectsRefusal(verdict('bad', { publicKey, ...beside }), 'malformed');
    }
  });
});
