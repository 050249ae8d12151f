/**
 * SIGKILL at every write, truncation, fsync, rename, link, unlink and mkdir of init, run, execute, review, configure and export.
 * By default a slice of the calls; TEST_EFFORT=full takes every one, and writes docs/crash-sweep.md anew (as UPDATE_DOCS=1 does).
 */
import { deepStrictEqual, ok } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { prng } from '../../src/base/prng.js';
import { Operator } from '../support/crash-cli.js';
import { copySandbox, fileKind } from '../support/crash-sandbox.js';
import { prepareScenarios, type Scenario } from '../support/crash-scenarios.js';
import { formatTable, grouped, outcomesOf, readTable, stepsOf, tabulate, type Kill } from '../support/crash-table.js';
import { fullEffort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { allSyscalls, killAt, trace, type Call, type Syscall } from '../support/strace.js';

const docs = join(packageRoot(import.meta.url), 'docs', 'crash-sweep.md');
const writesDocs = fullEffort || process.env.UPDATE_DOCS === '1';
const seed = 20_261_120;
const marker = '<!-- The table below is written by test/crash/kill-sweep.test.ts. -->\n';

interface Step {
  readonly scenario: Scenario;
  readonly syscall: Syscall;
  readonly file: string;
  /** Among the calls of its kind, from 1. */
  readonly nth: number;
  readonly place: number;
}

/** The steps of a clean run, in order. */
async function stepsOfRun(scenario: Scenario, root: string): Promise<Step[]> {
  const sandbox = copySandbox(scenario.template, join(root, 'clean'));
  const traced = await trace(scenario.argv(sandbox), sandbox.env, { threads: true, log: join(root, 'clean.trace') });
  ok(traced.code === 0, `${scenario.name} fails under strace: ${traced.stderr}`);
  const counts = new Map<Syscall, number>();
  const calls = traced.calls.flatMap((call: Call) => {
    const file = fileKind(sandbox, call.file);
    return file === null ? [] : [{ ...call, file }];
  });
  deepStrictEqual(new Set(calls.map(({ thread }) => thread)).size, 1, `${scenario.name}: one thread alone touches the home`);
  return calls.map(({ syscall, file }, place) => {
    const nth = (counts.get(syscall) ?? 0) + 1;
    counts.set(syscall, nth);
    return { scenario, syscall, file, nth, place };
  });
}

/** The first and last call of each kind, one of each kind on each file, and a few more. */
function slice(steps: readonly Step[], label: number): readonly Step[] {
  const { below } = prng(seed, label);
  const chosen = new Set<Step | undefined>();
  for (const kind of allSyscalls) {
    const of = steps.filter(({ syscall }) => syscall === kind);
    chosen.add(of.at(0)).add(of.at(-1));
  }
  for (const group of grouped(steps, ({ syscall, file }) => `${syscall} ${file}`)) {
    if (!group.some((step) => chosen.has(step))) chosen.add(group[below(group.length)]);
  }
  for (let i = 0; i < 3; i++) chosen.add(steps[below(steps.length)]);
  return steps.filter((step) => chosen.has(step));
}

/** Kills at one step on a copy of its home, and sees what came of it. */
async function killOnce({ scenario, syscall, file, nth, place }: Step, operator: Operator, root: string): Promise<Kill | null> {
  let sandbox = copySandbox(scenario.template, join(root, 'sandbox'));
  const fresh = (): { env: Scenario['template']['env']; log: string } => {
    sandbox = copySandbox(scenario.template, join(root, 'sandbox'));
    return { env: sandbox.env, log: join(root, 'kill.trace') };
  };
  const argv = scenario.argv(sandbox);
  const hit = await killAt({ syscall, nth }, argv, (name) => fileKind(sandbox, name) !== null, fresh);
  if (hit === null) return null;
  const cli = (command: readonly string[], offset_ms?: number): ReturnType<Operator['run']> =>
    operator.run(command, sandbox.env, offset_ms);
  try {
    const outcome = await scenario.settle({ sandbox, head: scenario.head, cli });
    return { command: scenario.name, file: fileKind(sandbox, hit.file) ?? file, syscall, place, ...outcome };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${scenario.name} killed at ${syscall} ${nth} (${file}): ${why}`, { cause: error });
  }
}

real('strace', 'SIGKILL at every call that changes a disk', function () {
  this.timeout(writesDocs ? 1_800_000 : 300_000);
  const root = mkdtempSync(join(tmpdir(), 'agent-crash-'));
  const operators: Operator[] = [];
  const steps: Step[] = [];
  const kills: Kill[] = [];
  let commands: string[] = [];

  before(async () => {
    const lanes = Math.min(2, availableParallelism());
    for (let lane = 0; lane < lanes; lane++) operators.push(new Operator());
    const [first] = operators;
    ok(first !== undefined);
    const scenarios = await prepareScenarios(first, join(root, 'templates'));
    commands = scenarios.map(({ name }) => name);
    for (const scenario of scenarios) steps.push(...(await stepsOfRun(scenario, root)));
  });

  after(() => {
    for (const operator of operators) operator.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('nothing acknowledged is lost or doubled, and a retry repairs what is left', async () => {
    const groups = commands.map((name) => steps.filter(({ scenario }) => scenario.name === name));
    const due = writesDocs ? [...steps] : groups.flatMap((group, label) => [...slice(group, label)]);
    const total = due.length;
    const began = performance.now();
    let missed = 0;
    const failures: Error[] = [];
    const lane = async (operator: Operator, i: number): Promise<void> => {
      for (let step = due.shift(); step !== undefined; step = due.shift()) {
        const kill = await killOnce(step, operator, join(root, `lane-${i}`)).catch((error: unknown) => {
          failures.push(error instanceof Error ? error : new Error(String(error)));
          return null;
        });
        if (kill === null) missed++;
        else kills.push(kill);
        if ((kills.length + missed) % 25 === 0) {
          const seconds = ((performance.now() - began) / 1_000).toFixed(0);
          console.log(`      ${kills.length + missed} of ${total} kills (of ${steps.length} calls), ${step.scenario.name}, ${seconds} s`);
        }
      }
    };
    await Promise.all(operators.map(lane));
    deepStrictEqual(failures.map(({ message }) => message), []);
    // How many pages a transaction touches can differ by one or two between runs.
    ok(missed <= total / 50, `${missed} of ${total} calls were not made again`);
  });

  it('docs/crash-sweep.md shows these steps and these outcomes', () => {
    const rows = tabulate(kills, commands);
    if (writesDocs) {
      const [introduction = ''] = readFileSync(docs, 'utf8').split(marker);
      writeFileSync(docs, `${introduction}${marker}\n${formatTable(rows)}`);
      return;
    }
    const shown = readTable(readFileSync(docs, 'utf8').split(marker)[1] ?? '');
    const traced = steps.map(({ scenario, file, syscall }) => ({ command: scenario.name, file, calls: [syscall] }));
    deepStrictEqual(stepsOf(shown), stepsOf(traced));
    deepStrictEqual([...outcomesOf(rows)].filter((row) => !outcomesOf(shown).has(row)), []);
  });
});
