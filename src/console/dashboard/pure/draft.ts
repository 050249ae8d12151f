/** The draft of a new run, all as texts, and the request that it makes. Text that is not a number stays text, so that the codec names it. */
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { parseJsonBytes } from '../../../base/json.js';
import type { Result } from '../../../base/refusal.js';
import type { Fields } from '../../../codec/field.js';
import { decode } from '../../../codec/kit.js';
import {
  type Sector,
  sectorObject,
  settled,
  simulationInput,
  type SimulationInput,
  type SimulationRequest,
} from '../../../codec/simulation.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import type { MemberWords } from '../../kit/forms/labels.js';
import { memberValues, numberOf, typedText } from '../../kit/forms/values.js';
import { type Cells, filledRows, type Place } from '../../kit/grid/cells.js';

/** The members of a simulation request as the form edits them; the list of sectors has an editor of its own. */
type RequestMember = Exclude<keyof SimulationInput, 'sectors'>;
type SectorMember = keyof Sector;

/** The words that each language has for the members: one that is missing does not compile. */
export type FieldWords = { readonly [M in RequestMember]: MemberWords<NonNullable<SimulationInput[M]>> };
export type SectorWords = { readonly [M in SectorMember]: MemberWords };

type Field = Fields[string];

export const requestFields: Readonly<Record<RequestMember, Field>> = simulationInput.fields;

/** The part of the form that a member belongs to; `alike` is for sectors that are all identical. */
const groupOf: Readonly<Record<RequestMember, 'scenario' | 'alike' | 'search' | 'repeat'>> = {
  horizon: 'scenario',
  curve: 'scenario',
  k: 'scenario',
  x0: 'scenario',
  num_sectors: 'alike',
  energy: 'alike',
  entropy: 'alike',
  pop_size: 'search',
  generations: 'search',
  mut_rate: 'search',
  xover_rate: 'search',
  samples: 'repeat',
  spread: 'repeat',
  seed: 'repeat',
};

export type Group = (typeof groupOf)[RequestMember];

const members = Object.keys(groupOf) as RequestMember[];
export const membersOf = (group: Group): readonly RequestMember[] => members.filter((name) => groupOf[name] === group);

/** The columns of the table of sectors. */
export const sectorMembers = Object.keys(sectorObject.fields) as SectorMember[];

/** Returns the cell of a path in the list of sectors; that of the name for a sector as a whole, null for the list as a whole. */
export function sectorCellOf(path: string): Place | null {
  const [, row, member = 'name'] = /^sectors\[(\d+)\](?:\.(\w+))?$/.exec(path) ?? [];
  return row === undefined ? null : { row: Number(row), col: sectorMembers.findIndex((each) => each === member) };
}

/** How the sectors are given: identical and by number, or one by one in a table. */
export const sectorWays = ['alike', 'rows'] as const;
type SectorWay = (typeof sectorWays)[number];

type Texts = { readonly [M in RequestMember]: string };

export interface Draft extends Texts {
  readonly way: SectorWay;
  /** The table of sectors. */
  readonly rows: Cells;
}

const texts = Object.fromEntries(members.map((name) => [name, ''])) as Texts;
const blank: Draft = { ...texts, way: 'alike', rows: [] };

/** Illustrations: from one that is near to its disruption to one that never is. */
const exampleSectors: Cells = [
  ['media', '0.8', '1.4', '0.01'],
  ['logistics', '1.1', '1.6', '0.02'],
  ['health', '1.6', '2.1', '0.03'],
  ['construction', '1.4', '1.2', '0.02'],
];

export const presetNames = ['standard', 'quick', 'thorough', 'sectors'] as const;
type PresetName = (typeof presetNames)[number];

/** `standard` leaves every field to the server. The others put the curve's middle within the horizon, so that disruption takes its time. */
export const presets: Readonly<Record<PresetName, Draft>> = {
  standard: blank,
  quick: { ...blank, horizon: '10', x0: '0.5', entropy: '2', pop_size: '20', generations: '10', samples: '200' },
  thorough: {
    ...blank,
    horizon: '30',
    x0: '0.5',
    entropy: '4',
    num_sectors: '12',
    pop_size: '200',
    generations: '200',
    samples: '2000',
  },
  sectors: {
    ...blank,
    horizon: '15',
    x0: '0.5',
    way: 'rows',
    rows: exampleSectors,
    pop_size: '40',
    generations: '40',
    samples: '500',
  },
};

const fieldsOf = ({ rows, ...texts }: Draft): string => JSON.stringify([texts, rows]);

/** The preset that the draft still is, or null once something was changed. */
export const presetOf = (draft: Draft): PresetName | null =>
  presetNames.find((name) => fieldsOf(presets[name]) === fieldsOf(draft)) ?? null;

const sectorsIn = (rows: Cells): readonly unknown[] =>
  filledRows(rows).map((row) =>
    memberValues(sectorObject.fields, Object.fromEntries(sectorMembers.map((name, i) => [name, row[i] ?? '']))),
  );

/** Returns the request of a form. Members that are left blank are left out, so that the server's defaults hold. */
export function requestOf({ way, rows, ...texts }: Draft): Readonly<Record<string, unknown>> {
  const values = Object.entries(memberValues(requestFields, texts)).filter(
    ([name]) => way === 'alike' || groupOf[name as RequestMember] !== 'alike',
  );
  const { horizon, curve, k, x0, ...rest } = Object.fromEntries(values);
  const request = { horizon, curve, k, x0, ...(way === 'rows' ? { sectors: sectorsIn(rows) } : {}), ...rest };
  return JSON.parse(JSON.stringify(request)) as Readonly<Record<string, unknown>>;
}

/** Returns a request with the run's name, unless that is blank. */
export const named = (request: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> =>
  name.trim() === '' ? request : { ...request, name };

const rowOf = (sector: Sector): readonly string[] => sectorMembers.map((name) => String(sector[name]));

/** Returns the rows of a JSON file of sectors, as `simulate --sectors` reads it. */
export const sectorsOfFile = (bytes: Uint8Array): Result<Cells> =>
  pipe(
    parseJsonBytes(bytes, { byteOrderMark: 'ignore' }),
    E.chain((sectors) => decode(simulationInput, { sectors })),
    E.map((input) => (settled(input, 0).sectors ?? []).map(rowOf)),
  );

/** Returns a form that holds a run's inputs, its seed included, so that they can be changed and run again. */
export function draftOf(request: SimulationRequest): Draft {
  const { sectors } = request;
  const texts = Object.fromEntries(members.map((name) => [name, typedText(request[name])]));
  const draft: Draft = { ...blank, ...texts, way: 'alike', rows: [] };
  return sectors === null ? draft : { ...draft, energy: '', entropy: '', num_sectors: '', way: 'rows', rows: sectors.map(rowOf) };
}

/** What a run costs: pop_size × generations × sectors × horizon. @param request a decoded one, its defaults filled in */
export const workOf = ({ pop_size, generations, horizon, num_sectors, sectors }: SimulationInput): number =>
  pop_size * generations * horizon * (sectors === null || sectors.length === 0 ? num_sectors : sectors.length);

/** The commands that do what the dashboard does. */
const flagOf = (name: string): string => `--${name.replaceAll('_', '-')}`;

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `simulate` with a request's members as flags; a list of sectors is in the file `sectors.json`. */
export function simulateCommand(request: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(request).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (name === 'sectors') return Array.isArray(value) && value.length === 0 ? [] : ['--sectors', 'sectors.json'];
    if (name === 'num_sectors') return ['--sectors', wordOf(value)];
    // A negative value after a blank would be read as a flag.
    return [`${flagOf(name)}=${wordOf(value)}`];
  });
  return agentCli('simulate', ...words);
}

export const verifyCommand = (id: string): string => agentCli('verify-run', id);

/** Returns the body of a request for a sweep: what the form holds without the field that is varied. Text that is not a number stays text, so that the server names it. */
export function sweepBodyOf(
  request: Readonly<Record<string, unknown>>,
  name: string,
  { field, ...texts }: Readonly<Record<'field' | 'from' | 'to' | 'step' | 'seeds', string>>,
): string {
  const { [field]: _, ...rest } = request;
  const numbers = Object.entries(texts).map(([member, text]) => [member, numberOf(text) ?? text] as const);
  return JSON.stringify(named({ request: rest, field, ...Object.fromEntries(numbers) }, name));
}
