/** Entries that are verified from their text alone: whatever is taken for one would also pass when it is parsed and decoded. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { readBody, type StoredEntry } from '../../src/codec/entry.js';
import { blobsOfBody } from '../../src/journal/blob-uses.js';
import { OrdinaryEntries } from '../../src/journal/ordinary-entry.js';
import { parsedEntry } from '../../src/journal/parsed-entry.js';
import { rowsAfter } from '../../src/journal/reader.js';
import { effort } from '../support/effort.js';
import { sharedHome } from '../support/app/temporary-home.js';
import { newest, richHome } from './tamper-suite.js';

const shared = sharedHome(richHome);

async function rows(): Promise<{ readonly identity: string; readonly entries: readonly StoredEntry[] }> {
  const home = await shared.get();
  return home.with(({ db, signer }) => ({ identity: signer.identity, entries: rowsAfter(db, 0, newest) }));
}

const pieces = ['"', '\\', ',', ':', '{', '}', '0', '1', ' ', 'a', 'é', '\n', '"a":1,', '","', '\u2028', '\ud800', '-0', 'e', ''];

describe('an ordinary entry', () => {
  it('is every entry that this program wrote, with its document, time and blobs', async () => {
    const { identity, entries } = await rows();
    const ordinary = new OrdinaryEntries(identity);
    const previous = ['0'.repeat(64), ...entries.map(({ hash }) => hash)];
    for (const [i, { body, seq, mission }] of entries.entries()) {
      const found = ordinary.read(body, seq, mission, previous[i]!);
      assert.ok(found !== null, body);
      const parsed = JSON.parse(body);
      assert.deepEqual([JSON.parse(found.document), found.time], [parsed.document, parsed.time]);
      assert.deepEqual(found.type.blobsIn(found.document), blobsOfBody(parsed));
      const [own, reading] = [found.type.read(parsed.document), readBody(parsed, body)];
      assert.ok(E.isRight(own) && E.isRight(reading));
      assert.deepEqual([own.right.value, own.right.unknown], [reading.right.event, reading.right.unknown]);
    }
  });

  it('is not recognised with another sequence, stream, previous entry or key', async () => {
    const { identity, entries } = await rows();
    const { body, mission } = entries[9]!;
    const previous = entries[8]!.hash;
    const read = (sequence: number, stream: string, before: string, key = identity): unknown =>
      new OrdinaryEntries(key).read(body, sequence, stream, before);
    assert.notEqual(read(10, mission, previous), null);
    for (const other of [
      read(11, mission, previous),
      read(1, mission, previous),
      read(10, '@control', previous),
      read(10, mission, entries[9]!.hash),
      read(
        10,
        mission,
        previous,
        identity.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
      read(10, `${mission}","previous":"${previous}`, previous),
      read(10, '', previous),
    ])
      assert.equal(other, null);
  });

  it('is parsed to the same as by the decoder when anything in its text is changed', async () => {
    const { identity, entries } = await rows();
    let taken = 0;
    fc.assert(
      fc.property(fc.nat(newest - 2), fc.nat(), fc.nat(3), fc.constantFrom(...pieces), (at, place, drop, piece) => {
        const { seq, mission, body } = entries[at + 1]!;
        const expected = { sequence: seq, stream: mission, identity, previous: entries[at]!.hash };
        const i = place % body.length;
        const text = body.slice(0, i) + piece + body.slice(i + drop);
        const ordinary = new OrdinaryEntries(identity);
        ordinary.read(entries[0]!.body, 1, '@control', '0'.repeat(64));
        const found = ordinary.read(text, seq, mission, expected.previous);
        if (found === null) return;
        taken++;
        const parsed = parsedEntry(text, expected);
        assert.ok(typeof parsed !== 'string', text);
        const [own, reading] = [found.type.read(parsed['document']), readBody(parsed, text)];
        assert.deepEqual(E.isRight(own), E.isRight(reading), text);
      }),
      { numRuns: 4_000 * effort },
    );
    assert.ok(taken > 0, 'some changes leave an ordinary entry');
  });
});
