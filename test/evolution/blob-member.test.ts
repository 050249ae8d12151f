/** A member that refers to a blob is one line in its event's codec: verification, backup and erasure know it from there. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { plan, root, scratch, type Scratch } from '../support/cli-run.js';
import { versionOf } from '../support/program-archive.js';
import { scratchBuild, type ScratchBuild } from '../support/scratch-build.js';

const attachment = 'an attachment that somebody may want erased';
const edits = [
  {
    file: 'src/codec/events/mission.ts',
    find: '  result_blob: optional(blobRef),\n',
    replace: '  result_blob: optional(blobRef),\n  attachment_ref: optional(blobRef),\n',
  },
  {
    file: 'src/app/missions/attempt.ts',
    find: 'const document = producedOf(this.leased, answer, this.warmStart, blob);\n',
    replace: `const attachment_ref = tx.putBlob(Buffer.from('${attachment}'));
    const document = { ...producedOf(this.leased, answer, this.warmStart, blob), attachment_ref };\n`,
  },
] as const;

const attachments = (home: string): number => {
  const db = new Database(join(home, 'journal.sqlite3'), { readonly: true });
  try {
    return db.prepare<[Buffer], number>('SELECT count(*) FROM blob WHERE bytes = ?').pluck().get(Buffer.from(attachment)) ?? 0;
  } finally {
    db.close();
  }
};

describe('a new member that refers to a blob', function () {
  this.timeout(300_000);
  let newer: ScratchBuild;
  let at: Scratch;
  let mission: string;
  const run = (...args: readonly string[]): Record<string, unknown> => newer.json(args, at.env, at.directory);
  const home = (): string => join(at.directory, 'home');

  before(() => {
    newer = scratchBuild(versionOf(root), edits);
    at = scratch();
    writeFileSync(join(at.directory, 'plan.json'), JSON.stringify(plan));
    run('init');
    const made = run('run', 'plan.json', '--execute') as { id: string; revision: number; result_hash: string };
    mission = made.id;
    const { id, revision, result_hash } = made;
    run('review', id, '--reject', '--revision', String(revision), '--result-hash', result_hash, '--note', 'no');
  });
  after(() => {
    newer.remove();
    at.remove();
  });

  it('is verified', () => {
    assert.equal(attachments(home()), 1);
    for (const deep of [[], ['--deep']]) assert.equal(run('verify', ...deep)['valid'], true);
  });

  it('is no foreign blob to this version', () => {
    for (const deep of [[], ['--deep']]) {
      const { code, stdout, stderr } = at.run('verify', ...deep, '--json');
      assert.equal(code, 0, `${stderr}${stdout}`);
      assert.match(stderr, /only read: entry \d+ was written by a newer version/);
      assert.equal((JSON.parse(stdout) as { newer: { count: number } }).newer.count, 1);
    }
  });

  it('is backed up and restored', () => {
    run('backup', 'home.zip');
    const restored = join(at.directory, 'restored');
    const env = { ...at.env, AGENT_HOME: restored, AGENT_WITNESS: join(at.directory, 'other-witness') };
    newer.json(['restore', 'home.zip'], env, at.directory);
    assert.equal(attachments(restored), 1);
    assert.equal(newer.json(['verify', '--deep'], env, at.directory)['valid'], true);
  });

  it('is missed when it is gone', () => {
    const db = new Database(join(home(), 'journal.sqlite3'));
    const rows = db.prepare<[], { hash: string; salt: Buffer; bytes: Buffer }>('SELECT * FROM blob').all();
    const row = rows.find(({ bytes }) => bytes.toString() === attachment);
    assert.ok(row !== undefined);
    db.prepare('DELETE FROM blob WHERE hash = ?').run(row.hash);
    const ran = newer.run(['verify', '--json'], at.env, at.directory);
    db.prepare('INSERT INTO blob VALUES (?, ?, ?)').run(row.hash, row.salt, row.bytes);
    db.close();
    assert.equal(ran.code, 3);
    assert.match(ran.stdout, /blob [0-9a-f]{16} is missing/);
  });

  it('is erased with its mission', () => {
    run('erase', mission, '--reason', 'asked to');
    assert.equal(attachments(home()), 0);
    assert.equal(run('verify', '--deep')['valid'], true);
  });
});
