/** The manifests that the program ships: one for each tool of the catalogue, each within the rules and without a warning. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shippedManifest } from '../../src/app/tools/shipped.js';
import { validateManifests } from '../../src/app/tools/validate.js';
import { isRefused } from '../../src/base/result.js';
import { kinds } from '../../src/codec/kinds.js';
import { decideImport } from '../../src/domain/tool.js';
import { ownToolIds, toolOfKind, type OwnToolId } from '../../src/domain/tool-catalog.js';
import { packageRoot } from '../support/package-root.js';

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
