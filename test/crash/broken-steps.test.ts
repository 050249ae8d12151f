/**
 * init, run, execute, review, configure and export, broken at one of their steps. SIGKILL at every write, truncation, fsync, rename, link, unlink and
 * mkdir. The disk says no: EIO, ENOSPC and writes that store nothing, injected one at a time into the writes and fsyncs; a command that then exits 0 has
 * done its work, and any other acknowledges nothing. What is left is whole, and a retry repairs it. By default a few calls of each kind;
 * TEST_EFFORT=full takes every one, and rewrites docs/crash-sweep.md (as UPDATE_DOCS=1 does). @slow
 */
import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { folderForSuite } from '../support/app/temporary-home.js';
import { cold, Operator, said } from '../support/crash/crash-cli.js';
import { copySandbox, entriesOf, type Sandbox } from '../support/crash/crash-sandbox.js';
import { prepareScenarios, type Scenario } from '../support/crash/crash-scenarios.js';
import type { Outcome } from '../support/crash/crash-settle.js';
import {
  breakAndSettle,
  checkStatement,
  few,
  grouped,
  type Settled,
  type Step,
  stepsOfRun,
  sweep,
} from '../support/crash/crash-steps.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import { type Syscall, trace } from '../support/strace.js';
import { assertNone } from '../support/lists.js';

/** The kill sweep's table: rows gathered from kills, written to docs/crash-sweep.md, read back for comparison. */

/** One kill: where it struck and what came of it. */
interface Kill extends Outcome {
  readonly command: string;
  readonly file: string;
  readonly syscall: Syscall;
  /** Place of the call among all of the command's, for the order of rows. */
  readonly place: number;
}

interface TableRow {
  readonly command: string;
  readonly file: string;
  readonly calls: readonly string[];
  readonly left: string;
  readonly repaired: string;
  readonly kills: number;
}

const keyOf = ({ command, file, left, repaired }: Pick<Kill, 'command' | 'file' | 'left' | 'repaired'>): string =>
  [command, file, left, repaired].join(' | ');

/** Kills with the same command, file and outcome make one row; rows are in the order in which a command reaches them. */
const tabulate = (kills: readonly Kill[], commands: readonly string[]): TableRow[] =>
  grouped(kills, keyOf)
    .map((group) => ({ group, place: Math.min(...group.map(({ place }) => place)) }))
    .toSorted((a, b) => order(a.group, commands) - order(b.group, commands) || a.place - b.place)
    .flatMap(({ group }) => {
      const [first] = group;
      if (first === undefined) return [];
      const { command, file, left, repaired } = first;
      const calls = [...new Set(group.toSorted((a, b) => a.place - b.place).map(({ syscall }) => syscall))];
      return [{ command, file, calls, left, repaired, kills: group.length }];
    });

const order = (group: readonly Kill[], commands: readonly string[]): number => commands.indexOf(group[0]?.command ?? '');

const columns = ['command', 'killed while it touches', 'by', 'what was left', 'who repairs it', 'kills'];

function formatTable(rows: readonly TableRow[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const body = rows.map(({ command, file, calls, left, repaired, kills }) =>
    line([command, file, calls.join(', '), left, repaired, String(kills)]),
  );
  return `${[line(columns), line(columns.map(() => '---')), ...body].join('\n')}\n`;
}

const readTable = (markdown: string): TableRow[] =>
  markdown
    .split('\n')
    .filter((text) => text.startsWith('| ') && !text.startsWith('| ---') && !text.startsWith(`| ${columns[0]} |`))
    .map((text) => {
      const [command = '', file = '', calls = '', left = '', repaired = '', kills = ''] = text.slice(2, -2).split(' | ');
      return { command, file, calls: calls.split(', '), left, repaired, kills: Number(kills) };
    });

/** `command: file: call` for every step of a table or a trace, whatever came of it. */
const stepsOf = (rows: readonly { command: string; file: string; calls: readonly string[] }[]): string[] =>
  [...new Set(rows.flatMap(({ command, file, calls }) => calls.map((call) => `${command}: ${file}: ${call}`)))].toSorted();

const outcomesOf = (rows: readonly TableRow[]): Set<string> => new Set(rows.map(keyOf));

const docs = join(packageRoot(import.meta.url), 'docs', 'crash-sweep.md');
const writesDocs = fullEffort || process.env.UPDATE_DOCS === '1';
const parts = 18;
const seeds = { kills: 20_261_120, faults: 42 };
const marker = '<!-- The table below is written by test/crash/broken-steps.test.ts. -->\n';

async function killOnce(step: Step, operator: Operator, root: string): Promise<Kill | null> {
  const settled = await breakAndSettle(step, 'signal=SIGKILL', operator, root);
  if (settled === null) return null;
  const { file, left, repaired } = settled;
  return { command: step.scenario.name, file, syscall: step.syscall, place: step.place, left, repaired };
}

const faults: Readonly<Partial<Record<Syscall, readonly string[]>>> = {
  write: ['error=EIO', 'error=ENOSPC', 'retval=0'],
  pwrite: ['error=EIO', 'error=ENOSPC', 'retval=0'],
  fsync: ['error=EIO'],
  unlink: ['error=EIO'],
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
    deepStrictEqual([ran.code, ran.stdout, where.includes('lock file')], [1, '', false], `${where}: ${ran.stderr}`);
    checkStatement(ran, recorded, where);
  }
  return settled;
}

real('strace', 'a command that is broken at a step', () => {
  const root = folderForSuite();
  const operators: Operator[] = [];
  let scenarios: Scenario[] = [];
  let steps: Step[][] = [];

  before(async () => {
    for (let lane = 0; lane < Math.min(atEffort(1, 2), availableParallelism()); lane++) operators.push(new Operator());
    const [first] = operators;
    ok(first !== undefined);
    scenarios = await prepareScenarios(first, join(root, 'templates'));
    steps = [];
    for (const scenario of scenarios) steps.push(await stepsOfRun(scenario, root));
  });

  after(() => operators.forEach((operator) => operator.stop()));

  describe('by SIGKILL', () => {
    let kills: readonly Kill[] = [];
    const commands = (): string[] => scenarios.map(({ name }) => name);

    it('loses and doubles nothing that was acknowledged, and a retry repairs the rest', async () => {
      const due = writesDocs ? steps.flat() : few(steps, parts, seeds.kills);
      console.log(`      ${due.length} of the ${steps.flat().length} calls of ${commands().join(', ')}`);
      const kill = (step: Step, operator: Operator, lane: number): Promise<Kill | null> =>
        killOnce(step, operator, join(root, `lane-${lane}`));
      const { done, missed, failures } = await sweep(due, operators, kill, 'kills');
      deepStrictEqual(failures, []);
      // How many pages a transaction touches can differ by one or two between runs.
      ok(missed <= due.length / 50, `${missed} of ${due.length} calls were not made again`);
      kills = done;
    });

    it('makes these steps with these outcomes in docs/crash-sweep.md', () => {
      ok(kills.length > 0, 'there were no kills');
      const rows = tabulate(kills, commands());
      const [introduction = '', table = ''] = readFileSync(docs, 'utf8').split(marker);
      if (writesDocs) return writeFileSync(docs, `${introduction}${marker}\n${formatTable(rows)}`);
      const shown = readTable(table);
      const traced = steps.flat().map(({ scenario, file, syscall }) => ({ command: scenario.name, file, calls: [syscall] }));
      deepStrictEqual(stepsOf(shown), stepsOf(traced));
      const known = outcomesOf(shown);
      assertNone(outcomesOf(rows), (row) => !known.has(row));
    });
  });

  describe('by a disk that fails', () => {
    it('leaves a command acknowledged or not, never half, after EIO, ENOSPC or a write of nothing', async () => {
      const faulty = steps.map((each) => each.filter(({ syscall }) => faults[syscall] !== undefined));
      const chosen = fullEffort ? faulty.flat() : few(faulty, parts, seeds.faults);
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
    /** Runs the command with a call that fails: what it says, and where. */
    const broken = async ({ template, argv }: Scenario, syscall: Syscall, inject: string) => {
      const sandbox = copySandbox(template, join(root, 'broken'));
      const traced = { of: [syscall], inject, log: join(root, 'broken.trace') };
      const ran = await trace([...argv(sandbox), '--json'], sandbox.env, traced);
      const { code, refusal, value } = said(ran);
      return { sandbox, stderr: ran.stderr, answer: [code, refusal, value] };
    };

    it('refuses with storage_full and undoes the transaction when the disk is full while the journal is written', async () => {
      const scenario = queue();
      for (const nth of atEffort(['ENOSPC:when=15', 'EDQUOT:when=15'], ['ENOSPC:when=11', 'ENOSPC:when=13', 'EDQUOT:when=11'])) {
        const { sandbox, stderr, answer } = await broken(scenario, 'pwrite', `error=${nth}+`);
        deepStrictEqual(answer, [1, 'storage_full', null], `from pwrite ${nth} on: ${stderr}`);
        deepStrictEqual(entriesOf(sandbox.home), entriesOf(scenario.template.home));
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
      // The first fsync of the log is that of its header, the second that of the transaction.
      const commit = steps
        .flat()
        .filter(
          ({ scenario: { name }, syscall, file }) =>
            name === scenario.name && syscall === 'fsync' && file === 'journal.sqlite3-wal',
        )[1];
      notStrictEqual(commit, undefined);
      for (const when of [`${commit?.nth ?? 0}`, `${commit?.nth ?? 0}+`]) {
        const { sandbox, stderr, answer } = await broken(scenario, 'fsync', `error=EIO:when=${when}`);
        deepStrictEqual(answer, [1, 'fault', null], stderr);
        match(stderr, /commit failed and its outcome is unknown/);
        match(await settled(scenario, sandbox), /^(no mission|the mission, queued)$/);
      }
      const executing = { ...scenario, argv: (sandbox: Sandbox) => [...scenario.argv(sandbox), '--execute'] };
      const { stderr } = await broken(executing, 'fsync', `error=EIO:when=${(commit?.nth ?? 0) + 2}+`);
      match(stderr, /mission \S+ was queued, but its execution failed \(the commit failed .* unknown \(disk I\/O error\)\)/);
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
});
