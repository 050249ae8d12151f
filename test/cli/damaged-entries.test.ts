/** An altered older entry is found by every command, and a damaged home can still be stopped and inspected. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { after, before, describe, it } from 'mocha';
import { scratch, type Scratch } from '../support/cli-run.js';
import { withoutTriggers } from '../support/without-triggers.js';

const damage = /entry 2: the stored bytes do not match their hash/;

describe('a home with an altered older entry', () => {
  let at: Scratch;
  before(() => {
    at = scratch();
    for (const command of ['init', 'pause --as anna', 'resume', 'pause']) assert.equal(at.run(...command.split(' ')).code, 0);
    const db = new Database(join(at.env['AGENT_HOME'] ?? '', 'journal.sqlite3'));
    withoutTriggers(db, () => void db.exec(`UPDATE events SET body = replace(body, '"anna"', '"hans"')`));
    db.close();
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
    const at = scratch();
    try {
      for (const command of ['init', 'pause']) assert.equal(at.run(command).code, 0);
      const db = new Database(join(at.env['AGENT_HOME'] ?? '', 'journal.sqlite3'));
      db.exec('CREATE TRIGGER quiet AFTER INSERT ON events BEGIN DELETE FROM mission; END');
      db.close();
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
