/** The members of an outcome's canonical text, as text. */

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
 * Null for a text that is no outcome's. Members stand in the order of their names, and up to the population's end no text stands there that a request
 * could choose, so each mark is what it seems.
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

/** The outcome's members in the order of the results object, without genomes unless they are asked for. */
export function resultsMembers({ engine, forecast, found, population, asked }: OutcomeParts, genome: boolean): string {
  const individuals = genome ? population : population.replaceAll(/"genome":\[[^\]]*\],/g, '');
  return [forecast, individuals, engine, found, asked].join(',');
}

/** The individuals' texts, one by one. */
export function* individualTexts({ population }: OutcomeParts): Generator<string, void, undefined> {
  const end = population.length - 1;
  for (let from = population.indexOf('[') + 1; from < end; ) {
    const brace = population.indexOf('},', from);
    const to = brace < 0 ? end : brace + 1;
    yield population.slice(from, to);
    from = to + 1;
  }
}
