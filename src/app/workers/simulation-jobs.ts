/**
 * Work of the simulation as jobs, each a pure function of its input: an epoch of one island (of the request, the island's place, the epoch, the
 * population before it and the migrants that arrive), and a whole run (of the request and the islands' names), whose output is the outcome's
 * canonical text. Populations travel as numbers of 64 bits (IEEE 754, little-endian), so that the outcome is that of one thread, bit for bit.
 */
import { endianness } from 'node:os';
import * as t from 'io-ts';
import { utf8 } from '../../base/bytes.js';
import { isRefused } from '../../base/refusal.js';
import { islands_max, simulation_generations_max } from '../../base/limits.js';
import { islandNames } from '../../codec/events/simulation.js';
import { flag, integer, mapOf, object, required } from '../../codec/kit.js';
import { canonicalOutcome } from '../../codec/simulation-results.js';
import { canonicalRequest, decodeSettled, type SimulationRequest } from '../../codec/simulation.js';
import { admit, restore, snapshot } from '../../engines/evolution/evolution.js';
import type { Population } from '../../engines/evolution/problem.js';
import { baselineOf, simulate } from '../../engines/simulation/engine.js';
import { epoch_generations, evolveEpoch, islandSizes, type Migrants, newIsland } from '../../engines/simulation/islands.js';
import { modelOf, objectives } from '../../engines/simulation/model.js';
import { readFrame, writeFrame } from './messages.js';

const migrants_count = 2;

const epochHeader = object('Epoch', {
  request: required(mapOf(t.unknown)),
  islands: required(integer(1, islands_max)),
  place: required(integer(0, islands_max - 1)),
  epoch: required(integer(0, simulation_generations_max)),
  generations: required(integer(1, epoch_generations)),
  /** Whether two migrants follow the population. */
  has_arriving: required(flag),
});

export interface Epoch {
  readonly request: SimulationRequest;
  readonly islands: number;
  readonly place: number;
  readonly epoch: number;
  readonly generations: number;
  /** The population before; null for the first epoch. */
  readonly population: Population | null;
  readonly arriving: Migrants | null;
}

/** The numbers of individuals and genes of an island. */
type IslandShape = Readonly<ReturnType<typeof shapeOf>>;

export const shapeOf = ({ request, islands, place }: Pick<Epoch, 'request' | 'islands' | 'place'>) => ({
  size: islandSizes(request.pop_size, islands)[place] ?? 0,
  genes: request.sectors?.length ?? request.num_sectors,
});

export function writeEpoch(job: Epoch): Uint8Array<ArrayBuffer> {
  const { request, islands, place, epoch, generations, population, arriving } = job;
  const named = { request: canonicalRequest(request), islands, place, epoch, generations, has_arriving: arriving !== null };
  const numbers = [
    ...(population === null ? [] : numbersOf(population)),
    ...(arriving === null ? [] : [arriving.variables, arriving.objectives]),
  ];
  return writeFrame(named, littleEndian(numbers));
}

/** Returns the epoch that a job's input describes, or null for an input that describes none. */
export function readEpoch(input: Uint8Array): Epoch | null {
  const frame = readFrame(epochHeader, input);
  if (frame === null) return null;
  const { request: told, has_arriving, ...place } = frame.header;
  const request = decodeSettled(told);
  if (isRefused(request)) return null;
  const named = { ...place, request: request.right };
  const shape = shapeOf(named);
  const migrants = has_arriving ? migrants_count * (shape.genes + objectives) : 0;
  const numbers = numbersIn(frame.bytes);
  if (numbers === null) return null;
  const isFirst = place.epoch === 0;
  const population = isFirst ? null : populationIn(numbers.subarray(0, numbers.length - migrants), shape);
  if (isFirst ? numbers.length > 0 : population === null) return null;
  const rest = numbers.slice(numbers.length - migrants);
  const cut = migrants_count * shape.genes;
  const arriving = has_arriving ? { variables: rest.slice(0, cut), objectives: rest.slice(cut) } : null;
  return { ...named, population, arriving };
}

/** @param onStep called before each generation and at the end @param alive called after every evaluation */
export function computeEpoch(epoch: Epoch, onStep: () => void, alive: () => void): Population {
  const { request, place, population, arriving } = epoch;
  const { scenario, paths } = baselineOf(request);
  const island = newIsland(modelOf(scenario, paths), request, shapeOf(epoch).size, alive);
  if (population !== null) restore(island, population);
  if (arriving !== null) admit(island, arriving);
  evolveEpoch(island, { seed: request.seed, place, epoch: epoch.epoch, generations: epoch.generations }, onStep);
  return snapshot(island);
}

export const writePopulation = (population: Population): Uint8Array<ArrayBuffer> => littleEndian(numbersOf(population));

/** Returns the population that bytes hold, or null for bytes that are none: of another size, or with values out of bounds. */
export function readPopulation(bytes: Uint8Array, shape: IslandShape): Population | null {
  const numbers = numbersIn(bytes);
  return numbers === null ? null : populationIn(numbers, shape);
}

/** Ranks travel as numbers like the others. */
const numbersOf = ({ variables, objectives: values, rank, crowding }: Population): Float64Array[] => [
  variables,
  values,
  Float64Array.from(rank),
  crowding,
];

function populationIn(numbers: Float64Array<ArrayBuffer>, { size, genes }: IslandShape): Population | null {
  if (numbers.length !== size * (genes + objectives + 2)) return null;
  const at = size * genes;
  const ranks = at + size * objectives;
  const variables = numbers.slice(0, at);
  const values = numbers.slice(at, ranks);
  const rank = numbers.slice(ranks, ranks + size);
  const crowding = numbers.slice(ranks + size);
  const isGenome = variables.every((gene) => gene >= 0 && gene <= 1);
  const isRanked = rank.every((r) => Number.isInteger(r) && r >= 0 && r < size) && crowding.every((distance) => distance >= 0);
  if (!isGenome || !isRanked || values.some((value) => value - value !== 0)) return null;
  return { variables, objectives: values, rank: Int32Array.from(rank), crowding };
}

const number_bytes = Float64Array.BYTES_PER_ELEMENT;
const isLittleEndian = endianness() === 'LE';

function littleEndian(parts: readonly Float64Array[]): Uint8Array<ArrayBuffer> {
  const numbers = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    numbers.set(part, at);
    at += part.length;
  }
  const bytes = new Uint8Array(numbers.buffer);
  if (!isLittleEndian) Buffer.from(bytes.buffer).swap64();
  return bytes;
}

/** Returns the numbers in a copy of the bytes, which need not be aligned; null for a fraction of a number. */
function numbersIn(bytes: Uint8Array): Float64Array<ArrayBuffer> | null {
  if (bytes.length % number_bytes !== 0) return null;
  const copy = new Uint8Array(bytes);
  if (!isLittleEndian) Buffer.from(copy.buffer).swap64();
  return new Float64Array(copy.buffer);
}

/** A whole run of the simulation. */
export interface SimulationTask {
  readonly request: SimulationRequest;
  readonly islands: readonly string[];
}

const runHeader = object('Run', { request: required(mapOf(t.unknown)), islands: required(islandNames) });

export const writeRunJob = ({ request, islands }: SimulationTask): Uint8Array<ArrayBuffer> =>
  writeFrame({ request: canonicalRequest(request), islands }, new Uint8Array());

/** Returns the run that a job's input describes, or null for an input that describes none. */
export function readRunJob(input: Uint8Array): SimulationTask | null {
  const frame = readFrame(runHeader, input);
  if (frame === null || frame.bytes.length > 0) return null;
  const request = decodeSettled(frame.header.request);
  return isRefused(request) ? null : { request: request.right, islands: frame.header.islands };
}

/** @param checkpoint called before each generation @param alive called after every evaluation */
export const computeRun = (
  { request, islands }: SimulationTask,
  checkpoint: () => void,
  alive: () => void,
): Uint8Array<ArrayBuffer> => new Uint8Array(utf8(canonicalOutcome(simulate(request, islands, { checkpoint, alive }))));
