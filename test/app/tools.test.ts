/** Tools in a home, and manifest files of others: what is imported, what a status does, and every fault of a file with its path. */
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import type { Home } from '../../src/app/home/home.js';
import { addWitness, checkpoint } from '../../src/app/log/checkpoint.js';
import { publish } from '../../src/app/log/publish.js';
import { queueWarnings } from '../../src/app/missions/lease.js';
import { showMission } from '../../src/app/missions/missions.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import type { RunEngine } from '../../src/app/threads/engine-thread.js';
import {
  type FileVerdict,
  importTool,
  listTools,
  readManifest,
  setToolStatus,
  shippedManifest,
  showTool,
  toolRefusal,
  validateManifests,
} from '../../src/app/tools/tools.js';
import type { Check } from '../../src/codec/api-status.js';
import type { ImportedTool } from '../../src/codec/api-tools.js';
import { type OwnToolId, ownToolIds, toolOfKind } from '../../src/domain/tool-catalog.js';
import { execute, fakeEngine, forecast, produced, queued, rejectsRefusal, review } from '../support/app/given-home.js';
import { givenManifest, manifestFile, setStatus } from '../support/app/given-tools.js';
import { folderForEach, homeForEach } from '../support/app/temporary-home.js';
import { witnessServer } from '../support/witness/witness-server.js';
import { isRefused } from '../../src/base/refusal.js';
import { kinds } from '../../src/codec/kinds.js';
import { decideImport } from '../../src/domain/tool.js';
import { faulty, good } from '../support/app/bad-manifests.js';
import { atEffort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { membersOf } from '../support/lists.js';

const homes = homeForEach();
const importing = (home: Home, manifest: unknown): Promise<ImportedTool> =>
  importTool(home, manifestFile(homes.get().root, manifest), 'operator');
const toolCheck = (home: Home): Check | undefined => inspectHome(home).checks.find(({ name }) => name === 'tools');

describe('tools of a new home', () => {
  homes.it('are ours, as shipped, without an event', (home) => {
    const { items } = listTools(home);
    assert.deepEqual(
      items.map(({ id, own, revision, note }) => [id, own, revision, note]),
      ownToolIds.map((id) => [id, true, null, null]),
    );
    for (const { id, status, manifest } of items) assert.equal(status, manifest.status, id);
    assert.equal(home.writer.head.size, 1);
    assert.equal(toolCheck(home)?.status, 'ok');
  });
});

describe('tool import', () => {
  homes.it('records a manifest once, and another version over it', async (home) => {
    const first = await importing(home, { ...givenManifest(), x: { y: [1] } });
    assert.deepEqual([first.recorded, first.own, first.gate, first.status, first.revision], [true, false, null, 'active', 2]);
    assert.deepEqual(first.manifest, { ...givenManifest(), x: { y: [1] } });
    assert.deepEqual(first.warnings, []);
    assert.equal((await importing(home, { x: { y: [1] }, ...givenManifest() })).recorded, false);
    assert.equal(home.writer.head.size, 2);
    await rejectsRefusal(importing(home, givenManifest()), 'conflict');
    await setStatus(home, 'mail_send', 'quarantined', 'odd');
    const second = await importing(home, givenManifest({ tool_version: '2', schema_version: '' }));
    assert.deepEqual([second.status, second.note, second.revision, second.recorded], ['quarantined', 'odd', 4, true]);
    assert.deepEqual(second.warnings, [
      { path: 'schema_version', message: 'is empty' },
      { path: 'status', message: 'is active; the tool stays quarantined' },
    ]);
    await rejectsRefusal(importing(home, givenManifest()), 'conflict');
    assert.deepEqual(listTools(home).items.at(-1), showTool(home, 'mail_send'));
  });

  homes.it('changes what is shown for one of ours, never what is in force', async (home) => {
    assert.equal((await importing(home, shippedManifest('export'))).recorded, false);
    await rejectsRefusal(importing(home, { ...shippedManifest('export'), owner: 'x' }), 'conflict');
    await setStatus(home, 'export', 'disabled');
    const other = { ...shippedManifest('export'), tool_version: '1.0.1', owner: 'x', status: 'active' };
    assert.equal((await importing(home, other)).status, 'disabled');
    await rejectsRefusal(importing(home, { ...shippedManifest('export'), owner: 'y' }), 'conflict');
    assert.equal(showTool(home, 'export').manifest.owner, 'x');
    assert.equal(toolRefusal(home.db, 'export')?.code, 'tool_disabled');
  });

  homes.it('refuses bad files with every fault, and records nothing', async (home) => {
    assert.equal((await rejectsRefusal(importing(home, {}), 'invalid')).errors?.length, 20);
    assert.deepEqual(
      (await rejectsRefusal(importing(home, givenManifest({ tool_id: 'a/b' })), 'invalid')).errors?.map(({ path }) => path),
      ['tool_id'],
    );
    assert.match((await rejectsRefusal(importing(home, '{"a":1,"a":2}'), 'malformed')).detail, /\.json: a: /);
    await rejectsRefusal(importTool(home, homes.get().root, 'operator'), 'invalid');
    await rejectsRefusal(importTool(home, `${homes.get().root}/none`, 'operator'), 'not_found');
    await rejectsRefusal(importTool(home, manifestFile(homes.get().root, givenManifest()), ''), 'invalid');
    assert.equal(home.writer.head.size, 1);
  });
});

describe('tool status', () => {
  homes.it('needs a note of 1 to 2000 characters that is not blank', async (home) => {
    for (const note of ['', '   ', '\n', 'x'.repeat(2_001), '\ud800']) {
      const { errors } = await rejectsRefusal(
        setToolStatus(home, 'export', { to: 'disabled', note, actor: 'operator' }),
        'invalid',
      );
      assert.deepEqual(membersOf(errors ?? [], 'path'), ['note']);
    }
    assert.equal(home.writer.head.size, 1);
    assert.equal((await setStatus(home, 'export', 'disabled', '😀'.repeat(2_000))).status, 'disabled');
  });
});

describe('a stopped witness_submit', () => {
  homes.it('registers a witness and sends it no request', async (home) => {
    await setStatus(home, 'witness_submit', 'quarantined');
    const server = await witnessServer([checkpoint(home, undefined).vkey]);
    try {
      const added = await addWitness(home, { url: server.url, vkey: server.vkey, actor: 'me' });
      assert.deepEqual(added.warnings, ['no cosignature was requested: tool witness_submit is quarantined (tried)']);
      const report = await publish(home, { directory: join(homes.get().root, 'public') });
      assert.deepEqual([report.cosignatures, report.warnings], [[], added.warnings]);
      assert.equal(server.requests.length, 0);
    } finally {
      await server.close();
    }
  });
});

describe('a stopped tool of a mission in review', () => {
  homes.it('lets no engine run, and lets a rejection pass', async (home) => {
    const made = await produced(home, forecast());
    await setStatus(home, 'mission_forecast', 'quarantined');
    const runEngine: RunEngine = () => assert.fail('the engine of a quarantined tool ran');
    await rejectsRefusal(review(home, made, { runEngine }), 'tool_disabled');
    await rejectsRefusal(review(home, made, { runEngine, result_hash: '0'.repeat(64) }), 'hash_mismatch');
    assert.equal(showMission(home, made.id).state, 'review');
    assert.equal((await review(home, made, { runEngine, approve: false })).state, 'rejected');
  });

  homes.it('refuses an approval when it is stopped while the result is verified', async (home) => {
    const made = await produced(home, forecast());
    const engine = fakeEngine();
    const runEngine: RunEngine = async (task, hooks) => {
      await setStatus(home, 'mission_forecast', 'disabled');
      return engine(task, hooks);
    };
    await rejectsRefusal(review(home, made, { runEngine }), 'tool_disabled');
    assert.equal(showMission(home, made.id).state, 'review');
  });

  homes.it('leaves a queued mission waiting, with a warning', async (home) => {
    const generated = { goal: 'Write it', work: { kind: 'code', heldout: [{ args: [], expected: 1 }] } };
    const [plain, code] = [await queued(home), await queued(home, generated)];
    for (const { id } of [plain, code]) assert.deepEqual(queueWarnings(home, id), []);
    for (const tool of ['provider_call', 'container_run', 'mission_code', 'mission_forecast'] as const) {
      await setStatus(home, tool, 'quarantined');
      const { id, state } = tool === 'mission_forecast' ? plain : code;
      assert.deepEqual(queueWarnings(home, id), [`tool ${tool} is quarantined (tried): the mission waits until it is active`]);
      assert.equal(state, 'queued');
    }
  });
});

describe('a tool that is stopped during the work', () => {
  const stopAt = async (stage: string, note = 'tried', said = note): Promise<void> => {
    const [home, other] = [homes.get().open(), homes.get().open()];
    const { id } = await queued(home);
    const stopping: Promise<unknown>[] = [];
    const onProgress = (role: string): void => {
      if (role === stage) stopping.push(setStatus(other, 'mission_forecast', 'quarantined', note));
    };
    const refusal = await rejectsRefusal(execute(home, id, { runEngine: fakeEngine(), onProgress }), 'tool_disabled');
    await Promise.all(stopping);
    assert.equal(refusal.detail, `mission ${id} failed: tool mission_forecast is quarantined (${said})`);
    assert.equal(refusal.hint, `agent-cli recover ${id}`);
    const { state, error, result, stages } = showMission(home, id);
    assert.deepEqual([state, error?.code, result], ['failed', 'tool_disabled', null], stage);
    assert.equal(stages.at(-1)?.role, stage, 'no stage came after it');
    home.close();
    other.close();
  };

  it('fails the mission at the next checkpoint', () => stopAt('research'));
  it('fails the mission at the outcome', () => stopAt('memory'));
  it('fails the mission all the same with the longest note', () => stopAt('memory', 'x'.repeat(2_000), `${'x'.repeat(300)}…`));
});

const folders = folderForEach();

const verdict = (path: string): FileVerdict => {
  const report = validateManifests([path]);
  assert.equal(report.valid, report.files[0]!.valid);
  assert.equal(report.files.length, 1);
  assert.equal(report.files[0]!.path, path);
  return report.files[0]!;
};
const of = (content: unknown): FileVerdict => verdict(manifestFile(folders.get(), content));
const pathsOf = ({ errors }: FileVerdict): readonly string[] => errors.map(({ path }) => path).toSorted();
const bytesOf = (text: string): Buffer => Buffer.from(text);

/** The given manifest with one more member, so many bytes in all. */
const ofLength = (bytes: number): string => {
  const text = JSON.stringify({ ...givenManifest(), more: '' });
  return text.replace('"more":""', `"more":"${'x'.repeat(bytes - text.length)}"`);
};
/** The manifest is the first level. */
const nested = (levels: number): string =>
  JSON.stringify(givenManifest()).replace(/}$/, `,"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);

describe('manifest files', () => {
  it('are refused with exactly the paths of their faults, for 200 generated files', () => {
    fc.assert(
      fc.property(faulty, ({ text, paths }) => {
        const found = readManifest(bytesOf(text));
        assert.equal(found.manifest, null);
        assert.deepEqual(found.errors.map(({ path }) => path).toSorted(), paths, text);
        assert.equal(found.refusal?.code, 'invalid');
      }),
      { numRuns: atEffort(200, 5_000), seed: 200 },
    );
  });

  it('are accepted when they are good, and keep their undeclared members', () => {
    fc.assert(
      fc.property(good, (manifest) => {
        assert.deepEqual({ ...readManifest(bytesOf(JSON.stringify(manifest))).manifest }, manifest);
      }),
      { numRuns: atEffort(200, 5_000), seed: 200 },
    );
  });

  it('are refused with all of their faults, also more than twenty', () => {
    const many = of({ ...givenManifest(), side_effects: Array.from({ length: 30 }, () => 1) });
    assert.deepEqual(pathsOf(many), Array.from({ length: 30 }, (_, i) => `side_effects[${i}]`).toSorted());
  });

  it('are judged one by one: a bad one does not hide the others', () => {
    const paths = [givenManifest(), {}, givenManifest({ schema_version: '' })].map((m) => manifestFile(folders.get(), m));
    const report = validateManifests([...paths, join(folders.get(), 'absent.json')]);
    assert.equal(report.valid, false);
    assert.deepEqual(
      report.files.map(({ valid, errors, warnings }) => [valid, errors.length, warnings.map(({ path }) => path)]),
      [
        [true, 0, []],
        [false, 20, []],
        [true, 0, ['schema_version']],
        [false, 1, []],
      ],
    );
  });

  it('are valid with a warning when their id could not be imported', () => {
    const { valid, warnings } = of(givenManifest({ tool_id: 'über/mich' }));
    assert.equal(valid, true);
    assert.deepEqual(warnings, [{ path: 'tool_id', message: 'is not a valid id here, so the manifest could not be imported' }]);
  });
});

describe('manifest files that cannot be read', () => {
  const message = ({ valid, errors }: FileVerdict): string => {
    assert.equal(valid, false);
    assert.equal(errors.length, 1);
    return `${errors[0]!.path}: ${errors[0]!.message}`;
  };

  it('are refused when they are missing, a directory or a pipe', () => {
    const folder = folders.get();
    assert.match(message(verdict(join(folder, 'none.json'))), /^: .*none\.json cannot be read \(ENOENT\)$/);
    mkdirSync(join(folder, 'd.json'));
    assert.match(message(verdict(join(folder, 'd.json'))), /^: .*d\.json is not a file$/);
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(folder, 'p.json')]);
    assert.match(message(verdict(join(folder, 'p.json'))), /^: .*p\.json is not a file$/);
  });

  it('are refused beyond 65536 bytes', () => {
    assert.equal(of(ofLength(65_536)).valid, true);
    assert.match(message(of(ofLength(65_537))), /^: .* has more than 65536 bytes$/);
    assert.equal(readManifest(bytesOf(ofLength(65_537))).refusal?.code, 'too_large');
  });

  it('are refused when their numbers print longer than the limit', () => {
    const numbers = `[${Array.from({ length: 10_000 }, () => '1e15').join(',')}]`;
    const text = JSON.stringify(givenManifest()).replace(/}$/, `,"n":${numbers}}`);
    assert.ok(text.length < 65_536);
    assert.match(message(of(text)), /^: a tool manifest has at most 65536 bytes$/);
  });

  it('are refused beyond 20 levels', () => {
    assert.equal(of(nested(20)).valid, true);
    const deepest = `deep${'[0]'.repeat(19)}`;
    assert.equal(message(of(nested(21))), `${deepest}: nested deeper than 20 levels`);
    assert.match(message(of('['.repeat(10_000))), /nested deeper than 64 levels/);
  });

  it('are refused when they are no JSON or no object', () => {
    assert.match(message(of('{"tool_id":')), /^tool_id: the document ends too early/);
    assert.match(message(of('{"owner":1,"owner":1}')), /^owner: duplicate member/);
    for (const text of ['null', '[]', '1', '"x"', 'true']) assert.equal(message(of(text)), ': must be an object');
  });
});

real('test-data', 'the given manifests', () => {
  it('pass without a warning', () => {
    const data = resolve(packageRoot(import.meta.url), process.env['AGENT_TEST_DATA'] ?? '../shared/data', 'manifests');
    const files = readdirSync(data).filter((name) => name.endsWith('.json'));
    assert.equal(files.length, 2);
    const report = validateManifests(files.map((name) => join(data, name)));
    assert.equal(report.valid, true);
    for (const { path, errors, warnings } of report.files) assert.deepEqual([errors, warnings], [[], []], path);
  });
});

const folder = join(packageRoot(import.meta.url), 'manifests');

describe('shipped manifests', () => {
  const files = readdirSync(folder).toSorted();

  it('exist for every tool of the catalogue and for nothing else, are active, and can be imported', () => {
    const ofKinds: readonly OwnToolId[] = kinds.map(toolOfKind);
    const withFile = ownToolIds.filter((id) => !ofKinds.includes(id));
    assert.deepEqual(files, withFile.map((id) => `${id}.json`).toSorted());
    for (const id of ownToolIds) {
      const manifest = shippedManifest(id);
      assert.deepEqual([manifest.tool_id, manifest.status], [id, 'active']);
      assert.ok(!isRefused(decideImport(null, manifest, 'operator')), `${id} requires approvals only where a gate exists`);
    }
    for (const id of ofKinds) assert.ok(ownToolIds.includes(id));
  });

  it('pass validation without a warning', () => {
    const copies = ownToolIds.map((id) => manifestFile(folders.get(), shippedManifest(id)));
    const verdicts = validateManifests([...files.map((name) => join(folder, name)), ...copies]).files;
    assert.equal(verdicts.length, files.length + ownToolIds.length);
    for (const { path, errors, warnings } of verdicts) assert.deepEqual([errors, warnings], [[], []], path);
  });
});
