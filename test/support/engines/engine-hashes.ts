/**
 * Prints the result hash of every engine on a fixed set of missions, as JSON, after the verifier of its kind has accepted the result. It loads no native package, so that any Node on any
 * machine can run it: `node dist/test/support/engines/engine-hashes.js [NAME]…`, without names on all of them.
 */
import * as E from 'fp-ts/lib/Either.js';
import { pathToFileURL } from 'node:url';
import { engineInput } from '../../../src/kinds/engine-input.js';
import { missionKind } from '../../../src/kinds/table.js';
import { solverOf } from '../../../src/kinds/verifiers.js';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import { prng } from '../../../src/base/prng.js';
import { unwrap } from '../../../src/base/refusal.js';
import { kinds, type Kind } from '../../../src/codec/kinds.js';
import { decode } from '../../../src/codec/kit.js';
import { missionRequest } from '../../../src/kinds/request.js';
import { simulationEngine } from '../../../src/engines/simulation/outcome.js';
import { run } from '../app/simulation.js';

const economy = ['mining', 'farming', 'retail', 'care', 'energy', 'code', 'freight', 'law'].map((name, i) => ({
  name,
  energy: 0.6 + i / 10,
  entropy: 1 + ((i * 5) % 7) / 3,
  growth: -0.05 + i / 50,
}));

const simulationCases: Readonly<Record<string, readonly [object, readonly string[]]>> = {
  'simulation/default': [{}, ['main']],
  'simulation/exponential': [
    { curve: 'exponential', k: 4, x0: 0.1, horizon: 25, samples: 200, pop_size: 60, generations: 40, sectors: economy },
    ['main'],
  ],
  'simulation/islands': [
    { curve: 'linear', entropy: 2.5, horizon: 10, pop_size: 50, generations: 23, mut_rate: 0.3, xover_rate: 0.9, samples: 20 },
    ['east', 'north', 'west'],
  ],
};

/** Case to `simulation <version> <outcome_hash>`, of fixed simulation requests. */
const simulationHashes = (isAsked: (name: string) => boolean): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(simulationCases)
      .filter(([name]) => isAsked(name))
      .map(([name, [document, islands]]) => [
        name,
        `${simulationEngine.name} ${simulationEngine.version} ${sha256Hex(canonicalJson(run(document, islands)))}`,
      ]),
  );

interface Case {
  readonly name: string;
  readonly mission: unknown;
  readonly max_evaluations: number;
  /** Where time has ended the search. */
  readonly iterations_limit?: number;
}

/** The effort that each kind's example is solved with; null for a kind without an engine. */
const example_evaluations: Readonly<Record<Kind, number | null>> = {
  research: 100,
  allocation: 100,
  schedule: 60,
  forecast: 100,
  code: null,
};

const exampleCases = (): readonly Case[] =>
  kinds.flatMap((kind) => {
    const max_evaluations = example_evaluations[kind];
    return max_evaluations === null ? [] : [{ name: `examples/${kind}`, mission: missionKind(kind).example, max_evaluations }];
  });

/** Flow of 12 jobs over 5 machines with due dates; every number from our own generator. */
function tardyShop(): Case {
  const random = prng(7, 1);
  const jobs = Array.from({ length: 12 }, (_, j) => {
    const operations = Array.from({ length: 5 }, () => ({ machine: `m${random.below(5)}`, duration: 1 + random.below(60) }));
    return { id: `j${j}`, operations, release: random.below(80), due: 150 + random.below(200), weight: 1 + random.below(9) };
  });
  return {
    name: 'tardiness',
    mission: { goal: 'Least weighted tardiness', work: { kind: 'schedule', objective: 'weighted_tardiness', jobs } },
    max_evaluations: 60,
  };
}

function portfolio(): Case {
  const random = prng(11, 2);
  const items = Array.from({ length: 60 }, (_, i) => {
    const cost = 1 + random.below(1_000);
    const base = { id: `i${i}`, cost, value: cost + random.below(200), risk: random.below(50) };
    if (i % 9 === 3) return { ...base, group: `g${i % 4}` };
    return i % 11 === 5 ? { ...base, requires: [`i${i - 1}`], excludes: [`i${i - 2}`] } : base;
  });
  return {
    name: 'portfolio',
    mission: { goal: 'Most value for the money', work: { kind: 'allocation', items, budget: 9_000, max_risk: 600 } },
    max_evaluations: 200,
  };
}

/** Growth, two seasons and noise: exercises exp, log, sin and the multiplicative models. */
function series(): Case {
  const random = prng(13, 3);
  const observations = Array.from(
    { length: 160 },
    (_, i) => Math.round((200 + i) * (1 + ((i % 12) - 6) / 20) * (0.95 + random.unit() / 10) * 100) / 100,
  );
  return {
    name: 'series',
    mission: { goal: 'Forecast a year', work: { kind: 'forecast', observations, season: 12, horizon: 12, holdout: 12 } },
    max_evaluations: 100,
  };
}

/** Days with promotions, whose effects exercise the regression: cos, sin and log. */
function promotions(): Case {
  const random = prng(17, 4);
  const promotion = Array.from({ length: 84 }, () => (random.below(6) === 0 ? 1 : 0));
  const observations = promotion.slice(0, 77).map((p, i) => 50 + (i % 7) * 3 + random.below(9) + 12 * p);
  const work = { kind: 'forecast', observations, season: 7, horizon: 7, regressors: { promotion } };
  return { name: 'promotions', mission: { goal: 'Forecast a week', work }, max_evaluations: 100 };
}

const cases = (): readonly Case[] => [
  ...exampleCases(),
  tardyShop(),
  { ...tardyShop(), name: 'tardiness, ended by time', iterations_limit: 2_345 },
  portfolio(),
  { ...portfolio(), name: 'portfolio, ended by time', iterations_limit: 1_234 },
  series(),
  promotions(),
];

/** Case to `<engine> <version> <SHA-256 of the canonical result>`. @param names cases; all when empty */
export async function engineHashes(names: readonly string[] = []): Promise<Readonly<Record<string, string>>> {
  const isAsked = (name: string): boolean => names.length === 0 || names.includes(name);
  const hashes: Record<string, string> = {};
  for (const { name, mission, ...effort } of cases().filter((each) => isAsked(each.name))) {
    const request = unwrap(decode(missionRequest, mission));
    const solver = solverOf(request.work.kind);
    if (solver === null) throw new Error(`no engine for ${name}`);
    const engine = await solver.engine.load();
    const input = engineInput(request, effort, null);
    const answer = engine.run(input, () => undefined);
    if (E.isLeft(answer)) throw new Error(`${name}: ${answer.left.detail}`);
    const text = canonicalJson(answer.right.result);
    const { failure } = (await solver.verifier())(input, JSON.parse(text));
    if (failure !== null) throw new Error(`${name}: its verifier refuses it: ${failure}`);
    hashes[name] = `${engine.name} ${engine.version} ${sha256Hex(text)}`;
  }
  return { ...hashes, ...simulationHashes(isAsked) };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(JSON.stringify(await engineHashes(process.argv.slice(2)), null, 2));
}
