/** Manifest files of others: every fault is named with its path, whatever the file holds. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { readManifest, type FileVerdict, validateManifests } from '../../src/app/tools/manifests.js';
import { shippedManifest } from '../../src/app/tools/require.js';
import { isRefused } from '../../src/base/refusal.js';
import { kinds } from '../../src/codec/kinds.js';
import { type OwnToolId, ownToolIds, toolOfKind } from '../../src/domain/tool-catalog.js';
import { decideImport } from '../../src/domain/tool.js';
import { faulty, good } from '../support/app/bad-manifests.js';
import { atEffort } from '../support/effort.js';
import { givenManifest, manifestFile } from '../support/app/given-tools.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { folderForEach } from '../support/app/temporary-home.js';

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
    let seen = 0;
    fc.assert(
      fc.property(faulty, ({ text, paths }) => {
        const found = readManifest(bytesOf(text));
        assert.equal(found.manifest, null);
        assert.deepEqual(found.errors.map(({ path }) => path).toSorted(), paths, text);
        assert.equal(found.refusal?.code, 'invalid');
        seen++;
      }),
      { numRuns: atEffort(200, 5_000), seed: 200 },
    );
    assert.ok(seen >= 200);
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
    assert.equal(pathsOf(of({})).length, 20);
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
    assert.match(message(of(nested(66))), /nested deeper than 64 levels/);
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
    assert.ok(existsSync(data));
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

  it('exist for every tool of the catalogue, and for nothing else', () => {
    const ofKinds: readonly OwnToolId[] = kinds.map(toolOfKind);
    const withFile = ownToolIds.filter((id) => !ofKinds.includes(id));
    assert.deepEqual(files, withFile.map((id) => `${id}.json`).toSorted());
    for (const id of ownToolIds) assert.equal(shippedManifest(id).tool_id, id);
    for (const id of ofKinds) assert.ok(ownToolIds.includes(id));
  });

  it('pass validation without a warning', () => {
    const copies = mkdtempSync(join(tmpdir(), 'agent-manifests-'));
    try {
      const paths = ownToolIds.map((id) => join(copies, `${id}.json`));
      ownToolIds.forEach((id, i) => writeFileSync(paths[i] ?? '', JSON.stringify(shippedManifest(id))));
      const verdicts = validateManifests([...files.map((name) => join(folder, name)), ...paths]).files;
      assert.equal(verdicts.length, files.length + ownToolIds.length);
      for (const { path, errors, warnings } of verdicts) assert.deepEqual([errors, warnings], [[], []], path);
    } finally {
      rmSync(copies, { recursive: true });
    }
  });

  it('require approvals only where a gate exists', () => {
    for (const id of ownToolIds) assert.ok(!isRefused(decideImport(null, shippedManifest(id), 'operator')), id);
  });

  it('are active', () => {
    for (const id of ownToolIds) assert.equal(shippedManifest(id).status, 'active', id);
  });
});
