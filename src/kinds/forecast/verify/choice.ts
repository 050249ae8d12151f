/** The verifier's own combination: the best few models, and the median of six simple ones. */
import { round12 } from '../../../base/decimal.js';
import { blend, type Share } from './former/bands.js';

export interface Choice {
  readonly shares: readonly Share[];
  /** Indices of the six. */
  readonly six: readonly number[];
  /** The median's part of the forecast. */
  readonly part: number;
}

const simple = ['damped', 'drift', 'holt', 'naive', 'ses', 'theta'] as const;

const inMiddle = (six: readonly number[]): number => {
  const sorted = [...six].sort((a, b) => a - b);
  return ((sorted[2] ?? 0) + (sorted[3] ?? 0)) / 2;
};

/** @param scores those of the models in order of name */
export function chosenBy(names: readonly string[], scores: readonly number[], trainCount: number): Choice {
  const ranked = names
    .map((name, index) => ({ score: scores[index] ?? 0, index, isLogged: /-log(-|$)/.test(name) }))
    .sort((a, b) => (a.score === b.score ? a.index - b.index : a.score - b.score));
  const logged = ranked.find(({ isLogged }) => isLogged);
  const plain = ranked.find(({ isLogged }) => !isLogged);
  const grows = logged !== undefined && logged.score * 1.25 < (plain?.score ?? 0);
  const few = (grows ? ranked : ranked.filter(({ isLogged }) => !isLogged)).slice(0, 6);
  const lowest = few[0]?.score ?? 0;
  const squares = few.map(({ score }) => (score > 0 ? (lowest / score) * (lowest / score) : 1));
  let total = 0;
  for (const v of squares) total += v;
  const six = sixOf(names, grows);
  const usual = inMiddle(six.map((index) => scores[index] ?? 0));
  const lead = usual > 0 && 2 * lowest < usual ? (2 * lowest) / usual : 1;
  return {
    shares: few.map(({ index }, i) => ({ index, weight: round12((squares[i] ?? 0) / total) })),
    six,
    part: trainCount < 500 ? round12(0.75 * (1 - trainCount / 500) * lead) : 0,
  };
}

function sixOf(names: readonly string[], grows: boolean): number[] {
  const form = ['-multiplicative', '-additive', ''].find((tail) => names.includes(`naive${tail}`)) ?? '';
  return simple.map((name) => {
    const logged = grows ? names.indexOf(`${name}-log${form}`) : -1;
    return logged < 0 ? names.indexOf(`${name}${form}`) : logged;
  });
}

/** Returns the indices of the models that the choice needs. */
export const neededFor = ({ shares, six, part }: Choice): Set<number> =>
  new Set([...shares.map(({ index }) => index), ...(part > 0 ? six : [])]);

/** @param pathBy the path of the model with an index */
export function combinedBy(choice: Choice, pathBy: (index: number) => Float64Array, h: number): number[] {
  const mean = blend(
    choice.shares,
    choice.shares.map(({ index }) => pathBy(index)),
    h,
  );
  if (choice.part === 0) return mean;
  const six = choice.six.map(pathBy);
  return mean.map((v, k) => (1 - choice.part) * v + choice.part * inMiddle(six.map((path) => path[k] ?? 0)));
}
