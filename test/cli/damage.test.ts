/** Commands on a damaged home: a warning first, then what was signed and exit 3; what stops work is recorded with exit 0. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inDatabase } from '../support/store/in-database.js';
import { homeScratch, hostedScratch, plan, type Scratch } from '../support/cli/cli-run.js';
import { schedule } from '../support/app/given-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';

let at: Scratch;
let id: string;

/** Makes a home with a mission and a token for each test of a suite. */
function homeWithWork(): void {
  beforeEach(() => {
    at = homeScratch({ 'plan.json': plan });
    id = String(at.json('run', 'plan.json')['id']);
    at.json('token', 'create', 'ci', '--role', 'viewer');
  });
  afterEach(() => at.remove());
}

function tamper(sql: string): void {
  inDatabase(join(at.directory, 'home', 'journal.sqlite3'), (db) => db.exec(sql));
}

describe('a command on a home with an altered row', () => {
  homeWithWork();

  const warning = (): string =>
    `this home is damaged: the table row of mission ${id} does not match its signed entries; run: agent-cli rebuild`;

  it('warns, prints the signed state and exits 3 when it shows the row', () => {
    tamper("UPDATE mission SET goal = 'forged', state = 'completed'");
    for (const args of [['list'], ['show', id]]) {
      const { code, stdout, stderr } = at.run(...args);
      assert.deepEqual([code, stderr], [3, `! ${warning()}\n`]);
      assert.match(stdout, /Choose what to repair/);
      assert.doesNotMatch(stdout, /forged|completed/);
      const json = at.run(...args, '--json');
      const document = JSON.parse(json.stdout) as { readonly warnings: unknown };
      assert.deepEqual([json.code, json.stderr, document.warnings], [3, '', [warning()]]);
    }
  });

  it('is recorded with a warning and exits 0 when it stops work', () => {
    tamper("UPDATE control SET config_blob = NULL; UPDATE mission SET goal = 'forged'; UPDATE token SET role = 'admin'");
    for (const [args, state] of [
      [['cancel', id], 'failed'],
      [['token', 'revoke', 'ci'], 'revoked'],
      [['pause'], 'paused'],
    ] as const) {
      const { code, stdout, stderr } = at.run(...args, '--json');
      const { state: now, warnings } = JSON.parse(stdout) as { readonly state: string; readonly warnings: readonly string[] };
      assert.deepEqual([code, stderr, now], [0, '', state]);
      assert.match(warnings[0] ?? '', /^this home is damaged: the .* does not match its signed entries; run: /);
    }
    assert.match(at.run('pause').stderr, /^! this home is damaged: the /);
    assert.deepEqual(at.run('rebuild').code, 0);
    assert.deepEqual([at.json('show', id)['state'], at.json('show', id)['goal']], ['failed', plan.goal]);
    assert.equal(at.json('verify', '--deep')['valid'], true);
  });

  it('refuses and names rebuild when it is of any other kind', () => {
    writeFileSync(join(at.directory, 'other.json'), JSON.stringify(schedule()));
    tamper('DELETE FROM mission; DELETE FROM token');
    // The first command that meets the damage leaves a mark of it for all others.
    for (const args of [
      ['execute', id],
      ['run', 'other.json'],
      ['review', id, '--approve', '--revision', '2', '--result-hash', 'ab', '--note', 'fits'],
      ['recover', id],
      ['erase', id, '--reason', 'why'],
      ['export', id, '--output', 'x.json'],
      ['report', id, '--output', 'x.html'],
      ['resume'],
      ['runs'],
      ['token', 'list'],
      ['tool', 'list'],
      ['backup', 'a.zip'],
      ['checkpoint'],
      ['serve', '--port', '0'],
    ]) {
      const { code, stdout, stderr } = at.run(...args);
      assert.deepEqual([code, stdout], [3, ''], args.join(' '));
      assert.match(
        stderr,
        /^✗ Integrity failure: the table row of .* does not match its signed entries\n {2}→ agent-cli rebuild\n$/,
      );
    }
    const { code, stdout } = at.run('doctor');
    assert.equal(code, 3);
    assert.match(stdout, /✗ tables +the table row of [^→]*→ agent-cli rebuild/);
    assert.equal(at.run('verify').code, 3);
  });
});

const damage = /entry 2: the stored bytes do not match their hash/;

describe('a home with an altered older entry', () => {
  let at: Scratch;
  before(() => {
    at = hostedScratch();
    for (const command of ['init', 'pause --as anna', 'resume', 'pause']) assert.equal(at.run(...command.split(' ')).code, 0);
    inDatabase(join(at.env['AGENT_HOME'] ?? '', 'journal.sqlite3'), (db) =>
      withoutTriggers(db, () => void db.exec(`UPDATE events SET body = replace(body, '"anna"', '"hans"')`)),
    );
    // No command but a verification reads that entry; what it finds holds for all others.
    assert.equal(at.run('verify').code, 3);
  });
  after(() => at.remove());

  for (const command of [
    'checkpoint',
    'config show',
    'rebuild',
    'token list',
    'token create ci --role viewer',
    'resume',
    'backup b.zip',
  ])
    it(`is refused by ${command}`, () => {
      const { code, stdout, stderr } = at.run(...command.split(' '));
      assert.equal(code, 3);
      assert.equal(stdout, '');
      assert.match(stderr, damage);
    });

  for (const command of ['verify', 'doctor'])
    it(`is reported by ${command}`, () => {
      const { code, stdout } = at.run(...command.split(' '));
      assert.equal(code, 3);
      assert.match(stdout.replaceAll(/\s+/g, ' '), damage);
    });

  it('is listed after a warning, with exit code 3', () => {
    const { code, stdout, stderr } = at.run('list', '--json');
    const { warnings, ...page } = JSON.parse(stdout) as { readonly warnings: readonly string[] };
    assert.deepEqual([code, page, stderr, warnings.length], [3, { items: [], next_cursor: null }, '', 1]);
    assert.match(warnings[0] ?? '', damage);
    assert.match(at.run('list').stderr, damage);
  });

  it('can be paused, with a warning', () => {
    const { code, stdout, stderr } = at.run('pause');
    assert.equal(code, 0);
    assert.match(stdout, /paused/);
    assert.match(stderr, damage);
  });
});

describe('a home with a trigger that is not ours', () => {
  it('is listed with a warning, and records nothing', () => {
    const at = hostedScratch();
    try {
      for (const command of ['init', 'pause']) assert.equal(at.run(command).code, 0);
      inDatabase(join(at.env['AGENT_HOME'] ?? '', 'journal.sqlite3'), (db) =>
        db.exec('CREATE TRIGGER quiet AFTER INSERT ON events BEGIN DELETE FROM mission; END'),
      );
      const foreign = /the database's schema differs from what agent-cli creates: unexpected trigger quiet/;
      const listed = at.run('list');
      assert.deepEqual([listed.code, foreign.test(listed.stderr)], [3, true]);
      const paused = at.run('pause');
      assert.deepEqual([paused.code, paused.stdout, foreign.test(paused.stderr)], [3, '', true]);
      assert.match(at.run('verify').stdout, foreign);
    } finally {
      at.remove();
    }
  });
});
