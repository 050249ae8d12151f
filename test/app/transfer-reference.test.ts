/** Runs and a docket of the reference agent: they verify here, and are made here as the same bytes. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openArchiveBytes } from '../../src/archive/read.js';
import { transferReview } from '../../src/app/transfer/review.js';
import { makeRun } from '../../src/app/transfer/run.js';
import { transferVerify } from '../../src/app/transfer/verify.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/result.js';
import type { BuiltIn } from '../../src/codec/transfer.js';
import { decodeRun } from '../../src/codec/transfer-run.js';
import { docketNames } from '../../src/engines/transfer/docket.js';
import { checkDocket } from '../../src/engines/transfer/docket-check.js';
import { reportOf, runText } from '../../src/engines/transfer/run.js';
import { builtInSpec } from '../../src/engines/transfer/scenarios.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { folderForEach } from '../support/temporary-home.js';
import { docketFiles, judge, verifyFile, withFile, type Files } from '../support/transfer-samples.js';
import { changed, leaves } from '../support/mutants.js';

real('test-data', "transfer: the reference agent's own files", () => {
  const folder = folderForEach();
  const given = (name: string): string =>
    resolve(packageRoot(import.meta.url), process.env.AGENT_TEST_DATA ?? '../shared/data', 'reference', 'transfer', name);
  const bytes = (name: string): Buffer => readFileSync(given(name));

  for (const [file, verdict] of [
    ['transfer-seasonal.json', ['hold', null, null]],
    ['transfer-shift.json', ['hold', null, null]],
    ['reviewed-seasonal.json', ['accepted', 10, 1_889_804]],
    ['docket-seasonal.zip', ['hold', null, null]],
  ] as const) {
    it(`verifies ${file}`, async () => {
      const { valid, replay, ...said } = await transferVerify({ file: given(file), note: undefined, publicKey: undefined });
      assert.deepEqual([valid, replay], [true, 'verified']);
      assert.deepEqual([said.bounded_transfer, said.human_overhead_milli, said.adjusted_advantage_milli], verdict);
    });
  }

  for (const scenario of ['seasonal', 'shift'] as const satisfies readonly BuiltIn[]) {
    it(`produces a ${scenario} run that equals theirs byte for byte, once the clock says the same`, () => {
      const theirs = unwrap(decodeRun(bytes(`transfer-${scenario}.json`)));
      const ours = makeRun(builtInSpec(scenario, 37), () => 0);
      assert.equal(canonicalJson(ours.spec), canonicalJson(theirs.spec));
      assert.equal(canonicalJson(ours.core), canonicalJson(theirs.core));
      const same = reportOf(ours.spec, ours.core, theirs.observations.wall_ms);
      assert.equal(runText(same), bytes(`transfer-${scenario}.json`).toString('utf8'));
    });
  }

  it('produces a review that equals theirs byte for byte', () => {
    const output = join(folder.get(), 'reviewed.json');
    transferReview({
      run: given('transfer-seasonal.json'),
      decision: 'accept',
      reviewer: 'Operator',
      reason: 'Inspected raw predictions',
      control_ms: 2_000,
      treatment_ms: 3_000,
      timing_source: 'operator-reported',
      output,
    });
    assert.deepEqual(readFileSync(output), bytes('reviewed-seasonal.json'));
  });

  const docket = async (): Promise<Files> => {
    const limits = { members: docketNames, bytes_max: 3_000_000, file_bytes_max: 3_000_000 };
    const archive = openArchiveBytes(bytes('docket-seasonal.zip'), limits);
    const texts = await Promise.all(
      docketNames.map(async (name) => [name, (await archive.read(name, 1_000_000)).toString()] as const),
    );
    return new Map(texts);
  };

  it('produces a docket in which every file equals theirs byte for byte', async () => {
    const theirs = await docket();
    const ours = docketFiles(unwrap(decodeRun(bytes('transfer-seasonal.json'))));
    assert.deepEqual([...ours.keys()], [...theirs.keys()]);
    for (const [name, text] of ours) assert.equal(text, theirs.get(name), name);
  });

  it('refuses a run when any value was changed', () => {
    const run: unknown = JSON.parse(bytes('transfer-seasonal.json').toString());
    for (const [path, value] of leaves(run)) {
      const mutant = typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${String(value)}x`;
      assert.match(judge(changed(run, path, () => mutant)), /^(?:invalid|verification_failed): ./, path.join('.'));
    }
  });

  it('refuses a docket when any byte of a file was changed', async () => {
    const files = await docket();
    for (const [name, text] of files) {
      for (let at = 0; at < text.length; at += Math.ceil(text.length / 50)) {
        const altered = text.slice(0, at) + (text[at] === '#' ? '!' : '#') + text.slice(at + 1);
        assert.equal(unwrapped(withFile(files, name, altered, false)), false, `${name} at ${at}`);
      }
    }
  });
  const unwrapped = (files: Files): boolean => checkDocket(files)._tag === 'Right';

  it('verifies a run of theirs from a browser, indented and unsorted', async () => {
    const { core, spec, sha256, ...rest } = JSON.parse(bytes('reviewed-seasonal.json').toString()) as Record<string, unknown>;
    const file = join(folder.get(), 'run.json');
    writeFileSync(file, `${JSON.stringify({ spec, core, ...rest, sha256 }, null, 2)}\n`);
    assert.equal(await verifyFile(file), 'verified');
  });
});
