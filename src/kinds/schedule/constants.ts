/** The texts that every schedule result carries, what one evaluation of effort buys, and the limits on a certificate. */
import type { ScheduleWork } from './work.js';

/** Recorded with each result; the version increases whenever a result changes. */
export const engine_id = { name: 'schedule', version: '4' } as const;

export const methodText = (objective: string): string =>
  `Giffler-Thompson schedules, tabu search on critical blocks, path relinking, branch and bound; objective ${objective}`;

/** Returns a civil time so that texts compare as times do; a date ends at midnight. */
const endOf = (moment: string): string => (moment.length === 10 ? `${moment} 24:00` : moment.slice(0, 16).replace('T', ' '));

const pastText = (jobs: number): readonly string[] =>
  jobs === 0
    ? []
    : [
        `${jobs} ${jobs === 1 ? 'job is' : 'jobs are'} due before the start: the lateness counts from the start, in working time.`,
      ];

/** Returns what the result of a mission does not say. @param ended why its search ended early, or null */
export const limitsOf = (
  { start, calendar, jobs }: Pick<ScheduleWork, 'start' | 'calendar' | 'jobs'>,
  ended: string | null,
): readonly string[] => [
  `Durations are taken as certain; ${calendar === undefined ? 'set-up, transport and breaks' : 'set-up and transport'} are not modelled.`,
  'A gap above the lower bound does not mean that a better schedule exists.',
  ...(start === undefined ? [] : ['Clock times are local, without a time zone: when clocks change, they are an hour off.']),
  ...pastText(jobs.filter(({ due }) => start !== undefined && typeof due === 'string' && endOf(due) < endOf(start)).length),
  ...(ended === null ? [] : [`The search ${ended}.`]),
];

/** The check that a result passes whose optimum no certificate shows. */
export const search_text = 'optimal by search, not certified: recompute to confirm';

const iterations_min = 100;
const iterations_per_operation = 3;
/** Longer searches of larger shops would not end within the time that a mission has. */
const visits_max = 900_000;

/**
 * Returns how many tabu iterations one evaluation buys in a shop of `operations`. An iteration for weighted tardiness takes as long in
 * small shops as in large ones, and several times as long as one for the makespan.
 */
export const iterationsPerEvaluation = (objective: ScheduleWork['objective'], operations: number): number =>
  objective === 'weighted_tardiness'
    ? iterations_min
    : Math.max(iterations_min, Math.min(iterations_per_operation * operations, Math.floor(visits_max / operations)));

/** The same in words, n being the number of operations. */
export const iterationsText = (objective: ScheduleWork['objective']): string =>
  objective === 'weighted_tardiness'
    ? `${iterations_min}`
    : `max(${iterations_min}, min(${iterations_per_operation} n, ${visits_max} / n rounded down)), n operations`;

/** The length of a certificate's tree in characters: only its root in large shops, whose schedules need the room. */
export const treeCharsMax = (operations: number): number => (operations <= 500 ? 160_000 : 1);

/** The work of following a tree: k² or less for every visit of a machine with k operations. */
export const tree_units_max = 20_000_000;

/** The number of periods in which a machine's time has one price each. */
export const price_periods_max = 300;
