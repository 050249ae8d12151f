/** What `doctor` says of a home that an older version wrote: the upgrade is tried on a copy, and the home stays as it is. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openForDoctor } from '../../src/app/home/read-only.js';
import { damageFaults, type Home, programVersion } from '../../src/app/home/home.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import type { Check } from '../../src/codec/api-status.js';
import { alter } from '../journal/tamper.js';
import { contentsBelow } from '../support/files-below.js';
import { lockVersion, setLockVersion } from '../support/store/lock-version.js';
import { homeForEach, submit, temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';

function examine<A>({ world }: TemporaryHome, use: (home: Home) => A): A {
  const home = openForDoctor(world, { tolerate: ['config', 'witness', 'permissions', ...damageFaults] });
  try {
    return use(home);
  } finally {
    home.close();
  }
}

const check = (home: TemporaryHome, name: string): Check =>
  examine(home, (opened) => inspectHome(opened).checks.find((one) => one.name === name)!);
const contents = ({ directory, witness }: TemporaryHome): readonly unknown[] => [
  contentsBelow(directory),
  [...contentsBelow(witness)].filter(([name]) => !name.endsWith('.verified')),
];

/** A home with two entries more, that an older version wrote last, with another version of a projection. */
function olderHome(): TemporaryHome {
  const home = temporaryHome();
  home.with(({ writer }) => {
    for (let n = 0; n < 2; n++) writer.transact(submit(n));
  });
  const db = new Database(join(home.directory, 'journal.sqlite3'));
  db.exec("UPDATE projection SET version = 0 WHERE name = 'missions'; DELETE FROM mission");
  db.close();
  setLockVersion(home, '1.9.0');
  return home;
}

describe('doctor on a home of an older version', () => {
  const homes = homeForEach(olderHome);

  it('reports what the upgrade does and what to do first, and leaves home and witness unchanged', () => {
    const before = contents(homes.get());
    const { status, detail, fix } = check(homes.get(), 'version');
    const steps = 'rebuilds the tables from 3 entries';
    assert.deepEqual(
      [status, detail, fix],
      [
        'warn',
        `version 1.9.0 wrote this home last; the next command of ${programVersion}, other than doctor and verify, ${steps}; ` +
          'this was tried on a copy and works; version 1.9.0 refuses the home afterwards',
        'with version 1.9.0: agent-cli pause, verify, backup FILE',
      ],
    );
    const { checks, control, events } = examine(homes.get(), inspectHome);
    assert.deepEqual([control, events], ['ready', 3]);
    assert.deepEqual(
      checks.filter((one) => one.status !== 'ok').map((one) => one.name),
      ['version'],
    );
    assert.deepEqual(contents(homes.get()), before);
  });

  it('leaves no copy behind, whether the upgrade works or not', () => {
    const temporary = join(homes.get().root, 'temporary');
    mkdirSync(temporary);
    const { TMPDIR: kept } = process.env;
    process.env['TMPDIR'] = temporary;
    try {
      assert.equal(
        examine(homes.get(), () => readdirSync(temporary).length),
        1,
      );
      alter(homes.get(), (db) => db.exec('CREATE TABLE simulation_sweep(a TEXT); DELETE FROM checkpoint'));
      assert.throws(() => examine(homes.get(), () => assert.fail('opened')));
      assert.deepEqual(readdirSync(temporary), []);
    } finally {
      if (kept === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = kept;
    }
  });

  it('reports a damaged entry, as the next command would', () => {
    alter(homes.get(), (db) => db.exec('UPDATE events SET body = replace(body, \'"goal":"\', \'"goal":"no \') WHERE seq = 2'));
    const before = contents(homes.get());
    assert.equal(check(homes.get(), 'journal').status, 'fail');
    assert.deepEqual(contents(homes.get()), before);
  });

  it('names no witness that it began, because it begins none', () => {
    rmSync(homes.get().witness, { recursive: true });
    const { status, detail } = check(homes.get(), 'witness');
    assert.deepEqual([status, detail], ['ok', 'there is no witness file for this journal']);
    assert.throws(() => readdirSync(homes.get().witness));
  });
});

describe('doctor on a home whose tables are those of this version', () => {
  const homes = homeForEach();

  it('opens one of this version as every command does', () => {
    examine(homes.get(), ({ upgrade }) => assert.equal(upgrade, null));
    assert.deepEqual(check(homes.get(), 'version'), {
      name: 'version',
      status: 'ok',
      detail: `this home is of version ${programVersion}`,
      fix: null,
    });
  });

  it('opens one whose process lock lost its version as every command does', () => {
    setLockVersion(homes.get(), '0.0.0');
    assert.equal(check(homes.get(), 'version').detail, `this home is of version ${programVersion}`);
    assert.equal(lockVersion(homes.get()), programVersion);
  });

  it('reports that the upgrade records only the version', () => {
    setLockVersion(homes.get(), '1.9.0');
    assert.match(check(homes.get(), 'version').detail, /records the version and changes nothing else; this was tried/);
    assert.equal(lockVersion(homes.get()), '1.9.0');
  });

  it('refuses what the upgrade would refuse, and changes nothing', () => {
    const db = new Database(join(homes.get().directory, 'journal.sqlite3'));
    db.exec("UPDATE projection SET version = 99 WHERE name = 'missions'");
    db.close();
    setLockVersion(homes.get(), '1.9.0');
    const before = contents(homes.get());
    assert.throws(() => check(homes.get(), 'version'), refused('newer_version'));
    assert.deepEqual(contents(homes.get()), before);
  });

  it('reports which process to stop while another one has the home open', () => {
    homes.get();
    setLockVersion(homes.get(), '1.9.0');
    const other = new Database(join(homes.get().directory, 'lock.sqlite3'));
    other.exec('BEGIN');
    other.prepare('SELECT version FROM program').get();
    assert.equal(check(homes.get(), 'version').fix, 'stop the process of version 1.9.0 that uses this home');
    other.close();
    assert.equal(check(homes.get(), 'version').fix, 'with version 1.9.0: agent-cli pause, verify, backup FILE');
  });

  it('checks the log that a killed process left, and leaves it to the next command', () => {
    const { directory } = homes.get();
    homes.get().with((home) => home.writer.transact(submit(1)));
    setLockVersion(homes.get(), '1.9.0');
    const killed = new Database(join(directory, 'journal.sqlite3'));
    killed.exec('CREATE TABLE IF NOT EXISTS later(a TEXT); DROP TABLE later');
    const log = contentsBelow(directory);
    const copy = homes.get().copy();
    killed.close();
    assert.ok(log.has('journal.sqlite3-wal'));
    assert.equal(check(copy, 'last stop').status, 'warn');
    assert.equal(contentsBelow(copy.directory).get('journal.sqlite3-wal'), log.get('journal.sqlite3-wal'));
    copy.remove();
  });
});
