/**
 * SIGKILL at every write, truncation, fsync, rename, link, unlink and mkdir of init, run, execute, review, configure and export.
 * By default about one call in forty, of every command and every kind; TEST_EFFORT=full takes every one, and rewrites docs/crash-sweep.md (as UPDATE_DOCS=1 does). @slow
 */
import { deepStrictEqual, ok } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Operator } from '../support/crash/crash-cli.js';
import { prepareScenarios } from '../support/crash/crash-scenarios.js';
import type { Outcome } from '../support/crash/crash-settle.js';
import { breakAndSettle, few, grouped, type Step, stepsOfRun, sweep } from '../support/crash/crash-steps.js';
import { atEffort, fullEffort } from '../support/effort.js';
import { packageRoot } from '../support/package-root.js';
import { real } from '../support/real.js';
import type { Syscall } from '../support/strace.js';

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
function tabulate(kills: readonly Kill[], commands: readonly string[]): TableRow[] {
  return grouped(kills, keyOf)
    .map((group) => ({ group, place: Math.min(...group.map(({ place }) => place)) }))
    .toSorted((a, b) => order(a.group, commands) - order(b.group, commands) || a.place - b.place)
    .flatMap(({ group }) => {
      const [first] = group;
      if (first === undefined) return [];
      const { command, file, left, repaired } = first;
      const calls = [...new Set(group.toSorted((a, b) => a.place - b.place).map(({ syscall }) => syscall))];
      return [{ command, file, calls, left, repaired, kills: group.length }];
    });
}

const order = (group: readonly Kill[], commands: readonly string[]): number => commands.indexOf(group[0]?.command ?? '');

const columns = ['command', 'killed while it touches', 'by', 'what was left', 'who repairs it', 'kills'];

function formatTable(rows: readonly TableRow[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const body = rows.map(({ command, file, calls, left, repaired, kills }) =>
    line([command, file, calls.join(', '), left, repaired, String(kills)]),
  );
  return `${[line(columns), line(columns.map(() => '---')), ...body].join('\n')}\n`;
}

function readTable(markdown: string): TableRow[] {
  return markdown
    .split('\n')
    .filter((text) => text.startsWith('| ') && !text.startsWith('| ---') && !text.startsWith(`| ${columns[0]} |`))
    .map((text) => {
      const [command = '', file = '', calls = '', left = '', repaired = '', kills = ''] = text.slice(2, -2).split(' | ');
      return { command, file, calls: calls.split(', '), left, repaired, kills: Number(kills) };
    });
}

/** `command: file: call` for every step of a table or a trace, whatever came of it. */
const stepsOf = (rows: readonly { command: string; file: string; calls: readonly string[] }[]): string[] =>
  [...new Set(rows.flatMap(({ command, file, calls }) => calls.map((call) => `${command}: ${file}: ${call}`)))].toSorted();

const outcomesOf = (rows: readonly TableRow[]): Set<string> => new Set(rows.map(keyOf));

const docs = join(packageRoot(import.meta.url), 'docs', 'crash-sweep.md');
const writesDocs = fullEffort || process.env.UPDATE_DOCS === '1';
const seed = 20_261_120;
const parts = 12;
const marker = '<!-- The table below is written by test/crash/kill-sweep.test.ts. -->\n';

async function killOnce(step: Step, operator: Operator, root: string): Promise<Kill | null> {
  const settled = await breakAndSettle(step, 'signal=SIGKILL', operator, root);
  if (settled === null) return null;
  const { file, left, repaired } = settled;
  return { command: step.scenario.name, file, syscall: step.syscall, place: step.place, left, repaired };
}

real('strace', 'SIGKILL at every call that changes a disk', () => {
  const root = mkdtempSync(join(tmpdir(), 'agent-crash-'));
  const operators: Operator[] = [];
  let commands: string[] = [];
  let steps: Step[][] = [];
  let kills: readonly Kill[] = [];

  before(async () => {
    for (let lane = 0; lane < Math.min(atEffort(1, 2), availableParallelism()); lane++) operators.push(new Operator());
    const [first] = operators;
    ok(first !== undefined);
    const scenarios = await prepareScenarios(first, join(root, 'templates'));
    commands = scenarios.map(({ name }) => name);
    steps = [];
    for (const scenario of scenarios) steps.push(await stepsOfRun(scenario, root));
  });

  after(() => {
    for (const operator of operators) operator.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('loses and doubles nothing that was acknowledged, and a retry repairs the rest', async () => {
    const due = writesDocs ? steps.flat() : few(steps, parts, seed);
    console.log(`      ${due.length} of the ${steps.flat().length} calls of ${commands.join(', ')}`);
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
    const rows = tabulate(kills, commands);
    const [introduction = '', table = ''] = readFileSync(docs, 'utf8').split(marker);
    if (writesDocs) return writeFileSync(docs, `${introduction}${marker}\n${formatTable(rows)}`);
    const shown = readTable(table);
    const traced = steps.flat().map(({ scenario, file, syscall }) => ({ command: scenario.name, file, calls: [syscall] }));
    deepStrictEqual(stepsOf(shown), stepsOf(traced));
    const known = outcomesOf(shown);
    deepStrictEqual(
      [...outcomesOf(rows)].filter((row) => !known.has(row)),
      [],
    );
  });
});
