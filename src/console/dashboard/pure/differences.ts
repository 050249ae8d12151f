/** What distinguishes runs: the fields of their requests, and when each sector is disrupted. */
import type { SimulationRequest } from '../../../codec/simulation.js';

export const requestFields = [
  'curve',
  'k',
  'x0',
  'horizon',
  'sectors',
  'energy',
  'entropy',
  'pop_size',
  'generations',
  'mut_rate',
  'xover_rate',
  'samples',
  'spread',
  'seed',
  'islands',
] as const;
export type RequestField = (typeof requestFields)[number];

/** A field's value for one run. `unused` where it has no bearing on the run, `own` where it is the curve's default. */
export type FieldValue =
  | { readonly kind: 'number'; readonly value: number; readonly own: boolean }
  /** Without separators of thousands, so that it can be pasted. */
  | { readonly kind: 'seed'; readonly value: number }
  | { readonly kind: 'curve'; readonly value: string }
  | { readonly kind: 'sectors'; readonly count: number; readonly named: boolean }
  | { readonly kind: 'names'; readonly value: readonly string[] }
  | { readonly kind: 'unused' };

export interface FieldRow {
  readonly field: RequestField;
  readonly values: readonly FieldValue[];
  readonly differs: boolean;
}

interface Asked {
  readonly request: Omit<SimulationRequest, 'sectors'> & { readonly sectors: readonly unknown[] | null };
  readonly islands: readonly string[];
}

/** The curves' own steepness (docs/model.md); the linear curve has neither steepness nor midpoint. */
const own_k: Readonly<Record<string, number>> = { logistic: 10, exponential: 3 };

const plain = (value: number): FieldValue => ({ kind: 'number', value, own: false });
const unused: FieldValue = { kind: 'unused' };

function ofCurve(given: number | null, own: number | null): FieldValue {
  if (own === null) return unused;
  return { kind: 'number', value: given ?? own, own: given === null };
}

function valueOf({ request, islands }: Asked, field: RequestField): FieldValue {
  const { curve, sectors, num_sectors } = request;
  switch (field) {
    case 'curve':
      return { kind: 'curve', value: curve };
    case 'seed':
      return { kind: 'seed', value: request.seed };
    case 'k':
      return ofCurve(request.k, own_k[curve] ?? null);
    case 'x0':
      return ofCurve(request.x0, curve === 'linear' ? null : 0);
    case 'sectors':
      return { kind: 'sectors', count: sectors?.length ?? num_sectors, named: sectors !== null };
    case 'energy':
    case 'entropy':
      return sectors === null ? plain(request[field]) : unused;
    case 'islands':
      return { kind: 'names', value: islands };
    case 'spread':
      return { kind: 'number', value: request.spread ?? 1, own: request.spread === undefined };
    default:
      return plain(request[field]);
  }
}

/** Every field of every run, in the order of the form; a list of sectors differs also where only its members do. */
export function fieldRows(runs: readonly Asked[]): FieldRow[] {
  return requestFields.map((field) => {
    const values = runs.map((run) => valueOf(run, field));
    const keys = runs.map((run, i) => JSON.stringify([values[i], field === 'sectors' ? run.request.sectors : null]));
    return { field, values, differs: new Set(keys).size > 1 };
  });
}

/** A year; null when the sector is never disrupted; undefined when the run has no such sector. */
export type Disruption = number | null | undefined;

interface SectorRow {
  readonly name: string;
  readonly years: readonly Disruption[];
  readonly differs: boolean;
}

interface Sectored {
  readonly sectors: readonly { readonly name: string; readonly disrupted_year: number | null }[];
}

/** Every sector that any run has, in the order of first appearance. */
export function sectorRows(runs: readonly Sectored[]): SectorRow[] {
  const byName = runs.map(({ sectors }) => new Map(sectors.map(({ name, disrupted_year }) => [name, disrupted_year])));
  const names = new Set(runs.flatMap(({ sectors }) => sectors.map(({ name }) => name)));
  return Array.from(names, (name) => {
    const years = byName.map((sectors) => sectors.get(name));
    return { name, years, differs: new Set(years).size > 1 };
  });
}

/** The runs that are chosen to be looked at together. */
export const compare_min = 2;
export const compare_max = 6;

/** Returns the ids without `id` if it is among them, else with it at the end; a seventh is not added. */
export function toggled(ids: readonly string[], id: string): readonly string[] {
  if (ids.includes(id)) return ids.filter((each) => each !== id);
  return ids.length >= compare_max ? ids : [...ids, id];
}
