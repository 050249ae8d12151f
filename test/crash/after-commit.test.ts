/**
 * EIO at each step of `configure` and `erase` that follows their commit: the command exits 0 and has done its work, or it fails, says that the
 * change is recorded and names the command that completes it, which then does. @slow
 */
import { deepStrictEqual, match, ok } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Operator } from '../support/crash-cli.js';
import { eraseScenario } from '../support/crash-erase.js';
import { mission } from '../support/crash-settle.js';
import { prepareScenarios } from '../support/crash-scenarios.js';
import { atEffort } from '../support/effort.js';
import { breakAndSettle, checkStatement, stepsOfRun, sweep, type Step } from '../support/crash-steps.js';
import { real } from '../support/real.js';

const completing: Readonly<Record<string, string>> = {
  configure: 'agent-cli configure --restore-signed',
  erase: `agent-cli erase ${mission} --reason again`,
};

real('strace', 'a disk that fails after the commit', () => {
  const root = mkdtempSync(join(tmpdir(), 'agent-after-'));
  const operators: Operator[] = [];
  const due: Step[] = [];

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
    for (const scenario of [...configure, await eraseScenario(first, join(root, 'templates'))])
      due.push(...afterCommit(await stepsOfRun(scenario, root)).filter((_, i) => i % atEffort(3, 1) === 0));
  });

  after(() => {
    for (const operator of operators) operator.stop();
    rmSync(root, { recursive: true, force: true });
  });

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
    match(ran.stderr, new RegExp(`→ ${completing[step.scenario.name] ?? ''}\n`), where);
    return [step.scenario.name];
  }

  it('reports what is recorded and what completes it', async () => {
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
});
