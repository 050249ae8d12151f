/** Splits an outcome's canonical text into its members, as text or as bytes. */

export interface OutcomeParts<T = string> {
  readonly engine: T;
  readonly forecast: T;
  /** `hypervolume` and `islands`. */
  readonly found: T;
  /** `"population":[…]`. */
  readonly population: T;
  /** `request` and what follows it. */
  readonly asked: T;
}

/** The places where the members after `engine` begin, in the text as in its bytes, since all before the last mark is ASCII. */
export type OutcomeMarks = readonly [forecast: number, hypervolume: number, population: number, end: number];

/**
 * Returns where the members are; null if the text is not that of an outcome. Members are in the order of their names, and no text before
 * the end of the population comes from a request, so that a mark cannot be forged.
 */
export function outcomeMarks(text: string): OutcomeMarks | null {
  const marks = [',"forecast":', ',"hypervolume":', ',"population":[', '],"request":'];
  const at: number[] = [];
  for (const mark of marks) {
    const found = text.indexOf(mark, at.at(-1));
    if (found < 0) return null;
    at.push(found);
  }
  const [forecast = 0, hypervolume = 0, population = 0, end = 0] = at;
  return [forecast, hypervolume, population, end];
}

/** Returns the members. @param cut returns the part of the text between two places, of which a negative one counts from the end */
export const partsAt = <T>(
  [forecast, hypervolume, population, end]: OutcomeMarks,
  cut: (from: number, to: number) => T,
): OutcomeParts<T> => ({
  engine: cut(1, forecast),
  forecast: cut(forecast + 1, hypervolume),
  found: cut(hypervolume + 1, population),
  population: cut(population + 1, end + 1),
  asked: cut(end + 2, -1),
});

/** Returns the members as text; null if the text is not that of an outcome. */
export function outcomeParts(text: string): OutcomeParts | null {
  const marks = outcomeMarks(text);
  return marks === null ? null : partsAt(marks, (from, to) => text.slice(from, to));
}

export const withoutGenomes = (parts: OutcomeParts): OutcomeParts => ({
  ...parts,
  population: parts.population.replaceAll(/"genome":\[[^\]]*\],/g, ''),
});

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
