/**
 * Mutated archives through the whole of restore: refused with nothing left behind, or the same home. Mutants come in two kinds: of
 * the archive's bytes (nearly all end at the ZIP reader), and of a member's bytes in an archive whose manifest agrees with them.
 * A slice by default; TEST_EFFORT=full takes 100 000.
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RefusalError } from '../../../src/base/result.js';
import { prng } from '../../../src/base/prng.js';
import { atEffort } from '../../support/effort.js';
import { temporaryHome, type TemporaryHome } from '../../support/temporary-home.js';
import { mutateZip } from '../../support/zip-mutate.js';
import { altered, backup, grow, leftovers, restore, worldBeside } from './archives.js';

const seed = 20_261_120;
const codes = new Set(['malformed', 'too_large', 'integrity', 'invalid']);

describe('restore: mutated archives', () => {
  let home: TemporaryHome;
  let file: string;
  let head: string;

  before(async () => {
    home = temporaryHome();
    grow(home, 3);
    ({ file, head } = await backup(home));
  });
  after(() => home.remove());

  /** Whether it was refused; anything but a clean refusal or the same home is a failure of the test. */
  async function tryOne(mutant: string, what: string): Promise<boolean> {
    const world = worldBeside(home, 'fuzzed', { AGENT_WITNESS: join(home.root, 'fuzz-witness') });
    try {
      const report = await restore(world, mutant);
      strictEqual(report.restored.head, head, what);
      // Each home leaves a witness of its own, against which every later one would be held.
      for (const made of [world.directory, join(home.root, 'fuzz-witness')]) rmSync(made, { recursive: true, force: true });
      return false;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw new Error(`${what}: ${String(error)}`, { cause: error });
      ok(codes.has(error.refusal.code), `${what}: ${error.refusal.code} ${error.refusal.detail}`);
      deepStrictEqual(leftovers(world), [], what);
      return true;
    }
  }

  it('are refused or restore the same home when bytes are mutated', async () => {
    const bytes = readFileSync(file);
    const mutant = join(home.root, 'mutant.zip');
    const count = atEffort(300, 90_000);
    let refused = 0;
    for (let i = 0; i < count; i++) {
      const { bytes: mutated, what } = mutateZip(bytes, seed, i);
      writeFileSync(mutant, mutated);
      if (await tryOne(mutant, `mutant ${i} (${what})`)) refused++;
    }
    ok(refused > count * 0.8, `${refused} of ${count} refused`);
  });

  it('are refused or restore the same home when members are mutated under a matching manifest', async () => {
    const names = ['config.json', 'identity.key', 'api.token', 'journal.sqlite3'];
    const count = atEffort(50, 10_000);
    let refused = 0;
    for (let i = 0; i < count; i++) {
      const { below } = prng(seed, i);
      const name = names[below(8)] ?? 'journal.sqlite3';
      const mutant = await altered(file, join(home.root, 'mutant.zip'), {
        members: (members) => {
          const bytes = Buffer.from(members.get(name) ?? '');
          for (let flips = 1 + below(3); flips > 0; flips--) {
            const at = below(bytes.length);
            bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
          }
          members.set(name, below(8) === 0 ? bytes.subarray(0, below(bytes.length)) : bytes);
        },
      });
      // A token or a byte that no row lives in may change without harm.
      if (await tryOne(mutant, `member ${name}, ${i}`)) refused++;
    }
    ok(refused > count / 4, `${refused} of ${count} refused`);
  });
});
