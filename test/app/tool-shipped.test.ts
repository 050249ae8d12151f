/** The manifests that the program ships: one for each tool of the catalogue, each within the rules and without a warning. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
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

  it('holds the manifest of every tool of ours, and nothing else', () => {
    assert.deepEqual(files, ownToolIds.map((id) => `${id}.json`).toSorted());
    for (const id of ownToolIds) assert.equal(shippedManifest(id).tool_id, id);
    for (const kind of kinds) assert.ok(ownToolIds.includes(toolOfKind(kind)));
  });

  it('passes validation without a warning', () => {
    for (const { path, errors, warnings } of validateManifests(files.map((name) => join(folder, name))).files) {
      assert.deepEqual([errors, warnings], [[], []], path);
    }
  });

  it('asks approvals only where a gate stands', () => {
    for (const id of ownToolIds) assert.ok(!isRefused(decideImport(null, shippedManifest(id), 'operator')), id);
  });

  it('is active, but for what this version does not have yet', () => {
    const drafts: readonly OwnToolId[] = [
      'mission_code',
      'provider_call',
      'container_run',
      'chain_read',
      'wallet_bind',
      'invoice',
      'settle',
    ];
    for (const id of ownToolIds) assert.equal(shippedManifest(id).status, drafts.includes(id) ? 'draft' : 'active', id);
  });
});
