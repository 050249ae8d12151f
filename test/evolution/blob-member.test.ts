/** A member that refers to a blob is one line in its event's codec: verification, backup and erasure know it from there. @slow */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { plan, root, scratch, type Scratch } from '../support/cli/cli-run.js';
import { Operator } from '../support/crash/crash-cli.js';
import { accepted } from '../support/crash/crash-settle.js';
import { versionOf } from '../support/cli/program-archive.js';
import { scratchBuild, type ScratchBuild } from '../support/cli/scratch-build.js';
import { inDatabase } from '../support/store/in-database.js';

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

const attachments = (home: string): number =>
  inDatabase(
    join(home, 'journal.sqlite3'),
    (db) => db.prepare<[Buffer], number>('SELECT count(*) FROM blob WHERE bytes = ?').pluck().get(Buffer.from(attachment)) ?? 0,
  );

describe('a new member that refers to a blob', () => {
  let newer: ScratchBuild;
  let at: Scratch;
  let mission: string;
  /** Commands of the newer version, and of this one, each in a process that stays. */
  let operator: Operator;
  const own = new Operator();
  const run = async (args: readonly string[], env = at.env): Promise<Record<string, unknown>> =>
    accepted(await operator.run(args, env), args.join(' '));
  const deepAndNot = [['verify'], ['verify', '--deep']];
  const home = (): string => join(at.directory, 'home');

  before(async () => {
    newer = scratchBuild(versionOf(root), edits);
    operator = newer.operator();
    at = scratch();
    const file = join(at.directory, 'plan.json');
    writeFileSync(file, JSON.stringify(plan));
    await run(['init']);
    const made = (await run(['run', file, '--execute'])) as { id: string; revision: number; result_hash: string };
    mission = made.id;
    const { id, revision, result_hash } = made;
    await run(['review', id, '--reject', '--revision', String(revision), '--result-hash', result_hash, '--note', 'no']);
  });
  after(() => {
    own.stop();
    operator.stop();
    newer.remove();
    at.remove();
  });

  it('is verified', async () => {
    assert.equal(attachments(home()), 1);
    for (const command of deepAndNot) assert.equal((await run(command))['valid'], true);
  });

  it('is no foreign blob to this version', async () => {
    for (const command of deepAndNot) {
      const ran = await own.run(command, at.env);
      assert.match(ran.stderr, /only read: entry \d+ was written by a newer version/);
      assert.equal((accepted(ran, command.join(' ')) as { newer: { count: number } }).newer.count, 1);
    }
  });

  it('is backed up and restored', async () => {
    const archive = join(at.directory, 'home.zip');
    await run(['backup', archive]);
    const restored = join(at.directory, 'restored');
    const env = { ...at.env, AGENT_HOME: restored, AGENT_WITNESS: join(at.directory, 'other-witness') };
    await run(['restore', archive], env);
    assert.equal(attachments(restored), 1);
    assert.equal((await run(['verify', '--deep'], env))['valid'], true);
  });

  it('is reported when it is gone', async () => {
    const db = new Database(join(home(), 'journal.sqlite3'));
    const rows = db.prepare<[], { hash: string; salt: Buffer; bytes: Buffer }>('SELECT * FROM blob').all();
    const row = rows.find(({ bytes }) => bytes.toString() === attachment);
    assert.ok(row !== undefined);
    db.prepare('DELETE FROM blob WHERE hash = ?').run(row.hash);
    const ran = await operator.run(['verify'], at.env);
    db.prepare('INSERT INTO blob VALUES (?, ?, ?)').run(row.hash, row.salt, row.bytes);
    db.close();
    assert.equal(ran.code, 3);
    assert.match(JSON.stringify(ran.value), /blob [0-9a-f]{16} is missing/);
    // What was found is remembered until a verification passes.
    await run(['verify']);
  });

  it('is erased with its mission', async () => {
    await run(['erase', mission, '--reason', 'asked to']);
    assert.equal(attachments(home()), 0);
    assert.equal((await run(['verify', '--deep']))['valid'], true);
  });
});
