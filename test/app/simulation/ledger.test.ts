/** The ledger: a chain that is verified from its first line on, and never written over. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import {
  appendLedger,
  ledgerPaths,
  newestEntries,
  prepareLedger,
  replayedEntries,
  type NewLedgerEntry,
} from '../../../src/app/simulation/ledger/ledger.js';
import { packageRoot } from '../../support/package-root.js';
import { folderForEach } from '../../support/app/temporary-home.js';
import { refusalOf } from '../../support/app/given-home.js';
import { membersOf } from '../../support/lists.js';

const folder = folderForEach();
const entry = (n: number): NewLedgerEntry => ({
  time: `2026-11-20T05:00:0${n % 10}.000000Z`,
  id: n.toString(16).padStart(16, '0'),
  request: { horizon: 1, k: 1e300 },
  seed: n,
  result_hash: 'ab'.repeat(32),
  forecast: [
    {
      year: 1,
      capability: 0.5,
      affected: 0,
      affected_p05: 0,
      affected_p25: 0,
      affected_p50: 0,
      affected_p75: 0,
      affected_p95: 0,
    },
  ],
  journal: { seq: 4, hash: 'cd'.repeat(32) },
});
const written = (count: number): string => {
  for (let n = 1; n <= count; n++) appendLedger(given(), entry(n));
  return ledgerPaths(given()).runs;
};
const given = (): string => {
  prepareLedger(folder.get());
  return folder.get();
};
const refusal = (call: () => unknown): string => {
  const found = refusalOf(call);
  return found === null ? 'none' : `${found.code}: ${found.detail.replaceAll(folder.get(), '')}`;
};

const nobody = 65_534;

/** Root may write everywhere: it is somebody else for as long as the call takes. */
function withoutRoot<A>(call: () => A): A {
  if (process.getuid?.() !== 0) return call();
  process.seteuid?.(nobody);
  try {
    return call();
  } finally {
    process.seteuid?.(0);
  }
}

describe('the ledger', () => {
  it('has one line of canonical JSON an entry, chained by hashes', () => {
    const file = written(3);
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    let previous = '0'.repeat(64);
    for (const [i, line] of lines.entries()) {
      const { hash, ...rest } = JSON.parse(line) as Record<string, unknown>;
      assert.equal(canonicalJson({ ...rest, hash }), line);
      assert.equal(sha256Hex(canonicalJson(rest)), hash);
      assert.deepEqual([rest['seq'], rest['previous']], [i + 1, previous]);
      previous = String(hash);
    }
    assert.deepEqual(membersOf(newestEntries(file, 2), 'seq'), [3, 2]);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  });

  it('has no entries when it is missing, and gets none when it is prepared', () => {
    const { runs } = ledgerPaths(given());
    assert.deepEqual(newestEntries(runs, 5), []);
    assert.equal(fs.existsSync(runs), false);
  });

  it('opens no database of others as its lock', () => {
    const { lock, runs } = ledgerPaths(given());
    const refused = (): string => refusal(() => appendLedger(given(), entry(1)));
    fs.writeFileSync(lock, 'SQLite format 3\0');
    assert.match(refused(), /^integrity: \S*lock\.sqlite3 is not an empty file, so it is no lock of a ledger/);
    fs.rmSync(lock);
    fs.symlinkSync('elsewhere', lock);
    assert.match(refused(), /^integrity: \S*lock\.sqlite3 is not an empty file/);
    assert.throws(() => prepareLedger(given()), /is not an empty file/);
    assert.equal(fs.existsSync(runs) || fs.existsSync(lock), false);
  });

  it('replays from a time on, or only the newest', () => {
    const file = written(5);
    const replayed = (options: object): number[] => Array.from(replayedEntries(file, options), ({ seq }) => seq);
    assert.deepEqual(replayed({}), [1, 2, 3, 4, 5]);
    assert.deepEqual(replayed({ limit: 2 }), [4, 5]);
    assert.deepEqual(replayed({ since: Date.parse('2026-11-20T05:00:03Z') }), [3, 4, 5]);
    assert.deepEqual(replayed({ since: Date.parse('2026-11-20T05:00:03Z'), limit: 1 }), [5]);
    assert.deepEqual(replayed({ since: Date.parse('2030-01-01') }), []);
  });

  const edits: readonly (readonly [string, (lines: string[]) => string, RegExp])[] = [
    [
      'a changed number',
      (l) => l.with(1, l[1]!.replace('"seed":2', '"seed":3')).join('\n') + '\n',
      /line 2: does not match its hash/,
    ],
    ['a changed forecast', (l) => l.with(0, l[0]!.replace('0.5', '0.6')).join('\n') + '\n', /line 1: does not match its hash/],
    ['a missing line', (l) => l.toSpliced(1, 1).join('\n') + '\n', /line 2: has the number 3/],
    ['a missing first line', (l) => l.slice(1).join('\n') + '\n', /line 1: has the number 2/],
    ['lines that changed places', (l) => [l[1], l[0], l[2]].join('\n') + '\n', /line 1: has the number 2/],
    ['a line twice', (l) => [l[0], l[0], l[1], l[2]].join('\n') + '\n', /line 2: has the number 1/],
    ['a cut end', (l) => l.join('\n'), /line 3: is cut off/],
    ['half a line', (l) => l.join('\n').slice(0, -40), /line 3: is cut off/],
    ['an empty line', (l) => l.join('\n\n') + '\n', /line 2: is not an entry/],
    ['another layout', (l) => l.with(2, l[2]!.replace('{', '{ ')).join('\n') + '\n', /line 3: is not in canonical form/],
    [
      'a surplus member',
      (l) => l.with(2, l[2]!.replace('{', '{"a":1,')).join('\n') + '\n',
      /line 3: is not an entry \(a: unknown member/,
    ],
    ['no JSON', () => 'hello\n', /line 1: is not an entry/],
    ['no text', () => '\u0000\u0000\n', /line 1: is not an entry/],
  ];
  for (const [title, edit, expected] of edits) {
    it(`is refused with ${title}, and is not added to`, () => {
      const file = written(3);
      fs.writeFileSync(file, edit(fs.readFileSync(file, 'utf8').trimEnd().split('\n')));
      const before = fs.readFileSync(file, 'utf8');
      for (const call of [
        () => newestEntries(file, 1),
        () => prepareLedger(given()),
        () => appendLedger(folder.get(), entry(4)),
      ]) {
        const said = refusal(call);
        assert.match(said, /^integrity: /);
        assert.match(said, expected);
      }
      assert.equal(fs.readFileSync(file, 'utf8'), before);
    });
  }

  it('is refused when one line was edited and hashed again', () => {
    const file = written(2);
    const [first = '', second = ''] = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    const { hash: _, ...changed }: Record<string, unknown> = { ...(JSON.parse(first) as object), seed: 9 };
    fs.writeFileSync(file, `${canonicalJson({ ...changed, hash: sha256Hex(canonicalJson(changed)) })}\n${second}\n`);
    assert.match(
      refusal(() => newestEntries(file, 1)),
      /line 2: does not follow the line before it/,
    );
  });

  it('is left alone behind a link or when it is not a file', () => {
    const directory = folder.get();
    fs.mkdirSync(path.join(directory, 'ledger'));
    fs.writeFileSync(path.join(directory, 'other'), '');
    fs.symlinkSync(path.join(directory, 'other'), path.join(directory, 'ledger', 'runs.jsonl'));
    assert.throws(() => appendLedger(directory, entry(1)));
    assert.equal(fs.readFileSync(path.join(directory, 'other'), 'utf8'), '');
    const another = path.join(directory, 'b');
    fs.mkdirSync(path.join(another, 'ledger', 'runs.jsonl'), { recursive: true });
    assert.match(
      refusal(() => prepareLedger(another)),
      /^invalid: .*is not a file/,
    );
  });

  it('is refused before a run in a directory that cannot be written', function () {
    if (process.getuid === undefined) this.skip();
    const directory = folder.get();
    if (process.getuid() === 0) fs.chownSync(directory, nobody, nobody);
    fs.chmodSync(directory, 0o500);
    assert.match(
      withoutRoot(() => refusal(() => prepareLedger(directory))),
      /^forbidden: /,
    );
    assert.deepEqual(fs.readdirSync(directory), []);
    fs.chmodSync(directory, 0o700);
  });

  it('takes lines of several processes at once, one after the other', () => {
    const directory = given();
    const module = pathToFileURL(
      path.join(packageRoot(import.meta.url), 'dist', 'src', 'app', 'simulation', 'ledger', 'ledger.js'),
    ).href;
    const script = `
      const { appendLedger } = await import(${JSON.stringify(module)});
      for (let n = 0; n < 8; n++) appendLedger(${JSON.stringify(directory)}, ${JSON.stringify(entry(1))});`;
    const shell = Array.from({ length: 3 }, () => '"$NODE" --input-type=module --eval "$SCRIPT" &').join('\n');
    const ran = spawnSync('/bin/sh', ['-c', `${shell}\nwait`], {
      env: { ...process.env, NODE: process.execPath, SCRIPT: script },
      encoding: 'utf8',
    });
    assert.equal(ran.stderr, '');
    assert.equal(newestEntries(ledgerPaths(directory).runs, 100).length, 24);
  });
});
