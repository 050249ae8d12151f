import assert from 'node:assert/strict';
import { sha256 } from '../../src/base/bytes.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { inclusionPath, rangeRoot } from '../../src/journal/merkle.js';
import {
  keyId,
  openCheckpoint,
  openNote,
  openStoredCheckpoint,
  originOf,
  readCheckpoint,
  signCheckpoint,
  signNote,
} from '../../src/journal/note.js';
import { formatProof, readProof } from '../../src/journal/proof.js';
import { leavesTo, readerOf } from './naive-tree.js';

const signer = signerFromSeed(Buffer.alloc(32, 7));
const stranger = signerFromSeed(Buffer.alloc(32, 8));
const origin = originOf(signer.publicKey, null);
const leaves = leavesTo(11);
const root = rangeRoot(readerOf(leaves), 0, 11);
const note = signCheckpoint(signer, origin, 11, root);
const key = { name: origin, publicKey: signer.publicKey };
const [text = '', signatureLine = ''] = note.split('\n\n').map((part, i) => (i === 0 ? `${part}\n` : part));

/** The note with its first signature's bytes changed by `edit`. */
function withBlob(edit: (blob: Buffer) => Buffer): string {
  const encoded = signatureLine.trimEnd().split(' ')[2] ?? '';
  return `${text}\n— ${origin} ${edit(Buffer.from(encoded, 'base64')).toString('base64')}\n`;
}

describe('signed notes', () => {
  it('opens with its key', () => assert.equal(openNote(note, key), text));

  it('does not open with another key, also under the same name', () => {
    assert.equal(openNote(note, { name: origin, publicKey: stranger.publicKey }), null);
    assert.equal(openNote(note, { name: `${origin}x`, publicKey: signer.publicKey }), null);
    assert.equal(openCheckpoint(note, stranger.publicKey), null);
  });

  it('ignores signatures of unknown keys, whatever their length', () => {
    const witness = `— witness.example/one ${Buffer.alloc(80, 3).toString('base64')}\n`;
    const sameName = `— ${origin} ${Buffer.concat([keyId({ name: origin, publicKey: stranger.publicKey }), Buffer.alloc(64)]).toString('base64')}\n`;
    assert.equal(openNote(`${note}${witness}`, key), text);
    assert.equal(openNote(`${text}\n${witness}${signatureLine}`, key), text);
    assert.equal(openNote(`${note}${sameName}`, key), text);
    assert.equal(openNote(`${text}\n${witness}`, key), null);
  });

  it("rejects a note when a known key's signature fails, also beside one that verifies", () => {
    const failing = withBlob((blob) => Buffer.concat([blob.subarray(0, -1), Buffer.of((blob.at(-1) ?? 0) ^ 1)]));
    assert.equal(openNote(failing, key), null);
    assert.equal(openNote(`${note}${failing.split('\n\n')[1] ?? ''}`, key), null);
    const lengths = [(blob: Buffer) => blob.subarray(0, -1), (blob: Buffer) => Buffer.concat([blob, Buffer.of(0)])];
    for (const edit of lengths) assert.equal(openNote(withBlob(edit), key), null);
  });

  it('rejects a changed text', () => {
    for (let at = 0; at < text.length; at++) {
      const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
      assert.equal(openNote(`${changed}\n${signatureLine}`, key), null, `character ${at}`);
    }
  });

  it('rejects malformed notes', () => {
    const encoded = signatureLine.trimEnd().split(' ')[2] ?? '';
    const malformed = [
      '',
      text,
      note.trimEnd(),
      note.replace('\n\n', '\n'),
      `${text}\n${signatureLine}\n`,
      `${text}\n- ${origin} ${encoded}\n`,
      `${text}\n—${origin} ${encoded}\n`,
      `${text}\n— ${origin}  ${encoded}\n`,
      `${text}\n— ${origin} ${encoded} \n`,
      `${text}\n— ${origin} ${encoded.slice(0, -1)}\n`,
      `${text}\n— ${origin} AAAA\n`,
      `${note}— a+b ${encoded}\n`,
      `${note}rubbish\n`,
    ];
    for (const bad of malformed) assert.equal(openNote(bad, key), null, JSON.stringify(bad));
  });

  it('rejects a signature over other bytes of 32 and more', () => {
    const entrySignature = signer.sign(sha256('an entry'));
    const forged = `${text}\n— ${origin} ${Buffer.concat([keyId(key), entrySignature]).toString('base64')}\n`;
    assert.equal(openNote(forged, key), null);
  });
});

describe('checkpoints', () => {
  const signed = (body: string): string => signNote(signer, body.split('\n')[0] ?? '', body);
  const encodedRoot = root.toString('base64');

  it('opens with origin, size, root and the note verbatim', () =>
    assert.deepEqual(openCheckpoint(note, signer.publicKey), { origin, size: 11, root, note }));

  it('opens a stored note only when it is exactly as it was signed', () => {
    const opens = (stored: string): boolean => openStoredCheckpoint(stored, signer.publicKey) !== null;
    assert.deepEqual(openStoredCheckpoint(note, signer.publicKey), { origin, size: 11, root, note });
    const witness = `— witness.example/one ${Buffer.alloc(80, 3).toString('base64')}\n`;
    const others = [`${note}${witness}`, `${text}\n${witness}${signatureLine}`, `${note}${signatureLine}`];
    for (const other of [...others, signed(`${origin}\n11\n${encodedRoot}\nmore\n`)]) {
      assert.equal(openCheckpoint(other, signer.publicKey)?.size, 11);
      assert.equal(opens(other), false, other);
    }
    for (let at = 0; at < note.length; at++) assert.equal(opens(note.slice(0, at) + note.slice(at + 1)), false);
    assert.equal(openStoredCheckpoint(note, stranger.publicKey), null);
  });

  for (const size of ['', '+1', '-1', '01', '1 ', ' 1', '1e3', '0x10', '1.0', '١', '12345678901234567', '9007199254740992']) {
    it(`refuses the size ${JSON.stringify(size)}, signed as it is`, () => {
      const malformed = signed(`${origin}\n${size}\n${encodedRoot}\n`);
      assert.notEqual(openNote(malformed, key), null);
      assert.equal(openCheckpoint(malformed, signer.publicKey), null);
    });
  }

  it('takes size 0 and the largest exact size', () => {
    for (const size of [0, Number.MAX_SAFE_INTEGER])
      assert.equal(openCheckpoint(signed(`${origin}\n${size}\n${encodedRoot}\n`), signer.publicKey)?.size, size);
  });

  const noRoot = ['', 'AAAA', encodedRoot.slice(0, -1), `${encodedRoot}AAAA`, `${encodedRoot}\n`, root.toString('hex')];
  for (const bad of noRoot) {
    it(`refuses the root ${JSON.stringify(bad)}, signed as it is`, () => {
      assert.equal(openCheckpoint(signed(`${origin}\n11\n${bad}\n`), signer.publicKey), null);
    });
  }

  it('requires the origin of the key, plain or with an incarnation', () => {
    const incarnation = '89abcdef'.repeat(4);
    const later = originOf(signer.publicKey, incarnation);
    assert.equal(origin, `agent-journal/${signer.publicKey.toString('hex').slice(0, 16)}`);
    assert.equal(later, `${origin}/89abcdef`);
    const opens = (name: string): boolean =>
      openCheckpoint(signCheckpoint(signer, name, 11, root), signer.publicKey)?.origin === name;
    assert.ok(opens(origin));
    assert.ok(opens(later));
    const foreign = [
      originOf(stranger.publicKey, null),
      `${origin}/`,
      `${origin}/89ABCDEF`,
      `${later}0`,
      `${origin}x`,
      'agent-journal',
    ];
    for (const name of foreign) assert.ok(!opens(name), name);
  });

  it('rejects a note that is signed under another name than its origin', () => {
    const later = `${origin}/89abcdef`;
    assert.equal(openCheckpoint(signNote(signer, later, text), signer.publicKey), null);
    assert.deepEqual(readCheckpoint(signNote(signer, later, text))?.origin, origin);
  });
});

describe('proofs', () => {
  const path = inclusionPath(readerOf(leaves), 4, 11);
  const proofText = formatProof(4, path, note);

  it('are not read when they are malformed', () => {
    const sibling = path[0]?.toString('base64') ?? '';
    const malformed = [
      '',
      proofText.replace('@v1', '@v2'),
      proofText.replace('index 4', 'index 04'),
      proofText.replace('index 4', 'index -4'),
      proofText.replace('index 4', 'index 9007199254740993'),
      proofText.replace('index 4\n', ''),
      proofText.replace(sibling, sibling.slice(0, -1)),
      proofText.replace(sibling, 'AAAA'),
      proofText.replace('\n\n', '\n'),
      formatProof(
        4,
        Array.from({ length: 65 }, () => root),
        note,
      ),
    ];
    for (const bad of malformed) assert.equal(readProof(bad), null, JSON.stringify(bad.slice(0, 60)));
  });
});
