/** Plans on a real EVM: a Solidity contract of ours with OpenZeppelin's rule accepts every job and no altered one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256 } from '../../src/base/keccak.js';
import { unwrap } from '../../src/base/result.js';
import { planCodec, type JobSpec, type Plan } from '../../src/codec/ascension.js';
import { decode } from '../../src/codec/kit.js';
import { compilePlan } from '../../src/domain/ascension/plan.js';
import { startAnvil, type Anvil } from '../support/anvil.js';
import { sampleJobs } from '../support/ascension.js';
import { deploy, type View } from '../support/ascension-contract.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';

real('anvil', 'ascension plans on a chain', () => {
  let node: Anvil | null = null;
  let ask: View;

  before(async () => {
    node = await startAnvil();
    ask = await deploy(node, 'PlanVerifier');
  });
  after(() => node?.stop());

  const contains = ({ planRoot }: Plan, index: number, spec: JobSpec, proof: readonly string[]): Promise<unknown> =>
    ask('isInPlan', planRoot, index, spec, proof);

  async function everyJob(plan: Plan): Promise<void> {
    for (const { index, spec, leaf, proof } of plan.jobs) {
      assert.equal(await ask('leafOf', index, spec), leaf, `leaf ${index}`);
      assert.equal(await contains(plan, index, spec, proof), true, `job ${index}`);
    }
  }

  for (const n of [1, 2, 3, 5, 8, 128])
    it(`verifies every job of a plan with ${n} jobs`, () => everyJob(compilePlan(sampleJobs(n))));

  it('verifies the golden plan', async () => {
    const file = join(packageRoot(import.meta.url), 'test', 'vectors', 'ascension', 'plan.json');
    const plan = unwrap(decode(planCodec, JSON.parse(readFileSync(file, 'utf8'))));
    assert.equal(plan.jobs.length, 5);
    await everyJob(plan);
  });

  it('rejects a swapped proof, another index, another job and an altered leaf', async () => {
    const plan = compilePlan(sampleJobs(5));
    for (const { index, spec, proof, leaf } of plan.jobs) {
      const next = plan.jobs[(index + 1) % 5]!;
      assert.equal(await contains(plan, index, spec, next.proof), false, `proof of ${next.index} for ${index}`);
      assert.equal(await contains(plan, next.index, spec, proof), false, `index of ${next.index} for ${index}`);
      assert.equal(await contains(plan, index, next.spec, proof), false, `job ${next.index} for ${index}`);
      assert.equal(
        await contains(plan, index, { ...spec, bounty: `${spec.bounty}0` }, proof),
        false,
        `ten times the bounty of ${index}`,
      );
      const altered = leaf.replace(/.$/, (c) => (c === '0' ? '1' : '0'));
      assert.equal(await ask('isLeafOf', plan.planRoot, altered, proof), false, `altered leaf ${index}`);
      assert.equal(await ask('isLeafOf', plan.planRoot, leaf, proof), true);
    }
  });

  it('hashes a file as the program does', async () => {
    const bytes = Buffer.from('α delivery\n');
    assert.equal(await ask('hashOf', bytes), keccak256(bytes));
  });
});
