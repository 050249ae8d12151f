/** Files of jobs and of plans, every altered one of which is refused; and deliveries of the reference agent, numbers as they are written. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ascension_plan_bytes_max, checkPlanFile, compilePlanFile, type PlanReport } from '../../src/app/ascension/plan-file.js';
import type { Refusal } from '../../src/base/refusal.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { compilePlan, planText } from '../../src/domain/ascension.js';
import {
  type Foreign,
  foreignDelivery,
  foreignExportText,
  foreignKey,
  job,
  sampleJobs,
  signedDelivery,
} from '../support/app/ascension.js';
import { orRefusal, refusalOf, rejectsRefusal } from '../support/app/given-home.js';
import { changed, mutations } from '../support/codec/mutants.js';
import { atEffort } from '../support/effort.js';
import { folderForEach, folderForSuite } from '../support/app/temporary-home.js';
import {
  type DeliveryVerdict,
  isPythonNumber,
  pythonFloat,
  verifyDelivery,
  type VerifyDeliveryOptions,
} from '../../src/app/ascension/delivery.js';
import { textFile } from '../support/app/given-export.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import * as fc from 'fast-check';

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
  const amounts = '99 79228162514264337593543950336 0100 1e3 -100 100.0 0x64 ١٠٠'.split(' ');
  const wrongAmounts = [...amounts, ' 100', '', 100, null];
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

  it('compile to plans that can be read again, even at their largest of 128 jobs', () => {
    const specs = Array.from({ length: 128 }, () =>
      job({ goal: '\u0001'.repeat(150), successMetric: '\u0001'.repeat(150), bounty: '79228162514264337593543950335' }),
    );
    const { jobs, totalBounty } = compile(specs);
    assert.deepEqual([jobs, totalBounty], [128, (128n * (2n ** 96n - 1n)).toString()]);
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

  it('are refused when any number or text is changed, and valid before', () => {
    assert.equal(judge(plan), 'valid');
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

const root = folderForSuite();

const form = /^the file is not canonical JSON/;

function verify(text: string, changes: Partial<VerifyDeliveryOptions> = {}): Promise<DeliveryVerdict> {
  const { planRoot } = foreignDelivery();
  return verifyDelivery({ file: textFile(root, text), publicKey: foreignKey, planRoot, replayCode: false, ...changes });
}
const judge = (text: string, changes: Partial<VerifyDeliveryOptions> = {}): Promise<string> =>
  orRefusal(async () => {
    const { valid, reason } = await verify(text, changes);
    return valid ? 'valid' : (reason ?? 'no reason');
  });
const judged = ({ text }: Foreign): Promise<string> => judge(text);

describe("a delivery of the reference agent's kind", () => {
  it('verifies over its bytes, numbers beyond 2^53 and floats included', async () => {
    assert.equal(await judged(foreignDelivery()), 'valid');
    assert.equal((await verify(foreignDelivery().text)).mission, '90f2b836-270b-4578-9af8-41245320af25');
  });

  it('is not canonical when Python would print its numbers differently, even when signed', async () => {
    const { body } = foreignDelivery();
    for (const [from, to] of [
      ['-348000.0', '-348000.00'],
      ['1e+16', '1e16'],
      ['1e+16', '10000000000000000.0'],
      ['1e-05', '1e-5'],
      ['1e-05', '0.00001'],
      ['"sequence":23', '"sequence":23.00'],
    ] as const) {
      assert.ok(body.includes(from), from);
      // The readable copy comes first, before the signed text.
      assert.match(await judge(signedDelivery(body.replace(from, to))), form, to);
    }
  });

  it('is refused when numbers of the readable copy differ from the signed ones', async () => {
    const { body } = foreignDelivery();
    for (const [from, to] of [
      ['-348000.0', '-348000'],
      ['1e+16', '10000000000000000'],
      ['1795152040956133692', '1795152040956133693'],
      ['"passed":3', '"passed":3.0'],
    ] as const)
      assert.equal(
        await judge(signedDelivery(body.replace(from, to))),
        'the export inside does not verify: the readable body is not the signed one',
        to,
      );
  });

  it('is refused with other spaces, another order of members or an added newline, even when signed', async () => {
    const { body, text } = foreignDelivery();
    for (const other of [
      body.replace('"schema":1,', '"schema": 1,'),
      body.replace('"best":-348000.0,"huge":1e+16', '"huge":1e+16,"best":-348000.0'),
      body.replace('"actor":"a"', '"actor":"\\u0061"'),
    ]) {
      assert.notEqual(other, body);
      assert.match(await judge(signedDelivery(other)), form);
    }
    assert.match(await judge(`${text}\n`), form);
  });

  it('has its members sorted by code point, as Python sorts them', async () => {
    const sorted = '{"\uffee":1,"\u{1f30a}":2}';
    assert.equal(await judged(foreignDelivery(foreignExportText({ result: sorted }))), 'valid');
    assert.match(await judged(foreignDelivery(foreignExportText({ result: '{"\u{1f30a}":2,"\uffee":1}' }))), form);
  });

  it('is not valid when the result was not approved or the goal is another', async () => {
    const cases = [
      [{ goal: 'Repair the door' }, "the mission's goal is not that of the job"],
      [{ document: { state: 'review' } }, 'the export inside does not verify: the mission is not completed'],
      [{ document: { review: 'yes' } }, 'the export inside does not verify: the review did not approve the result'],
      [{ document: { request: 'none' } }, "the mission's goal is not that of the job"],
    ] as const;
    for (const [parts, reason] of cases) assert.equal(await judged(foreignDelivery(foreignExportText(parts))), reason);
    assert.equal(await judged(foreignDelivery(foreignExportText(), 1)), "the mission's goal is not that of the job");
    assert.equal(await judged(foreignDelivery(foreignExportText(), 3)), 'the plan has no job 3');
  });

  it('reports that a code mission is not run again only after everything else verifies', async () => {
    const { text } = foreignDelivery();
    assert.match((await rejectsRefusal(verify(text, { replayCode: true }), 'engine_unavailable')).detail, /not run again/);
    assert.match(await judge(`${text}\n`, { replayCode: true }), form);
    const forecast = foreignDelivery(foreignExportText({ kind: 'forecast' })).text;
    assert.equal((await rejectsRefusal(verify(forecast, { replayCode: true }), 'invalid')).errors?.[0]?.path, 'replay-code');
  });

  it('has its result checked by the rules of the agent that made it', async () => {
    const work = { kind: 'research', sources: [{ id: 's1', title: 'Tides', text: 'High water is at six.' }] };
    const answer = async (quote: string): Promise<unknown[]> => {
      const result = `{"findings":[{"claim":"c","quote":"${quote}","source_id":"s1"}]}`;
      const { valid, recomputed, reason } = await verify(foreignDelivery(foreignExportText({ work, result })).text);
      return [valid, recomputed, reason];
    };
    assert.deepEqual(await answer('at six'), [true, true, null]);
    const wrong = 'the result is wrong: findings[0].quote is not in source s1';
    assert.deepEqual(await answer('at ten'), [false, false, wrong]);
  });

  it('is reported as not recomputed when the result cannot be recomputed', async () => {
    const { valid, recomputed, reason } = await verify(foreignDelivery().text);
    assert.deepEqual([valid, recomputed], [true, null]);
    assert.match(reason ?? '', /request is not valid in this version/);
  });

  it('is malformed with deep nesting or unpaired surrogates', async () => {
    const deep = `{"a":${'['.repeat(70)}${']'.repeat(70)}}`;
    assert.equal(await judged(foreignDelivery(foreignExportText({ result: deep }))), 'malformed');
    assert.equal(await judged(foreignDelivery(foreignExportText({ result: '{"a":"\\ud800"}' }))), 'malformed');
  });
});

describe('floats in the format of Python', () => {
  // repr() of CPython 3.
  const floats =
    '0.0 -0.0 -1.5 0.1 0.0001 1e-05 1.5e-05 5e-324 123456789012345.6 1e+16 9007199254740992.0 1.2345e+22 1e-100'.split(' ');
  for (const text of floats) {
    it(text, () => {
      assert.equal(pythonFloat(Number(text)), text);
      assert.equal(isPythonNumber(text), true);
    });
  }
  it('read back as the same double', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    const shape = /^-?(?:[0-9]+\.[0-9]+|[0-9](?:\.[0-9]+)?e[+-][0-9]{2,3})$/;
    fc.assert(
      fc.property(double, (x) => {
        assert.match(pythonFloat(x), shape);
        assert.ok(Object.is(Number(pythonFloat(x)), x));
      }),
    );
  });

  it('accept integers of any length and no other spelling', () => {
    for (const text of ['0', '7', '-7', '1795152040956133692']) assert.equal(isPythonNumber(text), true, text);
    for (const text of ['-0', '1.', '1.00', '1e5', '1E+16', '1e-5', '1e+5', '0.00001', '10000000000000000.0'])
      assert.equal(isPythonNumber(text), false, text);
  });
});

real('test-data', "the reference agent's own plans and delivery", () => {
  const data = resolve(packageRoot(import.meta.url), process.env['AGENT_TEST_DATA'] ?? join('..', 'shared', 'data'));
  const at = (name: string): string => join(data, 'reference', 'ascension', name);
  const text = (name: string): string => readFileSync(at(name), 'utf8');
  const given = (): { readonly publicKey: string; readonly planRoot: string } => {
    const { publicKey, body } = JSON.parse(text('delivery.json')) as { publicKey: string; body: { plan: { planRoot: string } } };
    return { publicKey, planRoot: body.plan.planRoot };
  };

  it('has valid plans, which the same jobs compile to byte for byte', () => {
    for (const name of ['plan.json', 'plan-3jobs.json']) {
      assert.equal(checkPlanFile(at(name)).valid, true);
      const { jobs } = JSON.parse(text(name)) as { readonly jobs: readonly { readonly spec: unknown }[] };
      const output = join(root, name);
      compilePlanFile(textFile(root, JSON.stringify(jobs.map(({ spec }) => spec))), output);
      assert.equal(readFileSync(output, 'utf8'), text(name));
    }
    compilePlanFile(at('ascension-jobs.json'), join(root, 'golden.json'));
    assert.equal(readFileSync(join(root, 'golden.json'), 'utf8'), text('plan.json'));
  });

  it('has a delivery that verifies unchanged', async () => {
    const verdict = await verifyDelivery({ file: at('delivery.json'), replayCode: false, ...given() });
    assert.deepEqual([verdict.valid, verdict.recomputed, verdict.reason, verdict.jobIndex], [true, true, null, 0]);
    assert.equal(verdict.mission, 'cc23c218-cfc9-5276-80fa-1e833ae5bf46');
    assert.match(await judge(`${text('delivery.json')}\n`, given()), form);
    assert.equal(await judge(text('delivery.json'), { ...given(), publicKey: foreignKey }), 'the file names another public key');
  });
});
