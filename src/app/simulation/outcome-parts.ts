/** Splits an outcome's canonical text into its members, as text. */

export interface OutcomeParts {
  readonly engine: string;
  readonly forecast: string;
  /** `hypervolume` and `islands`. */
  readonly found: string;
  /** `"population":[…]`. */
  readonly population: string;
  /** `request` and what follows it. */
  readonly asked: string;
}

/**
 * Returns the members; null if the text is not that of an outcome. Members are in the order of their names, and no text before
 * the end of the population comes from a request, so that a mark cannot be forged.
 */
export function outcomeParts(text: string): OutcomeParts | null {
  const marks = [',"forecast":', ',"hypervolume":', ',"population":[', '],"request":'];
  const at: number[] = [];
  for (const mark of marks) {
    const found = text.indexOf(mark, at.at(-1));
    if (found < 0) return null;
    at.push(found);
  }
  const [forecast = 0, hypervolume = 0, population = 0, end = 0] = at;
  return {
    engine: text.slice(1, forecast),
    forecast: text.slice(forecast + 1, hypervolume),
    found: text.slice(hypervolume + 1, population),
    population: text.slice(population + 1, end + 1),
    asked: text.slice(end + 2, -1),
  };
}

/** Returns the outcome's members in the order of the results object, without genomes unless requested. */
export function resultsMembers({ engine, forecast, found, population, asked }: OutcomeParts, genome: boolean): string {
  const individuals = genome ? population : population.replaceAll(/"genome":\[[^\]]*\],/g, '');
  return [forecast, individuals, engine, found, asked].join(',');
}

/** Yields the text of each individual. */
export function* individualTexts({ population }: OutcomeParts): Generator<string, void, undefined> {
  const end = population.length - 1;
  for (let from = population.indexOf('[') + 1; from < end; ) {
    const brace = population.indexOf('},', from);
    const to = brace < 0 ? end : brace + 1;
    yield population.slice(from, to);
    from = to + 1;
  }
}
