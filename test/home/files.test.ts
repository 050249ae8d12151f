import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeExamples } from '../../src/app/missions/examples.js';
import { Fault, type Refusal, RefusalError } from '../../src/base/refusal.js';
import {
  createFile,
  createOutput,
  fileError,
  makeDirectories,
  makePrivateDirectory,
  ofFile,
  placeDirectory,
  readInput,
  removeTemporaries,
  replaceFile,
} from '../../src/home/files.js';
import { homeDirectory, homePaths, witnessDirectory, witnessFile } from '../../src/home/paths.js';
import { permissionFault } from '../../src/home/permission-fault.js';
import { readRegularFile } from '../../src/home/regular-file.js';
import { readWitness, writeWitness } from '../../src/home/witness-file.js';
import { entry } from '../support/crash/crash-cli.js';
import { refusalOf } from '../support/app/given-home.js';
import { folderForEach, homeForEach } from '../support/app/temporary-home.js';
import { hang_ms } from '../support/wait.js';
import { refused } from '../support/refused.js';
import { whileReplaced } from '../support/while-replaced.js';

const folder = folderForEach();
const at = (name: string): string => join(folder.get(), name);
const failing = (code: string) => (): never => assert.fail(Object.assign(new Error(code), { code }));

describe('private files', () => {
  it('are created whole, private, and never over what is there', () => {
    const umask = process.umask(0);
    try {
      createFile(at('a'), Buffer.from('one'));
    } finally {
      process.umask(umask);
    }
    assert.equal(fs.statSync(at('a')).mode & 0o777, 0o600);
    assert.throws(() => createFile(at('a'), Buffer.from('two')), refused('exists'));
    fs.symlinkSync(at('nowhere'), at('dangling'));
    assert.throws(() => createFile(at('dangling'), Buffer.from('two')), refused('exists'));
    fs.mkdirSync(at('directory'));
    assert.throws(() => createFile(at('directory'), Buffer.from('two')), refused('exists'));
    assert.equal(fs.readFileSync(at('a'), 'utf8'), 'one');
    assert.deepEqual(fs.readdirSync(folder.get()).toSorted(), ['a', 'dangling', 'directory']);
  });

  it('are created in directories that are made where they are missing, and fail where none can be made', () => {
    assert.equal(makeDirectories(at('one/two/three')), at('one'));
    assert.equal(makeDirectories(at('one/two/four')), at('one/two/four'));
    assert.equal(makeDirectories(at('one/two/three')), null);
    createFile(at('file'), Buffer.from('one'));
    for (const [name, code] of [
      ['file', 'EEXIST'],
      ['file/below', 'ENOTDIR'],
      ...(process.platform === 'linux' ? [['/proc/nothing/below', 'ENOENT'] as const] : []),
    ] as const) {
      assert.throws(() => makeDirectories(name.startsWith('/') ? name : at(name)), { code }, name);
    }
  });

  it('may be read by all as outputs, except by whom the umask keeps out', () => {
    const umask = process.umask(0o007);
    createOutput(at('a'), 'one');
    process.umask(umask);
    assert.equal(fs.statSync(at('a')).mode & 0o777, 0o640);
  });

  it('are all or none in a new directory', () => {
    const words = ['-c', 'ulimit -f 24; exec "$0" "$@"', process.execPath, entry, 'examples', '--output', at('cut')];
    assert.match(spawnSync('/bin/sh', words, { encoding: 'utf8' }).stderr, /^✗ Storage full: /);
    assert.deepEqual(fs.readdirSync(folder.get()), []);
  });

  it('fail by their cause where what was made before cannot be taken back', async () => {
    const disk = { fsyncSync: failing('EIO'), chmodSync: failing('EIO'), rmSync: failing('EROFS'), rmdirSync: failing('EROFS') };
    const rename = (from: string, to: string): void => (from === at('from') ? renameSync(from, to) : failing('EROFS')());
    const { renameSync } = fs;
    fs.mkdirSync(at('from'));
    await whileReplaced(fs, { ...disk, renameSync: rename }, () => {
      assert.throws(() => writeExamples(at('examples')), refused('not_writable', /the disk failed/));
      assert.equal(fs.existsSync(at('examples')), false);
      assert.throws(() => makePrivateDirectory(at('private')), { code: 'EIO' });
      assert.throws(() => placeDirectory(at('from'), at('to')), { code: 'EIO' });
    });
  });

  it('are replaced in one step: who had the old one open keeps it', () => {
    createFile(at('a'), Buffer.from('one'));
    fs.linkSync(at('a'), at('old'));
    replaceFile(at('a'), Buffer.from('two'));
    assert.deepEqual([fs.readFileSync(at('a'), 'utf8'), fs.readFileSync(at('old'), 'utf8')], ['two', 'one']);
    assert.equal(fs.statSync(at('a')).mode & 0o777, 0o600);
    assert.deepEqual(fs.readdirSync(folder.get()).toSorted(), ['a', 'old']);
  });

  it('are removed when a killed writer left them, and no other files are', () => {
    for (const name of ['a.tmp-00', 'b.tmp-00', 'a', 'a.tmp', 'xa.tmp-00']) fs.writeFileSync(at(name), '');
    removeTemporaries(folder.get(), ['a']);
    assert.deepEqual(fs.readdirSync(folder.get()).toSorted(), ['a', 'a.tmp', 'b.tmp-00', 'xa.tmp-00']);
  });

  it('are in a private directory that is made with its parents, once', () => {
    makePrivateDirectory(at('x/y/z'));
    assert.equal(fs.statSync(at('x/y/z')).mode & 0o777, 0o700);
    assert.throws(() => makePrivateDirectory(at('x/y/z')), { code: 'EEXIST' });
  });

  it('are checked for their mode', () => {
    fs.writeFileSync(at('a'), '');
    const faultOf = (mode: number): string | null => (fs.chmodSync(at('a'), mode), permissionFault(at('a')));
    for (const mode of [0o600, 0o400, 0o700]) assert.equal(faultOf(mode), null);
    for (const mode of [0o601, 0o620]) assert.equal(faultOf(mode), `has mode 0${mode.toString(8)}, others could use it`);
    fs.symlinkSync(at('a'), at('link'));
    assert.equal(permissionFault(at('link')), `is a symbolic link to ${fs.realpathSync(at('a'))}`);
    fs.symlinkSync('nowhere', at('dangling'));
    assert.equal(permissionFault(at('dangling')), 'is a symbolic link to nowhere, which does not exist');
  });
});

describe('files that others wrote', () => {
  it('are read up to their limit', async () => {
    fs.writeFileSync(at('a'), 'abc');
    await whileReplaced(fs, { fstatSync: failing('EIO') }, () =>
      assert.throws(() => readInput(at('a'), 3), refused('integrity')),
    );
    assert.equal(readInput(at('a'), 3).toString(), 'abc');
    assert.throws(() => readInput(at('a'), 2), refused('too_large'));
    assert.throws(() => readInput(at('none'), 9), refused('not_found'));
    for (const other of [folder.get(), '/dev/zero']) assert.throws(() => readInput(other, 9), refused('invalid'));
  });

  it('are named where they are refused as a whole, and not where a member is', () => {
    const detail = (refusal: Refusal): string | undefined =>
      refusalOf(() =>
        ofFile('a.json', () => {
          throw new RefusalError(refusal);
        }),
      )?.detail;
    const of = (path: string): Refusal => ({ code: 'invalid', detail: 'said', errors: [{ path, message: 'said' }] });
    assert.equal(detail({ code: 'malformed', detail: 'the document ends too early' }), 'a.json: the document ends too early');
    assert.equal(detail(of('')), 'a.json: said');
    assert.equal(detail(of('work')), 'said');
    assert.equal(detail({ code: 'not_found', detail: 'said' }), 'said');
    const read = ofFile('a.json', () => 1);
    assert.equal(read, 1);
  });

  it('give errors of the file system their meaning', () => {
    const error = (code: string): unknown => fileError(Object.assign(new Error(code), { code, errno: -122 }), 'x');
    const meanings = [
      ['storage_full', ['ENOSPC', 'UNKNOWN', 'EFBIG']],
      ['not_writable', ['EROFS', 'EIO']],
      ['forbidden', ['EACCES', 'EPERM']],
      ['busy', ['EMFILE', 'ENFILE']],
      ['not_found', ['ENOENT', 'ENOTDIR']],
      ['invalid', ['ENAMETOOLONG', 'ELOOP', 'EISDIR']],
      ['integrity', ['SQLITE_CORRUPT']],
    ] as const;
    for (const [meaning, codes] of meanings) for (const code of codes) assert.ok(refused(meaning)(error(code)), code);
    assert.ok(error('EBUSY') instanceof Fault);
    assert.ok(fileError(new TypeError('a bug'), 'x') instanceof TypeError);
  });
});

describe('locations of files', () => {
  it('find the home by the flag, else the environment, else the data directory', () => {
    const env = { AGENT_HOME: '/env', XDG_DATA_HOME: '/data' };
    assert.equal(homeDirectory('/flag', env), '/flag');
    assert.throws(() => homeDirectory('', env), refused('invalid'));
    assert.throws(() => homeDirectory(`/${'ä'.repeat(230)}`, {}), refused('invalid', /at most 460 bytes/));
    assert.equal(homeDirectory(undefined, { ...env, AGENT_HOME: '' }), '/data/agent-cli');
    assert.equal(homeDirectory(undefined, {}), join(homedir(), '.local/share/agent-cli'));
    assert.equal(homeDirectory('here', env), join(process.cwd(), 'here'));
    assert.equal(homePaths('/h').identityKey, '/h/identity.key');
  });

  it('are never below a ~ that no shell replaced, nor relative to the working directory by an empty HOME', () => {
    for (const path of ['~/agent', '~', '~other/agent']) {
      assert.throws(() => homeDirectory(path, {}), refused('invalid'));
      assert.throws(() => homeDirectory(undefined, { AGENT_HOME: path }), refused('invalid'));
      assert.throws(() => homeDirectory(undefined, { XDG_DATA_HOME: path }), refused('invalid'));
      assert.throws(() => witnessDirectory({ AGENT_WITNESS: path }), refused('invalid'));
      assert.throws(() => witnessDirectory({ XDG_STATE_HOME: `./${path}` }), refused('invalid'));
      assert.equal(homeDirectory(`./${path}`, {}), join(process.cwd(), path));
    }
    const { HOME } = process.env;
    try {
      for (const home of ['', 'relative', '~/me']) {
        process.env['HOME'] = home;
        assert.throws(() => homeDirectory(undefined, {}), refused('invalid'));
        assert.throws(() => witnessDirectory({}), refused('invalid'));
        assert.equal(homeDirectory('/flag', {}), '/flag');
      }
    } finally {
      if (HOME === undefined) delete process.env['HOME'];
      else process.env['HOME'] = HOME;
    }
  });

  it('find the witness outside the home, one file for each origin', () => {
    assert.equal(witnessDirectory({ AGENT_WITNESS: '/disk', XDG_STATE_HOME: '/state' }), '/disk');
    assert.equal(witnessDirectory({ XDG_STATE_HOME: '/state' }), '/state/agent-cli/witness');
    assert.equal(witnessDirectory({}), join(homedir(), '.local/state/agent-cli/witness'));
    // SHA-256 of "abc", FIPS 180-4.
    assert.equal(witnessFile('/w', 'abc'), '/w/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('the witness file', () => {
  it('is written whole and private, and read back', () => {
    const file = at('made/on/demand/w');
    assert.deepEqual(readWitness(file), { status: 'absent' });
    assert.equal(writeWitness(file, 'one\n'), null);
    assert.equal(writeWitness(file, 'two\n'), null);
    assert.deepEqual(readWitness(file), { status: 'read', note: 'two\n' });
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(fs.readdirSync(at('made/on/demand')), ['w']);
  });

  it('reports why it cannot be read or written, and does not throw', () => {
    fs.writeFileSync(at('file'), '');
    assert.equal(writeWitness(at('file/w'), 'x'), 'EEXIST');
    assert.equal(writeWitness(at('file/deeper/w'), 'x'), 'ENOTDIR');
    fs.mkdirSync(at('w'));
    assert.equal(writeWitness(at('w'), 'x'), 'EISDIR');
    assert.deepEqual(readWitness(at('w')), { status: 'unreadable', reason: 'not a regular file' });
    fs.writeFileSync(at('bytes'), Buffer.of(0xff));
    assert.deepEqual(readWitness(at('bytes')), { status: 'unreadable', reason: 'not a checkpoint' });
    fs.writeFileSync(at('large'), Buffer.alloc(70_000, 65));
    assert.deepEqual(readWitness(at('large')), { status: 'unreadable', reason: 'not a checkpoint' });
    assert.deepEqual(fs.readdirSync(folder.get()).toSorted(), ['bytes', 'file', 'large', 'w']);
  });
});

describe('a FIFO in place of a file of the home', function () {
  const homes = homeForEach();
  if (process.platform === 'win32') return;

  const refusals: readonly (readonly [file: string, argv: readonly string[], code: number])[] = [
    ['config.json', ['list'], 3],
    ['config.json', ['serve', '--port', '0', '--no-simulation'], 3],
    ['identity.key', ['list'], 3],
    ['ballast', ['resume'], 3],
    ['api.token', ['backup', 'a.zip'], 3],
  ];
  for (const [file, argv, code] of refusals) {
    it(`is refused with its path as ${file} by ${argv[0]}`, () => {
      const { directory, root, witness } = homes.get();
      fs.rmSync(join(directory, file));
      execFileSync('mkfifo', ['-m', '600', join(directory, file)]);
      const env = { ...process.env, AGENT_HOME: directory, AGENT_WITNESS: witness };
      const ran = spawnSync(process.execPath, [entry, ...argv], { cwd: root, env, timeout: hang_ms, encoding: 'utf8' });
      assert.deepEqual([ran.status, ran.signal], [code, null], ran.stderr);
      assert.match(ran.stderr, new RegExp(`${join(directory, file)} is not a regular file`));
    });
  }

  if (process.platform === 'linux')
    for (const read of [readRegularFile, (file: string): Buffer => readInput(file, 9)])
      it('is not confused with a file that a failing disk cannot read', () =>
        assert.throws(() => read('/proc/self/mem'), refused('integrity')));

  it('is reported as a missing ballast by doctor, and other commands continue', () => {
    const { directory, root, witness } = homes.get();
    fs.rmSync(join(directory, 'ballast'));
    execFileSync('mkfifo', ['-m', '600', join(directory, 'ballast')]);
    const env = { ...process.env, AGENT_HOME: directory, AGENT_WITNESS: witness };
    const ran = spawnSync(process.execPath, [entry, 'doctor'], { cwd: root, env, timeout: hang_ms, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(ran.stdout, /! ballast/);
  });
});

const module = new URL('../../src/app/home/staging.js', import.meta.url).href;
const temporary = (): string => join(folder.get(), 'temporary');

/** Runs a line in a process of its own that has the functions of the module, and the path of a journal as `file`. */
function run(line: string): { readonly signal: string | null; readonly stderr: string } {
  const file = join(folder.get(), 'journal.sqlite3');
  fs.writeFileSync(file, 'private');
  fs.mkdirSync(temporary(), { recursive: true });
  const source = `
    const { copyJournal, withCopy } = await import(${JSON.stringify(module)});
    const file = ${JSON.stringify(file)};
    const end = (signal) => process.kill(process.pid, signal);
    ${line}
    setInterval(() => undefined, 1_000);`;
  const env = { ...process.env, TMPDIR: temporary() };
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    env,
    encoding: 'utf8',
    timeout: hang_ms,
    killSignal: 'SIGKILL',
  });
  return { signal, stderr };
}

describe('the copy of a journal', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`is removed by ${signal}, which ends the process`, () => {
      assert.deepEqual(run(`copyJournal(file); end('${signal}');`), { signal, stderr: '' });
      assert.deepEqual(fs.readdirSync(temporary()), []);
    });

    it(`is removed where ${signal} arrives while it is read, and the process ends then`, () => {
      assert.deepEqual(run(`withCopy(file, () => end('${signal}'));`), { signal, stderr: '' });
      assert.deepEqual(fs.readdirSync(temporary()), []);
    });
  }

  it('is removed by the next copy after a kill', () => {
    assert.equal(run(`copyJournal(file); end('SIGKILL');`).signal, 'SIGKILL');
    assert.equal(fs.readdirSync(temporary()).length, 1);
    assert.equal(run(`copyJournal(file).remove(); end('SIGTERM');`).signal, 'SIGTERM');
    assert.deepEqual(fs.readdirSync(temporary()), []);
  });
});
