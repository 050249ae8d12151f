/** A home that cannot be written: on a read-only mount, of a user without the permission, on a disk that fails. Everything can be read. @slow */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { type ChildProcess, execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programVersion } from '../../src/app/home/home.js';
import { sha256Hex } from '../../src/base/bytes.js';
import { listening, serve } from '../support/crash/crash-both.js';
import {
  cold,
  collect,
  type Env,
  Operator,
  operatorScript,
  type Ran,
  said,
  type Said,
  start,
} from '../support/crash/crash-cli.js';
import { copySandbox, headOf, makeSandbox, namesIn, type Sandbox } from '../support/crash/crash-sandbox.js';
import { accepted, refused, reviewOf, type Looked } from '../support/crash/crash-settle.js';
import { minimal } from '../support/codec/mission-samples.js';
import { freshFetch } from '../support/http/fetch.js';
import { setLockVersion } from '../support/store/lock-version.js';
import { confined, real } from '../support/real.js';
import { copyTree } from '../support/app/temporary-home.js';

const uuid = (n: number): string => `3f0e6f4e-1f8a-4c55-9a51-${n.toString(16).padStart(12, '0')}`;
const [queued, inReview, completed] = [uuid(1), uuid(2), uuid(3)];

const root = fs.mkdtempSync(join(tmpdir(), 'agent-unwritable-'));
const file = join(root, 'mission.json');
const passphrase = join(root, 'passphrase.txt');
const operator = new Operator();
const daemons: ChildProcess[] = [];
const template = makeSandbox(join(root, 'template'));
let looked: Looked;

/** A command with `--json` in a process of its own, behind another program's command line. */
const run = async (behind: readonly string[], env: Env, ...argv: readonly string[]): Promise<Said> =>
  said(await cold([...argv, '--json'], env, 0, behind));

/** Runs commands in one process behind another program's command line. */
async function inOne<T>(behind: readonly string[], work: (confined: Operator) => Promise<T>): Promise<T> {
  const confined = new Operator(operatorScript, behind);
  try {
    return await work(confined);
  } finally {
    confined.stop();
  }
}
const must = async (env: Env, ...argv: readonly string[]): Promise<Record<string, unknown>> =>
  accepted(await operator.run(argv, env), argv.join(' '));

async function served(env: Env, behind: readonly string[] = []) {
  const daemon = start(serve, env, 0, behind);
  daemons.push(daemon);
  const ended = collect(daemon);
  const url = await listening(daemon);
  const stop = (): Promise<Ran> => {
    daemon.kill('SIGTERM');
    return ended;
  };
  return { url, ended, stop };
}

/** The files below a directory with their bytes and modes. */
const stateOf = (directory: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((name) => {
        const stat = fs.lstatSync(join(directory, name));
        const bytes = stat.isFile() ? sha256Hex(fs.readFileSync(join(directory, name))) : '';
        return [name, `${stat.mode.toString(8)} ${bytes}`];
      }),
  );

const reads = ({ outputs, home }: Sandbox): readonly (readonly string[])[] => [
  ['list'],
  ['show', queued],
  ['export', completed, '--output', join(outputs, 'result.json')],
  ['verify', '--deep', '--expect-head', headOf(home)],
  ['config', 'show'],
  ['checkpoint', '--output', join(outputs, 'checkpoint.txt')],
  ['backup', join(outputs, 'backup.zip')],
  ['proof', '1'],
  ['token', 'list'],
  ['tool', 'list'],
  ['runs'],
];

const writes = (): readonly (readonly string[])[] => [
  ['run', file],
  ['execute', queued],
  reviewOf(looked, inReview),
  ['pause'],
  ['resume'],
  ['cancel', queued],
  ['erase', completed, '--reason', 'a test'],
  ['token', 'create', 'reader', '--role', 'viewer'],
  ['rebuild'],
  ['publish', join(root, 'log')],
  ['configure', '--restore-signed'],
];

interface Check {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
}

const checksOf = async (confined: Operator, env: Env): Promise<readonly Check[]> =>
  accepted(await confined.run(['doctor'], env), 'doctor').checks as Check[];

/** Every command that reads works and changes nothing; every other one is refused with the cause. */
async function isRead(sandbox: Sandbox, confined: Operator, cause: string): Promise<void> {
  const before = [stateOf(sandbox.home), stateOf(sandbox.witness)];
  for (const argv of reads(sandbox)) accepted(await confined.run(argv, sandbox.env), argv.join(' '));
  const checks = await checksOf(confined, sandbox.env);
  deepStrictEqual(
    checks.filter(({ status }) => status !== 'ok').map(({ name, status }) => [name, status]),
    [['writing', 'warn']],
  );
  match(checks.find(({ name }) => name === 'writing')?.detail ?? '', new RegExp(`\\(${cause}\\)$`));
  for (const argv of writes()) {
    const answer = await confined.run(argv, sandbox.env);
    refused(answer, 1, 'not_writable', argv.join(' '));
    match(answer.stderr, new RegExp(`"cause":"${cause}"`), argv.join(' '));
  }
  deepStrictEqual([stateOf(sandbox.home), stateOf(sandbox.witness)], before);
}

before(async () => {
  fs.writeFileSync(file, JSON.stringify(minimal('allocation')));
  fs.writeFileSync(passphrase, 'correct horse battery staple\n', { mode: 0o600 });
  await must(template.env, 'init');
  for (const id of [queued, inReview, completed]) await must(template.env, 'run', file, '--request-id', id);
  await must(template.env, ...reviewOf((await must(template.env, 'execute', completed)) as unknown as Looked, completed));
  looked = (await must(template.env, 'execute', inReview)) as unknown as Looked;
});

after(() => {
  operator.stop();
  for (const daemon of daemons) daemon.kill('SIGKILL');
  fs.rmSync(root, { recursive: true, force: true });
});

real('read-only-mount', 'a home on a read-only mount', () => {
  let sandbox: Sandbox;
  let behind: readonly string[];
  const tokenOf = (): string => fs.readFileSync(join(sandbox.home, 'api.token'), 'utf8').trim();

  const fresh = (): void => {
    sandbox = copySandbox(template, join(root, 'sandbox'));
    behind = [...confined().readOnlyMount, sandbox.home];
  };

  describe('in one process', () => {
    let there: Operator;

    before(() => {
      fresh();
      there = new Operator(operatorScript, behind);
    });
    after(() => there.stop());

    it('is read by every command that only reads, and names the cause where something is recorded', async () => {
      await isRead(sandbox, there, 'EROFS');
      accepted(
        await there.run(
          ['backup', join(sandbox.outputs, 'encrypted.zip'), '--encrypt', '--passphrase-file', passphrase],
          sandbox.env,
        ),
        'backup --encrypt',
      );
    });

    it('asks no witness for a cosignature that it could not keep', async () => {
      const key = 'w.example+00df7ba9+BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
      await must(sandbox.env, 'witness', 'add', 'http://127.0.0.1:9', key);
      const report = accepted(await there.run(['checkpoint', '--cosign'], sandbox.env), 'checkpoint --cosign');
      match(String(report.warnings), /no cosignature was requested: the home is on a read-only file system/);
    });

    it('is read when an older version wrote it, and when a newer one did', async () => {
      setLockVersion({ directory: sandbox.home }, '1.9.0');
      const before = stateOf(sandbox.home);
      for (const argv of [['list'], ['verify'], ['checkpoint']])
        accepted(await there.run(argv, sandbox.env), `older, ${argv.join()}`);
      const version = (await checksOf(there, sandbox.env)).find(({ name }) => name === 'version');
      match(version?.detail ?? '', /version 1\.9\.0 wrote this home last/);
      deepStrictEqual(stateOf(sandbox.home), before);
      setLockVersion({ directory: sandbox.home }, '9.0.0');
      for (const argv of [['list'], ['show', queued], ['verify']])
        accepted(await there.run(argv, sandbox.env), `newer, ${argv.join()}`);
      setLockVersion({ directory: sandbox.home }, programVersion);
    });

    it('is read with a warning where a medium shows other modes than the home had', async () => {
      for (const name of namesIn(sandbox.home)) fs.chmodSync(join(sandbox.home, name), 0o555);
      fs.chmodSync(sandbox.home, 0o555);
      const { warnings } = accepted(await there.run(['list'], sandbox.env), 'list');
      match(String(warnings), /has mode 0555, others could use it/);
      const permissions = (await checksOf(there, sandbox.env)).find(({ name }) => name === 'permissions');
      strictEqual(permissions?.status, 'warn');
    });
  });

  describe('in a process for each command', () => {
    beforeEach(fresh);

    it('shows what a daemon that can write it records meanwhile, and so does a snapshot of it', async () => {
      const { stop } = await served(sandbox.env);
      await must(sandbox.env, 'pause');
      const copies = join(root, 'snapshots');
      const snapshots = [[], ['journal.sqlite3-shm']].map((without) => {
        const snapshot = join(copies, `without-${without.length}`);
        copyTree(sandbox.home, snapshot);
        for (const name of without) fs.rmSync(join(snapshot, name));
        // The newest entries are only in the log.
        ok(fs.lstatSync(join(snapshot, 'journal.sqlite3-wal')).size > 0);
        return snapshot;
      });
      strictEqual(accepted(await run(behind, sandbox.env, 'doctor'), 'doctor').control, 'paused');
      strictEqual((await stop()).code, 0);
      await inOne([...confined().readOnlyMount, copies], async (there) => {
        for (const snapshot of snapshots) await isWhole(there, snapshot);
      });
    });

    /** A snapshot of the home is read with what its log holds. */
    const isWhole = async (there: Operator, snapshot: string): Promise<void> => {
      const env = { ...sandbox.env, AGENT_HOME: snapshot };
      const before = stateOf(snapshot);
      const verified = accepted(await there.run(['verify', '--expect-head', headOf(sandbox.home)], env), 'verify');
      strictEqual(verified.valid, true);
      strictEqual(accepted(await there.run(['doctor'], env), 'doctor').control, 'paused');
      accepted(await there.run(['list'], env), 'list');
      deepStrictEqual(stateOf(snapshot), before);
    };

    it('is read with a warning when it is an old copy, and is refused when it is another history', async () => {
      const snapshot = join(root, 'old');
      copyTree(sandbox.home, snapshot);
      await must(sandbox.env, 'pause');
      await must(sandbox.env, 'checkpoint', '--output', join(sandbox.outputs, 'newer.txt'));
      const env = { ...sandbox.env, AGENT_HOME: snapshot };
      await inOne([...confined().readOnlyMount, snapshot], async (there) => {
        for (const argv of [['list'], ['verify']]) {
          const { warnings } = accepted(await there.run(argv, env), argv.join());
          match(String(warnings), /old copy, or it was cut short: the journal ends at entry \d+/, argv.join());
        }
        const witness = (await checksOf(there, env)).find(({ name }) => name === 'witness');
        strictEqual(witness?.status, 'warn');
        const against = await there.run(['verify', '--against', join(sandbox.outputs, 'newer.txt')], env);
        strictEqual(against.code, 3);
        await must({ ...env, AGENT_WITNESS: join(root, 'elsewhere') }, 'run', file);
        refused(await there.run(['list'], env), 3, 'fork', 'list');
      });
    });

    it('says where a private copy has no place', async () => {
      const env = { ...sandbox.env, TMPDIR: sandbox.home };
      const answer = await run(behind, env, 'list');
      refused(answer, 1, 'not_writable', 'list');
      match(answer.stderr, /TMPDIR/);
    });

    it('says how much room a private copy needs', async () => {
      const small = join(root, 'small');
      fs.mkdirSync(small);
      const mounted = ['unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"', small];
      const answer = await run([...mounted, ...behind], { ...sandbox.env, TMPDIR: small }, 'list');
      refused(answer, 1, 'storage_full', 'list');
      match(answer.stderr, /needs 0\.\d+ MiB in .*small, where 0\.\d+ MiB are free.*TMPDIR/);
    });

    it('is served for reading', async () => {
      const before = stateOf(sandbox.home);
      const { url, stop } = await served(sandbox.env, behind);
      const authorization = `Bearer ${tokenOf()}`;
      const call = async (path: string, body?: object | null): Promise<[number, unknown]> => {
        const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': uuid(9) };
        const init =
          body === undefined ? { headers } : { method: 'POST', headers, body: body === null ? '' : JSON.stringify(body) };
        const response = await freshFetch(new URL(path, url).href, init);
        const text = await response.text();
        return [response.status, text.startsWith('{') ? ((JSON.parse(text) as Record<string, unknown>).code ?? null) : null];
      };
      const pages = ['status', 'missions', `missions/${queued}`, 'doctor', 'journal', 'tools'].map((page) => `/api/${page}`);
      for (const path of ['/', '/healthz', ...pages]) deepStrictEqual((await call(path))[0], 200, path);
      deepStrictEqual(await call('/api/missions', minimal('allocation')), [503, 'not_writable']);
      deepStrictEqual(await call(`/api/missions/${queued}/execute`, null), [503, 'not_writable']);
      deepStrictEqual(await call('/api/control', { state: 'paused' }), [503, 'not_writable']);
      const { code, stderr } = await stop();
      strictEqual(code, 0, stderr);
      match(stderr, /served for reading only: .*EROFS/);
      strictEqual(stderr.match(/could not/g), null, stderr);
      deepStrictEqual(stateOf(sandbox.home), before);
    });

    it('is no longer served from a copy once another process has written to it', async () => {
      const { url, ended } = await served(sandbox.env, behind);
      strictEqual((await freshFetch(new URL('/healthz', url).href)).status, 200);
      await must(sandbox.env, 'list');
      await must(sandbox.env, 'pause');
      const { code, stderr } = await ended;
      strictEqual(code, 4, stderr);
      match(stderr, /another process has written to this home/);
    });
  });
});

real('other-user', 'a home that this user may not write', () => {
  it('is read by every command that only reads, and names the cause where something is recorded', async () => {
    const sandbox = copySandbox(template, join(root, 'other'));
    const isRoot = process.getuid?.() === 0;
    if (isRoot) execFileSync('chown', ['-R', '65534:65534', root]);
    for (const name of namesIn(sandbox.home)) fs.chmodSync(join(sandbox.home, name), name === 'running' ? 0o500 : 0o400);
    fs.chmodSync(sandbox.home, 0o500);
    const behind = isRoot ? confined().otherUser : [];
    await inOne(behind, (confined) => isRead(sandbox, confined, 'EACCES'));
    fs.chmodSync(join(sandbox.home, 'lock.sqlite3'), 0);
    const answer = await run(behind, sandbox.env, 'list');
    refused(answer, 2, 'forbidden', 'list');
    match(answer.stderr, /no permission to read .*lock\.sqlite3".*"hint":"chmod 600 /);
    fs.chmodSync(sandbox.home, 0o700);
  });
});

real('strace', 'a home on a disk that fails to write', () => {
  it('is read by every command that only reads, and names the cause where something is recorded', async () => {
    const sandbox = copySandbox(template, join(root, 'failing'));
    fs.mkdirSync(join(sandbox.home, 'running'), { recursive: true });
    const places = ['', '-wal', '-shm'].map((suffix) => join(sandbox.home, `journal.sqlite3${suffix}`));
    const inject = 'inject=?write,?pwrite64,?fsync,?fdatasync,?ftruncate,?fallocate:error=EIO';
    const behind = ['strace', '-f', '-qq', '-o', '/dev/null', ...places.flatMap((place) => ['-P', place]), '-e', inject];
    await inOne(behind, async (failing) => {
      for (const argv of [['list'], ['show', queued], ['verify'], ['config', 'show']])
        accepted(await failing.run(argv, sandbox.env), argv.join(' '));
      const answer = await failing.run(['pause'], sandbox.env);
      refused(answer, 1, 'not_writable', 'pause');
      match(answer.stderr, /"cause":"EIO"/);
    });
    ok(fs.existsSync(join(sandbox.home, 'journal.sqlite3')));
  });

  it('names the file that it cannot open either', async () => {
    const place = join(template.home, 'identity.key');
    const behind = ['strace', '-f', '-qq', '-o', '/dev/null', '-P', place, '-e', 'inject=openat:error=EIO'];
    const answer = await run(behind, template.env, 'list');
    refused(answer, 3, 'integrity', 'list');
    match(answer.stderr, /identity\.key cannot be read, because the disk failed \(EIO\)/);
  });
});
