/** Missions and homes as the reference agent leaves them: whole states in Python's JSON text, in a database of its own. */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../../src/store/database.js';
import { Database } from '../../../src/store/sqlite.js';
import { archiveBytes } from '../../../src/archive/write.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import type { StoredEntry } from '../../../src/codec/entry.js';
import { chainSchema1, forgetWitness, replaceJournal, signerOf } from '../../journal/tamper.js';
import { actor } from './given-home.js';
import type { TemporaryHome } from './temporary-home.js';
import { inDatabase } from '../store/in-database.js';

/** Values as Python prints them, by member name. */
type Texts = Readonly<Record<string, string>>;
const print = (members: Texts): string =>
  `{${Object.entries(members)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;

export interface GivenMission {
  readonly id: string;
  /** The text of `work`, with its kind. */
  readonly work: string;
  readonly result?: string;
  /** What its entries claim instead of the hashes of the texts. */
  readonly request_hash?: string;
  readonly result_hash?: string;
}

export const goal = 'Wähle aus "alles"';
export const requestText = (work: string): string =>
  print({ generations: '12', goal: JSON.stringify(goal), population: '20', seed: '42', work });

/** Forecast work from a text that lacks its kind, which goes where Python sorts it. */
export const forecastWork = (members: string): string => members.replace('"observations"', '"kind":"forecast","observations"');

export type Document = readonly [stream: string, text: string];
const stage = (role: string, detail: Texts): string => print({ detail: print(detail), role: `"${role}"` });
const planning = stage('planning', { evaluation_limit: '500' });
const safety = stage('safety', { passed: 'true' });

/** A mission's entries, up to the state that is named last. */
export function states(mission: GivenMission, ...names: readonly State[]): Document[] {
  const request = requestText(mission.work);
  const request_hash = `"${mission.request_hash ?? sha256Hex(request)}"`;
  const result = mission.result ?? 'null';
  const result_hash = `"${mission.result_hash ?? sha256Hex(result)}"`;
  const begun = { request, request_hash, error: 'null', execution_config_hash: `"${'c'.repeat(64)}"` };
  const verification = print({ passed: 'true', checks: '["seen"]', result_hash, semantic_review_required: 'false' });
  const made = { ...begun, lease_expires_ns: '1795152411026705250', result, stages: `[${planning},${safety}]`, verification };
  const decided = (approved: string): Texts => ({
    ...made,
    review: print({ actor: '"alice"', approved, note: '"fine"', result_hash, verification }),
  });
  const members: Record<State, Texts> = {
    queued: { request, request_hash },
    running: { ...begun, lease_expires_ns: '1795152411026705250', stages: `[${planning}]` },
    review: made,
    completed: decided('true'),
    rejected: decided('false'),
    failed: { ...begun, error: '"ValueError"', failure_stage: '2', message: '"no answer"', stages: `[${planning}]` },
    'queued again': { ...begun, recovered_from: `"${'d'.repeat(64)}"`, stages: '[]' },
  };
  return names.map((name) => [mission.id, print({ ...members[name], state: `"${name.split(' ')[0] ?? ''}"` })]);
}
type State = 'queued' | 'running' | 'review' | 'completed' | 'rejected' | 'failed' | 'queued again';

/** The first entry of its journals. */
const begin = (home: TemporaryHome, state = 'ready'): Document => [
  '@control',
  print({ config_hash: `"${sha256Hex(readFileSync(join(home.directory, 'config.json')))}"`, state: `"${state}"` }),
];

export const rowsOf = (home: TemporaryHome, documents: readonly Document[]): StoredEntry[] =>
  chainSchema1(signerOf(home), [begin(home), ...documents]);

/** Puts such entries into the place of a home's own journal, as a restore does, and goes on with an entry of ours. */
export function adopt(home: TemporaryHome, documents: readonly Document[]): void {
  forgetWitness(home);
  replaceJournal(home, rowsOf(home, documents));
  home.with(({ writer }) => {
    writer.transact((tx) => {
      tx.beginIncarnation('0123456789abcdef'.repeat(2));
      tx.append('@control', { type: 'control.resumed', document: { state: 'ready', actor } });
      return null;
    });
  });
}

/** The hash that this program gives a value of JSON text. */
export const canonicalHash = (text: string): string => sha256Hex(canonicalJson(JSON.parse(text)));

/** The schema of the reference agent's database. */
export const referenceSchema = `CREATE TABLE events(seq INTEGER PRIMARY KEY, mission TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, signature TEXT NOT NULL);
CREATE INDEX events_mission ON events(mission,seq)`;

/** A home directory of the reference agent with a home's key, token and configuration; `use` runs before the database is closed. */
export function foreignDirectory(
  home: TemporaryHome,
  rows: readonly StoredEntry[],
  use: (db: Db) => void = () => undefined,
): string {
  const directory = join(home.root, `reference-${++directories}`);
  mkdirSync(directory, { mode: 0o700 });
  for (const name of ['identity.key', 'api.token', 'config.json']) cpSync(join(home.directory, name), join(directory, name));
  const file = join(directory, 'journal.sqlite3');
  const db = new Database(file);
  chmodSync(file, 0o600);
  db.pragma('journal_mode = WAL');
  db.exec(referenceSchema);
  insertRows(db, rows);
  use(db);
  db.close();
  return directory;
}
let directories = 0;

export function insertRows(db: Db, rows: readonly StoredEntry[]): void {
  const insert = db.prepare('INSERT INTO events VALUES (@seq, @mission, @body, @hash, @signature)');
  for (const row of rows) insert.run(row);
}

/** Writes a backup as the reference agent does; returns its path. */
export async function writeReferenceArchive(
  folder: string,
  { key, token, config }: Readonly<Record<'key' | 'token' | 'config', Buffer>>,
  rows: readonly StoredEntry[],
): Promise<string> {
  const database = join(folder, 'journal.sqlite3');
  inDatabase(database, (db) => (db.exec(referenceSchema), insertRows(db, rows)));
  const members = {
    'config.json': config,
    'identity.key': key,
    'api.token': token,
    'journal.sqlite3': readFileSync(database),
  };
  const digests = Object.fromEntries(Object.entries(members).map(([name, bytes]) => [name, sha256Hex(bytes)]));
  const all = { ...members, 'manifest.json': Buffer.from(canonicalJson(digests)) };
  const archive = join(folder, 'backup.zip');
  const bytes = await archiveBytes(Object.entries(all).map(([name, source]) => ({ name, source })));
  writeFileSync(archive, bytes, { mode: 0o600 });
  return archive;
}
