/**
 * EIO at each step of `configure` and `erase` that follows their commit: the command exits 0 and has done its work, or it fails, says that the
 * change is recorded and names the command that completes it, which then does. @slow
 */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { folderForSuite } from '../support/app/temporary-home.js';
import { Operator } from '../support/crash/crash-cli.js';
import { copySandbox, headOf, makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import { prepareScenarios, type Scenario } from '../support/crash/crash-scenarios.js';
import {
  accepted,
  type Afterwards,
  type Looked,
  mission,
  type Outcome,
  refused,
  reviewOf,
  verifyKept,
  verifySettled,
} from '../support/crash/crash-settle.js';
import { breakAndSettle, checkStatement, type Step, stepsOfRun, sweep } from '../support/crash/crash-steps.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { type Syscall, trace, type Traced } from '../support/strace.js';

/** `erase` of a decided research mission, as a command that is broken at its steps. */
const secret = 'Mrs Brandauer keeps bees';
const request = {
  goal: 'When is high water?',
  work: { kind: 'research', sources: [{ id: 'a', title: 'A letter', text: `${secret}. High water is at six.` }] },
};

const holdsSecret = ({ home }: Sandbox): boolean =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(secret));

async function eraseScenario(operator: Operator, root: string): Promise<Scenario> {
  const template = makeSandbox(join(root, 'decided'));
  const file = join(template.root, 'mission.json');
  writeFileSync(file, JSON.stringify(request));
  const run = async (...argv: readonly string[]): Promise<Record<string, unknown>> =>
    accepted(await operator.run(argv, template.env), argv.join(' '));
  await run('init');
  const looked = (await run('run', file, '--request-id', mission, '--execute')) as unknown as Looked;
  await run(...reviewOf(looked));
  ok(holdsSecret(template));
  const argv = (): string[] => ['erase', mission, '--reason', 'asked'];
  return { name: 'erase', template, head: headOf(template.home), argv, settle: settleErase };
}

async function settleErase(after: Afterwards): Promise<Outcome> {
  const { cli, sandbox } = after;
  await verifyKept(after);
  const { erased } = accepted(await cli(['show', mission]), 'show');
  const retry = await cli(['erase', mission, '--reason', 'asked']);
  if (erased === true) refused(retry, 4, 'wrong_state', 'a retry of erase');
  else strictEqual(accepted(retry, 'a retry of erase')['erased'], true);
  deepStrictEqual(holdsSecret(sandbox), false, 'the erased text is still in the home');
  await verifySettled(after, ['mission.erased']);
  return erased === true
    ? { left: 'the erasure, recorded', repaired: 'a retry empties the log and says wrong_state' }
    : { left: 'the mission, not erased', repaired: 'erase again' };
}

const completing: Readonly<Record<string, string>> = {
  configure: 'agent-cli configure --restore-signed',
  erase: `agent-cli erase ${mission} --reason again`,
};

real('strace', 'a disk that fails', () => {
  const root = folderForSuite();
  const operators: Operator[] = [];
  const due: Step[] = [];
  let template: Sandbox;

  /** The steps after the commit: the first fsync of the log is that of its header, the second that of the transaction. */
  const afterCommit = (steps: readonly Step[]): Step[] => {
    const commit = steps.filter(({ syscall, file }) => syscall === 'fsync' && file === 'journal.sqlite3-wal')[1];
    ok(commit !== undefined);
    return steps.filter(({ place }) => place > commit.place);
  };

  before(async () => {
    for (let lane = 0; lane < Math.min(atEffort(1, 2), availableParallelism()); lane++) operators.push(new Operator());
    const [first] = operators;
    ok(first !== undefined);
    const configure = (await prepareScenarios(first, join(root, 'templates'))).filter(({ name }) => name === 'configure');
    const erase = await eraseScenario(first, join(root, 'templates'));
    for (const scenario of [...configure, erase])
      due.push(...afterCommit(await stepsOfRun(scenario, root)).filter((_, i) => i % atEffort(8, 1) === 0));
    ({ template } = erase);
    accepted(await first.run(['backup', join(root, 'kept.zip')], template.env), 'backup');
  });

  after(() => operators.forEach((operator) => operator.stop()));

  /** Returns the names of the commands that failed: one or none; null when the step was not reached. */
  async function strike(step: Step, operator: Operator, directory: string): Promise<string[] | null> {
    const settled = await breakAndSettle(step, 'error=EIO', operator, directory);
    if (settled === null) return null;
    const { ran, recorded } = settled;
    const where = `${step.scenario.name}, EIO at ${step.syscall} ${step.nth} (${step.file})`;
    ok(recorded, `${where}: nothing is recorded`);
    if (ran.code === 0) return [];
    deepStrictEqual([ran.code, ran.stdout], [1, ''], `${where}: ${ran.stderr}`);
    checkStatement(ran, recorded, where);
    match(ran.stderr, new RegExp(`(?<!recorded\\))\n  → ${completing[step.scenario.name] ?? ''}\n`), where);
    return [step.scenario.name];
  }

  it('after the commit reports what is recorded and what completes it', async () => {
    const { done, missed, failures } = await sweep(
      due,
      operators,
      (step, operator, lane) => strike(step, operator, join(root, `lane-${lane}`)),
      'faults',
    );
    deepStrictEqual(failures, []);
    ok(missed <= due.length / 20, `${missed} of ${due.length} calls were not made again`);
    deepStrictEqual(new Set(done.flatMap((name) => name)), new Set(Object.keys(completing)));
  });

  const kinds = ['fsync', 'rename', 'link', 'unlink'] as const;
  /** Commands, each with the kind of call whose last ones fail by default: those that put the file, or one of the home, in its place. */
  const commands: readonly (readonly [string, (typeof kinds)[number], (output: string, root: string) => string[]])[] = [
    ['export', 'link', (output) => ['export', mission, '--output', output]],
    ['checkpoint', 'unlink', (output) => ['checkpoint', '--output', output]],
    ['backup', 'fsync', (output) => ['backup', output]],
    ['restore', 'link', (output, root) => ['restore', join(root, 'kept.zip'), '--home', output]],
  ];
  const last_calls = { fsync: 2, rename: 1, link: 1, unlink: 4 } as const;

  for (const [name, kind, argv] of commands) {
    it(`while a file is written leaves nothing of ${name}`, async () => {
      const log = join(root, 'outputs.trace');
      const run = (of: readonly Syscall[], inject?: string): Promise<Traced & { readonly output: string }> => {
        const sandbox = copySandbox(template, join(root, 'sandbox'));
        const output = join(sandbox.outputs, 'made');
        const options = { of, log, ...(inject === undefined ? {} : { inject }) };
        return trace([...argv(output, root), '--json'], sandbox.env, options).then((ran) => ({ ...ran, output }));
      };
      let failed = 0;
      const clean = (await run(kinds)).calls;
      for (const syscall of fullEffort ? kinds : [kind]) {
        const { length } = clean.filter((call) => call.syscall === syscall);
        for (let nth = fullEffort ? 1 : Math.max(1, length - last_calls[syscall] + 1); nth <= length; nth++) {
          const { calls, code, stderr, output } = await run([syscall], `error=EIO:when=${nth}`);
          const file = calls.find(({ broken }) => broken)?.file ?? 'a call that was not made again';
          deepStrictEqual(existsSync(output), code === 0, `EIO at ${syscall} ${nth} (${file}): ${stderr}`);
          if (code !== 0) failed++;
        }
      }
      ok(failed > 0 || kind === 'unlink', 'no call made it fail');
    });
  }
});
