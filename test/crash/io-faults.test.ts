/**
 * The disk says no: EIO, ENOSPC and writes that store nothing, injected one at a time into the writes and fsyncs of each command.
 * A command that then exits 0 has done its work; any other acknowledges nothing; what is left is whole, and a retry repairs it. @slow
 */
import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cold, Operator, said } from '../support/crash/crash-cli.js';
import { prepareScenarios, type Scenario } from '../support/crash/crash-scenarios.js';
import { copySandbox, entriesOf, type Sandbox } from '../support/crash/crash-sandbox.js';
import { breakAndSettle, checkStatement, few, stepsOfRun, sweep, type Settled, type Step } from '../support/crash/crash-steps.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { real } from '../support/real.js';
import { trace, type Syscall } from '../support/strace.js';

const seed = 42;
const parts = 12;
const faults: Readonly<Partial<Record<Syscall, readonly string[]>>> = {
  write: ['error=EIO', 'error=ENOSPC', 'retval=0'],
  pwrite: ['error=EIO', 'error=ENOSPC', 'retval=0'],
  fsync: ['error=EIO'],
};

/** What a command that exits 0 must have left. */
const finished: Readonly<Record<string, RegExp>> = {
  init: /^a whole home/,
  run: /^the mission, queued/,
  execute: /^the result, in review/,
  review: /^the decision, recorded/,
  configure: /^the new configuration, in force/,
  export: /^the whole file/,
};

interface Fault {
  readonly step: Step;
  readonly how: string;
}

async function strike({ step, how }: Fault, operator: Operator, root: string): Promise<Settled | null> {
  const settled = await breakAndSettle(step, how, operator, root);
  if (settled === null) return null;
  const where = `${step.scenario.name}, ${how} at ${step.syscall} ${step.nth} (${step.file})`;
  const { ran, left, recorded } = settled;
  strictEqual(ran.signal, null, `${where} ended by ${String(ran.signal)}: ${ran.stderr}`);
  if (ran.code === 0) ok(finished[step.scenario.name]?.test(left), `${where} exited 0 and left ${left}`);
  else {
    deepStrictEqual([ran.code, ran.stdout], [1, ''], `${where}: ${ran.stderr}`);
    checkStatement(ran, recorded, where);
  }
  return settled;
}

real('strace', 'a disk that fails', function () {
  const root = mkdtempSync(join(tmpdir(), 'agent-fault-'));
  const operators: Operator[] = [];
  let scenarios: Scenario[] = [];

  before(async () => {
    for (let lane = 0; lane < Math.min(atEffort(1, 2), availableParallelism()); lane++) operators.push(new Operator());
    const [first] = operators;
    ok(first !== undefined);
    scenarios = await prepareScenarios(first, join(root, 'templates'));
  });

  after(() => {
    for (const operator of operators) operator.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('leaves a command acknowledged or not, never half, after EIO, ENOSPC or a write of nothing', async () => {
    const steps: Step[][] = [];
    for (const scenario of scenarios)
      steps.push((await stepsOfRun(scenario, root)).filter(({ syscall }) => faults[syscall] !== undefined));
    const chosen = fullEffort ? steps.flat() : few(steps, parts, seed);
    const due = chosen.flatMap((step, j): Fault[] => {
      const hows = faults[step.syscall] ?? [];
      return hows.filter((_, k) => fullEffort || k === j % hows.length).map((how) => ({ step, how }));
    });
    const work = (fault: Fault, operator: Operator, lane: number): Promise<Settled | null> =>
      strike(fault, operator, join(root, `lane-${lane}`));
    const { done, missed, failures } = await sweep(due, operators, work, 'faults');
    deepStrictEqual(failures, []);
    ok(missed <= due.length / 50, `${missed} of ${due.length} calls were not made again`);
    const refusals = done.filter(({ ran }) => ran.code !== 0).length;
    ok(refusals > 0 && refusals < done.length, `${refusals} of ${done.length} commands failed`);
  });

  const queue = (): Scenario => {
    const found = scenarios.find(({ name }) => name === 'run');
    ok(found !== undefined);
    return found;
  };

  it('refuses with storage_full and undoes the transaction when the disk is full while the journal is written', async () => {
    const scenario = queue();
    for (const nth of atEffort([15], [11, 15, 20])) {
      const sandbox = copySandbox(scenario.template, join(root, 'full'));
      const before = entriesOf(sandbox.home);
      const ran = await trace([...scenario.argv(sandbox), '--json'], sandbox.env, {
        of: ['pwrite'],
        inject: `error=ENOSPC:when=${nth}+`,
        log: join(root, 'full.trace'),
      });
      const { code, refusal, value } = said(ran);
      deepStrictEqual([code, refusal, value], [1, 'storage_full', null], `from pwrite ${nth} on: ${ran.stderr}`);
      deepStrictEqual(entriesOf(sandbox.home), before);
    }
  });

  /** The command failed, acknowledged nothing, and what it left is whole. */
  const settled = async (scenario: Scenario, sandbox: Sandbox): Promise<string> => {
    const [operator] = operators;
    ok(operator !== undefined);
    const { left } = await scenario.settle({
      sandbox,
      head: scenario.head,
      cli: (argv, at) => operator.run(argv, sandbox.env, at),
    });
    return left;
  };

  it('reports an unknown outcome when fsync fails at COMMIT; a retry finds or queues the mission', async () => {
    const scenario = queue();
    const steps = await stepsOfRun(scenario, root);
    // The first fsync of the log is that of its header, the second that of the transaction.
    const commit = steps.filter(({ syscall, file }) => syscall === 'fsync' && file === 'journal.sqlite3-wal')[1];
    notStrictEqual(commit, undefined);
    for (const when of [`${commit?.nth ?? 0}`, `${commit?.nth ?? 0}+`]) {
      const sandbox = copySandbox(scenario.template, join(root, 'commit'));
      const ran = await trace([...scenario.argv(sandbox), '--json'], sandbox.env, {
        of: ['fsync'],
        inject: `error=EIO:when=${when}`,
        log: join(root, 'commit.trace'),
      });
      const { code, refusal, value } = said(ran);
      deepStrictEqual([code, refusal, value], [1, 'fault', null], ran.stderr);
      match(ran.stderr, /commit failed and its outcome is unknown/);
      match(await settled(scenario, sandbox), /^(no mission|the mission, queued)$/);
    }
  });

  it('acknowledges nothing and keeps nothing of a write cut short in the middle of a page', async () => {
    const scenario = queue();
    const items = Array.from({ length: 300 }, (_, i) => ({ id: `item-${i}`, cost: 1 + i, value: 1 + i }));
    const large = JSON.stringify({ goal: 'a transaction of many pages', work: { kind: 'allocation', items, budget: 1_000 } });
    // Above the 32 KiB of SQLite's shared memory file, below the size of this transaction in the log.
    for (const bytes of atEffort([40_000], [33_000, 40_000, 45_321])) {
      const sandbox = copySandbox(scenario.template, join(root, 'short'));
      writeFileSync(join(sandbox.root, 'mission.json'), large);
      // A limit on the size of files: the write that crosses it stores what fits, the next one fails.
      const ran = await cold([...scenario.argv(sandbox), '--json'], sandbox.env, 0, ['prlimit', `--fsize=${bytes}`]);
      const { code, refusal, value } = said(ran);
      deepStrictEqual([code, refusal, value], [1, 'fault', null], `at ${bytes}: ${ran.stderr}`);
      strictEqual(await settled(scenario, sandbox), 'no mission');
    }
  });
});
