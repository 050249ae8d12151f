import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { foldedName, nameFault, shownName } from '../../src/archive/names.js';
import { contentsOf, content, limitsFor, openingOf, refused, withB } from '../support/archive/zip-attack.js';
import { buildZip } from '../support/archive/zip-builder.js';

const long = 'n'.repeat(255);

/** Each name is put into the limits as well where it can be: the rule refuses it, not the list. */
const bad: readonly (readonly [title: string, name: string | Buffer, shown: string, why: string])[] = [
  ['leads out', '../b', '"../b"', 'leads out of its directory'],
  ['leads out by a detour', 'x/../../b', '"x/../../b"', 'leads out of its directory'],
  ['leads out at the end', 'x/..', '"x/.."', 'leads out of its directory'],
  ['is ..', '..', '".."', 'leads out of its directory'],
  ['is .', '.', '"."', 'has a "." in its path'],
  ['has a . inside', 'x/./b', '"x/./b"', 'has a "." in its path'],
  ['is absolute', '/b', '"/b"', 'is an absolute path'],
  ['is absolute, twice', '//server/b', '"//server/b"', 'is an absolute path'],
  ['has a drive', 'C:\\b', '"C:\\x5cb"', 'begins with a drive letter'],
  ['has a drive and slashes', 'c:/b', '"c:/b"', 'begins with a drive letter'],
  ['has backslashes', '..\\b', '"..\\x5cb"', 'holds a backslash'],
  ['is on a share', '\\\\server\\b', '"\\x5c\\x5cserver\\x5cb"', 'holds a backslash'],
  ['names an alternate stream', 'bb:stream', '"bb:stream"', 'holds a colon'],
  ['is empty', '', '""', 'is empty'],
  ['holds a NUL', 'b\0.txt', '"b\\x00.txt"', 'holds a NUL'],
  ['holds a line feed', 'b\nc', '"b\\x0ac"', 'holds a control character'],
  ['holds an escape', '\x1b[2Jb', '"\\x1b[2Jb"', 'holds a control character'],
  ['holds DEL', 'b\x7f', '"b\\x7f"', 'holds a control character'],
  ['holds a C1 control', 'b\u0085', '"b\\xc2\\x85"', 'holds a control character'],
  ['is written backwards', 'b\u202etxt', '"b\\xe2\\x80\\xaetxt"', 'holds an invisible character'],
  ['ends with a slash', 'b/', '"b/"', 'names a directory'],
  ['ends with a space', 'b ', '"b "', 'has a part that begins or ends with a space'],
  ['begins with a space', ' b', '" b"', 'has a part that begins or ends with a space'],
  ['has a folder that ends with a space', 'x /b', '"x /b"', 'has a part that begins or ends with a space'],
  ['ends with a dot', 'b.', '"b."', 'has a part that ends with a dot'],
  ['has an empty part', 'x//b', '"x//b"', 'has an empty part in its path'],
  ['is not UTF-8', Buffer.from([0x62, 0xff]), '"b\\xff"', 'is not UTF-8'],
  ['is an overlong slash', Buffer.from([0x2e, 0x2e, 0xc0, 0xaf]), '"..\\xc0\\xaf"', 'is not UTF-8'],
  ['is a lone surrogate', Buffer.from([0xed, 0xa0, 0x80]), '"\\xed\\xa0\\x80"', 'is not UTF-8'],
  ['is long', `${long}n`, `"${'n'.repeat(60)}…"`, 'has 256 bytes, at most 255'],
  ['is very long', 'n'.repeat(65_535), `"${'n'.repeat(60)}…"`, 'has 65535 bytes, at most 255'],
];

describe('archive: names', () => {
  for (const [title, name, shown, why] of bad) {
    it(`refuses a name that ${title}`, async () => {
      const limits = limitsFor(['a', name.toString()]);
      await refused(withB({ name }), `has a member ${shown} whose name ${why}`, {}, limits);
    });
  }

  it('requires the UTF-8 flag for a name that is not ASCII', async () => {
    const name = 'bücher';
    const limits = limitsFor(['a', name]);
    assert.deepEqual([...(await contentsOf(buildZip(withB({ name })), limits)).keys()], ['a', name]);
    const why = 'has a member "b\\xc3\\xbccher" whose name is not ASCII and is not marked as UTF-8';
    await refused(withB({ name, both: { flags: 0 } }), why, {}, limits);
  });

  it('accepts names of 255 bytes, in folders, with dots and spaces inside', async () => {
    for (const name of [long, 'x/y/b', '.b', 'b.c.d', 'a b', '...b', 'b..c', '03_tasks/spec.json']) {
      const contents = await contentsOf(buildZip(withB({ name })), limitsFor(['a', name]));
      assert.equal(contents.get(name), content, name);
    }
  });

  it('refuses the same name twice', async () => {
    await refused([...withB({}), { name: 'b', content }], 'has two members "b"');
  });

  it('refuses names that differ only in case', async () => {
    await refused([...withB({}), { name: 'B', content }], 'has members "b" and "B", which some disks take for one name');
  });

  it('refuses names that differ only in Unicode normal form', async () => {
    const names = ['\u00fc', 'u\u0308'];
    const why = 'has members "\\xc3\\xbc" and "u\\xcc\\x88", which some disks take for one name';
    await refused(
      names.map((name) => ({ name, content })),
      why,
      {},
      limitsFor(names),
    );
  });

  it('refuses unexpected names, also in place of another', async () => {
    await refused([...withB({}), { name: 'c', content }], 'has a member "c" that does not belong in it');
    await refused(withB({ name: 'B' }), 'has a member "B" that does not belong in it');
  });

  it('reports missing names', async () => {
    await refused([{ name: 'a', content }], 'lacks b');
    await refused([{ name: 'spare', content }], 'lacks a, b');
    await refused([], 'lacks a, b');
  });

  it('accepts optional names', async () => {
    const contents = await contentsOf(buildZip([...withB({}), { name: 'spare', content }]), limitsFor(['a', 'b']));
    assert.deepEqual([...contents.keys()], ['a', 'b', 'spare']);
  });

  it('refuses more names than belong in the archive before it reads any', async () => {
    const members = Array.from({ length: 1_000 }, (_, n) => ({ name: `../${n}`, content }));
    await refused(members, 'counts 1000 members, at most 3 belong in it');
  });

  it('folds names so that one file has one form, and shows them without control characters', async () => {
    assert.equal(foldedName('STRASSE'), foldedName('straße'));
    assert.equal(foldedName('\u212a'), foldedName('k'));
    assert.equal(foldedName('ﬁle'), foldedName('FILE'));
    assert.notEqual(foldedName('a'), foldedName('b'));
    assert.equal(shownName(Buffer.from('a"\x1b\\é')), '"a\\x22\\x1b\\x5c\\xc3\\xa9"');
    assert.equal(shownName(Buffer.alloc(60, 'n')), `"${'n'.repeat(60)}"`);
    assert.equal(nameFault(Buffer.from('config.json'), false), null);
    assert.equal((await openingOf(buildZip([{ name: '\x1b]0;x\x07', content }]), limitsFor(['a']))).includes('\x1b'), false);
  });
});
