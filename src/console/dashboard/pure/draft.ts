/** The draft of a new run, all as texts, and the request that it makes. Text that is not a number stays text, so that the codec names it. */
import type { Fields } from '../../../codec/field.js';
import { EitherType, ListType, ObjectType } from '../../../codec/kit.js';
import { type Sector, simulationInput, type SimulationInput } from '../../../codec/simulation.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import type { MemberWords } from '../../kit/forms/labels.js';
import { memberValues } from '../../kit/forms/values.js';

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

export const sectorFields = sectorFieldsOf();

function sectorFieldsOf(): Readonly<Record<SectorMember, Field>> {
  const { codec } = simulationInput.fields['sectors'] ?? {};
  const list = codec instanceof EitherType ? codec.second : undefined;
  const sector = list instanceof ListType && list.item instanceof EitherType ? list.item.second : undefined;
  if (!(sector instanceof ObjectType)) throw new Error('the sectors of a request are not a list of objects');
  return sector.fields as Readonly<Record<SectorMember, Field>>;
}

export type SectorDraft = { readonly [M in SectorMember]: string };

/** How the sectors are given: identical and by number, one by one, or as a JSON list. */
export const sectorWays = ['alike', 'rows', 'json'] as const;
export type SectorWay = (typeof sectorWays)[number];

type Texts = { readonly [M in RequestMember]: string };

export interface Draft extends Texts {
  readonly way: SectorWay;
  readonly rows: readonly SectorDraft[];
  readonly json: string;
}

export const emptySector: SectorDraft = { name: '', energy: '', entropy: '', growth: '' };

/** A sector is a row of four fields: longer lists are edited as JSON. */
export const sector_rows_max = 50;

const texts = Object.fromEntries(members.map((name) => [name, ''])) as Texts;
const blank: Draft = { ...texts, way: 'alike', rows: [], json: '' };

const sector = (name: string, energy: string, entropy: string, growth: string): SectorDraft => ({
  name,
  energy,
  entropy,
  growth,
});

/** Illustrations: from one that is near to its disruption to one that never is. */
const exampleSectors: readonly SectorDraft[] = [
  sector('media', '0.8', '1.4', '0.01'),
  sector('logistics', '1.1', '1.6', '0.02'),
  sector('health', '1.6', '2.1', '0.03'),
  sector('construction', '1.4', '1.2', '0.02'),
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

type JsonList = { readonly list: readonly unknown[] } | { readonly fault: 'blank' | 'list' | 'json' };

/** The pasted list of sectors: objects, or bare names. */
export function jsonList(text: string): JsonList {
  if (text.trim() === '') return { fault: 'blank' };
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? { list: value as readonly unknown[] } : { fault: 'list' };
  } catch {
    return { fault: 'json' };
  }
}

/** The members that a list of sectors takes the place of. */
const alike: readonly RequestMember[] = membersOf('alike');

function sectorsOf(draft: Draft): Readonly<Record<string, unknown>> {
  switch (draft.way) {
    case 'alike':
      return {};
    case 'rows':
      return { sectors: draft.rows.map((row) => memberValues(sectorFields, row)) };
    case 'json': {
      const read = jsonList(draft.json);
      return { sectors: 'list' in read ? read.list : draft.json.trim() };
    }
  }
}

/** Returns the request of a form. Members that are left blank are left out, so that the server's defaults hold. */
export function requestOf({ way, rows, json, ...texts }: Draft): Readonly<Record<string, unknown>> {
  const values = Object.entries(memberValues(requestFields, texts)).filter(
    ([name]) => way === 'alike' || !alike.some((each) => each === name),
  );
  const { horizon, curve, k, x0, ...rest } = Object.fromEntries(values);
  const request = { horizon, curve, k, x0, ...sectorsOf({ way, rows, json, ...texts }), ...rest };
  return JSON.parse(JSON.stringify(request)) as Readonly<Record<string, unknown>>;
}

/**
 * The text of a form's request as it is sent, with the run's name unless that is blank. A pasted list goes along as it was pasted: the browser keeps the last of two members of
 * one name without a word, where the server names them.
 */
export function bodyOf(draft: Draft, name = ''): string {
  const request = requestOf(draft);
  const named = name.trim() === '' ? request : { ...request, name };
  const { sectors, ...rest } = named;
  if (draft.way !== 'json' || !Array.isArray(sectors)) return JSON.stringify(named);
  const members = JSON.stringify(rest).slice(1, -1);
  return `{${members}${members === '' ? '' : ','}"sectors":${draft.json.trim()}}`;
}

/** Returns the fields of a sector: a name, or an object. */
export function rowOf(value: unknown): SectorDraft {
  if (typeof value === 'string') return { ...emptySector, name: value };
  const members = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  return sector(textOf(members['name']), textOf(members['energy']), textOf(members['entropy']), textOf(members['growth']));
}

const textOf = (value: unknown): string => (typeof value === 'number' || typeof value === 'string' ? String(value) : '');

/** Returns a form that holds a run's inputs, its seed included, so that they can be changed and run again. */
export function draftOf(
  request: {
    readonly [K in Exclude<keyof Draft, 'way' | 'rows' | 'json' | 'spread'>]: number | string | null;
  } & { readonly spread?: number | undefined } & {
    readonly sectors: readonly { readonly [K in keyof SectorDraft]: string | number }[] | null;
  },
): Draft {
  const { sectors } = request;
  const texts = Object.fromEntries(Object.keys(blank).map((name) => [name, textOf((request as Record<string, unknown>)[name])]));
  const draft: Draft = { ...blank, ...texts, way: 'alike', rows: [], json: '' };
  if (sectors === null) return draft;
  const own = { ...draft, energy: '', entropy: '', num_sectors: '' };
  if (sectors.length > sector_rows_max) return { ...own, way: 'json', json: JSON.stringify(sectors, null, 1) };
  return { ...own, way: 'rows', rows: sectors.map(rowOf) };
}

/** What a run costs: pop_size × generations × sectors × horizon. @param request a decoded one, its defaults filled in */
export const workOf = (request: {
  readonly pop_size: number;
  readonly generations: number;
  readonly horizon: number;
  readonly num_sectors: number;
  readonly sectors: readonly unknown[] | null;
}): number => {
  const count = request.sectors === null || request.sectors.length === 0 ? request.num_sectors : request.sectors.length;
  return request.pop_size * request.generations * request.horizon * count;
};

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
  const numbers = Object.entries(texts).map(([member, text]) => [
    member,
    text.trim() === '' ? text : Number(text) || (Number(text) === 0 ? 0 : text),
  ]);
  return JSON.stringify({ ...(name.trim() === '' ? {} : { name }), request: rest, field, ...Object.fromEntries(numbers) });
}
