/** Formats aligned lines for people, under 100 columns. */
import { paint } from './paint.js';
import type { Colour } from '../pictures/screen.js';
import { columns_max, printable, shorten, wrap } from '../base/text.js';
import type { MissionPage } from '../codec/api-missions.js';

const colours: Readonly<Record<string, Colour>> = {
  queued: 'grey',
  running: 'blue',
  review: 'yellow',
  completed: 'green',
  rejected: 'grey',
  failed: 'red',
};

export const stateText = (state: string): string => paint.out(colours[state] ?? 'grey', state);

export type Pair = readonly [string, string];

/** Returns the pairs that have a value. */
export const known = (all: readonly (readonly [string, string | null])[]): Pair[] =>
  all.flatMap(([name, value]): Pair[] => (value === null ? [] : [[name, value]]));

/** Formats aligned `name  value` lines; a long value wraps within its column. */
export function pairs(entries: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.flatMap(([name, value]) =>
    wrap(value, columns_max - width - 2).map(
      (line, i) => `${i === 0 ? paint.out('bold', name.padEnd(width)) : ' '.repeat(width)}  ${line}`,
    ),
  );
}

const goal_columns = 37;

export function missionTable(items: MissionPage['items']): string[] {
  const head = `${'mission'.padEnd(36)}  ${'kind'.padEnd(10)}  ${'state'.padEnd(9)}  goal`;
  return [
    paint.out('bold', head),
    ...items.map(
      ({ id, kind, state, goal }) =>
        `${id}  ${kind.padEnd(10)}  ${stateText(state)}${' '.repeat(Math.max(0, 9 - state.length))}  ${shorten(printable(goal), goal_columns)}`,
    ),
    ...nextSteps(items),
  ];
}

/** Names each interrupted or late mission of a list and the command to go on with. */
function nextSteps(items: MissionPage['items']): string[] {
  const steps = items.flatMap(({ next, late }) =>
    next === undefined ? [] : [`${late === true ? 'late' : 'interrupted'}: ${next}`],
  );
  return steps.length === 0 ? [] : ['', ...steps];
}
