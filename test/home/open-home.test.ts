import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import { damageFaults, type OpenOptions } from '../../src/app/home/home.js';
import { restoreSignedConfig } from '../../src/app/control/control.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { openHome } from '../../src/app/home/open.js';
import { initHome } from '../../src/app/home/init.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { type Refusal, refusals } from '../../src/base/refusal.js';
import { refusalOf as maybeRefusal } from '../support/app/given-home.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';
import { refused } from '../support/refused.js';
import { whileReplaced } from '../support/while-replaced.js';

/** Opens a home for doctor as a user who is not root, who may enter every directory, and prints the refusal, or the fix of the permissions. */
const asNobody = `
  const { openForDoctor } = await import('${new URL('../../src/app/home/read-only.js', import.meta.url).href}');
  const { inspectHome } = await import('${new URL('../../src/app/operator/doctor.js', import.meta.url).href}');
  if (process.getuid() === 0) process.setuid(65534);
  try {
    const home = openForDoctor({ env: { AGENT_WITNESS: '/nowhere' }, clock: Date.now, directory: process.argv[1] });
    console.log(JSON.stringify({ hint: inspectHome(home).checks.find(({ name }) => name === 'permissions').fix }));
  } catch (error) {
    console.log(JSON.stringify(error.refusal));
  }
`;
const refusalOfNobody = (directory: string): Refusal =>
  JSON.parse(String(spawnSync(process.execPath, ['--input-type=module', '-e', asNobody, directory]).stdout)) as Refusal;
const homes = homeForEach();
const file = (name: string): string => join(homes.get().directory, name);

const refusalOf = (work: () => unknown): Refusal => maybeRefusal(work) ?? assert.fail('it was not refused');
const refusal = (options?: OpenOptions): Refusal => refusalOf(() => homes.get().open(options).close());

/** Every kind of fault ends a command with exit code 3, and ends it again: nothing was repaired or lost meanwhile. */
function failsClosed(detail: RegExp, hint?: RegExp): void {
  for (let i = 0; i < 2; i++) {
    const { code, detail: said, hint: advice } = refusal();
    assert.equal(refusals[code].exit, 3, said);
    assert.match(said, detail);
    if (hint !== undefined) assert.match(advice ?? '', hint);
  }
}

describe('opening a home: permissions', () => {
  for (const name of ['identity.key', 'api.token', 'config.json', 'journal.sqlite3', 'lock.sqlite3']) {
    for (const mode of [0o644, 0o640, 0o604, 0o660]) {
      it(`refuses ${name} with mode ${mode.toString(8)}`, () => {
        fs.chmodSync(file(name), mode);
        failsClosed(new RegExp(`${name} has mode 0${mode.toString(8)}`), /^chmod 600 /);
        fs.chmodSync(file(name), 0o600);
        homes.get().open().close();
      });
    }
    it(`refuses ${name} as a symbolic link`, () => {
      fs.renameSync(file(name), join(homes.get().root, 'elsewhere'));
      fs.symlinkSync(join(homes.get().root, 'elsewhere'), file(name));
      failsClosed(/is a symbolic link/);
    });
  }

  it('refuses a home that is a symbolic link, and names the real path', () => {
    const link = join(homes.get().root, 'link');
    fs.symlinkSync(homes.get().directory, link);
    const world = { ...homes.get().world, directory: link };
    const real = fs.realpathSync(homes.get().directory);
    const opening = refusalOf(() => openHome(world).close());
    assert.equal(opening.detail, `${link} is a symbolic link to ${real}`);
    assert.equal(opening.hint, `agent-cli doctor --home ${real}`);
    assert.match(refusalOf(() => initHome(world)).detail, new RegExp(`symbolic link to ${real};`));
  });

  it('says that a home cannot be entered, and not that it is none', () => {
    const { directory } = homes.get();
    fs.chmodSync(directory, 0);
    const said = refusalOfNobody(directory);
    fs.chmodSync(directory, 0o700);
    assert.deepEqual(said, { code: 'forbidden', detail: `no permission to enter ${directory}` });
  });

  (process.getuid?.() === 0 ? it : it.skip)('tells how to take back files that root left behind', () => {
    const { directory, root } = homes.get();
    fs.chmodSync(root, 0o755);
    for (const left of ['lock.sqlite3', 'lock.sqlite3', 'api.token']) {
      for (const name of ['', ...fs.readdirSync(directory)]) fs.chownSync(file(name), name === left ? 0 : 65_534, 0);
      assert.match(refusalOfNobody(directory).hint ?? '', /^sudo chown -R "\$\(id -u\):\$\(id -g\)" .*home$/, left);
      fs.chmodSync(file('lock.sqlite3'), 0o644);
    }
  });

  it('refuses a directory with mode 755', () => {
    fs.chmodSync(homes.get().directory, 0o755);
    failsClosed(/has mode 0755/, /^chmod 700 /);
  });

  it('makes the files private with init, whatever the umask', () => {
    const umask = process.umask(0);
    try {
      const directory = join(homes.get().root, 'open');
      initHome({ ...homes.get().world, directory });
      for (const name of fs.readdirSync(directory)) assert.equal(permissions(join(directory, name)), null, name);
    } finally {
      process.umask(umask);
    }
  });
});

const { permissionFault: permissions } = await import('../../src/home/permission-fault.js');

describe('opening a home: missing and damaged files', () => {
  for (const name of ['identity.key', 'api.token', 'journal.sqlite3']) {
    it(`refuses a home without ${name}, and one whose disk does not say whether it is there`, async () => {
      const broken = (path: string) => path === file(name) && assert.fail(Object.assign(new Error(), { code: 'EIO' }));
      await whileReplaced(fs, { accessSync: broken }, () => failsClosed(/cannot be read, because the disk failed \(EIO\)$/));
      fs.rmSync(file(name));
      failsClosed(new RegExp(`^missing from .*: ${name.replace('.', '\\.')}$`), name === 'api.token' ? /doctor$/ : /restore/);
      assert.equal(fs.existsSync(file(name)), false);
    });
  }

  it('creates a missing lock.sqlite3', () => {
    fs.rmSync(file('lock.sqlite3'));
    homes.get().with((home) => assert.equal(home.writer.head.size, 1));
    assert.equal(permissions(file('lock.sqlite3')), null);
    for (const name of ['lock.sqlite3', 'identity.key']) fs.rmSync(file(name));
    failsClosed(/^missing from .*: identity\.key$/);
    assert.equal(fs.existsSync(file('lock.sqlite3')), false);
  });

  it('opens for doctor without api.token, which names it and how to create one', () => {
    fs.rmSync(file('api.token'));
    const { checks } = homes.get().with(inspectHome, { tolerate: ['config', 'witness', 'permissions', ...damageFaults] });
    const failed = checks.find(({ status }) => status === 'fail');
    assert.match(failed?.detail ?? '', /^missing from .*: api\.token$/);
    execFileSync('sh', ['-c', failed?.fix ?? '']);
    assert.match(fs.readFileSync(file('api.token'), 'utf8'), /^[A-Za-z0-9_-]{43}$/);
    homes.get().open().close();
  });

  it('continues an interrupted init when config.json is missing and there is one entry', () => {
    const text = fs.readFileSync(file('config.json'), 'utf8');
    fs.rmSync(file('config.json'));
    assert.deepEqual([refusal().code, refusal().hint], ['not_found', 'agent-cli init']);
    assert.equal(initHome(homes.get().world).identity, homes.get().report.identity);
    assert.equal(fs.readFileSync(file('config.json'), 'utf8'), text);
    homes.get().open().close();
  });

  it('restores a missing config.json from the journal, or says why not', async () => {
    homes.get().with((home) => home.writer.transact(submit(1)));
    const text = fs.readFileSync(file('config.json'), 'utf8');
    fs.rmSync(file('config.json'));
    failsClosed(/^missing from .*: config\.json$/, /configure --restore-signed/);
    const restore = () => homes.get().with(restoreSignedConfig, { tolerate: ['config'] });
    const renameSync = () => assert.fail(Object.assign(new Error(), { code: 'EROFS' }));
    await whileReplaced(fs, { renameSync }, () => assert.throws(restore, refused('not_writable', /^config\.json is on/)));
    restore();
    assert.equal(fs.readFileSync(file('config.json'), 'utf8'), text);
    homes.get().open().close();
  });

  it('refuses a missing directory, and one without a home', () => {
    const directory = join(homes.get().root, 'other');
    const open = (): void => openHome({ ...homes.get().world, directory }).close();
    assert.throws(open, refused('not_found', /there is no home at/));
    fs.mkdirSync(directory);
    assert.throws(open, refused('not_found', /is not a home/));
  });

  for (const bytes of [0, 31, 33]) {
    it(`refuses identity.key with ${bytes} bytes`, () => {
      fs.writeFileSync(file('identity.key'), Buffer.alloc(bytes, 1));
      failsClosed(new RegExp(`${bytes} bytes instead of 32`));
    });
  }

  it('refuses identity.key of another home', async () => {
    fs.writeFileSync(file('identity.key'), Buffer.alloc(32, 1));
    failsClosed(/entry 1 is not signed by this home's key/);
    await homes.get().with(
      async (home) => {
        const { valid, failure } = await verifyHome(home, { deep: true });
        assert.deepEqual([valid, failure?.sequence], [false, 1]);
        assert.match(failure?.detail ?? '', /another identity/);
      },
      { tolerate: ['config', 'witness', ...damageFaults] },
    );
  });

  it('refuses config.json edited by hand', () => {
    fs.writeFileSync(file('config.json'), fs.readFileSync(file('config.json'), 'utf8').replace('alpha', 'beta'));
    failsClosed(/edited by hand, or its replacement was interrupted/, /configure --restore-signed/);
  });

  /** Damages a file of a home with two entries. */
  const refuses = (what: string, name: string, damage: (bytes: Buffer) => Uint8Array, said: RegExp, hint?: RegExp) =>
    it(`refuses ${what}`, () => {
      homes.get().with((home) => home.writer.transact(submit(1)));
      fs.writeFileSync(file(name), damage(fs.readFileSync(file(name))));
      failsClosed(said, hint);
    });
  refuses('a lock that is no database', 'lock.sqlite3', () => Buffer.alloc(4_096, 7), /lock\.sqlite3 is damaged/, /^mv /);
  refuses('a damaged journal', 'journal.sqlite3', (bytes) => bytes.fill(0x5a, 4_096), /damaged|schema|malformed|entry/);
  refuses('a journal cut to its first page', 'journal.sqlite3', (bytes) => bytes.subarray(0, 4_096), /damaged|malformed/);
});

describe('opening a home: after an unclean stop', () => {
  /** Leaves a log behind as a killed process does: the connection is abandoned, its files are copied back. */
  function killedAfter(n: number): void {
    const home = homes.get().open();
    home.writer.transact(submit(n));
    const [db, wal] = [fs.readFileSync(file('journal.sqlite3')), fs.readFileSync(file('journal.sqlite3-wal'))];
    home.close();
    fs.writeFileSync(file('journal.sqlite3'), db);
    fs.writeFileSync(file('journal.sqlite3-wal'), wal, { mode: 0o600 });
  }

  it('reads the log, removes leftovers of writers, and loses nothing', () => {
    killedAfter(1);
    fs.writeFileSync(file('config.json.tmp-00112233aabb'), 'half', { mode: 0o600 });
    homes.get().with((home) => {
      assert.deepEqual([home.uncleanStop, home.writer.head.size], [true, 2]);
      assert.deepEqual(home.writer.transact(submit(2)), 3);
    });
    assert.equal(fs.existsSync(file('config.json.tmp-00112233aabb')), false);
    homes.get().with((home) => assert.equal(home.uncleanStop, false));
  });

  it('loses the torn transaction of a log that was cut, which the witness then reports', () => {
    killedAfter(1);
    fs.truncateSync(file('journal.sqlite3-wal'), 40);
    assert.equal(refusal().code, 'rollback');
    fs.rmSync(homes.get().witness, { recursive: true });
    homes.get().with((home) => assert.equal(home.writer.head.size, 1));
  });
});

describe('opening a home: obstacles', () => {
  it('refuses with in_use a journal that another process holds exclusively', () => {
    const other = new Database(file('journal.sqlite3'));
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    try {
      assert.equal(refusal().code, 'in_use');
    } finally {
      other.close();
    }
    homes.get().open().close();
  });

  it('continues when the witness directory cannot be made', () => {
    fs.rmSync(homes.get().witness, { recursive: true });
    fs.writeFileSync(homes.get().witness, 'a file where the directory should be');
    homes.get().with((home) => {
      assert.deepEqual(home.writer.transact(submit(1)), 2);
      assert.ok(['EEXIST', 'ENOTDIR'].includes(home.updateWitness() as string));
    });
    homes.get().with((home) => assert.equal(home.writer.head.size, 2));
  });
});
