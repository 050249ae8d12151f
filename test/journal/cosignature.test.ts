/** Verifier keys, cosignatures and the text of add-checkpoint, signed here by Node's own crypto. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  findCosignature,
  formatAddCheckpoint,
  noteText,
  openCosignature,
  readAddCheckpoint,
} from '../../src/journal/cosignature.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { openCheckpoint, signCheckpoint, verifierKeyText } from '../../src/journal/note.js';
import { cosignature_type, note_type, readVerifierKey, type NamedKey } from '../../src/journal/vkey.js';
import { effort } from '../support/effort.js';
import { cosigner } from '../support/witness-server.js';

const signer = signerFromSeed(Buffer.alloc(32, 3));
const origin = `agent-journal/${signer.publicKey.toString('hex').slice(0, 16)}`;
const note = signCheckpoint(signer, origin, 5, Buffer.alloc(32, 7));
const text = noteText(note) ?? '';
const { vkey, line } = cosigner('witness.example/w1');
const key = readVerifierKey(vkey, cosignature_type) as NamedKey;
const good = line(text, 1_679_315_147n).trimEnd();

describe('verifier keys', () => {
  it('are read for a witness and for a log', () => {
    assert.deepEqual([key.name, key.publicKey.length, key.id.toString('hex')], ['witness.example/w1', 32, vkey.split('+')[1]]);
    const log = verifierKeyText({ name: origin, publicKey: signer.publicKey });
    const read = readVerifierKey(log, note_type);
    assert.ok(typeof read !== 'string');
    assert.deepEqual([read.name, read.publicKey], [origin, signer.publicKey]);
  });

  const [name = '', id = '', ...rest] = vkey.split('+');
  const base = rest.join('+');
  for (const [what, value, why] of [
    ['nothing', '', /must be a verifier key/],
    ['one part', 'witness', /must be a verifier key/],
    ['no name', `+${id}+${base}`, /must be a verifier key/],
    ['a space in the name', `a b+${id}+${base}`, /must be a verifier key/],
    ['a Unicode space in the name', `a\u2003b+${id}+${base}`, /must be a verifier key/],
    ['a control character in the name', `a\u0007b+${id}+${base}`, /must be a verifier key/],
    ['a text direction in the name', `a\u202eb+${id}+${base}`, /must be a verifier key/],
    ['a long name', `${'a'.repeat(256)}+${id}+${base}`, /must be a verifier key/],
    ['a short id', `${name}+${id.slice(1)}+${base}`, /must be a verifier key/],
    ['an id in upper case', `${name}+ABCDEF01+${base}`, /must be a verifier key/],
    ['another id', `${name}+00000000+${base}`, /key id that is not that of its name/],
    ['another name', `other+${id}+${base}`, /key id that is not that of its name/],
    ['no base64', `${name}+${id}+!`, /must be a verifier key/],
    ['no key', `${name}+${id}+`, /must be a verifier key/],
    ['a short key', `${name}+${id}+${Buffer.alloc(32, 4).toString('base64')}`, /31 bytes instead of 32/],
    ['a key that signs notes', cosigner(name, 1).vkey, /this one has type 1/],
    ['a key of ML-DSA', cosigner(name, 6).vkey, /this one has type 6/],
  ] as const) {
    it(`are refused: ${what}`, () => assert.match(JSON.stringify(readVerifierKey(value, cosignature_type)), why));
  }
});

describe('cosignatures', () => {
  it('verify under their key, over the whole text', () => {
    assert.equal(openCosignature(good, key, text), 1_679_315_147n);
    assert.equal(openCosignature(good, key, `${text}more\n`), null);
    assert.equal(
      openCosignature(good, readVerifierKey(cosigner('witness.example/w1').vkey, cosignature_type) as NamedKey, text),
      null,
    );
    assert.equal(openCosignature(good.replace('w1', 'w2'), key, text), null);
    assert.equal(openCosignature(`${good} `, key, text), null);
    assert.equal(openCosignature(good.replace('— ', '- '), key, text), null);
  });

  it('have a time of 63 bits', () => {
    assert.equal(openCosignature(line(text, 2n ** 63n - 1n).trimEnd(), key, text), 2n ** 63n - 1n);
    assert.equal(openCosignature(line(text, 0n).trimEnd(), key, text), 0n);
    assert.equal(openCosignature(line(text, 2n ** 63n).trimEnd(), key, text), null);
  });

  it('do not verify with any byte altered', () => {
    const blob = Buffer.from(good.split(' ')[2] ?? '', 'base64');
    assert.equal(blob.length, 76);
    for (let at = 0; at < blob.length; at++) {
      const other = Buffer.from(blob);
      other[at] = (other[at] ?? 0) ^ 0x10;
      const altered = `— ${key.name} ${other.toString('base64')}`;
      assert.equal(openCosignature(altered, key, text), null, `byte ${at}`);
    }
  });

  it('are found among others, and one of the key that fails makes the response invalid', () => {
    const other = cosigner('else').line(text, 1n);
    const own = `${good}\n`;
    const wrong = line('another text\n', 2n);
    assert.equal(findCosignature(own, key, text), good);
    assert.equal(findCosignature(other + own, key, text), good);
    assert.equal(findCosignature(own + line(text, 9n), key, text), good);
    for (const answer of ['', '\n', good, other, wrong, own + wrong, wrong + own, `${own}\n`, `hello\n${own}`]) {
      assert.equal(findCosignature(answer, key, text), null, JSON.stringify(answer));
    }
  });

  it('leave the checkpoint that carries them readable as before', () => {
    const cosigned = `${note}${good}\n${cosigner('else').line(text, 1n)}`;
    assert.equal(openCheckpoint(cosigned, signer.publicKey)?.size, 5);
    assert.equal(noteText(cosigned), text);
  });
});

describe('the text of add-checkpoint', () => {
  const hashes = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 63 });

  it('is read as it was written', () => {
    assert.equal(formatAddCheckpoint(3, [], note), `old 3\n\n${note}`);
    fc.assert(
      fc.property(fc.nat(), hashes, (old, path) => {
        const read = readAddCheckpoint(formatAddCheckpoint(old, path, note));
        assert.deepEqual(
          read?.path.map((hash) => Uint8Array.from(hash)),
          path.map((hash) => Uint8Array.from(hash)),
        );
        assert.deepEqual([read?.oldSize, read?.checkpoint.note], [old, note]);
      }),
      { numRuns: 50 * effort },
    );
  });

  it('is refused in another form', () => {
    const hash = Buffer.alloc(32).toString('base64');
    for (const bad of [
      '',
      note,
      `old 3\n${note}`,
      `old 03\n\n${note}`,
      `old -1\n\n${note}`,
      `old 3 \n\n${note}`,
      `old 9999999999999999\n\n${note}`,
      `old\n\n${note}`,
      `Old 3\n\n${note}`,
      `old 3\n${hash.slice(1)}\n\n${note}`,
      `old 3\n ${hash}\n\n${note}`,
      `old 3\n${`${hash}\n`.repeat(64)}\n${note}`,
      `old 3\n\n\n${note}`,
      `old 3\n\nno checkpoint`,
    ]) {
      assert.equal(readAddCheckpoint(bad), null, JSON.stringify(bad.slice(0, 40)));
    }
  });
});
