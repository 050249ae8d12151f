/** The texts that every schedule result carries, and the amount of search that one unit of effort buys. */

export const methodText = (objective: string): string =>
  `Giffler-Thompson schedules, tabu search on critical blocks, path relinking; objective ${objective}`;

export const limit_texts: readonly string[] = [
  'Durations are taken as certain; set-up, transport and breaks are not modelled.',
  'A gap above the lower bound does not mean that a better schedule exists.',
];

export const iterations_per_unit = 100;

/** The number of periods in which a machine's time has one price each. */
export const price_periods_max = 300;
