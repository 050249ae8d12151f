/**
 * The same input, seed, effort and engine version give the same bytes on every machine. A result that changed on purpose raises its
 * engine's version: UPDATE_GOLDEN=1 then writes the file anew.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import fc from 'fast-check';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { unwrap } from '../../src/base/refusal.js';
import { forecastEngine } from '../../src/kinds/forecast/engine/engine.js';
import type { ForecastResult } from '../../src/kinds/forecast/result.js';
import { forecastSize } from '../../src/kinds/forecast/size.js';
import { verifyForecast } from '../../src/kinds/forecast/verify/verify.js';
import { researchEngine } from '../../src/kinds/research/engine/engine.js';
import { researchSize } from '../../src/kinds/research/size.js';
import { verifyResearch } from '../../src/kinds/research/verify/verify.js';
import { atEffort } from '../support/effort.js';
import { engineHashes } from '../support/engines/engine-hashes.js';
import { packageRoot } from '../support/package-root.js';
import { foreignNode, type Part, real } from '../support/real.js';
import { forecastInput, researchInput } from './inputs.js';
import { rebuilt } from './oracles/forecast/rebuild.js';
import { assertResult } from './oracles/research/oracle.js';

const file = path.join(packageRoot(import.meta.url), 'test', 'vectors', 'engines', 'golden.json');
const golden = (): Record<string, string> => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
const versionOf = (entry: string): string => entry.split(' ').slice(0, 2).join(' ');

describe('golden results of the engines', () => {
  it('are the same bytes as ever, or of a raised version', async () => {
    const now = await engineHashes();
    if (process.env['UPDATE_GOLDEN'] === '1') {
      for (const [name, entry] of Object.entries(golden())) {
        const changed = now[name] !== undefined && now[name] !== entry;
        assert.ok(
          !changed || versionOf(now[name] ?? '') !== versionOf(entry),
          `${name} changed: raise the version of its engine`,
        );
      }
      writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
    }
    assert.deepEqual(now, golden());
  });
});

/** One of each engine, the shortest: another processor is emulated, which takes ten times as long. Empty for all of them. */
const names = atEffort<readonly string[]>(
  ['examples/schedule', 'examples/allocation', 'examples/research', 'examples/forecast', 'simulation/default'],
  [],
);
const others: readonly Part[] = ['node-22', 'node-24', 'node-arm64'];

for (const part of others) {
  real(part, `golden results on ${part}`, () => {
    it('are the same bytes', () => {
      const [command, ...args] = foreignNode(part);
      const script = path.join(packageRoot(import.meta.url), 'dist', 'test', 'support', 'engines', 'engine-hashes.js');
      const ran = spawnSync(command ?? '', [...args, script, ...names], { encoding: 'utf8' });
      assert.equal(ran.status, 0, ran.stderr);
      const all = golden();
      const expected = names.length === 0 ? all : Object.fromEntries(names.map((name) => [name, all[name]]));
      assert.deepEqual(JSON.parse(ran.stdout), expected);
    });
  });
}

const numRuns = atEffort(200, 2_000);

const sized = (result: unknown, bytes_max: number): void => assert.ok(Buffer.byteLength(canonicalJson(result)) <= bytes_max);

describe('the oracle of forecasts', () => {
  it('rebuilds every result, which passes the verifier and stays within its size', () => {
    // Below 2.2e-308 a number has fewer digits than are printed.
    const value = fc.oneof(
      fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((v) => (Math.abs(v) < 1e-300 ? 0 : v)),
      fc.double({ min: 0.5, max: 9, noNaN: true }),
      fc.integer({ min: -2, max: 3 }),
    );
    const lengths = { minLength: 12, maxLength: 60 };
    const outlying = fc.oneof({ weight: 19, arbitrary: fc.integer({ min: 95, max: 105 }) }, fc.constant(1e9));
    const seasonal = fc
      .tuple(
        fc.array(fc.double({ min: 0, max: 9, noNaN: true }), lengths),
        fc.integer({ min: 2, max: 12 }),
        fc.double({ min: -1, max: 3, noNaN: true }),
      )
      .map(([noise, m, slope]) => noise.map((v, t) => v + 30 + slope * t + 10 * ((t % m) / m)));
    const request = fc.record({
      observations: fc.oneof(
        fc.array(value, lengths),
        fc.array(fc.double({ min: 1, max: 2, noNaN: true }), lengths),
        fc.array(outlying, lengths),
        fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 9 })), lengths),
        fc
          .tuple(
            fc.array(fc.integer({ min: 95, max: 105 }), lengths),
            fc.integer({ min: 1, max: 3 }),
            fc.integer({ min: -90, max: 90 }),
          )
          .map(([level, after, shift]) => level.map((v, t) => (t < level.length - after ? v : v + shift))),
        fc.array(fc.double({ min: 1e-300, max: 1e-290, noNaN: true }), { minLength: 12, maxLength: 30 }),
        seasonal,
      ),
      horizon: fc.integer({ min: 1, max: 40 }),
      holdout: fc.integer({ min: 2, max: 4 }),
      season: fc.oneof(fc.constant('auto' as const), fc.integer({ min: 1, max: 4 })),
      levels: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 10 }),
      unit: fc.string({ minLength: 1, maxLength: 60 }),
    });
    const dated = fc.constantFrom({}, { start: '2024-01-31', step: { unit: 'month' as const, count: 1 } });
    fc.assert(
      fc.property(request, dated, (work, dates) => {
        const input = forecastInput({ ...work, ...dates });
        const result = JSON.parse(canonicalJson(unwrap(forecastEngine.run(input, () => undefined)).result)) as ForecastResult;
        assert.deepEqual(JSON.parse(JSON.stringify(rebuilt(input.work, result))), result);
        assert.equal(verifyForecast(input, result).failure, null);
        sized(result, forecastSize.result(input.work).bytes);
      }),
      { numRuns },
    );
  });
});

describe('the oracle of research', () => {
  const english =
    'pilot Review cost The in 1999 Dr. saving. why? \n\n "quoted" \u0007 \u{1f600} Who was not isn\'t 3rd third 1,200 Vega bought owned May When';
  const foreign =
    "der die Häuser Brücke und Theater Sommertheater l'école d'accord les maisons Кто строил мосты г. 1957 المدرسة والكتاب १९५७ शिक्षकों " +
    'घर। 东京塔 何时 漢字。 タワー ลำดับเวลา ก้ ๑๙ Not cafe\u0301 a\u0323\u0308 한국 \u1112\u1161\u11ab . ! 12 Anna wann wurde z. B. 3. Mai';
  const word = (words: string): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...words.split(' ').map((one) => one.replace('\\n', '\n'))) },
      // Version 2.0.0 of the engine does not cut what is too long before white space in a script that has it between phrases only.
      fc.constantFrom(words === english ? 'é'.repeat(700) : 'é', '- item', '1. item', '(See it.)'),
    );
  const mission = fc
    .constantFrom(english, foreign, `${english} ${foreign}`)
    .chain((words) => {
      const text = fc.array(word(words), { minLength: 1, maxLength: 90 }).map((list) => list.join(' '));
      const goal = fc.array(word(words), { minLength: 1, maxLength: 12 }).map((list) => list.join(' '));
      return fc.tuple(goal, fc.array(text, { minLength: 1, maxLength: 5 }), fc.nat(3));
    })
    .map(([goal, texts, again]) => researchInput(goal, ...texts, ...texts.slice(0, again).map((text) => text.normalize('NFD'))));

  it('finds what every result holds, which passes the verifier and stays within its size', () => {
    fc.assert(
      fc.property(mission, (input) => {
        const { result } = unwrap(researchEngine.run(input, () => undefined));
        assertResult(input, result);
        assert.equal(verifyResearch(input, result).failure, null);
        sized(result, researchSize.result(input.work).bytes);
      }),
      { numRuns },
    );
  });
});
