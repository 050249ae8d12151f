/** Verifier keys, cosignatures and the text of add-checkpoint, signed here by Node's own crypto. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sha256Hex } from '../../src/base/bytes.js';
import {
  findCosignature,
  formatAddCheckpoint,
  noteText,
  openCosignature,
  readAddCheckpoint,
} from '../../src/journal/cosignature.js';
import { publicKeyOf, signerFromSeed, verifySignature } from '../../src/journal/keys.js';
import type { NamedKey } from '../../src/journal/note.js';
import {
  cosignature_type,
  note_type,
  openCheckpoint,
  readVerifierKey,
  signCheckpoint,
  verifierKeyText,
} from '../../src/journal/note.js';
import { effort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { homeForEach, type TemporaryHome } from '../support/app/temporary-home.js';
import { cosigner } from '../support/witness/witness-server.js';
import { chainSchema1, findingOf, forgetWitness, refusalAtOpen, replaceJournal, signerOf } from './tamper.js';

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
    ['a text direction in the name', `a\u202eb+${id}+${base}`, /must be a verifier key/],
    ['a short id', `${name}+${id.slice(1)}+${base}`, /must be a verifier key/],
    ['another id', `${name}+00000000+${base}`, /key id that is not that of its name/],
    ['another name', `other+${id}+${base}`, /key id that is not that of its name/],
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
    const sizes = ['', 'old 3\n', 'old 03\n\n', 'old -1\n\n', 'old 3 \n\n', 'old 9999999999999999\n\n', 'old\n\n', 'Old 3\n\n'];
    const paths = [hash.slice(1), ` ${hash}`, `${hash}\n`.repeat(64), ''].map((path) => `old 3\n${path}\n\n`);
    for (const bad of [...[...sizes, ...paths].map((head) => head + note), '', 'old 3\n\nno checkpoint']) {
      assert.equal(readAddCheckpoint(bad), null, JSON.stringify(bad.slice(0, 40)));
    }
  });
});

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

  /**
   * libsodium refuses small-order and non-canonical A, small-order R and S ≥ L, and compares by the equation without the cofactor,
   * S·B = R + h·A: of the cases with points of mixed order only the one that holds without the cofactor passes, the seventh.
   */
  it('accepts of ed25519-speccheck only what holds without the cofactor', () => {
    const cases = readJson('ed25519-speccheck.json') as readonly SpecCheck[];
    const accepted = cases.map(({ message, pub_key, signature }) =>
      verifySignature(Buffer.from(pub_key, 'hex'), Buffer.from(message, 'hex'), Buffer.from(signature, 'hex')),
    );
    assert.deepEqual(
      accepted,
      Array.from({ length: 15 }, (_, i) => i === 6),
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
