/** A disk that is full, out of inodes, or read-only: a small tmpfs that holds the home, its witness and the outputs. */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programVersion } from '../../src/app/home/home.js';
import { ballast_bytes } from '../../src/base/limits.js';
import { folderForSuite } from '../support/app/temporary-home.js';
import { listening, serve } from '../support/crash/crash-both.js';
import { collect, Operator, start, type Said } from '../support/crash/crash-cli.js';
import { copySandbox, entriesOf, headOf, makeSandbox, namesIn, type Sandbox } from '../support/crash/crash-sandbox.js';
import { accepted, refused, reviewOf, type Looked } from '../support/crash/crash-settle.js';
import { atEffort } from '../support/effort.js';
import { freshFetch } from '../support/http/fetch.js';
import { lockVersion, setLockVersion } from '../support/store/lock-version.js';
import { minimal } from '../support/codec/mission-samples.js';
import { Tmpfs } from '../support/mount.js';
import { real } from '../support/real.js';

const uuid = (n: number): string => `3f0e6f4e-1f8a-4c55-9a51-${n.toString(16).padStart(12, '0')}`;
const [waiting, inReview, completed] = [uuid(1), uuid(2), uuid(3)];

real('tmpfs', 'a disk that is full or cannot be written', () => {
  const root = folderForSuite();
  const file = join(root, 'mission.json');
  const template = makeSandbox(join(root, 'template'));
  const operator = new Operator();
  let disk: Tmpfs;
  let sandbox: Sandbox;
  let looked: Looked;

  const cli = (...argv: readonly string[]): Promise<Said> => operator.run(argv, sandbox.env);
  const must = async (...argv: readonly string[]): Promise<Record<string, unknown>> =>
    accepted(await cli(...argv), argv.join(' '));
  const reads = (): readonly (readonly string[])[] => [
    ['list'],
    ['show', waiting],
    ['verify', '--deep', '--expect-head', headOf(sandbox.home)],
    ['checkpoint'],
    ['config', 'show'],
    ['doctor'],
  ];
  const writes = (): readonly (readonly string[])[] => [
    ['run', file, '--request-id', uuid(9)],
    ['execute', waiting],
    reviewOf(looked, inReview),
    ['export', completed, '--output', join(sandbox.outputs, 'result.json')],
    ['checkpoint', '--output', join(sandbox.outputs, 'checkpoint.txt')],
    ['rebuild'],
  ];
  /** Every one of them is refused in the same words, and leaves nothing behind. */
  const allRefused = async (
    commands: readonly (readonly string[])[],
    detail: RegExp,
    refusal = 'storage_full',
  ): Promise<void> => {
    for (const argv of commands) {
      const answer = await cli(...argv);
      refused(answer, 1, refusal, argv.join(' '));
      match(answer.stderr, detail, argv.join(' '));
    }
  };

  before(async () => {
    writeFileSync(file, JSON.stringify(minimal('allocation')));
    sandbox = template;
    await must('init');
    for (const id of [waiting, inReview, completed]) await must('run', file, '--request-id', id);
    await must(...reviewOf((await must('execute', completed)) as unknown as Looked, completed));
    looked = (await must('execute', inReview)) as unknown as Looked;
  });

  beforeEach(() => {
    disk = new Tmpfs(join(root, 'disk'), 'size=1m,nr_inodes=64,mode=0700');
    disk.mount();
    sandbox = copySandbox(template, join(disk.point, 'sandbox'));
  });

  afterEach(() => disk.unmount());

  after(() => operator.stop());

  it('records nothing when it is full, and everything can be read', async () => {
    const [entries, names] = [entriesOf(sandbox.home), namesIn(sandbox.home)];
    const reading = reads();
    disk.fill('filler');
    await allRefused(writes(), /no space left.*free some space/);
    for (const argv of reading) await must(...argv);
    disk.free('filler');
    deepStrictEqual(entriesOf(sandbox.home), entries);
    deepStrictEqual([namesIn(sandbox.home), namesIn(sandbox.outputs)], [names, []]);
    strictEqual(statSync(join(sandbox.home, 'ballast')).size, ballast_bytes, 'the ballast that reading borrows comes back');
    for (const argv of writes().slice(0, 1)) await must(...argv);
  });

  it('lets a daemon start when it is full, and serve what is recorded', async () => {
    const authorization = `Bearer ${readFileSync(join(sandbox.home, 'api.token'), 'utf8').trim()}`;
    disk.fill('filler');
    const daemon = start(serve, sandbox.env);
    const ended = collect(daemon);
    const url = await listening(daemon);
    const { status } = await freshFetch(new URL(`/api/missions/${waiting}`, url).href, { headers: { authorization } });
    daemon.kill('SIGTERM');
    const { code, stderr } = await ended;
    deepStrictEqual([status, code], [200, 0]);
    match(stderr, /daemon\.json could not be written \(ENOSPC/);
  });

  it('lets a newer version record that it has opened the home when it is full, by the ballast', async () => {
    for (const command of ['list', 'pause']) {
      setLockVersion({ directory: sandbox.home }, '1.9.0');
      disk.fill('filler');
      await must(command);
      disk.free('filler');
    }
    strictEqual(lockVersion({ directory: sandbox.home }), programVersion);
    await must('resume');
    strictEqual(statSync(join(sandbox.home, 'ballast')).size, ballast_bytes);
  });

  it('records a pause when it is full, and continues after space is freed', async () => {
    const head = headOf(sandbox.home);
    disk.fill('filler');
    strictEqual((await must('pause')).state, 'paused');
    match(JSON.stringify(await must('doctor')), /"control":"paused".*the disk of the home is nearly full: 0 MiB/);
    await must('verify', '--deep', '--expect-head', head);
    disk.fill('filler-2');
    await allRefused([['resume']], /no space left.*free some space/);
    disk.free('filler');
    disk.free('filler-2');
    strictEqual((await must('resume')).state, 'ready');
    strictEqual(statSync(join(sandbox.home, 'ballast')).size, ballast_bytes);
    strictEqual((await must('execute', waiting)).state, 'review');
    await must('verify', '--deep', '--expect-head', head);
  });

  it('records a cancellation with half of the ballast when it is full, and a pause with the other half', async () => {
    const head = headOf(sandbox.home);
    disk.fill('filler');
    strictEqual((await must('cancel', waiting)).state, 'failed');
    disk.fill('filler-2');
    ok(statSync(join(sandbox.home, 'ballast')).size >= ballast_bytes / 2, 'half is left');
    strictEqual((await must('pause')).state, 'paused');
    await must('verify', '--deep', '--expect-head', head);
  });

  it('records a command whole or refuses it with any number of free pages', async () => {
    const outcomes = new Set<number>();
    for (let pages = 0; pages <= 24; pages += atEffort(4, 1)) {
      const before = entriesOf(sandbox.home);
      disk.fill('filler', pages * 4_096);
      const answer = await cli('run', file, '--request-id', uuid(100 + pages));
      disk.free('filler');
      const added = entriesOf(sandbox.home).slice(before.length);
      if (answer.code === 0) deepStrictEqual([added.length, added[0]?.stream], [1, uuid(100 + pages)]);
      else refused(answer, 1, 'storage_full', `run with ${pages} free pages`);
      strictEqual(added.length, answer.code === 0 ? 1 : 0);
      outcomes.add(answer.code);
      await must('verify', '--deep', '--expect-head', `${before.length}:${before.at(-1)?.hash.slice(0, 16) ?? ''}`);
    }
    deepStrictEqual(outcomes, new Set([0, 1]));
  });

  it('leaves nothing that a later init could not finish when it is full during init', async () => {
    const other = { ...sandbox.env, AGENT_HOME: join(disk.point, 'other') };
    for (const spare of [0, 3, 8, 20, 40].map((pages) => pages * 4_096)) {
      disk.fill('filler', spare);
      refused(await operator.run(['init'], other), 1, 'storage_full', `init with ${spare} free bytes`);
      disk.free('filler');
    }
    accepted(await operator.run(['init'], other), 'init');
    strictEqual(accepted(await operator.run(['verify', '--deep'], other), 'verify').events, 1);
  });

  it('reports one clear error when it is out of inodes, and nothing is lost', async () => {
    const reading = reads();
    const entries = entriesOf(sandbox.home);
    let made = 0;
    try {
      for (; made < 64; made++) writeFileSync(join(disk.point, `inode-${made}`), '');
    } catch (error) {
      match(String(error), /ENOSPC/);
    }
    ok(made > 0 && made < 64);
    await allRefused([...writes(), ...reading, ['pause'], ['serve']], /no space left/);
    // Two for the log and its index, none for the lock of the execution.
    for (const name of ['inode-0', 'inode-1']) disk.free(name);
    const half = (await cli('run', file, '--request-id', uuid(9), '--execute')).stderr;
    match(half, /\.lock; mission \S+ stays queued \(before that, 1 entry was recorded\).*"free some space, then agent-cli /);
    for (const name of readdirSync(disk.point).filter((found) => found.startsWith('inode-'))) disk.free(name);
    deepStrictEqual(entriesOf(sandbox.home).slice(0, -1), entries);
    for (const argv of reading) await must(...argv);
    strictEqual((await must('pause')).state, 'paused');
  });

  it('reports one clear error when it is read-only, can be read, and nothing is lost', async () => {
    const reading = reads();
    const entries = entriesOf(sandbox.home);
    disk.remount('ro');
    await allRefused([...writes(), ['pause'], ['resume']], /read-only file system/, 'not_writable');
    refused(await cli('init'), 2, 'exists', 'init');
    for (const argv of reading) await must(...argv);
    disk.remount('rw');
    deepStrictEqual(entriesOf(sandbox.home), entries);
    for (const argv of reading) await must(...argv);
    strictEqual((await must('execute', waiting)).state, 'review');
  });
});
