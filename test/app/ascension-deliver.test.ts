/** Delivering: which mission does which job, several jobs at once, and what leaves nothing behind. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliver, type DeliverOptions } from '../../src/app/ascension/deliver.js';
import { verifyDelivery } from '../../src/app/ascension/delivery.js';
import type { Home } from '../../src/app/home/home.js';
import { sha256Hex } from '../../src/base/bytes.js';
import type { Refusal } from '../../src/base/refusal.js';
import type { JobSpec } from '../../src/codec/ascension.js';
import { compilePlan, planText } from '../../src/domain/ascension.js';
import { chainSchema1, forgetWitness, replaceJournal, signerOf } from '../journal/tamper.js';
import { job } from '../support/app/ascension.js';
import { textFile } from '../support/app/given-export.js';
import { completed, produced, queued, laterRefusalOf, rejectsRefusal, review, schedule } from '../support/app/given-home.js';
import { temporaryHome, type TemporaryHome, uuidOf } from '../support/app/temporary-home.js';

const planOf = (...goals: readonly string[]): string =>
  planText(compilePlan(goals.map((goal) => job({ goal })) as unknown as JobSpec[]));

describe('ascension-deliver', () => {
  let homes: TemporaryHome;
  let home: Home;
  let folder: string;
  const ids: Record<string, string> = {};

  before(async () => {
    homes = temporaryHome();
    home = homes.open();
    for (const goal of ['first goal', 'second goal']) ids[goal] = (await completed(home, schedule(goal))).id;
    for (const name of ['twin 1', 'twin 2'])
      ids[name] = (await completed(home, schedule('twin goal', [name.replace(' ', '')]))).id;
    ids['waiting'] = (await queued(home, schedule('waiting goal'))).id;
    const undecided = await produced(home, schedule('rejected goal'), 'real');
    ids['rejected'] = (await review(home, undecided, { approve: false })).id;
  });
  after(() => {
    home.close();
    homes.remove();
  });

  let runs = 0;
  beforeEach(() => {
    folder = join(homes.root, `out-${++runs}`);
    mkdirSync(folder);
  });

  type Options = Partial<DeliverOptions> & { readonly goals?: readonly string[] };
  const options = ({ goals = ['first goal', 'second goal'], ...rest }: Options): DeliverOptions => ({
    plan: textFile(homes.root, planOf(...goals)),
    jobs: [0],
    output: join(folder, 'out'),
    ...rest,
  });
  /** The refusal; nothing is left in the folder. */
  async function refused(given: Options): Promise<Refusal> {
    const refusal = await laterRefusalOf(() => deliver(home, options(given)));
    if (refusal === null) assert.fail('not refused');
    assert.deepEqual(readdirSync(folder), []);
    return refusal;
  }

  it('refuses to choose among several, and names them', async () => {
    const refusal = await refused({ goals: ['twin goal'] });
    assert.equal(refusal.code, 'conflict');
    assert.deepEqual(refusal.facts, { jobIndex: 0, missions: [ids['twin 2'], ids['twin 1']] });
    const end = `${ids['twin 2']}, ${ids['twin 1']}; deliver job 0 separately with --index 0 --mission ID`;
    assert.ok(refusal.detail.endsWith(end), refusal.detail);
    assert.equal((await deliver(home, options({ goals: ['twin goal'], mission: ids['twin 1'] }))).mission, ids['twin 1']);
  });

  it('delivers no mission that was not approved, and none whose goal only resembles the job', async () => {
    for (const goal of ['waiting goal', 'rejected goal', 'First goal', 'first goal ', 'no such goal']) {
      const { code, facts } = await refused({ goals: [goal] });
      assert.deepEqual([code, facts], ['not_found', { jobIndex: 0 }], goal);
    }
    assert.equal((await refused({ goals: ['waiting goal'], mission: ids['waiting'] })).code, 'wrong_state');
    assert.equal((await refused({ goals: ['rejected goal'], mission: ids['rejected'] })).code, 'wrong_state');
    assert.equal((await refused({ mission: ids['second goal'] })).code, 'conflict');
    assert.equal((await refused({ mission: uuidOf(99) })).code, 'not_found');
    assert.equal((await refused({ mission: 'x' })).code, 'invalid');
  });

  it('refuses a job that the plan lacks, a repeated job, and one mission for several jobs', async () => {
    for (const [given, path] of [
      [{ jobs: [2] }, 'index'],
      [{ jobs: [-1] }, 'index'],
      [{ jobs: [0.5] }, 'index'],
      [{ jobs: [0, 0] }, 'index'],
      [{ jobs: [0, 1], mission: ids['first goal'] }, 'mission'],
      [{ jobs: 'all', mission: ids['first goal'] }, 'mission'],
    ] as const) {
      const { code, errors } = await refused(given);
      assert.deepEqual([code, errors?.[0]?.path], ['invalid', path]);
    }
  });

  it('refuses an altered, malformed or missing plan', async () => {
    const text = planOf('first goal');
    for (const altered of [`${text}\n`, text.replace('"duration":60', '"duration":61')])
      assert.equal((await refused({ plan: textFile(homes.root, altered) })).code, 'verification_failed');
    assert.equal((await refused({ plan: textFile(homes.root, '{}') })).code, 'invalid');
    assert.equal((await refused({ plan: join(folder, 'absent') })).code, 'not_found');
  });

  it('writes every job into a new directory, and each verifies', async () => {
    const goals = ['first goal', 'second goal', 'first goal'];
    mkdirSync(join(folder, 'out.tmp-00112233aabb'));
    const report = await deliver(home, options({ goals, jobs: 'all' }));
    assert.deepEqual(readdirSync(folder), ['out'], 'what a killed command left is removed');
    assert.deepEqual(readdirSync(report.output), ['job-000.json', 'job-001.json', 'job-002.json']);
    assert.deepEqual([report.jobIndex, report.mission, report.resultHash], [undefined, undefined, undefined]);
    for (const [i, one] of report.deliveries.entries()) {
      assert.deepEqual([one.jobIndex, one.mission, one.output], [i, ids[goals[i]!], join(report.output, `job-00${i}.json`)]);
      const { public_key: publicKey } = homes.report;
      const verdict = await verifyDelivery({ file: one.output, publicKey, planRoot: report.planRoot, replayCode: false });
      assert.deepEqual(
        [verdict.valid, verdict.jobIndex, verdict.mission, verdict.resultHash],
        [true, i, one.mission, one.resultHash],
      );
    }
    const some = await deliver(home, options({ goals, jobs: [2, 0], output: join(folder, 'some') }));
    assert.deepEqual(readdirSync(some.output), ['job-000.json', 'job-002.json']);
    assert.deepEqual(readFileSync(join(some.output, 'job-002.json')), readFileSync(join(report.output, 'job-002.json')));
  });

  it('delivers all jobs or none', async () => {
    assert.equal((await refused({ goals: ['first goal', 'waiting goal'], jobs: 'all' })).code, 'not_found');
    assert.equal((await refused({ goals: ['first goal', 'twin goal'], jobs: 'all' })).code, 'conflict');
    assert.equal((await refused({ jobs: 'all', output: join(folder, 'no', 'out') })).code, 'not_found');
  });

  it('never writes over what exists', async () => {
    writeFileSync(join(folder, 'file'), 'kept');
    mkdirSync(join(folder, 'directory'));
    symlinkSync('nowhere', join(folder, 'link'));
    for (const name of ['file', 'directory', 'link']) {
      for (const jobs of [[0], [0, 1], 'all'] as const)
        await rejectsRefusal(deliver(home, options({ jobs, output: join(folder, name) })), 'exists');
    }
    assert.deepEqual(readdirSync(folder).toSorted(), ['directory', 'file', 'link']);
    assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'kept');
    assert.deepEqual(readdirSync(join(folder, 'directory')), []);
    assert.equal(existsSync(join(folder, 'nowhere')), false);
  });

  it('delivers what the reference agent approved, in its own bytes', async () => {
    const old = temporaryHome();
    try {
      const result = '{"cost":3,"risk":0,"selected":["a"],"small":1e-05,"value":4.0}';
      const hash = sha256Hex(result);
      const review = `{"actor":"alice","approved":true,"note":"fine","result_hash":"${hash}"}`;
      const request =
        '{"generations":12,"goal":"first goal","population":20,"seed":42,"work":{"budget":5.0,"items":[{"cost":3,"id":"a","risk":0,"value":4}],"kind":"allocation","max_risk":24}}';
      const completion = `{"lease_expires_ns":null,"request":${request},"request_hash":"${hash}","result":${result},"review":${review},"state":"completed"}`;
      forgetWitness(old);
      const config_hash = sha256Hex(readFileSync(join(old.directory, 'config.json')));
      const control = `{"config_hash":"${config_hash}","state":"ready"}`;
      replaceJournal(
        old,
        chainSchema1(signerOf(old), [
          ['@control', control],
          [uuidOf(7), completion],
        ]),
      );
      const given = options({});
      const report = await old.with((opened) => deliver(opened, given));
      const publicKey = signerOf(old).publicKey.toString('hex');
      const verdict = await verifyDelivery({ file: given.output, publicKey, planRoot: report.planRoot, replayCode: false });
      assert.deepEqual([verdict.recomputed, verdict.reason, verdict.mission], [true, null, uuidOf(7)]);
      const text = readFileSync(given.output, 'utf8');
      assert.ok(text.includes(`"body":{"document":${completion},`));
    } finally {
      old.remove();
    }
  });
});
