/** Code missions in a real container engine: from the file to an export that another machine recomputes, and what keeps them from it. @slow */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause, resume } from '../../src/app/control/control.js';
import { exportMission } from '../../src/app/exports/export.js';
import { verifyExport } from '../../src/app/exports/verify-export.js';
import { openHome } from '../../src/app/home/open.js';
import type { Home } from '../../src/app/home/home.js';
import { doctor } from '../../src/app/operator/doctor.js';
import { showMission } from '../../src/app/missions/missions.js';
import { missionKind } from '../../src/kinds/table.js';
import { real } from '../support/real.js';
import { actor, apply, execute, queued, rejectsRefusal, review } from '../support/app/given-home.js';
import { setStatus } from '../support/app/given-tools.js';
import { containersLeft, sandboxEnv } from '../support/sandbox/sandbox.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { membersOf } from '../support/lists.js';

const allowed = { allow_code_execution: true };
const sum = { args: [[1, 2]], expected: 3 };

const mission = (candidate: string, more: Readonly<Record<string, unknown>> = {}): unknown => ({
  goal: 'Add the values',
  work: { kind: 'code', language: 'javascript', heldout: [sum, { args: [[]], expected: 0 }], candidate, ...more },
});
const adds = 'const solve = (values) => values.reduce((sum, value) => sum + value, 0);';

interface Codegen {
  readonly image: string;
  readonly attempts: readonly {
    readonly verdicts: unknown;
    readonly failures: readonly unknown[];
    readonly elapsed_ms: number;
  }[];
}
const codegenOf = (home: Home, id: string): Codegen =>
  showMission(home, id).stages.find(({ role }) => role === 'codegen')?.detail as unknown as Codegen;

real('container', 'code missions', () => {
  let given: TemporaryHome;
  let home: Home;
  let env: Record<string, string>;

  const openWith = (more: Readonly<Record<string, string>> = {}): Home =>
    openHome({ ...given.world, env: { ...given.world.env, ...env, ...more } });

  before(() => {
    env = sandboxEnv({ SANDBOX_CPU_SEC: '2' });
  });
  beforeEach(async () => {
    given = temporaryHome();
    home = openWith();
    await apply(home, allowed);
  });
  afterEach(() => {
    home.close();
    given.remove();
    assert.deepEqual(containersLeft(), []);
  });

  it('run from the file to an export that is recomputed', async () => {
    const { id } = await queued(home, missionKind('code').example);
    const made = await execute(home, id);
    const result = made.result as Readonly<Record<string, unknown>>;
    assert.deepEqual([made.state, result['image'], result['accuracy']], ['review', env['AGENT_SANDBOX_IMAGE'], 1]);
    assert.equal(result['passed'], result['case_count']);
    const { attempts, image } = codegenOf(home, id);
    assert.deepEqual([attempts.length, image, attempts[0]?.verdicts], [1, result['image'], result['verdicts']]);
    assert.equal((await review(home, made)).state, 'completed');
    const file = join(given.root, 'export.json');
    exportMission(home, id, file);
    const asked = { file, publicKey: given.report.public_key, recompute: true };
    const verdict = await verifyExport({ ...asked, env });
    assert.deepEqual([verdict.valid, verdict.recomputed, verdict.reason], [true, true, null]);
    const elsewhere = await verifyExport(asked);
    assert.deepEqual([elsewhere.valid, elsewhere.recomputed], [true, null]);
    assert.match(elsewhere.reason ?? '', /^not recomputed: AGENT_SANDBOX_IMAGE is not set$/);
  });

  it('fail visibly with a verdict for each case when a held-out case fails', async () => {
    const candidate = 'const solve = (values) => { if (values.length === 0) throw new RangeError("empty"); return 3; };';
    const { id } = await queued(home, mission(candidate, { examples: [sum] }));
    const { errors } = await rejectsRefusal(execute(home, id), 'execution_failed');
    assert.deepEqual(errors, [{ path: 'work.heldout[1]', message: 'solve([]): RangeError: empty' }]);
    const { state, error, result, stages } = showMission(home, id);
    assert.deepEqual([state, error?.code, error?.stage, result], ['failed', 'execution_failed', 'codegen', null]);
    assert.equal(error?.message, '1 of 2 held-out cases failed: case 2 (an error)');
    assert.deepEqual(membersOf(stages, 'role'), ['planning', 'research', 'strategy', 'market', 'codegen']);
    const [attempt] = codegenOf(home, id).attempts;
    assert.deepEqual(attempt?.verdicts, { examples: ['passed'], heldout: ['passed', 'raised'] });
    assert.deepEqual(attempt?.failures, [
      { set: 'heldout', case: 2, verdict: 'raised', args: '[[]]', expected: '0', given: 'RangeError: empty' },
    ]);
  });

  it('say what happened in each failed case', async () => {
    for (const [language, candidate, said, messages] of [
      [
        'python',
        'def solve(values):\n    while values: pass\n    return "y" * 300',
        /case 1 \(stopped after 2 s of CPU time\), case 2 \(another value/,
        ['solve([1, 2]): stopped after 2 s of CPU time', `solve([]): expected 0, returned "${'y'.repeat(198)}…`],
      ],
      [
        'python',
        'def solve(values):\n    if values: return 2**53\n    while True: print("x" * 9999)',
        /case 1 \(no valid JSON value\), case 2 \(no output\)/,
        [/: invalid value: beyond .*: 9007199254740992$/, 'solve([]): stopped: the run wrote too much output'],
      ],
      ['python', 'def solve(:', /case 1 \(an error\)/, [/^solve\(\[1, 2\]\): SyntaxError: .*line 1\)$/, /SyntaxError/]],
    ] as const) {
      const { id } = await queued(home, mission(candidate, { language }));
      const { detail, errors = [] } = await rejectsRefusal(execute(home, id), 'execution_failed');
      assert.match(detail, said);
      for (const [i, wanted] of messages.entries())
        if (typeof wanted === 'string') assert.equal(errors[i]?.message.replace('1,2', '1, 2'), wanted);
        else assert.match(errors[i]?.message.replace('1,2', '1, 2') ?? '', wanted);
    }
  });

  it('are run again at the review: a candidate that then fails is not approved', async () => {
    const candidate = 'const solve = (values) => Buffer.alloc(150 * 2 ** 20, 1) && values.reduce((a, b) => a + b, 0);';
    const { id } = await queued(home, mission(candidate));
    home.close();
    home = openWith({ SANDBOX_MEM_MB: '256' });
    const made = await execute(home, id);
    home.close();
    home = openWith({ SANDBOX_MEM_MB: '128' });
    const { detail } = await rejectsRefusal(review(home, made), 'verification_failed');
    assert.match(detail, /2 of 2 held-out cases failed: case 1 \(killed, as when it takes more than 128 MiB of memory\), case 2/);
    assert.equal(showMission(home, id).state, 'review');
    assert.equal((await review(home, made, { approve: false })).state, 'rejected');
  });

  it('stay queued without the configuration, the engine, the image or the tool', async () => {
    const { id } = await queued(home, mission(adds));
    home.close();
    for (const [more, words] of [
      [{ AGENT_SANDBOX_IMAGE: '' }, /not set/],
      [{ AGENT_SANDBOX_IMAGE: `sha256:${'0'.repeat(64)}` }, /does not hold the image/],
      [{ PATH: given.root }, /not installed/],
    ] as const) {
      home = openWith(more);
      assert.match((await rejectsRefusal(execute(home, id), 'engine_unavailable')).detail, words);
      const check = (await doctor(home)).checks.find(({ name }) => name === 'sandbox');
      assert.deepEqual([check?.status, typeof check?.fix], ['warn', 'string']);
      home.close();
    }
    home = openWith();
    await apply(home, { allow_code_execution: false });
    await rejectsRefusal(execute(home, id), 'code_not_allowed');
    const { state, stages } = showMission(home, id);
    assert.deepEqual([state, stages], ['queued', []]);
    await apply(home, allowed);
    assert.equal((await execute(home, id)).state, 'review');
    const check = (await doctor(home)).checks.find(({ name }) => name === 'sandbox');
    assert.equal(check?.status, 'ok');
  });

  for (const tool of ['mission_code', 'container_run'] as const) {
    it(`stay queued, and are not approved, while the tool ${tool} is stopped`, async () => {
      const [first, second] = [await queued(home, mission(adds)), await queued(home, mission(adds))];
      const made = await execute(home, first.id);
      await setStatus(home, tool, 'quarantined');
      await rejectsRefusal(execute(home, second.id), 'tool_disabled');
      await rejectsRefusal(review(home, made), 'tool_disabled');
      assert.deepEqual(
        [first.id, second.id].map((id) => showMission(home, id).state),
        ['review', 'queued'],
      );
      await setStatus(home, tool, 'active', 'checked');
      await setStatus(home, tool, 'deprecated', 'soon gone');
      const warnings: string[] = [];
      await execute(home, second.id, { onWarning: (warning) => void warnings.push(warning) });
      assert.deepEqual(warnings, [`tool ${tool} is deprecated (soon gone)`]);
      assert.equal((await review(home, made)).state, 'completed');
    });
  }

  it('are not approved where the sandbox is missing, and not decided either', async () => {
    const { id } = await queued(home, mission(adds));
    const made = await execute(home, id);
    home.close();
    home = openWith({ AGENT_SANDBOX_IMAGE: '' });
    await rejectsRefusal(review(home, made), 'engine_unavailable');
    await pause(home, actor);
    await rejectsRefusal(review(home, made), 'paused');
    await resume(home, actor);
    assert.equal(showMission(home, id).state, 'review');
    assert.equal((await review(home, made, { approve: false })).state, 'rejected');
  });

  it('stop when the operator stops the work, and leave no container', async () => {
    const { id } = await queued(home, mission('const solve = () => new Promise((done) => setTimeout(done, 99_999));'));
    const controller = new AbortController();
    const work = execute(home, id, { signal: controller.signal });
    const timer = setInterval(() => containersLeft().length > 0 && controller.abort('enough'), 200);
    await rejectsRefusal(work, 'interrupted').finally(() => clearInterval(timer));
    assert.equal(showMission(home, id).error?.code, 'interrupted');
  });

  it('send number tokens unchanged', async () => {
    const candidate = 'def solve(a, b):\n    return [type(a).__name__, type(b).__name__, a, b]\n';
    const work = { language: 'python', heldout: [{ args: [1, 1.5], expected: ['int', 'float', 1, 1.5] }] };
    const { id } = await queued(home, mission(candidate, work));
    assert.equal((await execute(home, id)).state, 'review');
    const float = mission('def solve(a):\n    return a * 1.0\n', { language: 'python', heldout: [{ args: [3], expected: 3 }] });
    await rejectsRefusal(execute(home, (await queued(home, float)).id), 'execution_failed');
  });

  it('reach the doctor, the configuration and nothing else with a secret of the environment', async () => {
    const secret = 'SECRET-of-the-provider';
    home.close();
    home = openWith({ AGENT_LLM_KEY: secret, HTTPS_PROXY: `http://user:${secret}@127.0.0.1:9` });
    const candidate = 'const solve = () => JSON.stringify(process.env);';
    const { id } = await queued(home, mission(candidate));
    await rejectsRefusal(execute(home, id), 'execution_failed');
    const record = JSON.stringify(showMission(home, id));
    assert.match(record, /PATH/);
    assert.doesNotMatch(record, new RegExp(secret));
    home.close();
    home = openWith();
    assert.equal(readFileSync(join(given.directory, 'journal.sqlite3')).includes(secret), false);
  });
});
