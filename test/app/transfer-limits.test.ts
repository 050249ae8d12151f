/** Transfer documents at the limits of their size: what is written can be read back. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transferDocket } from '../../src/app/transfer/docket.js';
import { transferReview } from '../../src/app/transfer/review.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { RefusalError } from '../../src/base/result.js';
import { indentedText } from '../../src/codec/transfer-text.js';
import { changed } from '../support/mutants.js';
import { folderForEach } from '../support/temporary-home.js';
import { judge, resealed, runOf, verifyFile } from '../support/transfer-samples.js';

const run = runOf();
const bytesOf = (document: unknown): number => Buffer.byteLength(canonicalJson(document));
/** A run of exactly so many bytes, by a description of that length. */
function runOfBytes(bytes: number): unknown {
  const profile = (length: number): unknown => resealed(changed(run, ['core', 'baseline_profile'], () => 'x'.repeat(length)));
  return profile(bytes - bytesOf(profile(0)));
}

describe('transfer: documents at the limit', () => {
  const folder = folderForEach();
  const at = (name: string): string => join(folder.get(), name);
  const put = (document: unknown): string => {
    writeFileSync(at('run.json'), canonicalJson(document));
    return at('run.json');
  };
  const refusedAs =
    (detail: string) =>
    (error: unknown): boolean =>
      error instanceof RefusalError && error.refusal.code === 'too_large' && error.refusal.detail === detail;
  const review = {
    decision: 'accept',
    reviewer: 'A',
    reason: 'B',
    control_ms: 1,
    treatment_ms: 1,
    timing_source: 'operator-reported',
  };

  it('verify a run of 1 000 000 bytes, and refuse one of a byte more', async () => {
    assert.equal(await verifyFile(put(runOfBytes(1_000_000))), 'verified');
    assert.match(await verifyFile(put(runOfBytes(1_000_001))), /^too_large: .*run\.json has more than 1000000 bytes$/);
  });

  it('refuse a review that makes the run too large', () => {
    put(runOfBytes(1_000_000));
    const asked = { run: at('run.json'), ...review, output: at('out.json') };
    assert.throws(() => transferReview(asked), refusedAs('the reviewed run would have more than 1000000 bytes'));
    assert.deepEqual(readdirSync(folder.get()), ['run.json']);
  });

  it('refuse a docket with a file that is too large', async () => {
    put(runOfBytes(999_000));
    const said = refusedAs('05_agialpha_runs/run.json would have more than 1000000 bytes');
    await assert.rejects(transferDocket(at('run.json'), at('out.zip')), said);
    assert.deepEqual(readdirSync(folder.get()), ['run.json']);
  });

  it('verify a docket whose files are as large as they can get', async () => {
    // The rollback is in three files of a docket, more than any other description.
    const { rollback } = run.core.capability;
    const room = 1_000_000 - Buffer.byteLength(indentedText(run)) + rollback.length;
    const withRollback = (length: number): unknown =>
      resealed(changed(run, ['core', 'capability', 'rollback'], () => 'x'.repeat(length)));
    put(withRollback(room));
    const { bytes } = await transferDocket(at('run.json'), at('out.zip'));
    assert.ok(bytes > 2_900_000 && bytes <= 3_000_000);
    assert.equal(await verifyFile(at('out.zip')), 'verified');
    put(withRollback(room + 1));
    await assert.rejects(
      transferDocket(at('run.json'), at('more.zip')),
      refusedAs('05_agialpha_runs/run.json would have more than 1000000 bytes'),
    );
  });

  it('hold at most 20 baselines that were not measured', () => {
    const named = (n: number): string =>
      judge(resealed(changed(run, ['core', 'unmeasured_baselines'], () => Array.from({ length: n }, (_, i) => `B${i}`))));
    assert.deepEqual([0, 20].map(named), ['verified', 'verified']);
    assert.equal(named(21), 'invalid: core.unmeasured_baselines: must have 0 to 20 items, has 21');
  });
});
