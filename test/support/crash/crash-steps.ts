/** The steps of a command and what is left when one of them is broken: what the sweeps of kills and of I/O faults share. */
import { ok } from 'node:assert';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prng } from '../../../src/base/prng.js';
import type { Operator, Ran } from './crash-cli.js';
import { copySandbox, entriesOf, fileKind, temporariesIn, type Sandbox } from './crash-sandbox.js';
import type { Scenario } from './crash-scenarios.js';
import type { Outcome } from './crash-settle.js';
import { allSyscalls, breakAt, numbered, trace, type Syscall } from '../strace.js';
import { copyTree } from '../app/temporary-home.js';

export interface Step {
  readonly scenario: Scenario;
  readonly syscall: Syscall;
  readonly file: string;
  /** Among the calls of its kind, from 1. */
  readonly nth: number;
  /** Among the calls of its kind on any file, from 1. */
  readonly among: number;
  /** Among all calls of the command. */
  readonly place: number;
}

/** The steps of a clean run, in order. @throws when more than one thread makes them */
export async function stepsOfRun(scenario: Scenario, root: string): Promise<Step[]> {
  const sandbox = copySandbox(scenario.template, join(root, 'clean'));
  const traced = await trace(scenario.argv(sandbox), sandbox.env, { threads: true, log: join(root, 'clean.trace') });
  ok(traced.code === 0, `${scenario.name} fails under strace: ${traced.stderr}`);
  const concerns = (file: string): boolean => fileKind(sandbox, file) !== null;
  return numbered(traced.calls, concerns).map(({ syscall, file, nth, among }, place) => {
    return { scenario, syscall, file: fileKind(sandbox, file) ?? file, nth, among, place };
  });
}

/** Members in groups of one key, in the order in which the keys come up. */
export function grouped<T>(members: readonly T[], key: (member: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const member of members) {
    const group = groups.get(key(member));
    if (group === undefined) groups.set(key(member), [member]);
    else group.push(member);
  }
  return [...groups.values()];
}

/** The first or the last call of each kind, by the seed, one of each kind on each file, and one more; the same ones each time. */
export function slice(steps: readonly Step[], seed: number): readonly Step[] {
  const { below } = prng(seed, steps.length);
  const chosen = new Set<Step | undefined>();
  for (const kind of allSyscalls) {
    const of = steps.filter(({ syscall }) => syscall === kind);
    chosen.add(of.at(seed % 2 === 0 ? 0 : -1));
  }
  for (const group of grouped(steps, ({ syscall, file }) => `${syscall} ${file}`)) {
    if (!group.some((step) => chosen.has(step))) chosen.add(group[below(group.length)]);
  }
  chosen.add(steps[below(steps.length)]);
  return steps.filter((step) => chosen.has(step));
}

/** Returns one part in `parts` of each command's slice, another one for each command, and a step of each kind of call that these lack. */
export function few(commands: readonly (readonly Step[])[], parts: number, seed: number): readonly Step[] {
  const chosen = commands.flatMap((steps, i) => slice(steps, seed + i).filter((_, j) => j % parts === i % parts));
  const missing = allSyscalls.filter((kind) => !chosen.some(({ syscall }) => syscall === kind));
  return [...chosen, ...missing.flatMap((kind) => commands.flat().find(({ syscall }) => syscall === kind) ?? [])];
}

export interface Settled extends Outcome {
  /** The file that was touched. */
  readonly file: string;
  /** How the command ended. */
  readonly ran: Ran;
  /** Whether the journal had more entries after the command, before anything was repaired. */
  readonly recorded: boolean;
}

/** Looks at a copy: opening the journal itself would end an unclean stop. */
function hasRecorded({ home }: Sandbox, head: string | null, root: string): boolean {
  const copy = join(root, 'looked-at');
  rmSync(copy, { recursive: true, force: true });
  if (!existsSync(join(home, 'journal.sqlite3'))) return false;
  copyTree(home, copy);
  const before = head === null ? 0 : Number(head.split(':')[0]);
  try {
    return entriesOf(copy).length > before;
  } catch (error) {
    // A killed init may leave a database without tables.
    if (head !== null) throw error;
    return false;
  }
}

/** Checks that a command that failed says what it recorded, and does not say so of what it did not record. */
export function checkStatement({ stderr }: Pick<Ran, 'stderr'>, recorded: boolean, where: string): void {
  const said = stderr.replaceAll('nothing was recorded', '');
  const isStated = /(?:is|was|were) recorded|outcome is unknown|the home is complete/.test(said);
  if (recorded) ok(isStated, `${where} recorded something and said: ${stderr}`);
  else ok(!isStated || said.includes('outcome is unknown'), `${where} recorded nothing and said: ${stderr}`);
}

/** Breaks a copy's command at one step and settles what was left; null when this run had no such call. */
export async function breakAndSettle(step: Step, how: string, operator: Operator, root: string): Promise<Settled | null> {
  const { scenario, syscall, nth, among, file } = step;
  const copied = (): Sandbox => copySandbox(scenario.template, join(root, 'sandbox'));
  let sandbox = copied();
  const fresh = () => ({ env: (sandbox = copied()).env, log: join(root, 'break.trace') });
  try {
    const concerns = (name: string): boolean => fileKind(sandbox, name) !== null;
    const broken = await breakAt({ syscall, nth, among, how }, scenario.argv(sandbox), concerns, fresh);
    if (broken === null) return null;
    const rest = [...temporariesIn(sandbox.home), ...temporariesIn(sandbox.witness)].length > 0;
    const cli = (command: readonly string[], offset_ms?: number): ReturnType<Operator['run']> =>
      operator.run(command, sandbox.env, offset_ms);
    const recorded = hasRecorded(sandbox, scenario.head, root);
    const outcome = await scenario.settle({ sandbox, head: scenario.head, cli });
    return {
      file: fileKind(sandbox, broken.call.file) ?? file,
      ran: broken,
      recorded,
      left: rest ? `${outcome.left}, and a temporary file` : outcome.left,
      repaired: rest ? `${outcome.repaired}; the temporary file goes with the next command` : outcome.repaired,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${scenario.name}, ${how} at ${syscall} ${nth} (${file}): ${why}`, { cause: error });
  }
}

export interface Sweep<T> {
  readonly done: readonly T[];
  readonly missed: number;
  readonly failures: readonly string[];
}

/** Works through the steps on as many lanes as there are operators; says how far it is. A call that is not made is tried once more. */
export async function sweep<S, T>(
  due: readonly S[],
  operators: readonly Operator[],
  work: (step: S, operator: Operator, lane: number) => Promise<T | null>,
  what: string,
): Promise<Sweep<T>> {
  const [queue, done, failures, began] = [[...due], [] as T[], [] as string[], performance.now()];
  let missed = 0;
  const lane = async (operator: Operator, i: number): Promise<void> => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      try {
        const value = (await work(step, operator, i)) ?? (await work(step, operator, i));
        if (value === null) missed++;
        else done.push(value);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
      const count = done.length + missed + failures.length;
      const seconds = ((performance.now() - began) / 1_000).toFixed(0);
      if (count % 25 === 0 || count === due.length) console.log(`      ${count} of ${due.length} ${what}, ${seconds} s`);
    }
  };
  await Promise.all(operators.map(lane));
  return { done, missed, failures };
}
