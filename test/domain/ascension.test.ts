/** Plans: leaves and trees against an ABI coder and a recursive tree, the golden plan, and what makes a plan wrong. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { keccak256 } from '../../src/base/keccak.js';
import { utf8 } from '../../src/base/bytes.js';
import { unwrap } from '../../src/base/result.js';
import { inTokens } from '../../src/codec/chain.js';
import { jobsCodec, type JobSpec, type Plan } from '../../src/codec/ascension.js';
import { decode } from '../../src/codec/kit.js';
import { treeOf } from '../../src/domain/ascension/merkle.js';
import { compilePlan, leafOf, planFault, planText } from '../../src/domain/ascension/plan.js';
import { oracleFold, oracleLeaf, oracleRoot, sampleJobs } from '../support/ascension.js';
import { packageRoot } from '../support/package-root.js';

const vectors = join(packageRoot(import.meta.url), 'test', 'vectors', 'ascension');
const read = (name: string): string => readFileSync(join(vectors, name), 'utf8');

describe('ascension plans', () => {
  it('hash with the keccak256 of the Ethereum virtual machine, not with SHA3-256', () => {
    assert.equal(keccak256(utf8('')), '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
    assert.equal(keccak256(utf8('abc')), '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45');
  });

  it('compile to the golden plan, to the byte', () => {
    const specs = unwrap(decode(jobsCodec, JSON.parse(read('jobs.json'))));
    const plan = compilePlan(specs);
    assert.equal(planText(plan), read('plan.json'));
    assert.equal(plan.totalBounty, String(100n + 2n ** 96n - 1n + 1_500_000_000_000_000_000n + 250n * 10n ** 18n + 1_000_001n));
    assert.equal(planFault(plan), null);
  });

  it('have the leaves and roots of the reference for every number of jobs', () => {
    const all = sampleJobs(128);
    const leaves = all.map((spec, i) => leafOf(i, spec));
    assert.deepEqual(
      leaves,
      all.map((spec, i) => oracleLeaf(i, spec)),
    );
    for (let n = 1; n <= all.length; n++) {
      const { root, proofs } = treeOf(leaves.slice(0, n));
      assert.equal(root, oracleRoot(leaves.slice(0, n)), String(n));
      for (const [i, proof] of proofs.entries()) assert.equal(oracleFold(leaves[i]!, proof), root, `${i} of ${n}`);
    }
    assert.throws(() => treeOf([]), RangeError);
  });

  it('have proofs to which a node without a sibling adds nothing', () => {
    const { proofs } = treeOf(sampleJobs(5).map((spec, i) => leafOf(i, spec)));
    assert.deepEqual(
      proofs.map((proof) => proof.length),
      [3, 3, 3, 3, 1],
    );
    assert.deepEqual(treeOf(['0x11']), { root: '0x11', proofs: [[]] });
  });

  it('have the leaf that the ABI coder gives for any text and any amount', () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    const units = fc.bigInt({ min: 100n, max: 2n ** 96n - 1n }).map(String);
    const spec: fc.Arbitrary<JobSpec> = fc.record({
      goal: texts,
      successMetric: texts,
      bounty: units,
      duration: fc.integer({ min: 1, max: 7_776_000 }),
      priceWeight: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(fc.property(fc.nat(127), spec, (i, one) => assert.equal(leafOf(i, one), oracleLeaf(i, one))));
  });

  it('show amounts in whole tokens', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['100', '0.0000000000000001'],
      ['1000000000000000000', '1'],
      ['1500000000000000000', '1.5'],
      ['300000000000000000000', '300'],
      ['79228162514264337593543950335', '79228162514.264337593543950335'],
    ];
    for (const [units, tokens] of cases) assert.equal(inTokens(units), tokens);
  });
});

describe('a plan that is not what its jobs compile to', () => {
  const plan = compilePlan(sampleJobs(5));
  const withJob = (i: number, changes: Partial<Plan['jobs'][number]>): Plan => ({
    ...plan,
    jobs: plan.jobs.map((one, n) => (n === i ? { ...one, ...changes } : one)),
  });
  const other = `0x${'ab'.repeat(32)}`;
  const [, second, third, , last] = plan.jobs.map(({ proof }) => proof);
  const cases: readonly (readonly [string, Plan, RegExp])[] = [
    ['an altered leaf', withJob(1, { leaf: other }), /^the leaf of job 1 /],
    ['an altered goal', withJob(3, { spec: { ...plan.jobs[3]!.spec, goal: 'another' } }), /^the leaf of job 3 /],
    ['an altered metric', withJob(3, { spec: { ...plan.jobs[3]!.spec, successMetric: 'another' } }), /^the leaf of job 3 /],
    ['an altered bounty', withJob(0, { spec: { ...plan.jobs[0]!.spec, bounty: '101' } }), /^the leaf of job 0 /],
    ['an altered duration', withJob(0, { spec: { ...plan.jobs[0]!.spec, duration: 2 } }), /^the leaf of job 0 /],
    ['an altered weight', withJob(0, { spec: { ...plan.jobs[0]!.spec, priceWeight: 2 } }), /^the leaf of job 0 /],
    ['swapped proofs', withJob(1, { proof: third! }), /^the proof of job 1 /],
    ['a proof too short', withJob(1, { proof: second!.slice(1) }), /^the proof of job 1 /],
    ['a proof too long', withJob(4, { proof: [...last!, other] }), /^the proof of job 4 /],
    ['an altered proof', withJob(4, { proof: [other] }), /^the proof of job 4 /],
    [
      'reordered jobs',
      { ...plan, jobs: [plan.jobs[1]!, plan.jobs[0]!, ...plan.jobs.slice(2)] },
      /^the job at place 0 has index 1$/,
    ],
    [
      'reordered and renumbered jobs',
      { ...plan, jobs: plan.jobs.toReversed().map((one, index) => ({ ...one, index })) },
      /^the leaf of job 0 /,
    ],
    ['a job too few', { ...plan, jobs: plan.jobs.slice(0, 4) }, /^the plan root is not that of the jobs$/],
    ['a job twice', { ...plan, jobs: [...plan.jobs, plan.jobs[4]!] }, /^the job at place 5 has index 4$/],
    ['another root', { ...plan, planRoot: other }, /^the plan root is not that of the jobs$/],
    ['another total', { ...plan, totalBounty: `${plan.totalBounty}0` }, /^the total bounty is not the sum/],
  ];
  for (const [title, wrong, reason] of cases) it(title, () => assert.match(planFault(wrong) ?? 'no fault', reason));
});
