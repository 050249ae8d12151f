/** Changes of the files of a home. */
import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../../src/store/sqlite.js';
import * as act from '../alter.js';
import { change, type Change } from '../change.js';
import type { GroupName } from '../groups.js';
import { inDatabase } from '../../support/store/in-database.js';

type Acts = Readonly<Record<string, act.Act>>;

const inFile = (group: GroupName, file: string, acts: Acts): readonly Change[] =>
  Object.entries(acts).map(([what, alter]) => change({ group, kind: `${file}: ${what}` }, ({ home }) => alter(join(home, file))));

const keyChanges = inFile('key file', 'identity.key', {
  removed: act.remove,
  empty: act.empty,
  'a byte less': act.cutTo(31),
  'a byte more': act.append(Buffer.of(10)),
  'a byte': act.otherByte('identity.key'),
  'another key': act.write(randomBytes(32)),
  'a directory': act.makeDirectory,
});

const configChanges = inFile('configuration', 'config.json', {
  removed: act.remove,
  empty: act.empty,
  halved: act.halve,
  'a byte': act.otherByte('config.json'),
  'a space': act.editText((text) => text.replace(':', ': ')),
  'a line feed': act.editText((text) => `${text}\n`),
  'another value': act.editText((text) => text.replace('"max_evaluations":10000', '"max_evaluations":90000')),
  'another configuration': act.write('{"allow_code_execution":true}'),
});

const emptyDatabase: act.Act = (path) => {
  rmSync(path);
  inDatabase(path, (db) => db.exec('PRAGMA journal_mode = WAL; CREATE TABLE more(a)'));
  chmodSync(path, 0o600);
};

const databaseChanges = [
  ...inFile('database file', 'journal.sqlite3', {
    removed: act.remove,
    empty: act.empty,
    halved: act.halve,
    'a page less': (path) => truncateSync(path, statSync(path).size - 4_096),
    text: act.write('not a database, but long enough to be taken for one by a careless reader'.repeat(9)),
    'an empty database': emptyDatabase,
  }),
  ...inFile('database file', 'lock.sqlite3', { text: act.write('junk'.repeat(500)) }),
];

/** Bytes anywhere in the file: of rows, of indexes, of pages that nothing uses. */
const byteChanges = Array.from({ length: 60 }, (_, i) =>
  change({ group: 'byte of the database file', kind: 'a byte', where: `number ${i}` }, ({ journal }) =>
    act.otherByte(`byte ${i}`)(journal),
  ),
);

const modes: Acts = { 'mode 640': act.setMode(0o640), 'mode 604': act.setMode(0o604), 'mode 666': act.setMode(0o666) };

const permissionChanges = [
  ...['identity.key', 'api.token', 'config.json', 'journal.sqlite3', 'lock.sqlite3'].flatMap((file) =>
    inFile('permissions', file, modes),
  ),
  ...inFile('permissions', 'api.token', { removed: act.remove }),
  ...inFile('permissions', '.', { 'mode 755': act.setMode(0o755), 'mode 710': act.setMode(0o710) }),
];

const tokenChanges = inFile('token text', 'api.token', {
  another: act.write('A'.repeat(43)),
  'a line feed': act.editText((text) => `${text}\n`),
  empty: act.empty,
  long: act.write('A'.repeat(4_096)),
});

const setVersion =
  (version: string): act.Act =>
  (path) => {
    const db = new Database(path);
    db.prepare('UPDATE program SET version = ?').run(version);
    db.close();
  };

const group = 'files without data';
const otherChanges = [
  ...inFile(group, 'lock.sqlite3', { removed: act.remove, empty: act.empty, 'an older version': setVersion('1.9.0') }),
  ...inFile(group, 'ballast', { removed: act.remove, halved: act.halve, 'a byte': act.otherByte('ballast') }),
  ...inFile(group, 'daemon.json', { added: act.write('{"pid":1}') }),
  ...inFile(group, 'notes.txt', { added: act.write('remember') }),
  ...inFile(group, 'config.json.tmp-0123456789ab', { added: act.write('{}') }),
  ...inFile(group, 'journal.sqlite3-wal', { junk: act.write(randomBytes(9_000)), empty: act.write('') }),
  ...inFile(group, 'journal.sqlite3-shm', { junk: act.write(randomBytes(32_768)) }),
  ...inFile('attempt lock', 'running', { removed: act.remove }),
  ...inFile('attempt lock', join('running', '00000000-0000-4000-8000-0000000000ff.1.lock'), { added: act.write('') }),
  ...inFile('newer lock', 'lock.sqlite3', { 'a newer version': setVersion('99.0.0') }),
];

export const fileChanges = (): readonly Change[] => [
  ...keyChanges,
  ...configChanges,
  ...databaseChanges,
  ...byteChanges,
  ...permissionChanges,
  ...tokenChanges,
  ...otherChanges,
];
