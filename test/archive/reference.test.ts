import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { parseJsonBytes } from '../../src/base/json.js';
import { unwrap } from '../../src/base/result.js';
import { sha256Hex } from '../../src/base/hash.js';
import { openArchive, type Archive } from '../../src/archive/read.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { roomy } from '../support/archive/zip-attack.js';

const data = resolve(packageRoot(import.meta.url), process.env['AGENT_TEST_DATA'] ?? join('..', 'shared', 'data'));
const backup = join(data, 'reference', 'backup.zip');
const docket = join(data, 'reference', 'transfer', 'docket-seasonal.zip');
const backupMembers = ['config.json', 'identity.key', 'api.token', 'journal.sqlite3', 'manifest.json'];
const docketMembers = [
  '00_manifest.md',
  '01_claims_matrix.md',
  '02_environment.md',
  '03_benchmark_tasks/spec.json',
  '04_baselines/comparison.json',
  '05_agialpha_runs/action_reason_trace.json',
  '05_agialpha_runs/run.json',
  '06_proof_bundles/capability.json',
  '07_replay_logs/replay.json',
  '08_cost_ledgers/costs.json',
  '09_safety_ledgers/safety.json',
  '10_validator_reports/review.json',
  '11_alpha_wu_calibration/status.json',
  '12_summary_tables/outcome.json',
  'checksums.json',
];

/** Every digest that a list of an archive (name to SHA-256 or to an object with it) gives, against what is read. */
async function digests(archive: Archive, list: string): Promise<number> {
  const bytes = await archive.read(list, 100_000);
  const listed = unwrap(parseJsonBytes(bytes)) as Readonly<Record<string, unknown>>;
  let checked = 0;
  for (const [name, digest] of Object.entries(listed)) {
    assert.equal(sha256Hex(await archive.read(name, roomy.bytes_max)), digest, name);
    checked++;
  }
  return checked;
}

real('test-data', "the reference agent's archives", () => {
  it('has a backup that is read and matches its manifest', async () => {
    const archive = await openArchive(backup, { members: backupMembers, ...roomy });
    assert.deepEqual(archive.names, backupMembers);
    assert.equal(await digests(archive, 'manifest.json'), 4);
    archive.close();
  });

  it('has a docket that is read and matches its checksums', async () => {
    const archive = await openArchive(docket, { members: docketMembers, ...roomy });
    assert.deepEqual(archive.names, docketMembers);
    assert.equal(await digests(archive, 'checksums.json'), 14);
    archive.close();
  });
});
