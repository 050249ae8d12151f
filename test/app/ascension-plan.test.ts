/** Files of jobs and of plans: limits at and over, every member missing, of a wrong type, out of range; every altered plan is refused. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPlanFile, compilePlanFile, type PlanReport, ascension_plan_bytes_max } from '../../src/app/ascension/plan-file.js';
import type { Refusal } from '../../src/base/refusal.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { compilePlan, planText } from '../../src/domain/ascension.js';
import { job, sampleJobs } from '../support/app/ascension.js';
import { refusalOf } from '../support/app/given-home.js';
import { changed, mutations } from '../support/codec/mutants.js';
import { atEffort } from '../support/effort.js';
import { folderForEach } from '../support/app/temporary-home.js';

const folder = folderForEach();

function file(content: unknown): string {
  const path = join(folder.get(), `in-${readdirSync(folder.get()).length}.json`);
  writeFileSync(path, typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content));
  return path;
}

const output = (): string => join(folder.get(), 'plan.json');
const compile = (content: unknown): PlanReport => compilePlanFile(file(content), output());

/** The refusal's code and the first path; nothing was written. */
function refused(content: unknown): string {
  const refusal = refusalOf(() => compile(content));
  assert.equal(existsSync(output()), false);
  return shown(refusal);
}
const shown = (refusal: Refusal | null): string =>
  refusal === null ? 'accepted' : `${refusal.code} ${refusal.errors?.[0]?.path ?? ''}`.trim();

describe('ascension job lists', () => {
  const accepted: readonly (readonly [string, Record<string, unknown>])[] = [
    ['one letter', job({ goal: 'x', successMetric: 'y' })],
    ['512 letters', job({ goal: 'x'.repeat(512), successMetric: 'y'.repeat(512) })],
    ['512 bytes in 256 letters', job({ goal: 'ä'.repeat(256) })],
    ['512 bytes in 128 code points beyond the BMP', job({ goal: '𝄞'.repeat(128) })],
    ['a bounty of 100', job({ bounty: '100' })],
    ['a bounty of 2^96 - 1', job({ bounty: '79228162514264337593543950335' })],
    ['a second', job({ duration: 1 })],
    ['90 days', job({ duration: 7_776_000 })],
    ['no weight', job({ priceWeight: 0 })],
    ['all weight', job({ priceWeight: 10_000 })],
  ];
  for (const [title, spec] of accepted) {
    it(`accept ${title}`, () => {
      assert.equal(compile([spec]).jobs, 1);
      assert.equal(checkPlanFile(output()).valid, true);
    });
  }

  const wrongTexts = ['', 'x'.repeat(513), 'ä'.repeat(257), `${'x'.repeat(511)}ä`, null, 1, true, ['x'], {}];
  const wrongAmounts = [
    '99',
    '79228162514264337593543950336',
    '0100',
    '1e3',
    '-100',
    ' 100',
    '100.0',
    '0x64',
    '',
    '١٠٠',
    100,
    null,
  ];
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    goal: wrongTexts,
    successMetric: wrongTexts,
    bounty: wrongAmounts,
    duration: [0, -1, 7_776_001, 1.5, '60', null, true, [60]],
    priceWeight: [-1, 10_001, 0.5, '0', null, false, {}],
  };
  for (const [name, values] of Object.entries(wrong)) {
    it(`refuse ${name} when it is missing, of another type or out of range`, () => {
      for (const value of [undefined, ...values])
        assert.equal(refused([job(), job({ [name]: value })]), `invalid [1].${name}`, JSON.stringify(value));
    });
  }

  it('refuse an integer that is written as a float or with an exponent', () => {
    const text = JSON.stringify([job()]);
    for (const [from, to] of [
      ['"duration":60', '"duration":60.0'],
      ['"duration":60', '"duration":6e1'],
      ['"priceWeight":5000', '"priceWeight":5E3'],
      ['"priceWeight":5000', '"priceWeight":-0'],
    ] as const) {
      assert.ok(text.includes(from));
      assert.match(refused(text.replace(from, to)), /^invalid \[0\]\.(?:duration|priceWeight)$/);
    }
  });

  it('hold 1 to 128 jobs', () => {
    assert.equal(compile(sampleJobs(128)).jobs, 128);
    assert.equal(shown(refusalOf(() => compile(sampleJobs(1)))), 'exists');
  });

  it('refuse 0 or 129 jobs, other JSON values, unknown or duplicate members, and malformed text', () => {
    for (const content of [[], sampleJobs(129), job(), { jobs: [job()] }, 'null', '"x"', '1'])
      assert.equal(refused(content), 'invalid');
    assert.equal(refused([null]), 'invalid [0]');
    assert.equal(refused([job({ payee: 'me' })]), 'invalid [0].payee');
    assert.equal(refused([job(), { ...job(), index: 1 }]), 'invalid [1].index');
    const text = JSON.stringify([job()]);
    assert.equal(refused(text.replace('{', '{"bounty":"100",')), 'malformed [0].bounty');
    assert.equal(refused(text.replace('{', '{"b\\u006funty":"100",')), 'malformed [0].bounty');
    assert.equal(refused(`${text}]`), 'malformed');
    assert.equal(refused(''), 'malformed');
  });

  it('hold at most 250 000 bytes', () => {
    const text = JSON.stringify([job()]);
    const padded = (bytes: number): string => text + ' '.repeat(bytes - text.length);
    assert.equal(refused(padded(250_001)), 'too_large');
    assert.equal(compile(padded(250_000)).valid, true);
  });

  it('compile to plans that can be read again, even at their largest', () => {
    const specs = Array.from({ length: 128 }, () =>
      job({ goal: '\u0001'.repeat(150), successMetric: '\u0001'.repeat(150), bounty: '79228162514264337593543950335' }),
    );
    assert.equal(compile(specs).totalBounty, (128n * (2n ** 96n - 1n)).toString());
    const { size } = statSync(output());
    assert.ok(size > 250_000 && size < ascension_plan_bytes_max, String(size));
    assert.equal(checkPlanFile(output()).valid, true);
  });

  it('are refused with an existing output, a missing directory or an unreadable input', () => {
    const taken = file('kept');
    assert.equal(shown(refusalOf(() => compilePlanFile(file([job()]), taken))), 'exists');
    assert.equal(readFileSync(taken, 'utf8'), 'kept');
    assert.equal(shown(refusalOf(() => compilePlanFile(file([job()]), join(folder.get(), 'no', 'plan.json')))), 'not_found');
    assert.equal(shown(refusalOf(() => compilePlanFile(join(folder.get(), 'absent'), output()))), 'not_found');
    assert.equal(shown(refusalOf(() => compilePlanFile(folder.get(), output()))), 'invalid');
  });
});

describe('altered ascension plans', () => {
  const plan: unknown = JSON.parse(planText(compilePlan(sampleJobs(3))));
  /** Valid, why not, or the refusal. */
  const judge = (content: unknown): string => {
    const path = file(typeof content === 'string' ? content : canonicalJson(content));
    const refusal = refusalOf(() => checkPlanFile(path));
    if (refusal !== null) return shown(refusal);
    const { valid, reason } = checkPlanFile(path);
    return valid ? 'valid' : (reason ?? 'no reason');
  };

  it('are valid when nothing was altered', () => assert.equal(judge(plan), 'valid'));

  it('are refused when any number or text is changed', () => {
    let tried = 0;
    for (const [path, mutant] of mutations(plan)) {
      const answer = judge(changed(plan, path, () => mutant));
      assert.notEqual(answer, 'valid', `${path.join('.')}: ${JSON.stringify(mutant)}`);
      assert.notEqual(answer, 'no reason');
      tried++;
    }
    assert.ok(tried > atEffort(30, 100), String(tried));
  });

  it('are refused in any other spelling', () => {
    const text = canonicalJson(plan);
    const form = /^the file is not canonical JSON/;
    for (const other of [
      `${text}\n`,
      ` ${text}`,
      JSON.stringify(plan, null, 1),
      text.replace('"decimals":18', '"decimals":18.0'),
    ])
      assert.match(judge(other), form);
    assert.match(judge(text.replace('"token":"AGIALPHA"', '"token":"\\u0041GIALPHA"')), form);
    assert.match(judge(text.replace(/^\{("decimals":18),(.*)\}$/su, '{$2,$1}')), form);
    assert.equal(judge(text.replace('{', '{"decimals":18,')), 'malformed decimals');
    assert.equal(judge(text.replace('{', '{"author":"me",')), 'invalid author');
    assert.equal(judge('['.repeat(100)), `malformed ${'[0]'.repeat(64)}`);
    assert.equal(judge(text + ' '.repeat(ascension_plan_bytes_max)), 'too_large');
  });
});
