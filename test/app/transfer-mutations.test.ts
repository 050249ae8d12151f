/**
 * Runs and dockets of which one thing was changed: each is refused, also where whoever changed it made the digests fit again. A review is the
 * reviewer's word: the format has no digest of it, so another word in it is another review of the same run.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeRun, transferDocket, transferReview } from '../../src/app/transfer/run.js';
import { transferVerify } from '../../src/app/transfer/verify.js';
import { openArchiveBytes } from '../../src/archive/read.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/refusal.js';
import { decodeRun, type TransferRun } from '../../src/codec/transfer-run.js';
import type { BuiltIn } from '../../src/codec/transfer.js';
import { checksums, type DocketName, docketNames, runMember } from '../../src/engines/transfer/docket.js';
import { reportOf, runText } from '../../src/engines/transfer/run.js';
import { builtInSpec } from '../../src/engines/transfer/scenarios.js';
import { changed, leaves, mutants, mutations, type Path, paths } from '../support/codec/mutants.js';
import { atEffort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { folderForEach } from '../support/app/temporary-home.js';
import {
  docketFiles,
  type Files,
  judge,
  resealed,
  reviewed,
  runOf,
  smallSpec,
  verifyFile,
  withFile,
} from '../support/app/transfer-samples.js';
import { buildZip, type ZipMember } from '../support/archive/zip-builder.js';
import { indentedText } from '../../src/codec/transfer-text.js';
import { checkDocket } from '../../src/engines/transfer/docket-check.js';
import * as E from 'fp-ts/lib/Either.js';

const shown = (path: Path): string => path.join('.');
const refusal = /^(?:malformed|invalid|verification_failed): ./;
const plain = runOf();
const withReview = reviewed(plain);
const ablation = runOf({ ...smallSpec, archive_enabled: false });

/** What of a review may be said otherwise. */
const words = ['review.reviewer', 'review.reason', 'review.control_ms', 'review.treatment_ms'];

for (const [title, run] of [
  ['a reviewed run', withReview],
  ['an ablation', ablation],
] as const) {
  describe(`transfer: ${title} of which one thing was changed`, () => {
    it('verifies unchanged', () => assert.equal(judge(run), 'verified'));

    it('is refused for every value', () => {
      const accepted = new Set<string>();
      let count = 0;
      for (const [path, mutant] of mutations(run, ([first]) => first === 'review')) {
        const said = judge(changed(run, path, () => mutant));
        if (said === 'verified') accepted.add(shown(path));
        else assert.match(said, refusal, shown(path));
        count++;
      }
      assert.ok(count > atEffort(200, 700), String(count));
      assert.deepEqual([...accepted], run.review === null ? [] : words.filter((path) => accepted.has(path)));
      assert.equal(accepted.size, run.review === null ? 0 : words.length);
    });

    it('is refused for every name, and without every value', () => {
      for (const path of paths(run)) {
        const last = path.at(-1);
        assert.match(judge(changed(run, path, () => undefined)), refusal, `without ${shown(path)}`);
        if (typeof last !== 'string') continue;
        const holder = path.slice(0, -1);
        const rename = (value: unknown): unknown => {
          const { [last]: kept, ...rest } = value as Record<string, unknown>;
          return { ...rest, [`${last}_`]: kept };
        };
        const renamed = holder.length === 0 ? rename(run) : changed(run, holder, rename);
        assert.match(judge(renamed), refusal, `${shown(path)} under another name`);
      }
    });
  });
}

describe('transfer: a run whose digests were made to fit', () => {
  it('is refused for every number and flag of the core, and names it', () => {
    let count = 0;
    for (const [path, value] of leaves(plain.core, ['core'])) {
      if (typeof value !== 'number' && typeof value !== 'boolean') continue;
      const mutant = typeof value === 'number' ? value + 1 : !value;
      const said = judge(resealed(changed(plain, path, () => mutant)));
      const name = path
        .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
        .join('')
        .slice(1);
      // The capability's own digest comes before its training calls.
      assert.equal(said.startsWith('verification_failed: core.capability.sha256') || said.includes(`: ${name}: `), true, said);
      count++;
    }
    assert.ok(count > 150);
  });

  it('is refused for another count of the calls that making it took', () => {
    const altered = changed(plain, ['observations', 'creation_forecast_calls'], (calls) => Number(calls) - 1);
    const said = 'verification_failed: observations.creation_forecast_calls: recomputing gives another value';
    assert.equal(judge(resealed(altered)), said);
  });

  it('carries other descriptions, which are data', () => {
    const { sha256: _, ...capability } = plain.core.capability;
    const accepted = [...leaves({ ...plain.core, capability }, ['core'])].flatMap(([path, value]) =>
      typeof value === 'string' && judge(resealed(changed(plain, path, () => `${value} `))) === 'verified' ? [shown(path)] : [],
    );
    assert.deepEqual(accepted, [
      'core.capability.contract',
      'core.capability.rollback',
      'core.baseline_profile',
      'core.unmeasured_baselines.0',
      'core.unmeasured_baselines.1',
      'core.unmeasured_baselines.2',
      'core.evidence_contact.meaning',
      'core.evidence_contact.E3',
      'core.evidence_contact.E4',
      'core.evidence_contact.E5',
    ]);
  });
});

describe('transfer: a review that was changed', () => {
  it('is of its run alone', () => {
    const other = runOf(builtInSpec('seasonal', 4));
    const moved = { ...other, review: withReview.review };
    assert.equal(judge(moved), 'verification_failed: review.run_sha256: the review belongs to another run');
  });
});

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
    const archive = await openArchiveBytes(bytes('docket-seasonal.zip'), limits);
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
});

const files = docketFiles(reviewed(runOf()));
const members: readonly ZipMember[] = [...files].map(([name, content]) => ({ name, content }));
const each = (change: (member: ZipMember) => ZipMember): ZipMember[] => members.map(change);
const one = (name: string, change: Partial<ZipMember>): ZipMember[] =>
  each((member) => (member.name === name ? { ...member, ...change } : member));
const spec = '03_benchmark_tasks/spec.json';

describe('transfer docket: hostile archives', () => {
  const folder = folderForEach();
  const judge = async (made: readonly ZipMember[] | Buffer): Promise<string> => {
    const file = join(folder.get(), 'docket.zip');
    writeFileSync(file, Buffer.isBuffer(made) ? made : buildZip(made));
    return (await verifyFile(file)).replace(file, 'FILE');
  };
  const extra = (name: string): readonly ZipMember[] => [...members, { name, content: 'x' }];

  const cases: readonly (readonly [string, readonly ZipMember[] | Buffer, RegExp])[] = [
    ['a file too many', extra('13_more.md'), /^malformed: FILE counts 16 members/],
    ['no checksums', members.filter(({ name }) => name !== checksums), /^malformed: FILE lacks checksums\.json$/],
    ['a file of 1 000 001 bytes', one(spec, { content: Buffer.alloc(1_000_001) }), /^too_large: .*at most 1000000 are read$/],
    ['3 000 001 bytes of files', each((member) => ({ ...member, content: Buffer.alloc(250_000) })), /^too_large: FILE declares/],
    [
      'files that are not UTF-8',
      one('02_environment.md', { content: Buffer.from([0xff]) }),
      /^malformed: 02_.*: not valid UTF-8$/,
    ],
    ['an archive too large', Buffer.alloc(3_000_001, 'PK'), /^too_large: FILE has more than 3000000 bytes$/],
  ];
  for (const [title, made, expected] of cases)
    it(`are refused with ${title}`, async () => assert.match(await judge(made), expected));
});

const run = reviewed(runOf());
const text = (name: DocketName): string => files.get(name) ?? '';
const json = (name: DocketName): unknown => JSON.parse(text(name));
const jsonNames = docketNames.filter((name) => name.endsWith('.json'));

function check(given: Files): string {
  const checked = checkDocket(given);
  return E.isLeft(checked) ? `${checked.left.code}: ${checked.left.detail}` : 'verified';
}

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
