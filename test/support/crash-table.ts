/** The kill sweep's table: rows gathered from kills, written to docs/crash-sweep.md, read back for comparison. */
import type { Outcome } from './crash-settle.js';
import { grouped } from './crash-steps.js';
import type { Syscall } from './strace.js';

/** One kill: where it struck and what came of it. */
export interface Kill extends Outcome {
  readonly command: string;
  readonly file: string;
  readonly syscall: Syscall;
  /** Place of the call among all of the command's, for the order of rows. */
  readonly place: number;
}

export interface TableRow {
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
export function tabulate(kills: readonly Kill[], commands: readonly string[]): TableRow[] {
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

export function formatTable(rows: readonly TableRow[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const body = rows.map(({ command, file, calls, left, repaired, kills }) =>
    line([command, file, calls.join(', '), left, repaired, String(kills)]),
  );
  return `${[line(columns), line(columns.map(() => '---')), ...body].join('\n')}\n`;
}

export function readTable(markdown: string): TableRow[] {
  return markdown
    .split('\n')
    .filter((text) => text.startsWith('| ') && !text.startsWith('| ---') && !text.startsWith(`| ${columns[0]} |`))
    .map((text) => {
      const [command = '', file = '', calls = '', left = '', repaired = '', kills = ''] = text.slice(2, -2).split(' | ');
      return { command, file, calls: calls.split(', '), left, repaired, kills: Number(kills) };
    });
}

/** `command: file: call` for every step of a table or a trace, whatever came of it. */
export const stepsOf = (rows: readonly { command: string; file: string; calls: readonly string[] }[]): string[] =>
  [...new Set(rows.flatMap(({ command, file, calls }) => calls.map((call) => `${command}: ${file}: ${call}`)))].toSorted();

export const outcomesOf = (rows: readonly TableRow[]): Set<string> => new Set(rows.map(keyOf));
