/** Builds a simulation's request from flags. Numbers are parsed as in JSON; the request's codec checks their ranges. */
import { Flags } from '@oclif/core';
import { invalid } from '../base/refusal.js';
import { RefusalError } from '../base/result.js';
import { curves } from '../codec/simulation.js';

const numberFlag = (description: string, helpValue = 'N') => Flags.string({ description, helpValue, helpGroup: 'REQUEST' });

export const requestFlags = {
  name: Flags.string({ description: 'a name for the run, 1 to 80 characters', exclusive: ['sweep'], helpValue: 'TEXT' }),
  horizon: numberFlag('forecast years, 1 to 200 (default 5)'),
  curve: Flags.string({
    description: 'capability growth (default logistic)',
    options: [...curves],
    helpValue: 'NAME',
    helpGroup: 'REQUEST',
  }),
  k: numberFlag('steepness of the curve (default 10 for logistic, 3 for exponential)', 'X'),
  x0: numberFlag('midpoint of the curve, as a share of the horizon (default 0)', 'X'),
  sectors: Flags.string({
    description: 'how many sectors, 1 to 1000 (default 6); or a JSON file with a list of {name, energy, entropy, growth}',
    helpValue: 'N|FILE',
    helpGroup: 'REQUEST',
  }),
  energy: numberFlag('energy of each sector at the start (default 1); not with a file of sectors', 'X'),
  entropy: numberFlag('entropy of each sector, which capability turns against it (default 1); not with a file', 'X'),
  'pop-size': numberFlag('individuals of a generation, 2 to 10000 (default 6)'),
  generations: numberFlag('steps of the search, 1 to 10000 (default 3)'),
  'mut-rate': numberFlag('probability that a gene mutates (default 0.1)', 'P'),
  'xover-rate': numberFlag('probability that a pair is crossed (default 0.5)', 'P'),
  'num-sectors': numberFlag('as --sectors N'),
  seed: numberFlag('0 to 4294967295; without it one is drawn, recorded and shown'),
  samples: numberFlag('draws for the quantiles of the forecast, 0 to 2000 (default 0: none)'),
} as const;

type Given = Readonly<Partial<Record<keyof typeof requestFlags, string | undefined>>>;

const numberFlags = [
  'horizon',
  'k',
  'x0',
  'energy',
  'entropy',
  'pop-size',
  'generations',
  'mut-rate',
  'xover-rate',
  'num-sectors',
  'seed',
  'samples',
] as const;

const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/**
 * Returns the document for the flags, as a client would send it; `readSectors` reads the file that --sectors names.
 * @throws RefusalError for a value that is not a number, or a bad file
 */
export function requestDocument(
  given: Given,
  readSectors: (file: string) => readonly unknown[],
): Readonly<Record<string, unknown>> {
  const { name, curve, sectors } = given;
  const document: Record<string, unknown> = {
    ...(name === undefined ? {} : { name }),
    ...(curve === undefined ? {} : { curve }),
  };
  for (const flag of numberFlags) {
    const text = given[flag];
    if (text !== undefined) document[flag.replaceAll('-', '_')] = numberOf(flag, text);
  }
  if (sectors === undefined) return document;
  if (!/^[+-]?[0-9][0-9.]*$/.test(sectors)) return { ...document, sectors: readSectors(sectors) };
  if (document['num_sectors'] !== undefined)
    throw new RefusalError(invalid('sectors', 'is a number, which --num-sectors also sets'));
  return { ...document, num_sectors: numberOf('num_sectors', sectors) };
}

function numberOf(flag: string, text: string): number {
  if (!jsonNumber.test(text)) throw new RefusalError(invalid(flag.replaceAll('-', '_'), 'must be a number'));
  return Number(text);
}
