/**
 * SIGKILL at the calls of backup and restore that change a disk: there is no partial home and no partial archive under the final
 * name; what was staged beside it goes with the next command that creates something beside it. By default a slice, TEST_EFFORT=full all. @slow
 */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { folderForSuite } from '../support/app/temporary-home.js';
import { Operator, type Said } from '../support/crash/crash-cli.js';
import { copySandbox, entriesOf, headOf, makeSandbox, namesIn, type Sandbox } from '../support/crash/crash-sandbox.js';
import { accepted, refused } from '../support/crash/crash-settle.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { minimal } from '../support/codec/mission-samples.js';
import { Tmpfs } from '../support/mount.js';
import { real } from '../support/real.js';
import { breakAt, numbered, type Syscall, type Target, trace } from '../support/strace.js';

const staged = /^(backup\.zip|restored)\.tmp-[0-9a-f]{12}$/;
/** Writes into what is staged are many and alike; these are the ones between which something appears or vanishes. */
const decisive: readonly Syscall[] = ['rename', 'link', 'unlink', 'mkdir', 'fsync'];

type Point = Omit<Target, 'how'>;

real('strace', 'SIGKILL during backup and restore', () => {
  const root = folderForSuite();
  const operator = new Operator();
  let template: Sandbox;
  let head: string;
  /** Every sandbox is at the same place. */
  const archive = join(root, 'sandbox', 'outputs', 'backup.zip');
  const restored = join(root, 'sandbox', 'outputs', 'restored');

  before(async () => {
    template = makeSandbox(join(root, 'template'));
    writeFileSync(join(root, 'mission.json'), JSON.stringify(minimal('allocation')));
    accepted(await operator.run(['init'], template.env), 'init');
    for (let n = 0; n < 3; n++) accepted(await operator.run(['run', join(root, 'mission.json')], template.env), 'run');
    accepted(await operator.run(['backup', join(root, 'kept.zip')], template.env), 'backup');
    head = headOf(template.home);
  });

  after(() => operator.stop());

  const fresh = (): Sandbox => copySandbox(template, join(root, 'sandbox'));
  const concerns = (file: string): boolean => file.startsWith(join(root, 'sandbox'));

  /** The last call of each kind; of the decisive ones the first too, and every twelfth. Of these every third one, with the very last. */
  async function points(argv: readonly string[]): Promise<Point[]> {
    const { calls, code, stderr } = await trace(argv, fresh().env, { log: join(root, 'clean.trace') });
    strictEqual(code, 0, stderr);
    const all = numbered(calls, concerns);
    if (fullEffort) return all;
    const count = (kind: Syscall): number => all.filter(({ syscall }) => syscall === kind).length;
    const few = all.filter(({ syscall, nth }) => nth === count(syscall) || (decisive.includes(syscall) && nth % 12 === 1));
    const due = few.filter((_, i) => (few.length - 1 - i) % 3 === 0);
    console.log(`      ${due.length} of ${all.length} calls`);
    return due;
  }

  async function killAt(point: Point, argv: readonly string[]): Promise<Sandbox | null> {
    let sandbox = template;
    const prepare = () => ({ env: (sandbox = fresh()).env, log: join(root, 'kill.trace') });
    const broken = await breakAt({ ...point, how: 'signal=SIGKILL' }, argv, concerns, prepare);
    return broken === null ? null : sandbox;
  }

  const cli = (sandbox: Sandbox, home: string, ...argv: readonly string[]) =>
    operator.run(argv, { ...sandbox.env, AGENT_HOME: home });
  const verified = async (sandbox: Sandbox, home: string): Promise<void> => {
    const report = accepted(await cli(sandbox, home, 'verify', '--deep', '--expect-head', head), 'verify');
    deepStrictEqual([report.valid, report.failure], [true, null]);
  };
  /** Kills the command at each point. What it makes is there, or the same command makes it; nothing else stays beside it. */
  async function killAtEach(made: string, argv: readonly string[], check: (sandbox: Sandbox) => Promise<void>): Promise<void> {
    const seen = new Set<boolean>();
    let missed = 0;
    for (const point of await points(argv)) {
      const sandbox = await killAt(point, argv);
      if (sandbox === null) {
        missed++;
        continue;
      }
      const isThere = existsSync(made);
      seen.add(isThere);
      for (const other of namesIn(sandbox.outputs)) if (other !== basename(made)) match(other, staged);
      if (isThere) await check(sandbox);
      const retry = await operator.run(argv, sandbox.env);
      if (isThere) refused(retry, 2, 'exists', 'a retry');
      else accepted(retry, 'a retry');
      deepStrictEqual(namesIn(sandbox.outputs), [basename(made)]);
      await check(sandbox);
    }
    strictEqual(seen.size, 2, 'there, and not there');
    ok(missed <= 2, `${missed} calls were not made again`);
  }

  it('leaves a whole archive or none when backup is killed, and the home unchanged', async () => {
    await killAtEach(archive, ['backup', archive], async (sandbox) => {
      await verified(sandbox, sandbox.home);
      const checked = join(root, 'sandbox', 'checked');
      accepted(await cli(sandbox, checked, 'restore', archive, '--expect-head', head), 'restore');
      rmSync(checked, { recursive: true });
    });
  });

  it('leaves a whole home or none when restore is killed', async () => {
    await killAtEach(restored, ['restore', join(root, 'kept.zip'), '--home', restored], (sandbox) => verified(sandbox, restored));
  });
});

real('tmpfs', 'a disk that is full during backup and restore', () => {
  const root = mkdtempSync(join(tmpdir(), 'agent-backup-full-'));
  const operator = new Operator();
  const archive = join(root, 'kept.zip');
  let disk: Tmpfs;
  let sandbox: Sandbox;

  const cli = (...argv: readonly string[]): Promise<Said> => operator.run(argv, sandbox.env);

  before(async () => {
    sandbox = makeSandbox(join(root, 'sandbox'));
    accepted(await cli('init'), 'init');
    accepted(await cli('backup', archive), 'backup');
    disk = new Tmpfs(join(root, 'disk'), 'size=2m,nr_inodes=64,mode=0700');
    disk.mount();
  });

  after(() => {
    disk.unmount();
    operator.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const step_bytes = atEffort(32_768, 4_096);

  /** From no space at all to enough, in steps: wherever the space ends, the same words and nothing left. */
  async function atEverySize(what: string, argv: readonly string[], done: string): Promise<void> {
    let refusals = 0;
    for (let spare = 0; ; spare += step_bytes) {
      disk.fill('filler', spare);
      const answer = await cli(...argv);
      if (answer.code === 0) break;
      refused(answer, 1, 'storage_full', `${what} with ${spare} bytes`);
      match(answer.stderr, spare > 0 ? /no space left/ : new RegExp(`no space left .* ${join(disk.point, done)};`));
      deepStrictEqual(namesIn(disk.point), ['filler']);
      refusals++;
      disk.free('filler');
    }
    deepStrictEqual(namesIn(disk.point), ['filler', done].toSorted());
    disk.free('filler');
    rmSync(join(disk.point, done), { recursive: true });
    ok(refusals > 1, `${refusals} refusals`);
  }

  it('makes a whole backup or none at every size of the disk', async () => {
    const before = entriesOf(sandbox.home);
    await atEverySize('backup', ['backup', join(disk.point, 'backup.zip')], 'backup.zip');
    deepStrictEqual(entriesOf(sandbox.home), before);
  });

  it('restores a whole home or none at every size of the disk', async () => {
    await atEverySize('restore', ['restore', archive, '--home', join(disk.point, 'home')], 'home');
    ok(statSync(archive).size > 0);
  });

  it('refuses backup and restore on a read-only disk', async () => {
    disk.remount('ro');
    try {
      for (const argv of [
        ['backup', join(disk.point, 'backup.zip')],
        ['restore', archive, '--home', join(disk.point, 'home')],
      ])
        refused(await cli(...argv), 1, 'not_writable', argv.join(' '));
    } finally {
      disk.remount('rw');
    }
    deepStrictEqual(namesIn(disk.point), []);
  });
});
