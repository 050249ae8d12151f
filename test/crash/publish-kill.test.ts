/**
 * SIGKILL at the calls by which `publish` changes its directory. After each kill a reader that follows the checkpoint finds a whole
 * log, the old one or the new one; the next publish completes, and nothing temporary is left. By default a slice of the calls;
 * TEST_EFFORT=full takes every one.
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome, type Home } from '../../src/app/home/home.js';
import type { Step } from '../support/crash-steps.js';
import { fullEffort } from '../support/effort.js';
import { filesIn, grow, publishTo, readPublished } from '../support/published.js';
import { real } from '../support/real.js';
import { allSyscalls, breakAt, numbered, trace, type Syscall } from '../support/strace.js';
import { temporaryHome, type TemporaryHome } from '../support/temporary-home.js';

interface Scene {
  readonly name: string;
  /** Entries at each publish that went well before the one that is killed. */
  readonly published: readonly number[];
  /** Kinds of calls whose last one is broken by default. */
  readonly kinds: readonly Syscall[];
}

const scenes: readonly Scene[] = [
  { name: 'the first publish', published: [], kinds: allSyscalls },
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
    const scratch = mkdtempSync(join(tmpdir(), 'agent-publish-'));
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
      cpSync(made.root, template.root, { recursive: true, preserveTimestamps: true });
    });
    after(() => {
      made.remove();
      rmSync(scratch, { recursive: true, force: true });
    });

    const copy = (): Place => {
      const place = placeAt(join(scratch, 'copy'));
      rmSync(place.root, { recursive: true, force: true });
      cpSync(template.root, place.root, { recursive: true, preserveTimestamps: true });
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
        const fresh = (): { env: Place['env']; log: string } => {
          place = copy();
          return { env: place.env, log: join(scratch, 'break.trace') };
        };
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
        deepStrictEqual(
          readdirSync(place.out).filter((name) => temporary.test(name)),
          [],
        );
        return found === size ? 'the new log' : found === null ? 'no log' : 'the old log';
      } catch (error) {
        throw new Error(`killed at ${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }
  });
}
