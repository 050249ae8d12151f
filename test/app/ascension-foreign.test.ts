/** Deliveries of the reference agent: read unchanged, numbers as they are written; code missions cannot be replayed yet. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { checkPlanFile, compilePlanFile } from '../../src/app/ascension/plan-file.js';
import { isPythonNumber, pythonFloat } from '../../src/app/ascension/delivery.js';
import { verifyDelivery, type DeliveryVerdict, type VerifyDeliveryOptions } from '../../src/app/ascension/verify-delivery.js';
import { foreignDelivery, foreignExportText, foreignKey, signedDelivery, type Foreign } from '../support/app/ascension.js';
import { textFile } from '../support/app/given-export.js';
import { rejectsRefusal, orRefusal } from '../support/app/given-home.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';

let root: string;
before(() => {
  root = mkdtempSync(join(tmpdir(), 'agent-ascension-'));
});
after(() => rmSync(root, { recursive: true, force: true }));

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
