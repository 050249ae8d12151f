/** Names of members: an archive has exactly those that are expected of it. */
import assert from 'node:assert/strict';
import { shownName } from '../../src/archive/source.js';
import { contentsOf, content, limitsFor, refused, withB } from '../support/archive/zip-attack.js';
import { buildZip } from '../support/archive/zip-builder.js';

const long = 'n'.repeat(255);

/** None of them is expected of any archive; each is shown without control characters. */
const others: readonly (readonly [name: string | Buffer, shown: string])[] = [
  ['../b', '"../b"'],
  ['x/../../b', '"x/../../b"'],
  ['..', '".."'],
  ['/b', '"/b"'],
  ['C:\\b', '"C:\\x5cb"'],
  ['\\\\server\\b', '"\\x5c\\x5cserver\\x5cb"'],
  ['', '""'],
  ['b\0.txt', '"b\\x00.txt"'],
  ['\x1b[2Jb', '"\\x1b[2Jb"'],
  ['b\u0085', '"b\\xc2\\x85"'],
  ['b\u202etxt', '"b\\xe2\\x80\\xaetxt"'],
  ['b/', '"b/"'],
  ['b ', '"b "'],
  ['B', '"B"'],
  [Buffer.from([0x62, 0xff]), '"b\\xff"'],
  [Buffer.from([0x2e, 0x2e, 0xc0, 0xaf]), '"..\\xc0\\xaf"'],
  [`${long}n`, `"${'n'.repeat(60)}…"`],
];

describe('archive: names', () => {
  for (const [name, shown] of others) {
    it(`refuses ${shown} in place of another`, () =>
      refused(withB({ name }), `has a member ${shown} that does not belong in it`));
  }

  it('accepts each name that is expected', async () => {
    for (const name of [long, 'x/y/b', '.b', 'b.c.d', 'a b', '03_tasks/spec.json', 'bücher']) {
      const contents = await contentsOf(buildZip(withB({ name })), limitsFor(['a', name]));
      assert.equal(contents.get(name), content, name);
    }
  });

  it('refuses the same name twice', async () => {
    await refused([...withB({}), { name: 'b', content }], 'has two members "b"', {}, limitsFor(['a', 'b', 'c']));
  });

  it('reports missing names', async () => {
    await refused([{ name: 'a', content }], 'lacks b');
    await refused([], 'lacks a, b');
  });

  it('refuses more names than belong in the archive before it reads any', async () => {
    const members = Array.from({ length: 1_000 }, (_, n) => ({ name: `../${n}`, content }));
    await refused(members, 'counts 1000 members, at most 2 belong in it');
  });

  it('shows them without control characters', () => {
    assert.equal(shownName(Buffer.from('a"\x1b\\é')), '"a\\x22\\x1b\\x5c\\xc3\\xa9"');
    assert.equal(shownName(Buffer.alloc(60, 'n')), `"${'n'.repeat(60)}"`);
  });
});
