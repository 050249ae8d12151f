/**
 * Every golden home ever stored, in a copy: this program says of it what the program that made it said, and goes on with it. The
 * archives are never written again; scripts/golden-home adds those of a new version. @slow
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeMission } from '../../src/app/missions/execute.js';
import { exportMission } from '../../src/app/exports/export.js';
import type { World } from '../../src/app/home/home.js';
import { showMission } from '../../src/app/missions/missions.js';
import { programVersion } from '../../src/app/home/program.js';
import { reviewMission } from '../../src/app/missions/review.js';
import { readSubmission, submitMission } from '../../src/app/missions/submit.js';
import { rebuildAll } from '../../src/app/home/upgrade.js';
import { sha256Hex } from '../../src/base/hash.js';
import type { Kind } from '../../src/codec/kinds.js';
import { missionKind } from '../../src/kinds/table.js';
import { compareVersions } from '../../src/base/version.js';
import { root } from '../support/cli-run.js';
import { commandHost, type CommandHost } from '../support/command-host.js';
import { checkpointSizes } from '../journal/inspect.js';
import { lockVersion } from '../support/lock-version.js';
import { program_archive } from '../support/program-archive.js';
import { unpackInto } from '../support/tar.js';
import { entries_min, type Expected } from './make.js';
import { asRecorded, byCommands, byFunctions, observe, untimed, withHome, type Program, type Summary } from './observe.js';
import { operatorOf } from './operator.js';
import { researchMission } from './samples.js';

const museum = join(root, 'test', 'vectors', 'golden-homes');
const versions = readdirSync(museum, { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map(({ name }) => name);
const actor = 'operator';
const day_ms = 86_400_000;

interface Copy {
  readonly folder: string;
  readonly world: World;
  readonly program: Program;
  /** The text of a file that is stored beside the home. */
  readonly expected: (kind: 'shown' | 'exports' | 'requests', id: string) => Buffer;
  readonly idsOf: (kind: 'shown' | 'exports' | 'requests') => readonly string[];
}

function copyOf(archive: Buffer): Copy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'golden-home-')));
  unpackInto(folder, archive);
  // A day later, so that no lease of a home that has just been made still lasts.
  const clock = (): number => Date.now() + day_ms;
  const world = { env: { AGENT_WITNESS: join(folder, 'witness') }, clock, directory: join(folder, 'home') };
  return {
    folder,
    world,
    program: byFunctions(world, folder),
    expected: (kind, id) => readFileSync(join(folder, 'expected', kind, `${id}.json`)),
    idsOf: (kind) => readdirSync(join(folder, 'expected', kind)).map((name) => name.replace(/\.json$/, '')),
  };
}

it('stores golden homes of every version that the change log calls released', () => {
  const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm);
  // The present version is released once it is no prerelease any more.
  const released = [...headings]
    .map(([, version = '']) => version)
    .filter((version) => compareVersions(version, programVersion) <= 0);
  assert.ok(released.includes('2.0.0'), released.join());
  assert.deepEqual(
    released.filter((version) => !versions.includes(version)),
    [],
    'scripts/golden-home makes them',
  );
});

/** Members of records that a later version derives from what was recorded: compared where the version that made the home printed them. */
const derived = new Set(['outcome']);

function asThen(now: unknown, then: unknown): unknown {
  if (Array.isArray(now)) return now.map((each, i) => asThen(each, Array.isArray(then) ? then[i] : undefined));
  if (typeof now !== 'object' || now === null) return now;
  const before = typeof then === 'object' && then !== null ? (then as Readonly<Record<string, unknown>>) : {};
  const kept = Object.entries(now).filter(([name]) => !derived.has(name) || name in before);
  return Object.fromEntries(kept.map(([name, member]) => [name, asThen(member, before[name])]));
}

function compareShown(record: unknown, copy: Copy, id: string): void {
  const expected: unknown = JSON.parse(copy.expected('shown', id).toString());
  assert.deepEqual(asThen(record, expected), expected, id);
}

/** Returns what was recorded; a result of an engine that has a later version now is checked by its own verifier, not computed again. */
function expectedNow(summary: Summary, shown: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Summary {
  const reports = Object.entries(summary.verify_export).map(([id, report]) => {
    const { kind, engine: made } = shown[id] as { kind: Kind; engine: { name: string; version: string } | null };
    const present = missionKind(kind).solver?.engine;
    if (report['recomputed'] !== true || made === null || made.version === present?.version) return [id, report] as const;
    const maker = `${made.name} ${made.version}, which this program does not hold`;
    const reason = `not recomputed: the result was made by ${maker}; it passed the checks of that version`;
    return [id, { ...report, recomputed: null, reason }] as const;
  });
  return { ...summary, verify_export: Object.fromEntries(reports) };
}

for (const version of versions) {
  const folder = join(museum, version);
  const stored = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;

  it(`stores for ${version} a main, a restored and a reference home, beside its program`, () => {
    assert.equal(stored.program, version);
    assert.deepEqual(Object.keys(stored.homes), ['main', 'restored', 'schema-1']);
    assert.ok(Number(stored.homes['main']?.verify['events']) > entries_min);
    const archives = readdirSync(folder).filter((name) => name.endsWith('.tar.gz'));
    assert.deepEqual(archives, [...Object.keys(stored.homes).map((name) => `${name}.tar.gz`), program_archive].toSorted());
    assert.equal(sha256Hex(readFileSync(join(folder, program_archive))), stored.program_sha256);
  });

  for (const [name, { archive_sha256, ...summary }] of Object.entries(stored.homes)) {
    describe(`the golden home ${name} of ${version}`, function () {
      this.timeout(300_000);
      const publicKey = String(summary.verify['identity']).split(':').at(-1)!;
      const archive = readFileSync(join(folder, `${name}.tar.gz`));
      let copy: Copy;
      let host: CommandHost;
      before(() => void (host = commandHost()));
      after(() => host.release());
      beforeEach(() => {
        copy = copyOf(archive);
      });
      afterEach(() => rmSync(copy.folder, { recursive: true, force: true }));

      /** The verifier that was handed out with that version, over a file of now. */
      function oldVerifierAccepts(file: string): void {
        const args = [join(folder, 'verify-export.mjs'), file, '--public-key', publicKey];
        const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
        assert.deepEqual([status, stderr], [0, ''], stdout);
      }

      /** Once the home was brought up to date, `verify` says the same of it, without the checkpoints that were removed. */
      async function verifiesUpToDate(): Promise<void> {
        const kept = await withHome(copy.world, (home) => checkpointSizes(home).length);
        const removed = Number(summary.verify['signatures_checked']) - kept;
        assert.ok(removed >= 0, `${kept} checkpoints are there`);
        for (const [deep, before] of [[false, summary.verify] as const, [true, summary.verify_deep] as const]) {
          const expected = { ...before, signatures_checked: Number(before['signatures_checked']) - removed };
          assert.deepEqual(untimed(await copy.program.verify(deep)), expected);
        }
      }

      it(`was made by ${version}, and is stored as it was made`, () => {
        assert.equal(sha256Hex(archive), archive_sha256);
        assert.equal(lockVersion(copy.world), version);
      });

      it('verifies, lists, shows, exports and computes again as recorded', async () => {
        const { summary: now, shown, exported } = await observe(copy.program, copy.world, join(copy.folder, 'exports'));
        assert.deepEqual(now, expectedNow(summary, shown));
        assert.deepEqual(Object.keys(shown).toSorted(), copy.idsOf('shown').toSorted());
        for (const [id, record] of Object.entries(shown)) compareShown(record, copy, id);
        assert.deepEqual(Object.keys(exported).toSorted(), copy.idsOf('exports').toSorted());
        for (const [id, bytes] of Object.entries(exported)) assert.ok(bytes.equals(copy.expected('exports', id)), id);
        await verifiesUpToDate();
      });

      it('prints the same on the command line', async () => {
        const program = byCommands(operatorOf(copy.folder, host));
        assert.deepEqual(untimed(await program.verify(false)), summary.verify);
        const [id = ''] = Object.keys(summary.exports);
        assert.deepEqual(await program.show(id), JSON.parse(copy.expected('shown', id).toString()));
        const output = join(copy.folder, 'export.json');
        await program.export(id, output);
        assert.ok(readFileSync(output).equals(copy.expected('exports', id)));
      });

      it('has tables that a rebuild makes again', async () => {
        const rebuilt = await withHome(copy.world, ({ db }) => rebuildAll(db, () => undefined));
        assert.equal(rebuilt.events, summary.verify['events']);
        await verifiesUpToDate();
        assert.deepEqual(await copy.program.list(), JSON.parse(copy.expected('shown', 'list').toString()));
      });

      it('returns the recorded mission when its request is sent again, also after an erasure', async () => {
        await withHome(copy.world, async (home) => {
          for (const id of copy.idsOf('requests')) {
            const { draft } = readSubmission(copy.expected('requests', id));
            const { created, record } = await submitMission(home, draft, id, actor);
            assert.equal(created, false, id);
            assert.deepEqual(asRecorded(record), JSON.parse(copy.expected('shown', id).toString()), id);
          }
        });
        await verifiesUpToDate();
      });

      it('approves what was left in review, by the verifier of the engine version that made it', async () => {
        const waiting = copy
          .idsOf('shown')
          .filter((id) => (JSON.parse(copy.expected('shown', id).toString()) as { state: string }).state === 'review');
        await withHome(copy.world, async (home) => {
          for (const id of waiting) {
            const { revision, result_hash, engine } = showMission(home, id);
            await reviewMission(home, id, { revision, result_hash: result_hash!, approve: true, note: 'read again', actor });
            assert.deepEqual([showMission(home, id).state, showMission(home, id).engine], ['completed', engine], id);
          }
        });
        assert.deepEqual((await copy.program.verify(true))['valid'], true);
      });

      it(`takes new missions, whose exports the verifier of ${version} accepts, and still verifies`, async () => {
        const [old = ''] = Object.keys(summary.exports);
        const [fresh, again] = [join(copy.folder, 'fresh.json'), join(copy.folder, 'again.json')];
        const before = Number(summary.verify['events']);
        await withHome(copy.world, async (home) => {
          const { draft } = readSubmission(Buffer.from(JSON.stringify(researchMission(1_000))));
          const { id } = (await submitMission(home, draft, undefined, actor)).record;
          const { revision, result_hash } = await executeMission(home, id, { actor });
          await reviewMission(home, id, { revision, result_hash: result_hash!, approve: true, note: 'fits', actor });
          assert.equal(showMission(home, id).state, 'completed');
          exportMission(home, id, fresh);
          exportMission(home, old, again);
        });
        assert.equal(lockVersion(copy.world), programVersion);
        for (const deep of [false, true]) {
          const report = await copy.program.verify(deep);
          assert.deepEqual([report['valid'], report['failure'], Number(report['events']) > before], [true, null, true]);
        }
        for (const file of [fresh, again]) {
          oldVerifierAccepts(file);
          const verdict = await copy.program.verifyExport(file, publicKey, file === fresh);
          assert.deepEqual([verdict['valid'], verdict['recomputed']], [true, file === fresh ? true : null]);
        }
      });
    });
  }
}
