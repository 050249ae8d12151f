/** Candidates that a language model writes: what it is told, what is recorded, and how it can fail. The missions of the reference agent: their numbers count as it wrote them. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { sha256Hex } from '../../src/base/bytes.js';
import { openHome } from '../../src/app/home/open.js';
import type { Home } from '../../src/app/home/home.js';
import { exportMission } from '../../src/app/exports/export.js';
import { verifyExport } from '../../src/app/exports/verify-export.js';
import type { Inference } from '../../src/codec/chat-completion.js';
import { showMission } from '../../src/app/missions/missions.js';
import { apply, execute, queued, rejectsRefusal, review } from '../support/app/given-home.js';
import { answers, startProvider, status, type ScriptedProvider, type Seen } from '../support/provider/provider-server.js';
import { real } from '../support/real.js';
import { containersLeft, sandboxEnv } from '../support/sandbox/sandbox.js';
import { temporaryHome, type TemporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { adopt, states, type GivenMission } from '../support/app/given-reference.js';

const secret = 'sk-SECRET-of-the-provider-0123456789';
const heldout = [
  { args: [[7, 8]], expected: 'HELDOUT-15' },
  { args: [[]], expected: 'HELDOUT-0' },
];
const mission = (more: Readonly<Record<string, unknown>> = {}): unknown => ({
  goal: 'Print the sum with its prefix',
  work: { kind: 'code', language: 'javascript', examples: [{ args: [[1, 2]], expected: 'HELDOUT-3' }], heldout, ...more },
});
const right = ['const solve = (values) =>', "  'HELDOUT-' + values.reduce((a, b) => a + b, 0);"];
const wrong = ['const solve = (values) => values.length;'];

interface Attempt {
  readonly source: string;
  readonly code?: string;
  readonly inference: Inference;
  readonly verdicts: unknown;
}

real('container', 'generated candidates', () => {
  let given: TemporaryHome;
  let home: Home;
  let env: Record<string, string>;
  let provider: ScriptedProvider & { readonly close: () => Promise<void> };
  /** The responses of the model, in order. */
  let script: ((response: ServerResponse, seen: Seen) => void)[];

  const prompts = (): string[] => provider.seen.filter(({ path }) => path.endsWith('/chat/completions')).map(({ body }) => body);
  const attemptsOf = (id: string): readonly Attempt[] =>
    (showMission(home, id).stages.find(({ role }) => role === 'codegen')?.detail['attempts'] ?? []) as readonly Attempt[];

  beforeEach(async () => {
    script = [];
    provider = await startProvider({ chat: (response, seen) => (script.shift() ?? status(500))(response, seen) });
    given = temporaryHome();
    env = sandboxEnv({ SANDBOX_CPU_SEC: '2', AGENT_LLM_KEY: secret });
    home = openHome({ ...given.world, env: { ...given.world.env, ...env } });
    await apply(home, { allow_code_execution: true, llm_url: provider.url, llm_model: 'small', max_generations: 3 });
  });
  afterEach(async () => {
    home.close();
    given.remove();
    await provider.close();
    assert.deepEqual(containersLeft(), []);
  });

  it('pass at the first attempt, are approved and recomputed', async () => {
    script = [answers({ code_lines: right })];
    const { id } = await queued(home, mission());
    const made = await execute(home, id);
    const result = made.result as Readonly<Record<string, unknown>>;
    assert.deepEqual([made.state, result['code']], ['review', `${right.join('\n')}\n`]);
    assert.match(String(result['method']), /^generated candidate/);
    const [attempt, ...more] = attemptsOf(id);
    assert.deepEqual(
      [attempt?.source, attempt?.inference.model, attempt?.inference.reported_model, more.length],
      ['generated', 'small', 'small-2026-01', 0],
    );
    assert.deepEqual(made.inference, attempt?.inference);
    assert.deepEqual(made.stages.find(({ role }) => role === 'strategy')?.detail['inference'], made.inference);
    await review(home, made);
    const file = join(given.root, 'generated.json');
    exportMission(home, id, file);
    const verdict = await verifyExport({ file, publicKey: given.report.public_key, recompute: true, env });
    assert.deepEqual([verdict.valid, verdict.recomputed], [true, true]);
  });

  it('are requested with failed examples, never with held-out cases; each attempt is recorded', async () => {
    script = [
      answers({ code_lines: wrong }),
      answers({ code: 'const solve = () => { throw new Error("oh"); };' }),
      answers({ code_lines: right }),
    ];
    const { id } = await queued(home, mission());
    assert.equal((await execute(home, id)).state, 'review');
    const [first, second, third] = attemptsOf(id);
    assert.deepEqual([first?.code, third?.code], [`${wrong.join('\n')}\n`, undefined]);
    assert.deepEqual(
      [first?.verdicts, second?.verdicts],
      [
        { examples: ['wrong'], heldout: [] },
        { examples: ['raised'], heldout: [] },
      ],
    );
    const [asked = '', again = '', last = ''] = prompts();
    assert.match(asked, /HELDOUT-3/);
    assert.match(again, /It failed these examples.*yours: wrong 2/);
    assert.match(last, /yours: raised Error: oh/);
    for (const prompt of prompts()) assert.doesNotMatch(prompt, /HELDOUT-15|HELDOUT-0|\[7,8\]/);
    assert.equal(new Set(attemptsOf(id).map(({ inference }) => inference.request_hash)).size, 3);
  });

  it('fail with the mission when the last one fails held-out cases, without another attempt', async () => {
    script = [
      answers({ code_lines: ["const solve = (values) => 'HELDOUT-' + (values.length + 1);"] }),
      answers({ code_lines: right }),
    ];
    const { id } = await queued(home, mission());
    await rejectsRefusal(execute(home, id), 'execution_failed');
    assert.match(showMission(home, id).error?.message ?? '', /2 of 2 held-out cases failed/);
    const [attempt] = attemptsOf(id);
    assert.deepEqual([prompts().length, attempt?.verdicts], [1, { examples: ['passed'], heldout: ['wrong', 'wrong'] }]);
    assert.match(attempt?.code ?? '', /values\.length/);
    assert.deepEqual(showMission(home, id).inference, attempt?.inference);
  });

  it('are not more than the configuration allows', async () => {
    await apply(home, { allow_code_execution: true, llm_url: provider.url, llm_model: 'small' });
    script = [answers({ code_lines: wrong }), answers({ code_lines: right })];
    const { id } = await queued(home, mission());
    await rejectsRefusal(execute(home, id), 'execution_failed');
    assert.deepEqual([prompts().length, attemptsOf(id).length], [1, 1]);
  });

  const unusable: readonly (readonly [string, unknown])[] = [
    ['another shape', { program: 'x' }],
    ['an extra key', { code: 'x', note: 'y' }],
    ['no lines', { code_lines: [] }],
    ['blank lines', { code_lines: [' ', ''] }],
    ['a line that is no text', { code_lines: [1] }],
    ['too much', { code: 'x'.repeat(70_000) }],
  ];
  it('fail visibly when the response is not a program, and keep the attempts before it', async () => {
    for (const [i, [, value]] of unusable.entries()) {
      const before = i === 0 ? [answers({ code_lines: wrong })] : [];
      script = [...before, answers(value)];
      const { id } = await queued(home, mission());
      const { detail } = await rejectsRefusal(execute(home, id), 'provider_failed');
      assert.match(detail, /the provider's response/);
      assert.equal(attemptsOf(id).length, before.length);
      assert.equal(showMission(home, id).inference?.request_hash, sha256Hex(prompts().at(-1) ?? ''));
    }
  });

  it('fail visibly when the provider does, and show its key nowhere', async () => {
    script = [status(401)];
    const { id } = await queued(home, mission());
    await rejectsRefusal(execute(home, id), 'provider_failed');
    assert.equal(showMission(home, id).state, 'failed');
    assert.equal(provider.seen.at(-1)?.headers.authorization, `Bearer ${secret}`);
    assert.doesNotMatch(JSON.stringify(showMission(home, id)), /SECRET|UNREPEATED/);
  });

  it('need a provider: without one the mission stays queued', async () => {
    await apply(home, { allow_code_execution: true });
    const { id } = await queued(home, mission());
    assert.match((await rejectsRefusal(execute(home, id), 'provider_unconfigured')).detail, /has no candidate/);
    assert.equal(showMission(home, id).state, 'queued');
  });
});

const id = uuidOf(7);
/** A candidate that halves passes floats that are whole, as Python wrote them. */
const codeMission = (candidate: string): GivenMission => ({
  id,
  work: `{"candidate":${JSON.stringify(candidate)},"examples":[],"heldout":[{"args":[4.0],"expected":2.0},{"args":[3],"expected":1.5}],"kind":"code"}`,
});

real('container', 'a code mission of the reference agent', () => {
  const executed = async <A>(
    candidate: string,
    use: (given: ReturnType<typeof temporaryHome>, home: ReturnType<typeof openHome>) => Promise<A>,
  ) => {
    const given = temporaryHome();
    adopt(given, states(codeMission(candidate), 'queued'));
    const home = openHome({ ...given.world, env: { ...given.world.env, ...sandboxEnv() } });
    try {
      await apply(home, { allow_code_execution: true });
      return await use(given, home);
    } finally {
      home.close();
      given.remove();
    }
  };

  it('passes with a float for a float, and is not recomputed where its numbers are lost', async () => {
    await executed('def solve(x):\n    return x / 2\n', async (given, home) => {
      const made = await execute(home, id);
      assert.equal((made.result as { passed: number }).passed, 2);
      assert.equal((await review(home, made)).state, 'completed');
      const file = join(given.root, 'code.json');
      exportMission(home, id, file);
      const verdict = await verifyExport({ file, publicKey: given.report.public_key, recompute: true, env: sandboxEnv() });
      assert.deepEqual([verdict.valid, verdict.recomputed], [true, null]);
      assert.match(verdict.reason ?? '', /^not recomputed: the request of the export does not write the numbers/);
    });
  });

  it('fails with an integer for a float', async () => {
    await executed(
      'def solve(x):\n    return x // 2 if x == 4 and type(x) is int else int(x / 2) if x == 4 else x / 2\n',
      async (_, home) => {
        const { detail } = await rejectsRefusal(execute(home, id), 'execution_failed');
        assert.match(detail, /1 of 2 held-out cases failed: case 1 \(another value than expected\)/);
      },
    );
  });
});
