/** Dockets: the same bytes for the same run; each altered file is refused, also where its checksum was made to fit. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { transferDocket } from '../../src/app/transfer/run.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { indentedText } from '../../src/codec/transfer-text.js';
import { checksums, docketNames, runMember, type DocketName } from '../../src/engines/transfer/docket.js';
import { checkDocket } from '../../src/engines/transfer/docket-check.js';
import type { TransferRun } from '../../src/codec/transfer-run.js';
import { changed, leaves, mutants, paths } from '../support/codec/mutants.js';
import { folderForEach } from '../support/app/temporary-home.js';
import { docketFiles, resealed, reviewed, runOf, verifyFile, withFile, type Files } from '../support/app/transfer-samples.js';

const run = reviewed(runOf());
const files = docketFiles(run);
const text = (name: DocketName): string => files.get(name) ?? '';
const json = (name: DocketName): unknown => JSON.parse(text(name));
const jsonNames = docketNames.filter((name) => name.endsWith('.json'));

function check(given: Files): string {
  const checked = checkDocket(given);
  return E.isLeft(checked) ? `${checked.left.code}: ${checked.left.detail}` : 'verified';
}
const refusal = /^(?:malformed|invalid|verification_failed): ./;

describe('transfer docket: writing', () => {
  const folder = folderForEach();

  it('is the same bytes each time, and verifies', async () => {
    const at = (name: string): string => join(folder.get(), name);
    writeFileSync(at('run.json'), canonicalJson(run));
    const report = await transferDocket(at('run.json'), at('a.zip'));
    await transferDocket(at('run.json'), at('b.zip'));
    assert.deepEqual(readFileSync(at('a.zip')), readFileSync(at('b.zip')));
    assert.deepEqual(report.files, docketNames);
    assert.equal(report.bounded_transfer, 'accepted');
    assert.equal(report.bytes, readFileSync(at('a.zip')).length);
    assert.equal(await verifyFile(at('a.zip')), 'verified');
  });
});

describe('transfer docket: a changed file', () => {
  it('verifies unchanged', () => assert.equal(check(files), 'verified'));

  it('is named', () => {
    const said = check(
      withFile(files, '08_cost_ledgers/costs.json', text('08_cost_ledgers/costs.json').replace('0', '1'), false),
    );
    assert.equal(said, 'verification_failed: 08_cost_ledgers/costs.json: is not the file that checksums.json has the digest of');
  });
});

describe('transfer docket: a changed file whose checksum was made to fit', () => {
  it('is refused for every value and every word', () => {
    for (const name of jsonNames.filter((each) => each !== checksums)) {
      for (const [path, value] of leaves(json(name))) {
        const mutant = typeof value === 'string' ? `${value} ` : mutants(value)[0];
        const said = check(withFile(files, name, indentedText(changed(json(name), path, () => mutant))));
        assert.match(said, refusal, `${name}: ${path.join('.')}`);
      }
    }
  });

  it('is refused without any member or item, and with another', () => {
    for (const name of jsonNames.filter((each) => each !== checksums && each !== runMember)) {
      for (const path of paths(json(name))) {
        const without = indentedText(changed(json(name), path, () => undefined));
        assert.match(check(withFile(files, name, without)), refusal, `${name}: ${path.join('.')}`);
      }
      const document = json(name);
      const more = Array.isArray(document) ? [...(document as unknown[]), {}] : { ...(document as object), more: 1 };
      assert.match(check(withFile(files, name, indentedText(more))), refusal, name);
    }
  });

  it('is refused in another layout', () => {
    for (const name of jsonNames.filter((each) => each !== checksums)) {
      for (const other of [canonicalJson(json(name)), text(name).trimEnd(), `${text(name)} `, text(name).replace(': ', ':')]) {
        assert.match(check(withFile(files, name, other)), new RegExp(`^malformed: ${name}: the bytes are not`), name);
      }
      const twice = text(name).replace(/^ {2,4}"(\w+)":/m, '  "$1": 0,\n  "$1":');
      assert.match(check(withFile(files, name, twice)), /^malformed: .*duplicate member/, name);
    }
  });

  it('is refused when the run itself was changed with it', () => {
    const altered = resealed(changed(run, ['core', 'arms', 'B6', 'error_milli'], (value) => Number(value) + 1));
    assert.match(check(withFile(files, runMember, indentedText(altered))), /run\.json: core\.arms\.B6\.error_milli: recomputing/);
  });
});

describe('transfer docket: the Markdown files', () => {
  const said = (name: DocketName, from: string, to: string): string => {
    assert.ok(text(name).includes(from));
    return check(withFile(files, name, text(name).replace(from, to)));
  };

  it('say nothing else: claims, status, lines more or less', () => {
    for (const [name, from, to] of [
      ['01_claims_matrix.md', 'Unproven', 'Proven'],
      ['01_claims_matrix.md', 'HOLD: missing comparators', 'PROMOTED: no missing comparators'],
      ['01_claims_matrix.md', '| Manuscript', '| External validation | passed |\n| Manuscript'],
      ['00_manifest.md', 'not independence', 'and independence'],
      ['02_environment.md', 'not blinded', 'blinded'],
      ['02_environment.md', '# Environment\n', '# Environment'],
    ] as const) {
      assert.match(said(name, from, to), /^verification_failed: 0\d_\w+\.md: line \d+ is not/, to);
    }
    const claims = text('01_claims_matrix.md');
    assert.equal(
      check(withFile(files, '01_claims_matrix.md', `${claims}| General RSI | accepted |\n`)),
      'verification_failed: 01_claims_matrix.md: line 8 is not the one that is written for the run',
    );
  });

  it("repeat the run's own descriptions, which are its data", () => {
    const other = reviewed(resealed(changed(runOf(), ['core', 'baseline_profile'], () => 'another profile')) as TransferRun);
    assert.equal(check(docketFiles(other)), 'verified');
  });
});

describe('transfer docket: checksums.json', () => {
  const sums = json(checksums) as Record<string, string>;
  const given = (document: unknown): string => check(new Map([...files, [checksums, indentedText(document)]]));

  it('has the digest of every file and of no other', () => {
    for (const name of Object.keys(sums)) {
      const { [name]: _, ...less } = sums;
      assert.equal(given(less), `verification_failed: checksums.json: has no digest of ${name}`);
      assert.match(given({ ...sums, [name]: '0'.repeat(64) }), /is not the file that checksums\.json has the digest of$/);
      assert.match(given({ ...sums, [name]: 'x' }), /^invalid: checksums\.json: /);
    }
    for (const name of ['more', checksums]) {
      assert.match(given({ ...sums, [name]: '0'.repeat(64) }), /names a file that does not belong in a docket$/);
    }
  });

  it('is an object, in the layout of a docket', () => {
    assert.match(given([]), /^invalid: checksums\.json: must be an object/);
    assert.match(check(new Map([...files, [checksums, canonicalJson(sums)]])), /^malformed: checksums\.json: the bytes are not/);
  });
});
