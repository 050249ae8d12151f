/**
 * SIGKILL at the calls by which `publish` changes its directory. After each kill a reader that follows the checkpoint finds a whole
 * log, the old one or the new one; the next publish completes, and nothing temporary is left. By default a slice of the calls;
 * TEST_EFFORT=full takes every one.
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHome } from '../../src/app/home/open.js';
import type { Home } from '../../src/app/home/home.js';
import { collect, said, start } from '../support/crash/crash-cli.js';
import type { Step } from '../support/crash/crash-steps.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { Ext4 } from '../support/mount.js';
import { filesIn, grow, publishTo, readPublished } from '../support/app/published.js';
import { real } from '../support/real.js';
import { breakAt, numbered, type Syscall, type Target, trace } from '../support/strace.js';
import { copyTree, folderForSuite, temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { assertNone } from '../support/lists.js';

interface Scene {
  readonly name: string;
  /** Entries at each publish that went well before the one that is killed. */
  readonly published: readonly number[];
  /** Kinds of calls whose last one is broken by default. */
  readonly kinds: readonly Syscall[];
}

const scenes: readonly Scene[] = [
  { name: 'the first publish', published: [], kinds: ['mkdir', 'write', 'link', 'fsync'] },
  { name: 'a later publish, with partial tiles to remove', published: [200, 260], kinds: ['rename', 'unlink'] },
];
const size = 300;
const temporary = /\.tmp$/;

interface Place {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly out: string;
}
const placeAt = (root: string): Place => ({
  root,
  env: { AGENT_HOME: join(root, 'home'), AGENT_WITNESS: join(root, 'witness') },
  out: join(root, 'public'),
});

type Call = Pick<Step, 'syscall' | 'file' | 'nth' | 'among'>;

const lastOf = (calls: readonly Call[], kinds: readonly Syscall[]): Call[] =>
  kinds.flatMap((kind) => calls.filter(({ syscall }) => syscall === kind).slice(-1));

/** Every file under a final name, also one that no checkpoint leads to yet, has the content that it is to have. */
function checkFinal(out: string, expected: ReadonlyMap<string, string>): void {
  for (const [name, content] of filesIn(out)) {
    if (temporary.test(name)) ok(!name.includes('/'), `a temporary file in a deeper directory: ${name}`);
    else if (name !== 'checkpoint') strictEqual(content, expected.get(name) ?? content, `${name} is not whole`);
  }
}

for (const { name, published, kinds } of scenes) {
  real('strace', `SIGKILL while publishing: ${name}`, () => {
    const scratch = folderForSuite();
    const template = placeAt(join(scratch, 'template'));
    let made: TemporaryHome;
    let key: Buffer;
    let expected: ReadonlyMap<string, string> = new Map();

    before(async () => {
      made = temporaryHome();
      for (const at of published) {
        grow(made, at);
        await publishTo(made, join(made.root, 'public'));
      }
      grow(made, size);
      key = made.with((home) => home.signer.publicKey);
      copyTree(made.root, template.root);
    });
    after(() => made.remove());

    const copy = (): Place => {
      const place = placeAt(join(scratch, 'copy'));
      rmSync(place.root, { recursive: true, force: true });
      copyTree(template.root, place.root);
      return place;
    };

    /** The calls on the directory in a run that nobody disturbs. */
    async function callsOfRun(): Promise<Call[]> {
      const place = copy();
      const traced = await trace(['publish', place.out], place.env, { threads: true, log: join(scratch, 'clean.trace') });
      strictEqual(traced.code, 0, traced.stderr);
      expected = filesIn(place.out);
      return numbered(traced.calls, (name) => name.startsWith(place.out)).map(({ file, ...call }) => {
        return { ...call, file: temporary.test(file) ? 'temporary' : file.slice(place.out.length) };
      });
    }

    it('leaves the old log or the new one, and the next publish completes', async () => {
      const calls = await callsOfRun();
      for (const kind of ['write', 'fsync', 'link', 'rename', 'unlink'] as const)
        ok(
          calls.some(({ syscall }) => syscall === kind),
          `no ${kind}`,
        );
      const due = fullEffort ? calls : lastOf(calls, kinds);
      const seen = new Map<string, number>();
      for (const { syscall, nth, among, file } of due) {
        let place = copy();
        const fresh = () => ({ env: (place = copy()).env, log: join(scratch, 'break.trace') });
        const target = { syscall, nth, among, how: 'signal=SIGKILL' };
        const broken = await breakAt(target, ['publish', place.out], (name) => name.startsWith(place.out), fresh);
        ok(broken !== null, `${syscall} ${nth} was not made`);
        const found = await settle(place, `${syscall} ${nth} (${file})`);
        seen.set(found, (seen.get(found) ?? 0) + 1);
      }
      console.log(
        `      ${due.length} of ${calls.length} calls: ${[...seen].map(([what, n]) => `${n} left ${what}`).join(', ')}`,
      );
      deepStrictEqual([...seen.keys()].toSorted(), ['the new log', published.length === 0 ? 'no log' : 'the old log'].toSorted());
    });

    async function settle(place: Place, where: string): Promise<string> {
      try {
        mkdirSync(place.out, { recursive: true });
        checkFinal(place.out, expected);
        const found = readPublished(place.out, key)?.size ?? null;
        ok([published.at(-1) ?? null, size].includes(found), `a checkpoint of size ${String(found)}`);
        const open = (): Home => openHome({ env: place.env, clock: made.clock, directory: join(place.root, 'home') });
        const report = await publishTo({ ...made, open }, place.out);
        strictEqual(report.size, size);
        strictEqual(readPublished(place.out, key)?.size, size);
        assertNone(readdirSync(place.out), (name) => temporary.test(name));
        return found === size ? 'the new log' : found === null ? 'no log' : 'the old log';
      } catch (error) {
        throw new Error(`killed at ${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }
  });
}

real('power-loss', 'power loss while publishing', () => {
  const root = mkdtempSync(join(tmpdir(), 'agent-power-'));
  let disk: Ext4;
  let home: TemporaryHome;
  let key: Buffer;
  const out = (): string => join(disk.point, 'www', 'logs', 'public');
  const restart = (): void => {
    disk.unmount();
    disk.mount();
  };

  before(() => {
    disk = new Ext4(root, join(root, 'disk'));
    disk.mount();
    home = temporaryHome();
    key = home.with(({ signer }) => signer.publicKey);
  });
  after(() => {
    disk.unmount();
    home.remove();
    rmSync(root, { recursive: true, force: true });
  });

  it('keeps after the cut what a publish reported, from the first directory on', async () => {
    for (const size of [1, 255, 256, 300]) {
      grow(home, size);
      const report = await publishTo(home, out());
      disk.cut();
      restart();
      strictEqual(readPublished(out(), key)?.size, report.size);
      strictEqual((await publishTo(home, out())).written, 0);
    }
  });

  it('keeps the old log or the new one when a publish is cut at any moment, and the next one completes', async () => {
    const rounds = atEffort(3, 60);
    const left = new Map<string, number>();
    const env = { AGENT_HOME: home.directory, AGENT_WITNESS: home.witness };
    const began = performance.now();
    strictEqual((await collect(start(['publish', out()], env))).code, 0);
    const whole_ms = performance.now() - began;
    for (let round = 0; round < rounds; round++) {
      const before = readPublished(out(), key)?.size;
      grow(home, 300 + 270 * (round + 1));
      const ended = collect(start(['publish', out()], env));
      await sleep(whole_ms * (0.5 + (0.9 * round) / rounds));
      disk.cut();
      const { code } = await ended;
      restart();
      const size = readPublished(out(), key)?.size;
      const whole = 300 + 270 * (round + 1);
      ok(size === whole || (size === before && code !== 0), `${String(size)} after ${String(before)}, exit ${code}`);
      left.set(
        size === whole ? 'the new log' : 'the old log',
        (left.get(size === whole ? 'the new log' : 'the old log') ?? 0) + 1,
      );
      strictEqual((await publishTo(home, out())).size, whole);
      strictEqual(readPublished(out(), key)?.size, whole);
    }
    console.log(`      ${rounds} cuts left: ${[...left].map(([what, n]) => `${what} ${n}`).join(', ')}`);
  });
});

const cases: readonly (readonly [Target, string | null])[] = [
  [{ syscall: 'write', nth: 2, how: 'error=ENOSPC' }, 'storage_full'],
  [{ syscall: 'fsync', nth: 1, how: 'error=EIO' }, null],
  [{ syscall: 'link', nth: 1, how: 'error=EROFS' }, 'not_writable'],
  [{ syscall: 'link', nth: 1, how: 'error=EACCES' }, 'forbidden'],
  [{ syscall: 'rename', nth: 1, how: 'error=ENOSPC' }, 'storage_full'],
];

real('strace', 'publish on a disk that fails', () => {
  const scratch = folderForSuite();
  let made: TemporaryHome;
  before(async () => {
    made = temporaryHome();
    grow(made, 2);
    await publishTo(made, join(made.root, 'public'));
    grow(made, 3);
  });
  after(() => made.remove());

  for (const [target, code] of cases) {
    it(`ends with ${code ?? 'a fault'} after ${target.syscall} ${target.how}`, async () => {
      const root = join(scratch, 'copy');
      const env = { AGENT_HOME: join(root, 'home'), AGENT_WITNESS: join(root, 'witness') };
      const out = join(root, 'public');
      const fresh = (): { env: typeof env; log: string } => {
        rmSync(root, { recursive: true, force: true });
        copyTree(made.root, root);
        return { env, log: join(scratch, 'trace') };
      };
      const broken = await breakAt(target, ['publish', out, '--json'], (file) => file.startsWith(out), fresh);
      ok(broken !== null);
      const answer = said(broken);
      if (code === null) ok(answer.code !== 0 && broken.stderr.includes('EIO'), broken.stderr);
      else strictEqual(answer.refusal, code, broken.stderr);
      const key = made.with((home) => home.signer.publicKey);
      strictEqual(readPublished(out, key)?.size, 2);
      assertNone(readdirSync(out), (name) => name.endsWith('.tmp'));
      const open = (): Home => openHome({ env, clock: made.clock, directory: join(root, 'home') });
      strictEqual((await publishTo({ ...made, open }, out)).size, 3);
      strictEqual(readPublished(out, key)?.size, 3);
    });
  }
});
