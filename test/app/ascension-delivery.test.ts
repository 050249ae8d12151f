/** Deliveries of ours: bound to the right job, verified offline; whatever is changed in one is noticed, also under a new signature. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliver } from '../../src/app/ascension/deliver.js';
import { verifyDelivery } from '../../src/app/ascension/delivery.js';
import { exportText } from '../../src/app/exports/export.js';
import { sha256, toBase64 } from '../../src/base/bytes.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { keccak256 } from '../../src/base/keccak.js';
import type { JobSpec, Plan } from '../../src/codec/ascension.js';
import { compilePlan, planText } from '../../src/domain/ascension.js';
import { type Signer, signerFromSeed } from '../../src/journal/keys.js';
import { type Anvil, startAnvil } from '../support/chain/anvil.js';
import { deploy, type View } from '../support/chain/ascension-contract.js';
import { job, sampleJobs } from '../support/app/ascension.js';
import { textFile } from '../support/app/given-export.js';
import { answered, completed, fakeEngine, laterRefusalOf, produced, review, schedule } from '../support/app/given-home.js';
import { changed, mutations, type Path } from '../support/codec/mutants.js';
import { real } from '../support/real.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';

const goal = 'Plan the wörk of "today"';
const plan = compilePlan([job({ goal }), ...sampleJobs(2)] as JobSpec[]);
const otherRoot = `0x${'ab'.repeat(32)}`;

describe('a delivery made here', function () {
  let homes: TemporaryHome;
  let key: string;
  let mission: string;
  let text: string;
  let signer: Signer;

  before(async () => {
    homes = temporaryHome();
    key = homes.report.public_key;
    signer = signerFromSeed(readFileSync(join(homes.directory, 'identity.key')));
    const home = homes.open();
    mission = (await completed(home, schedule(goal))).id;
    const output = join(homes.root, 'delivery.json');
    const report = await deliver(home, { plan: planFile(), jobs: [0], mission, output });
    text = readFileSync(output, 'utf8');
    assert.deepEqual(report.deliveries, [{ output, jobIndex: 0, mission, resultHash: report.resultHash }]);
    assert.deepEqual([report.output, report.planRoot, report.jobIndex, report.mission], [output, plan.planRoot, 0, mission]);
    assert.equal(report.resultHash, keccak256(Buffer.from(text)));
    assert.deepEqual(report.warnings, []);
    home.close();
  });
  after(() => homes.remove());

  const planFile = (): string => textFile(homes.root, planText(plan));
  const document = (): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

  /** Valid, why not, or the refusal's code and first path. */
  async function judge(content: string, publicKey = key, planRoot = plan.planRoot): Promise<string> {
    const options = { file: textFile(homes.root, content), publicKey, planRoot, replayCode: false };
    const refusal = await laterRefusalOf(() => verifyDelivery(options));
    if (refusal !== null) return `${refusal.code} ${refusal.errors?.[0]?.path ?? ''}`.trim();
    const { valid, reason } = await verifyDelivery(options);
    return valid ? 'valid' : (reason ?? 'no reason');
  }

  /** The delivery with another body, signed again by the home's key. */
  const resigned = (body: string): string =>
    `{"body":${body},"publicKey":"${key}","signature":"${toBase64(signer.sign(sha256(body)))}"}`;
  const edited = (path: Path, change: (value: unknown) => unknown): string => {
    const { body } = changed(document(), ['body', ...path], change) as { body: unknown };
    return resigned(canonicalJson(body));
  };

  it('is canonical JSON without a newline, and verifies', async () => {
    assert.equal(canonicalJson(document()), text);
    const options = { file: textFile(homes.root, text), publicKey: key, planRoot: plan.planRoot, replayCode: false };
    assert.deepEqual(await verifyDelivery(options), {
      valid: true,
      identity: homes.report.identity,
      planRoot: plan.planRoot,
      jobIndex: 0,
      mission,
      resultHash: keccak256(Buffer.from(text)),
      recomputed: true,
      reason: null,
    });
    assert.equal(await judge(resigned(canonicalJson(document()['body']))), 'valid');
  });

  it('holds the export as `export` writes it', () => {
    const exported = homes.with((home) => exportText(home, mission).text);
    assert.ok(text.includes(`"nativeExport":${exported.trimEnd()},"plan":${planText(plan)}`));
  });

  it('is refused when any number or text of the body is changed and signed again', async () => {
    for (const [path, mutant] of mutations(document()['body'])) {
      const answer = await judge(edited(path, () => mutant));
      assert.notEqual(answer, 'valid', `${path.join('.')}: ${JSON.stringify(mutant)}`);
    }
  });

  it('is refused with another key, root, job or goal under a valid signature', async () => {
    const another = compilePlan(sampleJobs(3));
    const cases: readonly (readonly [string, string])[] = [
      [edited(['jobIndex'], () => 1), "the mission's goal is not that of the job"],
      [edited(['jobIndex'], () => 3), 'the plan has no job 3'],
      [edited(['jobIndex'], () => 128), 'invalid body.jobIndex'],
      [edited(['plan'], () => another), 'the delivery is for another plan root'],
      [edited(['plan', 'planRoot'], () => otherRoot), 'the plan root is not that of the jobs'],
      [
        edited(['nativeExport', 'public_key'], () => 'ab'.repeat(32)),
        'the export inside does not verify: the file names another public key',
      ],
      [edited(['nativeExport', 'extra'], () => 1), 'invalid body.nativeExport.extra'],
      [edited(['note'], () => 'n'), 'invalid body.note'],
      [edited(['schema'], () => 'agialpha.ascension.reviewed-delivery.v2'), 'invalid body.schema'],
    ];
    for (const [content, reason] of cases) assert.equal(await judge(content), reason);
  });

  it('is refused under another key or plan root', async () => {
    const stranger = signerFromSeed(Buffer.alloc(32, 1)).publicKey.toString('hex');
    assert.equal(await judge(text, stranger), 'the file names another public key');
    assert.equal(
      await judge(text.replace(`"publicKey":"${key}"`, `"publicKey":"${stranger}"`)),
      'the file names another public key',
    );
    assert.equal(
      await judge(text.replace(`"publicKey":"${key}"`, `"publicKey":"${stranger}"`), stranger),
      'the signature does not verify',
    );
    assert.equal(await judge(text, key, otherRoot), 'the delivery is for another plan root');
    assert.equal(await judge(text, 'abc'), 'invalid public-key');
    assert.equal(await judge(text, key.toUpperCase()), 'invalid public-key');
    for (const root of ['', plan.planRoot.slice(2), plan.planRoot.toUpperCase(), `${plan.planRoot}0`])
      assert.equal(await judge(text, key, root), 'invalid plan-root');
  });

  it('is refused in any other spelling', async () => {
    const form = /^the file is not canonical JSON/;
    const body = canonicalJson(document()['body']);
    for (const content of [`${text}\n`, ` ${text}`, `${text} `, text.replace(',"publicKey"', ', "publicKey"')])
      assert.match(await judge(content), form);
    for (const respelled of [
      body.replace('"jobIndex":0', '"jobIndex":0.0'),
      body.replace('"jobIndex":0', '"jobIndex":-0'),
      body.replace('"decimals":18', '"decimals":1.8e1'),
      body.replace('"public_key":"', '"public_key": "'),
      body.replace('"seed":42', '"seed":42.0'),
      body.replace('wörk', 'w\\u00f6rk'),
      body.replace('"schema":"agialpha.ascension.rev', '"schema":"\\u0061gialpha.ascension.rev'),
      body.replace(/^\{("jobIndex":0),(.*)\}$/su, '{$2,$1}'),
    ]) {
      assert.notEqual(respelled, body);
      assert.match(await judge(resigned(respelled)), form, respelled.slice(0, 60));
    }
    assert.equal(await judge(text.replace('{', '{"signature":"x",')), 'malformed signature');
    assert.equal(
      await judge(resigned(body.replace('wörk', '\\ud800'))),
      'malformed body.nativeExport.receipt.body.document.goal',
    );
    assert.equal(await judge('['.repeat(65)), `malformed ${'[0]'.repeat(64)}`);
    assert.equal(await judge('x'.repeat(2_500_001)), 'too_large');
    assert.equal(await judge(`\ufeff${text}`), 'malformed');
  });

  it('is not valid when the engine returns another result than the one signed and approved', async () => {
    const liar = temporaryHome();
    try {
      const output = join(liar.root, 'lie.json');
      const engine = fakeEngine(() => answered({ makespan: 1, note: 'whatever the deliverer likes' }));
      const report = await liar.with(async (home) => {
        const made = await review(home, await produced(home, schedule(goal), engine), { runEngine: engine });
        return deliver(home, { plan: planFile(), jobs: [0], mission: made.id, output });
      });
      const asked = { file: output, publicKey: liar.report.public_key, planRoot: report.planRoot, replayCode: false };
      const { valid, recomputed, reason, mission: named } = await verifyDelivery(asked);
      assert.deepEqual([valid, recomputed, named], [false, false, report.mission]);
      assert.equal(reason, 'the engine gives another result');
    } finally {
      liar.remove();
    }
  });
});

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

  for (const n of [1, 2, 3, 5, 8, 128])
    it(`verifies every job of a plan with ${n} jobs`, async () => {
      const plan = compilePlan(sampleJobs(n));
      for (const { index, spec, leaf, proof } of plan.jobs) {
        assert.equal(await ask('leafOf', index, spec), leaf, `leaf ${index}`);
        assert.equal(await contains(plan, index, spec, proof), true, `job ${index}`);
      }
    });

  it('rejects a swapped proof, another index, another job and an altered leaf', async () => {
    const plan = compilePlan(sampleJobs(5));
    for (const { index, spec, proof, leaf } of plan.jobs) {
      const next = plan.jobs[(index + 1) % 5]!;
      assert.equal(await contains(plan, index, spec, next.proof), false, `proof of ${next.index} for ${index}`);
      assert.equal(await contains(plan, next.index, spec, proof), false, `index of ${next.index} for ${index}`);
      assert.equal(await contains(plan, index, next.spec, proof), false, `job ${next.index} for ${index}`);
      const tenfold = { ...spec, bounty: `${spec.bounty}0` };
      assert.equal(await contains(plan, index, tenfold, proof), false, `ten times the bounty of ${index}`);
      const altered = leaf.replace(/.$/, (c) => (c === '0' ? '1' : '0'));
      assert.equal(await ask('isLeafOf', plan.planRoot, altered, proof), false, `altered leaf ${index}`);
      assert.equal(await ask('isLeafOf', plan.planRoot, leaf, proof), true);
    }
  });
});
