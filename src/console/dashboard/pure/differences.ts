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

interface RunRequest {
  readonly request: Omit<SimulationRequest, 'sectors'> & { readonly sectors: readonly unknown[] | null };
  readonly islands: readonly string[];
}

/** How values read. */
interface Printer {
  readonly number: (value: number) => string;
  readonly curve: (curve: string) => string;
  /** What the curve takes where nothing was given. */
  readonly own: (value: string) => string;
  readonly named: (count: string) => string;
  readonly generated: (count: string) => string;
  /** A field that has no bearing on the run. */
  readonly unused: string;
}

/** The curves' own steepness (docs/model.md); the linear curve has neither steepness nor midpoint. */
const own_k: Readonly<Record<string, number>> = { logistic: 10, exponential: 3 };

function textOf({ request, islands }: RunRequest, field: RequestField, print: Printer): string {
  const { curve, sectors } = request;
  const given = (value: number | null | undefined, own: number): string =>
    typeof value === 'number' ? print.number(value) : print.own(print.number(own));
  switch (field) {
    case 'curve':
      return print.curve(curve);
    case 'seed':
      // Without separators of thousands, so that it can be pasted.
      return String(request.seed);
    case 'k':
      return own_k[curve] === undefined ? print.unused : given(request.k, own_k[curve]);
    case 'x0':
      return curve === 'linear' ? print.unused : given(request.x0, 0);
    case 'sectors':
      return sectors === null ? print.generated(print.number(request.num_sectors)) : print.named(print.number(sectors.length));
    case 'energy':
    case 'entropy':
      return sectors === null ? print.number(request[field]) : print.unused;
    case 'islands':
      return islands.join(', ');
    case 'spread':
      return print.number(request.spread ?? 1);
    default:
      return print.number(request[field]);
  }
}

/** What is compared: values that read alike may differ, as sectors of the same number do. */
const keyOf = ({ request, islands }: RunRequest, field: RequestField, text: string, { unused }: Printer): string =>
  text === unused
    ? unused
    : text + JSON.stringify(field === 'islands' ? islands : (request[field] ?? (field === 'spread' ? 1 : null)));

/** Every field of every run, in the order of the form. */
export const fieldRows = (runs: readonly RunRequest[], print: Printer) =>
  requestFields.map((field) => {
    const cells = runs.map((run) => textOf(run, field, print));
    return { field, cells, differs: new Set(runs.map((run, i) => keyOf(run, field, cells[i] ?? '', print))).size > 1 };
  });

/** A year; null when the sector is never disrupted; undefined when the run has no such sector. */
export type Disruption = number | null | undefined;

type SectorLists = { readonly sectors: readonly { readonly name: string; readonly disrupted_year: number | null }[] };

/** Every sector that any run has, in the order of first appearance. */
export function sectorRows(runs: readonly SectorLists[]) {
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
