/** Individuals on the plane: their places, and their reading order. */
import type { Individual } from '../../../codec/simulation-results.js';
import { linear, spanOf, widened, type Span } from '../../kit/charts/scale.js';

export type Worth = Omit<Individual, 'genome'>;

type Field = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;

export type Placement = Readonly<ReturnType<typeof placed>>;

const margin = 0.04;

/** Risk grows to the right and effectiveness upwards, so the best are at the upper left. */
export function placed(population: readonly Worth[], field: Field) {
  const risks = widened(spanOf(population.map(({ risk }) => risk)), margin);
  const effects = widened(spanOf(population.map(({ effectiveness }) => effectiveness)), margin);
  const x = linear(risks, [field.left, field.right]);
  const y = linear(effects, [field.bottom, field.top]);
  return {
    risks,
    effects,
    /** The place of each individual, in pixels. */
    xs: Float32Array.from(population, ({ risk }) => x(risk)),
    ys: Float32Array.from(population, ({ effectiveness }) => y(effectiveness)),
  };
}

/** Indices in the order of reading: by rank, then by falling effectiveness, then as they stood. */
export const inOrder = (population: readonly Worth[], frontOnly: boolean): number[] =>
  population
    .flatMap(({ rank, effectiveness }, index) => (frontOnly && rank > 0 ? [] : [{ rank, effectiveness, index }]))
    .toSorted((a, b) => a.rank - b.rank || b.effectiveness - a.effectiveness)
    .map(({ index }) => index);

/** Returns which of `steps` shades a complexity has, 0 for the lowest. */
export function shadeOf([least, most]: Span, steps: number): (complexity: number) => number {
  if (!(most > least)) return () => 0;
  return (complexity) => Math.min(steps - 1, Math.max(0, Math.floor(((complexity - least) / (most - least)) * steps)));
}
