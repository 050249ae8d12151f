/** Makes the golden homes of this build; scripts/golden-home runs it. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programVersion } from '../../src/app/home/program.js';
import { sha256Hex } from '../../src/base/hash.js';
import { root } from '../support/cli-run.js';
import { packProgram, program_archive } from '../support/program-archive.js';
import { packDirectory } from '../support/tar.js';
import { makeRestoredHome, makeSchema1Home } from './derived-homes.js';
import type { TypeCounts } from './event-types.js';
import { makeMainHome, type MadeHome } from './main-home.js';
import { byCommands, byFunctions, observe, type Observation, type Summary } from './observe.js';

export const entries_min = 600;
/** The most bytes of all homes of a version together. */
const archive_bytes_max = 1_500_000;
const program_bytes_max = 1_500_000;

/** `expected.json` of a version. */
export interface Expected {
  readonly program: string;
  /** The hash of program.tar.gz, the program itself. */
  readonly program_sha256: string;
  readonly homes: Readonly<Record<string, Summary & { readonly archive_sha256: string }>>;
}

/** Writes the golden homes of this build into a new directory named after its version; returns that directory. */
export async function makeGoldenHomes(output: string, say: (line: string) => void): Promise<string> {
  const target = join(output, programVersion);
  if (existsSync(target)) throw new Error(`${target} exists; golden homes are never overwritten`);
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'golden-homes-')));
  try {
    say('main');
    const main = await makeMainHome(join(scratch, 'main'));
    say('restored');
    const restored = await makeRestoredHome(join(scratch, 'restored'), main);
    say('schema-1');
    const homes = { main, restored, 'schema-1': await makeSchema1Home(join(scratch, 'schema-1')) };
    const archives = new Map<string, Buffer>();
    const summaries: Record<string, Expected['homes'][string]> = {};
    for (const [name, made] of Object.entries(homes)) {
      say(`${name}: recording what this program says of it`);
      const observation = await record(made);
      const archive = pack(made, observation);
      archives.set(`${name}.tar.gz`, archive);
      summaries[name] = { archive_sha256: sha256Hex(archive), ...observation.summary };
    }
    requireAll(summaries);
    const bytes = [...archives.values()].reduce((sum, archive) => sum + archive.length, 0);
    assert.ok(bytes <= archive_bytes_max, `the archives have ${bytes} bytes`);
    mkdirSync(target, { recursive: true });
    for (const [name, archive] of archives) writeFileSync(join(target, name), archive);
    const program = packProgram(root);
    assert.ok(program.length <= program_bytes_max, `the archive of the program has ${program.length} bytes`);
    writeFileSync(join(target, program_archive), program);
    const expected: Expected = { program: programVersion, program_sha256: sha256Hex(program), homes: summaries };
    writeFileSync(join(target, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
    copyFileSync(join(root, 'scripts', 'verify-export.mjs'), join(target, 'verify-export.mjs'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return target;
}

/** What the commands print, which must be what the functions return: the test of golden homes calls those. */
export async function record({ operator }: MadeHome): Promise<Observation> {
  const { folder, home } = operator;
  const worldIn = (directory: string) => ({
    env: { AGENT_WITNESS: join(directory, 'witness') },
    clock: () => Date.now(),
    directory: join(directory, 'home'),
  });
  mkdirSync(join(folder, 'ledger'), { recursive: true });
  const observation = await observe(byCommands(operator), worldIn(folder), join(folder, 'exports'));
  const copy = `${folder}-copy`;
  for (const name of ['home', 'witness', 'ledger']) cpSync(join(folder, name), join(copy, name), { recursive: true });
  const again = await observe(byFunctions(worldIn(copy), copy), worldIn(copy), join(copy, 'exports'));
  assert.deepEqual(again, observation);
  assert.deepEqual(
    readdirSync(home).filter((name) => /-wal$|-shm$|daemon|tmp/.test(name)),
    [],
    'the home was not closed cleanly',
  );
  return observation;
}

/** The archive: home, witness directory, ledger, and what is too long for expected.json. */
function pack({ operator: { folder }, requests }: MadeHome, { shown, exported }: Observation): Buffer {
  const staged = `${folder}-packed`;
  for (const name of ['home', 'witness', 'ledger']) cpSync(join(folder, name), join(staged, name), { recursive: true });
  for (const name of ['home', 'witness']) chmodSync(join(staged, name), 0o700);
  const write = (kind: string, values: Iterable<readonly [string, Buffer | string]>): void => {
    mkdirSync(join(staged, 'expected', kind), { recursive: true });
    for (const [id, text] of values) writeFileSync(join(staged, 'expected', kind, `${id}.json`), text);
  };
  write(
    'shown',
    Object.entries(shown).map(([id, document]) => [id, JSON.stringify(document)]),
  );
  write('exports', Object.entries(exported));
  write(
    'requests',
    [...requests].map(([id, request]) => [id, JSON.stringify(request)]),
  );
  return packDirectory(staged);
}

/** The types of event that golden homes hold. A new type is recorded by a step of main-home.ts, and then named here. */
export const golden_types = `
  agent.restarted
  bus.received
  control.configured control.initialised control.paused control.resumed control.rollback_accepted control.witness_added
  invoice.cancelled invoice.expired invoice.issued invoice.paid
  journal.restored
  mission.cancelled mission.completed mission.erased mission.failed mission.leased mission.produced
  mission.recovered mission.rejected mission.staged mission.submitted
  receipt.recorded
  simulation.cancelled simulation.completed simulation.failed simulation.requested simulation.started
  token.created token.revoked token.rotated
  tool.imported tool.status_set
  wallet.bound wallet.challenged
  worker.added worker.refuted worker.removed
`
  .trim()
  .split(/\s+/);

/** Each is a blob where the request, the result or the outcome has more than 64 KiB. */
const large_values = [
  'mission.submitted request_blob',
  'mission.produced result_blob',
  'simulation.requested request_blob',
  'simulation.completed result_blob',
  'bus.received envelope_blob',
];

/** Fails where a type of event occurs nowhere, or the main home lacks what golden homes are kept for. */
function requireAll(homes: Expected['homes']): void {
  const { main, restored, 'schema-1': reference } = homes;
  const absent = (given: readonly string[], counts: TypeCounts = {}): readonly string[] =>
    given.filter((name) => !(name in counts));
  assert.deepEqual(absent(golden_types, main?.types), ['journal.restored'], 'types that do not occur in the main home');
  assert.deepEqual(absent(golden_types, restored?.types), [], 'types that do not occur in the restored home');
  assert.deepEqual(absent(['schema 1', 'journal.restored'], reference?.types), []);
  assert.deepEqual(absent(large_values, main?.blobs), []);
  const entries = Number(main?.verify['events']);
  assert.ok(entries > entries_min, `the main home has ${entries} entries`);
  for (const { verify, verify_deep } of Object.values(homes))
    assert.deepEqual([verify['valid'], verify_deep['valid']], [true, true]);
}
